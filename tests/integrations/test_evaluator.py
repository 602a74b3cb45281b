"""The evaluator and the suite: the call of `evaluate`, the numbers of jostle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed")

from datasets import Dataset
from transformers import pipeline

from jostle import load
from jostle.embedded_items import embedded_items
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

    def pipe(inputs: list[Any], batch_size: int, truncation: bool) -> list[Any]:
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


def test_labels_of_the_model_must_be_gold_labels(pipe: Any) -> None:
    expected = "Expected gold labels of negative, positive, which are the model's, but got 0, 1. Give label_mapping"
    with pytest.raises(UsageError, match=expected):
        RobustnessEvaluator().compute(pipe, {**DATA, "label": [1, 1, 0, 0]}, "flip_rate", input_column="sentence")


def test_a_model_needs_its_tokenizer_and_columns_must_be_there(pipe: Any) -> None:
    with pytest.raises(UsageError, match="Expected a model with its tokenizer"):
        RobustnessEvaluator().compute(pipe.model, DATA, "flip_rate", input_column="sentence")
    with pytest.raises(UsageError, match="Expected columns sentence, label, kind, but the data have"):
        RobustnessEvaluator().compute(pipe, DATA, "flip_rate", input_column="sentence", columns={"conditions": "kind"})


def test_texts_longer_than_the_model_reads_are_cut(pipe: Any) -> None:
    data = {**DATA, "sentence": ["a clever film " * 300, *DATA["sentence"][1:]]}
    found = RobustnessEvaluator().compute(pipe, data, "flip_rate", input_column="sentence", n_resamples=100)
    assert found["n_items"] == 2


def test_a_data_set_by_its_folder(pipe: Any, tmp_path: Path) -> None:
    folder = tmp_path / "films"
    folder.mkdir()
    Dataset.from_dict(DATA).to_parquet(folder / "validation.parquet")
    how = {"input_column": "sentence", "n_resamples": 100}
    found = RobustnessEvaluator().compute(pipe, str(folder), "flip_rate", split="validation", **how)
    from_columns = RobustnessEvaluator().compute(pipe, DATA, "flip_rate", **how)
    assert {k: str(v) for k, v in found.items()} == {k: str(v) for k, v in from_columns.items()}  # nan is nan
    with pytest.raises(UsageError, match="Expected the split to evaluate"):
        RobustnessEvaluator().compute(pipe, str(folder), "flip_rate", **how)


def test_the_suite_has_families_and_names_its_tasks() -> None:
    (task,) = GlueRobustnessSuite(["mnli"], limit=6).suite
    families = {item.id: item.family for item in embedded_items("mnli", 6).items}
    assert task.data["families"] == [families[item] for item in task.data["item_ids"]]
    for wrong in ("sst2", ["mcq"]):
        with pytest.raises(UsageError, match="Expected a list of tasks of sst2, mnli, qqp, qnli, but got"):
            GlueRobustnessSuite(wrong)


@pytest.mark.slow
def test_the_suite_runs_every_task(pipe: Any) -> None:
    (found,) = GlueRobustnessSuite(["sst2"], limit=30).run(pipe, n_resamples=200)
    assert found["task_name"] == "sst2"
    assert 0.5 < found["accuracy_orig"] <= 1.0
    assert 0.5 < found["robustness_ratio"] < 1.5
    assert 0.0 < found["flip_rate"] < 1.0
