"""The evaluator and the suite: the call of `evaluate`, the numbers of jostle."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed")

from datasets import Dataset
from transformers import pipeline

from jostle import load
from jostle.errors import UsageError
from jostle.integrations.evaluator import RobustnessEvaluator
from jostle.integrations.suite import GlueRobustnessSuite
from jostle.predict.embedded import load_embedded

DATA = {
    "sentence": ["a clever film", "a clevr film", "a boring film", "a borng film"],
    "label": ["positive", "positive", "negative", "negative"],
    "item_ids": ["a", "a", "b", "b"],
    "conditions": ["orig", "pert/typos"] * 2,
}


@pytest.fixture(scope="module")
def pipe() -> Any:
    model, tokenizer = load_embedded()
    return pipeline("text-classification", model=model, tokenizer=tokenizer, device="cpu")


def test_a_pipeline_and_a_data_set(pipe: Any) -> None:
    found = RobustnessEvaluator().compute(
        pipe, Dataset.from_dict(DATA), "flip_rate", input_column="sentence", n_resamples=100
    )
    predictions = [answer["label"] for answer in pipe(DATA["sentence"])]
    columns = {name: DATA[name] for name in ("item_ids", "conditions")}
    expected = load("flip_rate").compute(predictions=predictions, references=DATA["label"], n_resamples=100, **columns)
    assert repr(found) == repr(expected)  # nan is not equal to itself


def test_a_model_with_its_tokenizer_and_labels_of_another_name() -> None:
    model, tokenizer = load_embedded()
    found = RobustnessEvaluator().compute(
        model, {**DATA, "label": [1, 1, 0, 0]}, "invariance_drift", tokenizer=tokenizer, input_column="sentence",
        label_mapping={"negative": 0, "positive": 1}, n_resamples=100,
    )  # fmt: skip
    assert found["accuracy_by_condition"]["orig"] == 1.0


def test_pairs_are_given_as_pairs() -> None:
    seen: list[Any] = []

    def pipe(inputs: list[Any], batch_size: int) -> list[Any]:
        seen.extend(inputs)
        return [[{"label": "yes"}] for _ in inputs]

    data = {"a": ["x", "y"], "b": ["1", "2"], "gold": ["yes"] * 2, "item_ids": ["i"] * 2, "cond": ["orig", "pert/x"]}
    found = RobustnessEvaluator().compute(
        pipe, data, "flip_rate", input_column="a", second_input_column="b", label_column="gold",
        columns={"conditions": "cond"},
    )  # fmt: skip
    assert seen == [{"text": "x", "text_pair": "1"}, {"text": "y", "text_pair": "2"}]
    assert found["flip_rate"] == 0.0


def test_errors_say_what_is_missing(pipe: Any) -> None:
    with pytest.raises(UsageError, match="Expected columns text, label, but the data have sentence"):
        RobustnessEvaluator().compute(pipe, DATA, "flip_rate")
    with pytest.raises(UsageError, match="Expected a label of good, but the pipeline gave"):
        RobustnessEvaluator().compute(pipe, DATA, "flip_rate", input_column="sentence", label_mapping={"good": 1})


@pytest.mark.slow
def test_the_suite_runs_every_task(pipe: Any) -> None:
    (found,) = GlueRobustnessSuite(["sst2"], limit=30).run(pipe, n_resamples=200)
    assert found["task_name"] == "sst2"
    assert 0.5 < found["accuracy_orig"] <= 1.0
    assert 0.5 < found["robustness_ratio"] < 1.5
    assert 0.0 < found["flip_rate"] < 1.0
