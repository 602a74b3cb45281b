"""Columns that every measure and every evaluate module can be given."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest

REPO = Path(__file__).resolve().parents[2]
CONDITIONS = ("orig", "para/a", "pert/b", "adv/c")
MODELS = ("small", "large")
N_ITEMS = 24
Columns = dict[str, list[Any]]


def _outcome_columns(n_items: int = N_ITEMS) -> Columns:
    """Items under four conditions, gold 0 to 2, one prediction unparsed, positions and families beside them."""
    rng = np.random.default_rng(5)
    gold = np.repeat(rng.integers(0, 3, n_items), len(CONDITIONS))
    right = rng.random(len(gold)) < np.tile([0.9, 0.8, 0.7, 0.5], n_items)
    predictions = np.where(right, gold, (gold + 1) % 3).tolist()
    predictions[len(predictions) // 2] = None
    return {
        "predictions": predictions,
        "references": gold.tolist(),
        "item_ids": [f"i{k:02d}" for k in range(n_items) for _ in CONDITIONS],
        "conditions": list(CONDITIONS) * n_items,
        "positions": gold.tolist(),
        "answer_positions": predictions,
    }


def _text_columns(n_items: int = N_ITEMS) -> Columns:
    """Cases with texts and labels; every sixth text stands twice."""
    texts = [f"What is {k - k % 6 if k % 6 == 1 else k} plus {k % 2}?" for k in range(n_items)]
    return {"texts": texts, "labels": [("yes", "no")[k % 2] for k in range(n_items)]}


def _module(name: str, **options: Any) -> Any:
    with contextlib.chdir(REPO):
        return evaluate.load(f"metrics/{name}", **options)


@pytest.fixture(scope="session")
def outcome_columns() -> Callable[..., Columns]:
    """Number of items -> columns of outcomes."""
    return _outcome_columns


@pytest.fixture(scope="session")
def load_module() -> Callable[..., Any]:
    """Name of an evaluate module -> the module of this clone."""
    return _module


@pytest.fixture(scope="session")
def module_columns() -> Callable[..., Columns]:
    """Module and number of items -> what it takes; models side by side for a comparison."""

    def columns(module: Any, n_items: int = N_ITEMS) -> Columns:
        if hasattr(module, "_texts") or "texts" in module.features:
            return _text_columns(n_items)
        found = _outcome_columns(n_items)
        del found["positions"], found["answer_positions"]
        if module.module_type != "comparison":
            return found
        second = found | {"predictions": found["predictions"][::-1], "references": found["references"]}
        models = [model for model in MODELS for _ in found["predictions"]]
        return {key: values + second[key] for key, values in found.items()} | {"models": models}

    return columns


@pytest.fixture(scope="session")
def same() -> Callable[[Any, Any], bool]:
    """Whether two results are equal, nan to nan; both must be JSON but for nan."""
    return lambda a, b: json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)
