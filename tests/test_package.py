"""The names that others rely on, imported when they are first used."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import jostle
from jostle.errors import InputError, JostleError, MissingExtra, ModelError, UsageError
from jostle.modules import load


@pytest.mark.parametrize("name", jostle.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(jostle, name) is not None
    assert name in dir(jostle)


def test_subpackages_and_unknown_names() -> None:
    assert jostle.perturb is importlib.import_module("jostle.perturb")
    with pytest.raises(AttributeError, match="module 'jostle' has no attribute 'nonsense'"):
        _ = jostle.nonsense


def test_extract_label_is_called_as_promised() -> None:
    import jostle.tasks

    assert jostle.extract_label is jostle.tasks.extract_label
    parameters = list(inspect.signature(jostle.extract_label).parameters.values())
    promised = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert [p.name for p in promised] == ["text", "labels", "options", "multi", "negated"]
    assert [p.default for p in promised] == [inspect.Parameter.empty] * 2 + [None, False, "unparsed"]
    assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in parameters[len(promised) :])
    assert jostle.extract_label("B", ["A", "B"]) == jostle.tasks.Extraction("B", None)
    assert jostle.extract_label("A and B", ["A", "B"], multi=True).label == ("A", "B")
    assert jostle.extract_label("not good", ["good", "bad"], negated="other").label == "bad"


def test_importing_jostle_imports_nothing_heavy() -> None:
    code = (
        "import sys, jostle, jostle.cli\n"
        "heavy = 'numpy pyarrow torch transformers datasets evaluate matplotlib rich pandas'.split()\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("error", [UsageError, InputError, ModelError])
def test_every_error_is_ours(error: type[JostleError]) -> None:
    assert issubclass(error, JostleError)
    assert error.exit_code == (2 if error is UsageError else 3)


def test_a_missing_extra_says_what_to_run() -> None:
    error = MissingExtra("torch", extra="models")
    assert isinstance(error, ImportError)
    assert (error.package, error.extra) == ("torch", "models")
    assert str(error).endswith("pip install 'jostle[models]'")


def test_an_unknown_module_lists_the_known_ones(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"module of .*flip_rate.*invariance_drift.*, but got 'accuracy'"):
        load("accuracy")


def test_modules_load_from_any_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    columns = {"references": [1, 1], "item_ids": ["a", "a"], "conditions": ["orig", "pert/x"]}
    assert load("flip_rate").compute(predictions=[1, 0], **columns, n_resamples=100)["flip_rate"] == 1.0
