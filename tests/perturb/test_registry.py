"""Operators of this package, of other packages and of users' files."""

from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest

from jostle.errors import UsageError
from jostle.items import MCQItem
from jostle.perturb import Variant, apply, available, load_operator, registry
from jostle.perturb.contract import operator_from

STATED = """
from jostle.perturb import Change
KIND = "pert"
RELATION = "invariant"
TASKS = ("*",)
PROMISE = "The same text with a mark at the end."
LIMITATIONS = ("A toy.",)
"""
FUNCTION = """
def exclaim(text, rng, rate, *, mark="!"):
    end = len(text.text)
    return [Change(end, end, mark)]
"""


def written(folder: Path, text: str) -> str:
    path = folder / "mine.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_function_of_a_file_becomes_an_operator(tmp_path: Path) -> None:
    operator = load_operator(written(tmp_path, STATED + FUNCTION) + ":exclaim")
    assert (operator.name, operator.condition, operator.parameters) == ("exclaim", "pert/exclaim", {"mark"})
    variant = apply(operator, "hello", mark="?")
    assert isinstance(variant, Variant)
    assert variant.text == "hello?"
    assert "exclaim" not in available()


def test_object_of_a_file_becomes_an_operator(tmp_path: Path) -> None:
    body = (
        'class Loud:\n    KIND = "adv"\n    RELATION = "invariant"\n    TASKS = ("*",)\n'
        '    PROMISE = "Same."\n    LIMITATIONS = ("A toy.",)\n'
        "    @staticmethod\n    def edits(text, rng, rate):\n        return []\n"
    )
    assert load_operator(written(tmp_path, body) + ":Loud").condition == "adv/Loud"


def test_function_on_items(tmp_path: Path) -> None:
    body = STATED + "def reverse(item, rng):\n    return item.rotate(1)\n"
    variant = apply(load_operator(written(tmp_path, body) + ":reverse"), MCQItem("Q?", ("a", "b"), 0, id="1"))
    assert isinstance(variant, Variant)
    assert variant.side == "choices"
    assert variant.restore() == variant.base


@pytest.mark.parametrize("attribute", ["KIND", "RELATION", "TASKS", "PROMISE", "LIMITATIONS"])
def test_missing_statement_is_named(tmp_path: Path, attribute: str) -> None:
    lines = [line for line in STATED.splitlines() if not line.startswith(attribute)]
    with pytest.raises(UsageError, match=attribute):
        load_operator(written(tmp_path, "\n".join(lines) + FUNCTION) + ":exclaim")


def test_missing_file_and_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Expected an operator as path/to/file\.py:name"):
        load_operator(str(tmp_path / "absent.py") + ":exclaim")
    with pytest.raises(UsageError, match=r"Expected an operator as path/to/file\.py:name"):
        load_operator(written(tmp_path, STATED))
    with pytest.raises(UsageError, match="to define 'whisper'"):
        load_operator(written(tmp_path, STATED + FUNCTION) + ":whisper")


def test_file_that_fails_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="ZeroDivisionError"):
        load_operator(written(tmp_path, "1 / 0\n") + ":x")


def test_name_of_a_built_in_is_refused(tmp_path: Path) -> None:
    body = STATED + FUNCTION.replace("exclaim", "typos")
    with pytest.raises(UsageError, match="'typos'"):
        load_operator(written(tmp_path, body) + ":typos")


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("KIND", "noise"),
        ("RELATION", "same"),
        ("LIMITATIONS", ()),
        ("LIMITATIONS", "one"),
        ("TASKS", ()),
        ("TASKS", []),
    ],
)
def test_wrong_statement_is_named(attribute: str, value: object) -> None:
    stated = {
        "KIND": "para",
        "RELATION": "invariant",
        "TASKS": ("*",),
        "PROMISE": "S.",
        "LIMITATIONS": ("A toy.",),
    }
    source = SimpleNamespace(**(stated | {attribute: value}), edits=lambda passage, rng, rate: [])
    with pytest.raises(UsageError, match=f"Expected {attribute} of operator 'x'"):
        operator_from("x", source)


def test_operator_needs_exactly_one_function() -> None:
    stated = {
        "KIND": "para",
        "RELATION": "invariant",
        "TASKS": ("*",),
        "PROMISE": "S.",
        "LIMITATIONS": ("A toy.",),
    }
    with pytest.raises(UsageError, match="edits, vary or rewrite"):
        operator_from("x", SimpleNamespace(**stated))
    with pytest.raises(UsageError, match="one of `edits`, `vary`, `rewrite`"):
        operator_from("x", SimpleNamespace(**stated, edits=lambda p, rng, rate: [], vary=lambda item, rng: item))


def test_entry_points_are_found_and_may_not_take_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def offering(name: str) -> None:
        entry = EntryPoint(name, "jostle.perturb.spelling", registry.GROUP)
        monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
        registry._all.cache_clear()

    try:
        offering("respelling")
        assert available()["respelling"].condition == "pert/respelling"
        offering("typos")
        with pytest.raises(UsageError, match="'typos' from the entry point"):
            available()
    finally:
        registry._all.cache_clear()
