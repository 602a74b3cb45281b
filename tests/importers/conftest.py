"""Logs as other harnesses write them, made by hand."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

RESULTS = Path(os.environ.get("JOSTLE_SHARED") or Path(__file__).resolve().parents[3] / "shared") / "data" / "results"


def _sample(question: str, target: Any, answers: list[Any], **scores: Any) -> dict[str, Any]:
    """A row of samples_*.jsonl; answers are likelihoods of options, or one generated text."""
    options = ["yes", "no, never"]
    likelihood = not isinstance(answers[0], str)
    return {
        "doc_id": 0,
        "doc": {"id": question[:4], "question": question, "choices": {"text": options, "label": ["A", "B"]}},
        "target": target,
        "arguments": {
            f"gen_args_{k}": {"arg_0": question, "arg_1": f" {text}" if likelihood else {"until": []}}
            for k, text in enumerate(options)
        },
        "resps": [answers],
        "filtered_resps": [[str(value), "False"] for value in answers] if likelihood else answers,
        "doc_hash": f"hash of {question}",
        "prompt_hash": "p",
        "target_hash": "t",
        **scores,
    }


@pytest.fixture(scope="session")
def sample() -> Any:
    """Question, target, answers and scores -> a row of lm-evaluation-harness."""
    return _sample


@pytest.fixture(scope="session")
def real() -> Path:
    """The folder with the logs of others; skips where it is absent."""
    if not RESULTS.is_dir():
        pytest.skip("needs the logs of others (JOSTLE_SHARED)")
    return RESULTS
