"""`jostle run --decoding sample,score`: the report sets the decodings side by side and counts what was not read."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..predict import generate_models

Call = Callable[..., Any]


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(generate_models, "LONGEST", 256)
    return generate_models.save_model("llama", tmp_path / "model")


@pytest.mark.parametrize("form", ["text", "json"])
def test_decodings_are_compared_on_the_same_items(jostle: Call, model: Path, tmp_path: Path, form: str) -> None:
    done = jostle("run", "--model", model, "--out", tmp_path / "out", "--data", "embedded", "--task", "all",
                  "--limit", "4", "--operators", "by_hand,typos,distractor", "--resamples", "200",
                  "--decoding", "sample,score", "--k", "2", "--max-new-tokens", "3", "--format", form)  # fmt: skip
    if form == "text":
        tables = ("Robustness by group", "Answers by group", "Decodings compared", "Unparsed answers by condition")
        assert [title for title in tables if title not in done.out] == []
        assert all(len(line) <= 80 for line in done.out.splitlines() if not line.startswith("jostle"))
        return
    payload = json.loads(done.out)
    tasks = ("mnli", "qnli", "qqp", "sst2")
    assert [(c["group"], c["first"], c["second"]) for c in payload["comparisons"]] == [
        (f"task={task}", "sample", "score") for task in tasks
    ]
    assert {c["values"]["n_items"] for c in payload["comparisons"]} == {4}
    assert {c["values"]["n_unmatched_first"] for c in payload["comparisons"]} == {0}
    rates = {m["group"]: m["values"] for m in payload["measures"] if m["name"] == "unparsed_rate"}
    # a model of random weights writes no label, and scored answers always are one
    assert all(rates[f"task={task}|decoding=sample"]["n_unparsed"] > 0 for task in tasks)
    assert all(rates[f"task={task}|decoding=score"]["n_unparsed"] == 0 for task in tasks)
