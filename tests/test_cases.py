"""Every fault of the case collection has a test that bears its id, as `test_m02_...` or `test_case_a01_...`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
CASES = {
    "metric": "M02 M03 M05 M07 M08 M09 M10 M11 M12 M15 M17 M18 M19",
    "builder": "B02 B03 B04 B05 B07 B09 B10 B13 B14 B15 B16",
    "multiple choice": "Q01 Q03 Q04 Q05",
    "extraction": "E01 E02 E05 E06 E07 E08 E10",
    "audit": "A01 A02 A05 A06 A07 A08 A10",
    "runner": "R01 R02 R04",
    "Inspect AI": "I02 I03",
    "Space": "S02",
    "command line": "C01 C02",
}
IDS = [name for names in CASES.values() for name in names.split()]


def names_of_tests(source: str) -> list[str]:
    """The functions of a file that are tests and assert something, themselves or through `pytest.raises`."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    return [f.name for f in functions if f.name.startswith("test_") and _can_fail(f)]


def _can_fail(function: ast.FunctionDef) -> bool:
    inside = list(ast.walk(function))
    raises = any(isinstance(node, ast.Attribute) and node.attr == "raises" for node in inside)
    return raises or any(isinstance(node, ast.Assert) for node in inside)


@pytest.fixture(scope="module")
def by_id() -> dict[str, list[str]]:
    """Tests by the id in their names."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for name in names_of_tests(path.read_text(encoding="utf-8")):
            for letter, number in re.findall(r"(?:^test|_case)_([a-z])(\d\d)(?=_)", name):
                found.setdefault(f"{letter.upper()}{number}", []).append(f"{path.relative_to(TESTS)}::{name}")
    return found


def test_there_are_fifty() -> None:
    assert len(IDS) == len(set(IDS)) == 50


@pytest.mark.parametrize("name", IDS)
def test_every_one_has_a_test(by_id: dict[str, list[str]], name: str) -> None:
    assert by_id.get(name), f"no test is named test_{name.lower()}_..."


def test_no_test_bears_an_id_that_is_none(by_id: dict[str, list[str]]) -> None:
    assert {name: tests for name, tests in by_id.items() if name not in IDS} == {}


def test_a_function_without_an_assertion_is_no_test() -> None:
    source = "def test_m02_x():\n    pass\ndef test_m03_x():\n    assert 1\ndef helper_m05_x():\n    assert 1\n"
    assert names_of_tests(source) == ["test_m03_x"]
