"""When the drift is called fragile, invariant, inconclusive or not measured."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jostle.measures.drift import drift
from jostle.measures.options import Options
from jostle.measures.table import Rows

Make = Callable[..., Rows]


def pairs_of(both: int, only_first: int, only_second: int, neither: int) -> np.ndarray[Any, Any]:
    return np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [both, only_first, only_second, neither], axis=0)


@pytest.mark.parametrize(
    ("counts", "verdict", "reason"),
    [
        ((600, 200, 20, 180), "fragile", "drift is above 0.03 with 95 % confidence"),
        ((1600, 10, 10, 380), "invariant", "with 95 % confidence"),
        ((160, 10, 10, 20), "inconclusive", "includes 0.03"),
        ((5000, 900, 900, 2000), "inconclusive", "differ between two conditions for 0.205 of the items"),
        ((20, 0, 0, 0), "inconclusive", "no item differs between conditions, but 20 items are too few"),
        ((0, 9, 0, 0), "inconclusive", r"fewer than 10 items \(9\)"),
        ((2000, 0, 0, 0), "invariant", "with 95 % confidence"),
    ],
)
def test_verdicts(matrix: Make, counts: tuple[int, int, int, int], verdict: str, reason: str) -> None:
    found = drift(matrix(pairs_of(*counts)), Options())
    assert found["verdict"] == verdict
    assert re.search(reason, found["verdict_reason"])


@pytest.mark.parametrize("tolerances", [{"tolerance": 0.5}, {"tolerance": 0.5, "flip_tolerance": 0.9}])
def test_tolerances_decide(matrix: Make, tolerances: dict[str, float]) -> None:
    found = drift(matrix(pairs_of(600, 200, 20, 180)), Options(**tolerances))  # type: ignore[arg-type]
    assert found["verdict"] == ("invariant" if "flip_tolerance" in tolerances else "inconclusive")


@pytest.mark.parametrize(("n_families", "verdict"), [(29, "inconclusive"), (30, "fragile")])
def test_few_families_never_give_a_verdict(matrix: Make, n_families: int, verdict: str) -> None:
    families = np.arange(1000) % n_families
    found = drift(matrix(pairs_of(500, 400, 0, 100), families), Options())
    assert found["verdict"] == verdict


def test_a_constant_answer_on_a_balanced_key_is_not_invariant(rows: Make) -> None:
    # Options are swapped between conditions, and the answer is mapped back to content: "A" is right half of the time.
    n = 4000
    gold = ["x", "y"] * (n // 2)
    found = drift(rows({
        "predictions": ["x"] * n + ["y"] * n, "references": gold * 2,
        "item_ids": list(range(n)) * 2, "conditions": ["orig"] * n + ["shift1"] * n,
    }), Options())  # fmt: skip
    assert found["max_drift"] == 0.0
    assert found["verdict"] == "inconclusive"


def test_wrong_to_other_wrong_counts_against_invariance(rows: Make) -> None:
    n = 4000
    found = drift(rows({
        "predictions": [1] * n + [2] * n, "references": [0] * (2 * n),
        "item_ids": list(range(n)) * 2, "conditions": ["orig"] * n + ["p"] * n,
    }), Options())  # fmt: skip
    assert found["max_drift"] == 0.0
    assert found["verdict"] == "inconclusive"
    assert "answers differ" in found["verdict_reason"]


def test_flips_below_the_noise_floor_do_not_count(rows: Make) -> None:
    rng = np.random.default_rng(0)
    n, k = 4000, 2
    found = drift(rows({
        "predictions": rng.integers(0, 2, 2 * n * k), "references": [1] * (2 * n * k),
        "item_ids": np.repeat(np.arange(n), 2 * k), "conditions": ["orig", "orig", "p", "p"] * n,
        "samples": [0, 1, 0, 1] * n,
    }), Options(tolerance=0.05))  # fmt: skip
    assert found["noise_floor"] == pytest.approx(0.5, abs=0.02)
    assert found["verdict"] == "invariant"


@pytest.mark.parametrize(
    ("outcome", "reason"), [({}, "no items"), ({"s0": [1, 0, 1]}, "needs at least 2 conditions, has 1")]
)
def test_nothing_compared_is_not_measured(outcomes: Make, outcome: dict[str, list[int]], reason: str) -> None:
    found = drift(outcomes(outcome), Options())
    assert found["verdict"] == "not_measured"
    assert found["verdict_reason"] == reason
    assert math.isnan(found["max_drift"])
    assert found["degenerate"]


def test_no_shared_items_is_not_measured(outcomes: Make) -> None:
    found = drift(outcomes({"a": [1, None], "b": [None, 1]}), Options(missing="intersect"))
    assert found["verdict"] == "not_measured"
    assert found["n_dropped"] == 2


def test_nothing_readable_is_not_measured(rows: Make) -> None:
    found = drift(rows({
        "predictions": [None] * 40, "references": [1] * 40, "item_ids": list(range(20)) * 2,
        "conditions": ["orig"] * 20 + ["p"] * 20,
    }), Options())  # fmt: skip
    assert (found["verdict"], found["verdict_reason"]) == ("not_measured", "no prediction could be read")


def test_too_rare_conditions_are_not_compared(outcomes: Make) -> None:
    found = drift(outcomes({"orig": [1] * 20, "p": [0] * 9 + [None] * 11}), Options(missing="pairwise"))
    assert found["verdict_reason"] == "needs at least 2 conditions, has 2, 1 of them with fewer than 10 items"
