"""What every loading of a model shares: one error of one line, and quiet as it was before."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

from transformers.utils import logging

from jostle.errors import InputError, MissingExtra, ModelError
from jostle.predict.classify import load_classifier
from jostle.predict.generate import load_generator
from jostle.predict.seq2seq import load_paraphraser
from jostle.predict.weights import first_line, loading, refuse_missing, require_packages

Load = Callable[[str], object]
LOADERS = pytest.mark.parametrize(
    "load", [lambda name: load_classifier(name, ()), load_generator, load_paraphraser], ids=["class", "text", "para"]
)


@LOADERS
def test_a_folder_without_a_model_is_one_error_of_one_line(load: Load, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        load(str(tmp_path))
    assert f"at {tmp_path}, but it cannot be loaded: " in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


@LOADERS
def test_a_package_that_is_missing_is_named(load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "transformers" else object())
    with pytest.raises(MissingExtra, match=r"Expected the package transformers, but it is not installed"):
        load(str(tmp_path))


@pytest.mark.parametrize("error", [OSError("gone\nand more"), KeyError("bert"), RuntimeError("shape")])
def test_what_goes_wrong_is_said_with_the_advice(error: Exception, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught, loading(str(tmp_path), "a model", "Take another."):
        raise error
    said = {OSError: "gone", KeyError: "'bert'", RuntimeError: "shape"}[type(error)]
    assert str(caught.value) == f"Expected a model at {tmp_path}, but it cannot be loaded: {said} Take another."
    assert caught.value.__cause__ is error


def test_errors_of_its_own_and_faults_pass_through(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="as it is"), loading(str(tmp_path), "a model"):
        raise InputError("as it is")
    with pytest.raises(ZeroDivisionError), loading(str(tmp_path), "a model"):
        raise ZeroDivisionError  # a fault of the program is not one of the model


def test_transformers_is_as_loud_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    before = logging.get_verbosity(), logging.is_progress_bar_enabled()
    with loading(str(tmp_path), "a model"):
        assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == (logging.ERROR, False)
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before
    with pytest.raises(ModelError), loading(str(tmp_path), "a model"):
        raise OSError
    assert (logging.get_verbosity(), logging.is_progress_bar_enabled()) == before


def test_missing_weights_are_refused_and_whole_ones_are_not() -> None:
    with pytest.raises(
        ModelError, match=r"Expected a model at m, but its weights lack a, b, c: they would be random\. Try\.$"
    ):
        refuse_missing("m", "a model", {"missing_keys": {"d", "c", "b", "a"}}, "Try.")
    refuse_missing("m", "a model", {"missing_keys": set()})
    require_packages()


def test_an_error_without_words_gives_its_kind() -> None:
    assert first_line(OSError()) == "OSError"
