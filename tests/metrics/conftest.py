"""The evaluate modules, loaded from this clone, and columns that exercise all of them."""

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
NAMES = ("invariance_drift", "flip_rate", "pair_consistency", "robustness_ratio")
CONDITIONS = ("orig", "para/a", "pert/b", "adv/c")
N_ITEMS = 60


def _load(name: str, **kwargs: object) -> Any:
    with contextlib.chdir(REPO):
        return evaluate.load(f"metrics/{name}", **kwargs)


@pytest.fixture(scope="session")
def repo() -> Path:
    """The root of the clone."""
    return REPO


@pytest.fixture(scope="session")
def names() -> tuple[str, ...]:
    """The names of the modules."""
    return NAMES


@pytest.fixture(scope="session")
def load() -> Callable[..., Any]:
    """`evaluate.load("metrics/<name>")` with the root as working directory."""
    return _load


@pytest.fixture(params=NAMES)
def module(request: pytest.FixtureRequest) -> Any:
    """Each module in turn."""
    return _load(request.param)


@pytest.fixture(scope="session")
def modules() -> dict[str, Any]:
    """All modules by name, for tests that leave nothing pending."""
    return {name: _load(name) for name in NAMES}


@pytest.fixture
def columns() -> dict[str, list[Any]]:
    """Sixty items under four conditions with integer labels, some predictions unparsed."""
    rng = np.random.default_rng(7)
    gold = np.repeat(rng.integers(0, 3, N_ITEMS), len(CONDITIONS))
    right = rng.random(len(gold)) < np.tile([0.9, 0.8, 0.7, 0.5], N_ITEMS)
    predictions = np.where(right, gold, (gold + 1) % 3).tolist()
    predictions[5] = predictions[50] = None
    return {
        "predictions": predictions,
        "references": gold.tolist(),
        "item_ids": np.repeat(np.arange(N_ITEMS), len(CONDITIONS)).tolist(),
        "conditions": list(CONDITIONS) * N_ITEMS,
    }


@pytest.fixture
def families() -> list[int]:
    """A family of two items each, one value a row of `columns`."""
    return np.repeat(np.arange(N_ITEMS) // 2, len(CONDITIONS)).tolist()


@pytest.fixture(scope="session")
def same() -> Callable[[Any, Any], bool]:
    """Whether two results are equal, nan to nan; both must be JSON."""
    return lambda a, b: json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)
