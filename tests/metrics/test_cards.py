"""The metric cards against reality: front matter, tables of columns, options and keys, and examples."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from jostle.measures.options import COLUMNS, REQUIRED, Options

NAMES = ("invariance_drift", "flip_rate", "pair_consistency", "robustness_ratio")
SECTIONS = (
    "What it is", "How to use", "Inputs", "Options", "Output values", "Degenerate cases", "Examples",
    "Limitations and bias", "Citation", "Further references",
)  # fmt: skip
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}  # those that the Hub knows


@pytest.fixture(params=NAMES)
def card(request: pytest.FixtureRequest, repo: Path) -> tuple[str, str]:
    """Name and text of each card."""
    path = repo / "metrics" / request.param / "README.md"
    return request.param, path.read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert found, f"no section {title}"
    return found.group(1)


def named(table: str) -> list[str]:
    """What stands between backticks in the first column."""
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_front_matter_is_that_of_a_space(card: tuple[str, str]) -> None:
    front = yaml.safe_load(card[1].split("---\n")[1])
    fixed = {
        "sdk": "gradio",
        "sdk_version": "6.31.0",
        "app_file": "app.py",
        "pinned": False,
        "tags": ["evaluate", "metric"],
    }
    assert {key: front[key] for key in fixed} == fixed
    assert {front["colorFrom"], front["colorTo"]} <= COLOURS
    assert isinstance(front["python_version"], str)
    assert front["title"].lower().replace(" ", "_") == card[0]
    assert front["emoji"]
    assert front["description"]


def test_sections_stand_in_order(card: tuple[str, str]) -> None:
    assert tuple(re.findall(r"^## (.+)$", card[1], flags=re.MULTILINE)) == SECTIONS


def test_columns_and_options_are_those_of_the_code(card: tuple[str, str]) -> None:
    columns = section(card[1], "Inputs")
    assert sorted(named(columns)) == sorted(COLUMNS)
    required = [line for line in columns.splitlines() if "| yes |" in line]
    assert named("\n".join(required)) == list(REQUIRED)
    assert sorted(named(section(card[1], "Options"))) == sorted(field.name for field in fields(Options))


def test_defaults_are_those_of_the_code(card: tuple[str, str]) -> None:
    for line in section(card[1], "Options").splitlines():
        name, default = (cell.strip().strip('`"') for cell in [*line.split("|"), "", ""][1:3])
        if default and name in {
            "tolerance",
            "flip_tolerance",
            "n_resamples",
            "seed",
            "missing",
            "max_failures",
            "unlabelled",
        }:
            actual = getattr(Options(), name)
            assert default == str(actual) or float(default) == actual


def test_keys_are_those_returned(card: tuple[str, str], modules: dict[str, Any], columns: dict[str, list[Any]]) -> None:
    name, text = card
    listed = named(section(text, "Output values"))
    assert len(listed) == len(set(listed))
    assert sorted(listed) == sorted(modules[name].compute(**columns))


def test_examples_give_what_they_show(
    card: tuple[str, str], repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repo)  # the examples load the modules from the clone
    blocks = re.findall(r"```python\n(>>>.*?)```", section(card[1], "Examples"), flags=re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, card[0], None, 0)
    assert len(test.examples) > 4
    failed = doctest.DocTestRunner().run(test).failed
    assert not failed, capsys.readouterr().out


def test_other_code_compiles_and_names_the_module(card: tuple[str, str]) -> None:
    name, text = card
    blocks = re.findall(r"```python\n(?!>>>)(.*?)```", text, flags=re.DOTALL)
    for block in blocks:
        compile(block, name, "exec")
    assert f'evaluate.load("ORG/{name}")' in blocks[0]
    assert f'jostle.load("{name}")' in blocks[1]


def test_requirements(card: tuple[str, str], repo: Path) -> None:
    lines = (repo / "metrics" / card[0] / "requirements.txt").read_text(encoding="utf-8").split()
    assert {"evaluate>=0.4.6", "numpy>=2.0"} <= set(lines)


def test_citation_is_that_of_the_module(card: tuple[str, str], modules: dict[str, Any]) -> None:
    squeeze: Callable[[str], str] = lambda text: " ".join(text.split())  # noqa: E731
    assert squeeze(modules[card[0]].citation) in squeeze(section(card[1], "Citation"))
