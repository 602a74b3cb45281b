"""CONTRIBUTING.md: its operator, check, importer and measure are what the package would find, and do what they say."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from jostle.audit import Case, EvalSet
from jostle.errors import InputError
from jostle.importers import Reading
from jostle.measures.inputs import normalise, to_rows
from jostle.measures.options import Options
from jostle.perturb import NotApplicable, Variant, apply, load_operator
from jostle.perturb.contract import operator_from
from jostle.rows import read_parquet

PAGE = (Path(__file__).resolve().parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```python\n(.*?)```", PAGE, re.DOTALL))
Example = Callable[[str], ModuleType]


@pytest.fixture
def example(tmp_path: Path) -> Example:
    """A file of the page, written and imported."""

    def load(name: str) -> ModuleType:
        path = tmp_path / name
        path.write_text(FILES[name], encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return load


def test_these_are_the_examples() -> None:
    assert list(FILES) == ["french_exclamation.py", "shouting.py", "tally.py", "always_right.py"]
    assert len(re.findall("```python", PAGE)) == len(FILES)


def test_the_operator(example: Example, tmp_path: Path) -> None:
    own = operator_from("french_exclamation", example("french_exclamation.py"))  # as the package reads its modules
    assert (own.condition, own.relation) == ("pert/french_exclamation", "invariant")
    found = apply(own, "Stop! See https://example.org/a!b for more!")
    assert isinstance(found, Variant)
    assert found.text == "Stop ! See https://example.org/a!b for more !"
    assert found.restore().fields["text"] == "Stop! See https://example.org/a!b for more!"
    left = apply(own, "Stop.")
    assert isinstance(left, NotApplicable)
    assert left.reason == "no exclamation mark"
    typed = load_operator(f"{tmp_path}/french_exclamation.py:edits")  # as --operators reads a file
    again = apply(typed, "Stop!")
    assert isinstance(again, Variant)
    assert again.text == "Stop !"


@pytest.mark.slow
def test_the_operator_from_the_command_line(example: Example, jostle: Callable[..., object], tmp_path: Path) -> None:
    example("french_exclamation.py")
    (tmp_path / "rows.jsonl").write_text('{"sentence": "Great fun!", "label": 1}\n')
    flags = ("--operators", f"{tmp_path}/french_exclamation.py:edits", "--out", tmp_path / "built")
    jostle("build", "--task", "sst2", "--data", tmp_path / "rows.jsonl", *flags)
    rows = read_parquet(next((tmp_path / "built").glob("sst2-pert/*.parquet"))).to_pylist()
    assert [row["sentence"] for row in rows] == ["Great fun !"]


def test_the_check(example: Example) -> None:
    check = example("shouting.py").CHECK()
    cases = [Case("a", "WHO ARE YOU?", {}), Case("b", "Who are you?", {}), Case("c", "42?", {})]
    result = check.run(EvalSet(cases, {"input": "input"}, "set.csv"))
    assert [finding.case_ids for finding in result.findings] == [("a",)]
    assert (result.warnings, result.stats) == ([], {"n_capitals": 1})
    assert check.run(EvalSet(cases[1:], {"input": "input"}, "set.csv")).findings == []


def test_the_importer(example: Example, tmp_path: Path) -> None:
    importer = example("tally.py")
    path = tmp_path / "run.tally"
    path.write_text("# tally\nq1 orig yes yes\nq1 polite yes no\n")
    assert (importer.matches(path), importer.matches(tmp_path / "run.csv")) == (True, False)
    outcomes = importer.read(path, Reading())
    assert outcomes.to_arrow().to_pydict()["predictions"] == ["yes", "no"]
    path.write_text("# tally\nq1 orig yes\n")
    with pytest.raises(InputError, match=r"in line 2 of .*run\.tally"):
        importer.read(path, Reading())


def test_the_measure(example: Example) -> None:
    measure = example("always_right.py")
    columns = {"predictions": [1, 1, 1, 0], "references": [1] * 4, "item_ids": ["a", "a", "b", "b"]}
    rows = to_rows(normalise(columns | {"conditions": ["orig", "x"] * 2}, Options()), Options())
    found = measure.MEASURE(rows, Options())
    assert (found["always_right"], found["n_items"]) == (0.5, 2)  # of a and b, a alone is right twice
    assert found["ci_low"] < 0.5 < found["ci_high"]
    assert (measure.NAME, bool(measure.LIMITATIONS)) == ("always_right", True)
