"""What a large evaluation costs."""

from __future__ import annotations

import contextlib
import gc
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jostle.measures.align import align
from jostle.measures.drift import profile_drift
from jostle.measures.options import Options
from jostle.measures.profile import profile_of
from jostle.measures.table import Rows

pytestmark = pytest.mark.slow
REPO = Path(__file__).resolve().parents[2]
NAMES = ("invariance_drift", "flip_rate", "pair_consistency", "robustness_ratio")


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """Median process time."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return statistics.median(taken)


def test_resampling_does_not_grow_with_the_number_of_items(matrix: Callable[..., Rows]) -> None:
    rng = np.random.default_rng(0)
    large, small = (
        profile_of(align(matrix((rng.random((n, 4)) < [0.9, 0.85, 0.8, 0.8]).astype(int)))) for n in (100_000, 1_000)
    )
    # The smaller has the same sixteen patterns, so all that differs is the number of items.
    assert len(large.counts) == len(small.counts) == 16
    slow = seconds(lambda: profile_drift(large, Options()))
    fast = seconds(lambda: profile_drift(small, Options()))
    assert slow < 1.0
    assert slow < 1.5 * fast


@pytest.mark.parametrize("name", NAMES)
def test_a_row_costs_at_most_one_and_a_half_microseconds(name: str) -> None:
    evaluate = pytest.importorskip("evaluate")
    with contextlib.chdir(REPO):
        module: Any = evaluate.load(f"metrics/{name}")
    n = 1_000_000
    rng = np.random.default_rng(0)
    columns = {
        "predictions": rng.integers(0, 2, n).tolist(),
        "references": [1] * n,
        "item_ids": np.repeat(np.arange(n // 4), 4).tolist(),
        "conditions": ["orig", "para/a", "pert/b", "adv/c"] * (n // 4),
    }
    gc.collect()
    assert seconds(lambda: module.compute(**columns, n_resamples=1000), times=3) / n < 1.5e-6
