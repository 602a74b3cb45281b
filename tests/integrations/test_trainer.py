"""Training loops: numbers in the Trainer's metrics, a callback beside it, Accelerate on two processes."""

from __future__ import annotations

import ast
import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed")

from datasets import Dataset
from transformers import BertConfig, BertForSequenceClassification, EvalPrediction, Trainer, TrainingArguments, set_seed

from jostle import build_report
from jostle.embedded_items import embedded_items
from jostle.errors import UsageError
from jostle.integrations.trainer import LABEL_COLUMNS, PerturbedSet, RobustnessCallback
from jostle.items import Item
from jostle.perturb import Variant
from jostle.predict.classify import Classifier
from jostle.predict.embedded import encoder_folder, load_tokenizer
from jostle.run import classify, plan

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
ITEMS = embedded_items("sst2", 24)
OPERATORS = ("contractions", "typos", "distractor")
ENV = {**os.environ, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return load_tokenizer(encoder_folder())


@pytest.fixture(scope="module")
def robust() -> PerturbedSet:
    return PerturbedSet.of(ITEMS.items, ITEMS.labels, OPERATORS, variants=ITEMS.variants, n_resamples=200)


def tiny() -> Any:
    """A model that has learnt nothing, of a few thousand weights."""
    set_seed(1)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    return BertForSequenceClassification(BertConfig(vocab_size=30522, num_labels=2, **shape))


def training(folder: Path, **more: Any) -> TrainingArguments:
    return TrainingArguments(
        output_dir=str(folder), num_train_epochs=2, per_device_train_batch_size=8, eval_strategy="epoch",
        save_strategy="epoch", report_to=[], use_cpu=True, disable_tqdm=True, **more,
    )  # fmt: skip


def train_set(tokenizer: Any) -> Dataset:
    encoded = tokenizer([item.fields["sentence"] for item in ITEMS.items], truncation=True)
    return Dataset.from_dict({**encoded, "labels": [ITEMS.labels.index(str(item.label)) for item in ITEMS.items]})


def test_rows_bring_items_and_conditions_as_numbers(robust: PerturbedSet, tokenizer: Any) -> None:
    data = robust.dataset(tokenizer)
    assert set(LABEL_COLUMNS) <= set(data.column_names)
    k = next(k for k, row in enumerate(robust.planned.rows) if row.condition == "pert/typos")
    assert robust.conditions[data[k]["conditions"]] == "pert/typos"
    assert robust.item_ids[data[k]["item_ids"]] == robust.planned.rows[k].base.id
    assert (
        tokenizer.decode(data[k]["input_ids"], skip_special_tokens=True)
        != robust.planned.rows[k].base.fields["sentence"]
    )


def test_numbers_are_those_of_the_report(robust: PerturbedSet, tokenizer: Any) -> None:
    model = tiny().eval()
    classifier = Classifier(model, tokenizer, robust.labels, name="tiny")
    outcomes = classify(robust.planned, classifier, classifier.encode([r.texts for r in robust.planned.rows]), "sst2")
    report = build_report(outcomes, n_resamples=200, missing="pairwise")
    data = robust.dataset(tokenizer)
    predicted = {(row.base.id, row.condition): k for k, row in enumerate(robust.planned.rows)}
    logits = classifier.probabilities(classifier.encode([row.texts for row in robust.planned.rows]))
    order = list(reversed(range(len(data))))  # whatever the order in which the Trainer evaluates
    found = robust.compute_metrics(
        EvalPrediction(logits[order], tuple([data[name][k] for k in order] for name in LABEL_COLUMNS))
    )
    assert len(predicted) == len(data)
    assert found["invariance_drift"] == pytest.approx(report.values("invariance_drift")["max_drift"])
    assert found["flip_rate"] == pytest.approx(report.values("flip_rate")["flip_rate"])
    ratio = report.values("robustness_ratio")["robustness_ratio"]
    assert found["robustness_ratio"] == pytest.approx(ratio, nan_ok=True)
    high = report.values("invariance_drift")["drift_ci_high"]
    assert found["invariance_drift_ci_high"] == pytest.approx(high)  # by families, as in the report
    assert all(type(value) is float for value in found.values())


def test_variants_that_change_the_gold_are_no_flips() -> None:
    robust = PerturbedSet(plan(ITEMS.items, ITEMS.variants), ITEMS.labels, n_resamples=100)
    changed = [row for row in robust.planned.rows if row.relation == "changed"]
    assert changed
    rows = robust.planned.rows
    stubborn = [ITEMS.labels.index(str(row.base.label)) for row in rows]  # right on originals, wrong on changed ones
    found = robust.numbers(
        stubborn,
        [ITEMS.labels.index(str(row.item.label)) for row in rows],
        [robust.item_ids.index(row.base.id) for row in rows],
        [robust.conditions.index(row.condition) for row in rows],
    )
    assert (found["flip_rate"], found["invariance_drift"], found["worst_case_accuracy"]) == (0.0, 0.0, 1.0)


def test_an_edit_that_is_cut_off_is_left_out_and_counted(tokenizer: Any) -> None:
    start = "word " * 20
    items = [
        Item("a", "sst2", {"sentence": start + "dull"}, "negative"),
        Item("b", "sst2", {"sentence": "x"}, "positive"),
    ]
    late, early = (
        Variant(
            item.with_fields({"sentence": item.fields["sentence"] + " dul"}), item, "pert/typos", "typos", "pert",
            "invariant", "both", 0, (), reviewed=None,
        )
        for item in items
    )  # fmt: skip
    robust = PerturbedSet(plan(items, [late, early]), ITEMS.labels)
    with pytest.warns(UserWarning, match="1 of 4 rows are left out"):
        data = robust.dataset(tokenizer, max_length=12)
    kept = list(zip(data["item_ids"], data["conditions"], strict=True))
    assert kept == [(0, 0), (1, 0), (1, 1)]
    assert len(robust.dataset(tokenizer)) == 4  # without a warning, which would be an error here


def test_without_label_names_it_says_what_to_set(robust: PerturbedSet) -> None:
    with pytest.raises(UsageError, match=r"Set label_names=\['labels', 'item_ids', 'conditions'\]"):
        robust.compute_metrics(EvalPrediction([[0.1, 0.9]], [1]))


def test_gold_labels_must_be_outputs_of_the_model(tokenizer: Any) -> None:
    with pytest.raises(UsageError, match="Expected gold labels of good, bad, but got negative, positive"):
        PerturbedSet.of(ITEMS.items, ["good", "bad"], ["typos"]).dataset(tokenizer)


@pytest.mark.slow
def test_the_best_checkpoint_by_robustness_ratio(robust: PerturbedSet, tokenizer: Any, tmp_path: Path) -> None:
    best = {"load_best_model_at_end": True, "metric_for_best_model": "eval_robustness_ratio"}
    trainer = Trainer(
        tiny(), training(tmp_path, label_names=LABEL_COLUMNS, **best), train_dataset=train_set(tokenizer),
        eval_dataset=robust.dataset(tokenizer), compute_metrics=robust.compute_metrics, processing_class=tokenizer,
    )  # fmt: skip
    trainer.train()
    logged = [entry["eval_robustness_ratio"] for entry in trainer.state.log_history if "eval_flip_rate" in entry]
    assert len(logged) == 2
    assert trainer.state.best_metric == max(logged)


@pytest.mark.slow
def test_an_undefined_metric_picks_no_checkpoint_and_stops_nothing(tokenizer: Any, tmp_path: Path) -> None:
    only_typos = PerturbedSet.of(ITEMS.items, ITEMS.labels, ["typos"], n_resamples=100)
    best = {"load_best_model_at_end": True, "metric_for_best_model": "eval_robustness_ratio"}
    trainer = Trainer(
        tiny(), training(tmp_path, label_names=LABEL_COLUMNS, **best), train_dataset=train_set(tokenizer),
        eval_dataset=only_typos.dataset(tokenizer), compute_metrics=only_typos.compute_metrics,
        processing_class=tokenizer,
    )  # fmt: skip
    trainer.train()
    assert trainer.state.epoch == 2
    assert trainer.state.best_model_checkpoint is None


@pytest.mark.slow
def test_the_callback_leaves_the_trainer_s_own_evaluation_alone(
    robust: PerturbedSet, tokenizer: Any, tmp_path: Path
) -> None:
    def accuracy(prediction: EvalPrediction) -> dict[str, float]:
        return {"accuracy": float((prediction.predictions.argmax(-1) == prediction.label_ids).mean())}

    data = train_set(tokenizer)
    trainer = Trainer(
        tiny(), training(tmp_path, metric_for_best_model="eval_flip_rate", load_best_model_at_end=True),
        train_dataset=data, eval_dataset=data, compute_metrics=accuracy, processing_class=tokenizer,
    )  # fmt: skip
    trainer.add_callback(RobustnessCallback(trainer, robust))
    trainer.train()
    assert trainer.state.best_metric is not None
    found = trainer.evaluate()
    assert found["eval_accuracy"] == accuracy(trainer.predict(data))["accuracy"]  # the Trainer's own
    assert {"eval_robust_accuracy", "eval_flip_rate", "eval_invariance_drift"} <= set(found)
    assert any("eval_flip_rate" in entry for entry in trainer.state.log_history)


def test_what_is_undefined_is_nan(tokenizer: Any) -> None:
    only_typos = PerturbedSet.of(ITEMS.items, ITEMS.labels, ["typos"], n_resamples=100)
    data = only_typos.dataset(tokenizer)
    gold = [data[name] for name in LABEL_COLUMNS]
    found = only_typos.numbers(gold[0], *gold)
    assert math.isnan(found["robustness_ratio"])
    assert found["flip_rate"] == 0.0
    assert found["worst_case_accuracy"] == 1.0


@pytest.mark.slow
def test_the_example_trains_logs_and_plots(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLES / "train_with_flip_rate.py"), "--out", str(tmp_path), "--epochs", "2"]
    done = subprocess.run(command, env=ENV, capture_output=True, text=True, check=False, timeout=180)
    assert done.returncode == 0, done.stderr
    history = json.loads((tmp_path / "history.json").read_text("utf-8"))
    assert [entry["epoch"] for entry in history] == [1.0, 2.0]
    assert all(0 <= entry["eval_flip_rate"] <= 1 for entry in history)
    assert (tmp_path / "robustness.svg").read_text("utf-8").count("<path") > 10


@pytest.mark.slow
def test_two_processes_give_the_numbers_of_one() -> None:
    script = str(EXAMPLES / "accelerate_robustness.py")
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--cpu", "--num_processes", "2"]
    launch += ["--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no", script]
    found = []
    for command in ([sys.executable, script], launch):
        done = subprocess.run(command, env=ENV, capture_output=True, text=True, check=False, timeout=240)
        assert done.returncode == 0, done.stderr
        found.append(ast.literal_eval(next(line for line in done.stdout.splitlines() if line.startswith("{"))))
    assert found[0] == found[1]
    assert found[0]["accuracy"] > 0.6
