"""`jostle run --decoding`: a tiny generative model of random weights, from prompts to the report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ..predict import generate_models

Call = Callable[..., Any]


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(generate_models, "LONGEST", 256)
    return generate_models.save_model("llama", tmp_path / "model")


def run(jostle: Call, model: Path, out: Path, *more: str) -> Any:
    fixed = ("--data", "embedded", "--limit", "12", "--operators", "typos", "--resamples", "200")
    return jostle("run", "--model", model, "--out", out, *fixed, *more)


def test_scored_answers_give_labels_and_confidences(jostle: Call, model: Path, tmp_path: Path) -> None:
    done = run(jostle, model, tmp_path / "out", "--task", "sst2", "--decoding", "score")
    assert done.code == 0, done.err
    rows = pq.read_table(tmp_path / "out" / "outcomes.parquet").to_pylist()
    assert len(rows) == 24
    assert {row["decodings"] for row in rows} == {"score"}
    assert {row["predictions"] for row in rows} <= {"negative", "positive"}
    assert all(0.5 <= row["confidences"] <= 1 for row in rows)
    assert {row["positions"] for row in rows} == {"A", "B"}
    record = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert record["decodings"] == [{"mode": "score", "do_sample": False}]


def test_words_that_name_no_label_are_unparsed_and_not_measured(jostle: Call, model: Path, tmp_path: Path) -> None:
    done = run(jostle, model, tmp_path / "out", "--task", "sst2", "--decoding", "greedy", "--max-new-tokens", "4")
    assert done.code == 3
    assert "no prediction could be read" in done.err
    assert "unparsed: " in done.out
    raw = pq.read_table(tmp_path / "out" / "completions.parquet").to_pylist()
    outcomes = pq.read_table(tmp_path / "out" / "outcomes.parquet").to_pylist()
    assert len(raw) == len(outcomes) == 24
    assert {(row["item_id"], row["condition"]) for row in raw} == {(r["item_ids"], r["conditions"]) for r in outcomes}
    assert all(row["completion"] and row["finish"] == "length" for row in raw)


def test_all_tasks_and_label_orders_are_groups_and_conditions(jostle: Call, model: Path, tmp_path: Path) -> None:
    done = run(jostle, model, tmp_path / "out", "--task", "all", "--decoding", "score", "--label-orders",
               "--prompts", "plain,brief", "--format", "json")  # fmt: skip
    report = json.loads(done.out)
    assert {m["group"] for m in report["measures"]} == {f"task={t}" for t in ("mnli", "qnli", "qqp", "sst2")}
    conditions = {c for m in report["measures"] for c in m["values"].get("accuracy_by_condition", {})}
    assert {"orig", "pert/typos", "prompt/brief", "labels/shift1", "labels/shift2"} <= conditions


def test_a_second_run_asks_the_model_nothing(
    jostle: Call, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run(
        jostle, model, tmp_path / "out", "--task", "sst2", "--decoding", "sample", "--k", "2", "--format", "json"
    )

    def refuse(*arguments: Any, **options: Any) -> Any:
        raise AssertionError("the model was asked again")

    monkeypatch.setattr("jostle.predict.generate.LocalGenerator._run", refuse)
    again = run(
        jostle, model, tmp_path / "out", "--task", "sst2", "--decoding", "sample", "--k", "2", "--format", "json"
    )
    assert json.loads(again.out)["measures"] == json.loads(first.out)["measures"]


def test_unknown_decoding_is_a_usage_error(jostle: Call, model: Path, tmp_path: Path) -> None:
    done = run(jostle, model, tmp_path / "out", "--task", "sst2", "--decoding", "beam")
    assert done.code == 2
    assert "greedy, sample, score" in done.err


def test_dry_run_counts_prompts(jostle: Call, model: Path, tmp_path: Path) -> None:
    done = run(jostle, model, tmp_path / "out", "--task", "sst2", "--decoding", "greedy,sample", "--dry-run")
    assert done.code == 0
    assert "12 items, 24 prompts" in done.out
    for mode, n in (("greedy", 24), ("sample", 240)):
        assert re.search(
            rf"^  {mode}: {n} completions, about \d+ s here, from a sample of the prompts$", done.out, re.MULTILINE
        )
    assert "less what" not in done.out
    assert not (tmp_path / "out").exists()


def test_protocol_table_and_positions_are_printed(jostle: Call, model: Path, tmp_path: Path) -> None:
    done = run(jostle, model, tmp_path / "out", "--task", "all", "--decoding", "score",
               "--operators", "by_hand,typos,distractor")  # fmt: skip
    assert "A_orig" in done.out
    assert "Answers by position" in done.out
    assert all(len(line) <= 80 for line in done.out.splitlines() if not line.startswith("jostle"))
