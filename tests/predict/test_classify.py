"""The classifier runner: what it predicts, how often it runs, and what it cuts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import UsageError
from jostle.predict.classify import Classified, Classifier, load_classifier

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

LABELS = ("negative", "positive")
WORDS = ["plot", "film", "cast", "dull", "fun", "bright", "slow", "warm", "cold", "sharp"]
SINGLE = [(" ".join(WORDS[k % 10 : k % 10 + 1 + k % 5]) + f" {k}.",) for k in range(40)]
PAIRS = [(f"{WORDS[k % 10]} {k}", f"{WORDS[(k * 3) % 10]} is {WORDS[k % 7]}") for k in range(40)]


@pytest.fixture(scope="module")
def classifier(tiny_model: Callable[..., Path]) -> Classifier:
    return load_classifier(str(tiny_model(*LABELS)), LABELS)


def classify(classifier: Classifier, rows: Sequence[tuple[str, ...]]) -> Classified:
    return classifier.classify(classifier.encode(rows))


@pytest.fixture
def forwards(classifier: Classifier, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Number of sequences in every call of the model."""
    sizes: list[int] = []
    forward = classifier.model.forward

    def counted(**inputs: Any) -> Any:
        sizes.append(len(inputs["input_ids"]))
        return forward(**inputs)

    monkeypatch.setattr(classifier.model, "forward", counted)
    return sizes


@pytest.mark.parametrize("rows", [SINGLE, PAIRS], ids=["one text", "pairs"])
def test_batches_give_the_labels_of_one_by_one(classifier: Classifier, rows: list[tuple[str, ...]]) -> None:
    expected, sure = [], []
    for row in rows:
        with torch.inference_mode():
            logits = classifier.model(**classifier.tokenizer(*row, return_tensors="pt")).logits[0]
        expected.append(LABELS[int(logits.argmax())])
        sure.append(float(logits.softmax(-1).max()))
    found = classify(classifier, rows)
    assert found.labels == expected
    assert found.confidences == pytest.approx(sure, abs=1e-5)
    assert set(expected) == set(LABELS)


@pytest.mark.parametrize("budget", [1, 60, 100, 1024, 100_000])
def test_any_token_budget_gives_the_same_labels(classifier: Classifier, forwards: list[int], budget: int) -> None:
    found = classify(replace(classifier, token_budget=budget), SINGLE)
    calls = list(forwards)
    assert found.labels == classify(classifier, SINGLE).labels
    assert sum(calls) == len(SINGLE)
    assert (len(calls) == len(SINGLE)) is (budget == 1)
    assert (len(calls) == 1) is (budget == 100_000)


def test_the_order_of_rows_does_not_matter(classifier: Classifier) -> None:
    small = replace(classifier, token_budget=100)
    found, back = classify(small, SINGLE), classify(small, SINGLE[::-1])
    assert found.labels == back.labels[::-1]
    assert found.confidences == back.confidences[::-1]


def test_identical_inputs_run_once(classifier: Classifier, forwards: list[int]) -> None:
    # The tokenizer is uncased and drops spaces: these are four texts and two inputs.
    rows = [("a film",), ("A  FILM",), ("dull",), ("a film",), ("dull",), (" Dull ",)]
    encoded = classifier.encode(rows)
    advanced: list[int] = []
    found = classifier.classify(encoded, advanced.append)
    assert encoded.of_row == [0, 0, 1, 0, 1, 1]
    assert sum(forwards) == sum(advanced) == 2
    assert len({found.labels[k] for k in (0, 1, 3)}) == 1
    assert found.confidences[2] == found.confidences[4] == found.confidences[5]


def test_no_rows(classifier: Classifier, forwards: list[int]) -> None:
    assert classify(classifier, []) == Classified([], [])
    assert forwards == []


def test_r02_cut_rows_are_marked_and_keep_the_limit(classifier: Classifier) -> None:
    short, long = ("a b c",), ("a " * 100,)
    encoded = replace(classifier, max_length=8).encode([short, long, ("a b c d e f",), ("a b c d e f g",)])
    assert encoded.truncated == [False, True, False, True]
    assert [len(sequence["input_ids"]) for sequence in encoded.sequences] == [5, 8, 8]
    assert encoded.of_row == [0, 1, 2, 2]


def test_r02_rows_that_differ_only_behind_the_cut_are_one_input(classifier: Classifier) -> None:
    encoded = replace(classifier, max_length=8).encode([("a b c d e f g",), ("a b c d e f h",), ("a b c d e f",)])
    assert encoded.of_row == [0, 0, 0]
    assert encoded.truncated == [True, True, False]


@pytest.mark.parametrize("second", ["x y", "x y z x y z x y"], ids=["short", "one token of the first is left"])
def test_only_the_first_text_is_cut_where_that_is_enough(classifier: Classifier, second: str) -> None:
    small = replace(classifier, max_length=12)
    (sequence,) = small.encode([("a " * 50, second)]).sequences
    words = classifier.tokenizer.convert_ids_to_tokens(sequence["input_ids"])
    n = len(second.split())
    assert words == ["[CLS]", *["a"] * (12 - 3 - n), "[SEP]", *second.split(), "[SEP]"]


def test_both_texts_are_cut_where_the_second_alone_is_too_long(classifier: Classifier) -> None:
    (sequence,) = replace(classifier, max_length=11).encode([("a " * 50, "b " * 50)]).sequences
    words = classifier.tokenizer.convert_ids_to_tokens(sequence["input_ids"])
    assert words == ["[CLS]", *["a"] * 4, "[SEP]", *["b"] * 4, "[SEP]"]


@pytest.mark.parametrize(("row", "fixed"), [(("a b c d",), 2), (("a b", "c d"), 3)])
def test_a_limit_without_room_for_text_is_refused(classifier: Classifier, row: tuple[str, ...], fixed: int) -> None:
    with pytest.raises(UsageError, match=rf"beside {fixed} special tokens, but got a longest input of {fixed} tokens"):
        replace(classifier, max_length=fixed).encode([row])
    assert replace(classifier, max_length=fixed + 1).encode([row]).truncated == [True]


def test_the_limit_is_that_of_the_model(tiny_model: Callable[..., Path]) -> None:
    folder = str(tiny_model(*LABELS))
    assert load_classifier(folder, LABELS).max_length == 64
    assert load_classifier(folder, LABELS, max_length=10).max_length == 10
    assert load_classifier(folder, LABELS, max_length=1000).max_length == 64


def test_the_estimate_of_time_runs_a_sample(classifier: Classifier, forwards: list[int]) -> None:
    encoded = classifier.encode([(f"film {k}",) for k in range(320)])
    assert classifier.seconds(encoded) > 0
    assert sum(forwards) == 1 + 32


def test_the_manifest_says_how_to_run_the_model_again(classifier: Classifier) -> None:
    record = classifier.manifest()
    assert record["model"] == classifier.name
    assert (record["dtype"], record["max_length"], record["token_budget"]) == ("float32", 64, 1024)
    assert record["label_map"] == {label: label for label in LABELS}
    assert record["versions"]["torch"] == torch.__version__
