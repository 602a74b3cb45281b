"""Simulations that the verdict and the interval have to pass: no false alarm, no false peace, coverage."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jostle.measures.drift import drift
from jostle.measures.flips import flips
from jostle.measures.options import Options
from jostle.measures.ratio import ratio
from jostle.measures.table import Rows

pytestmark = pytest.mark.slow
Make = Callable[..., Rows]
Array = np.ndarray[Any, Any]
FEW = {"n_resamples": 1000}


def correlated(rng: np.random.Generator, n: int, rates: list[float]) -> Array:
    """0/1 outcomes with the given accuracy per condition; seven cells in ten follow the item's own difficulty."""
    shared, own = rng.random((n, 1)), rng.random((n, len(rates)))
    follows = rng.random((n, len(rates))) < 0.7
    outcome: Array = np.where(follows, shared, own) < np.array(rates)
    return outcome


def results(
    matrix: Make, make: Callable[[np.random.Generator], Array], runs: int, **options: Any
) -> list[dict[str, Any]]:
    chosen = Options.of(FEW | options)
    return [drift(matrix(make(np.random.default_rng(seed))), chosen) for seed in range(runs)]


def share(found: list[dict[str, Any]], test: Callable[[dict[str, Any]], bool]) -> float:
    return float(np.mean([test(result) for result in found]))


def test_no_effect_is_seldom_called_fragile(matrix: Make) -> None:
    found = results(matrix, lambda rng: correlated(rng, 300, [0.8] * 4), runs=400)
    assert share(found, lambda r: r["verdict"] == "fragile") <= 0.05
    # the plain rule "drift above the tolerance" would have called most of them fragile
    assert share(found, lambda r: r["max_drift"] > 0.03) > 0.3


@pytest.mark.parametrize("n", [100, 300, 1000])
@pytest.mark.parametrize("drop", [0.0, 0.10])
def test_the_interval_covers_the_true_drift(matrix: Make, n: int, drop: float) -> None:
    found = results(matrix, lambda rng: correlated(rng, n, [0.8, 0.8, 0.8, 0.8 - drop]), runs=400)
    covered = share(found, lambda r: r["drift_ci_low"] <= drop <= r["drift_ci_high"])
    assert covered >= 0.93  # 400 runs: one standard error of the share is .012


def test_a_large_effect_is_found(matrix: Make) -> None:
    found = results(matrix, lambda rng: correlated(rng, 1000, [0.8, 0.8, 0.8, 0.7]), runs=100)
    assert share(found, lambda r: r["verdict"] == "fragile") >= 0.95


@pytest.mark.parametrize("n", [20, 100, 400, 1000, 4000])
def test_a_constant_answer_is_never_invariant(matrix: Make, n: int) -> None:
    for n_conditions in (2, 4):
        gold = np.arange(n)[:, None] + np.arange(n_conditions)  # options rotate; "A" is right where the gold is 0
        found = drift(matrix((gold % n_conditions == 0).astype(int)), Options())
        assert found["max_drift"] == pytest.approx(0.0, abs=1e-12)
        assert found["verdict"] == "inconclusive"


@pytest.mark.parametrize("n_families", [5, 15])
def test_few_families_are_never_fragile(matrix: Make, n_families: int) -> None:
    for seed in range(50):
        rng = np.random.default_rng(seed)
        shift = rng.normal(0, 0.1, (n_families, 4))
        families = np.arange(n_families * 20) // 20
        x = (rng.random((len(families), 4)) < 0.7 + shift[families]).astype(int)
        assert drift(matrix(x, families), Options.of(FEW))["verdict"] != "fragile"


def test_m10_independent_conditions_seldom_look_systematic(matrix: Make) -> None:
    def beta_items(rng: np.random.Generator) -> Array:
        return rng.random((100, 4)) < rng.beta(4, 2, 100)[:, None]

    found = results(matrix, beta_items, runs=200)
    assert share(found, lambda r: r["drift_ci_low"] > 0) <= 0.10
    assert share(found, lambda r: r["p_value"] < 0.05) <= 0.10
    assert np.mean([r["max_drift"] for r in found]) == pytest.approx(0.088, abs=0.01)
    assert np.mean([r["expected_drift_null"] for r in found]) == pytest.approx(0.088, abs=0.01)


def test_one_noisy_condition_is_no_effect(matrix: Make) -> None:
    def noisy(rng: np.random.Generator) -> Array:
        x = np.repeat((rng.random(300) < 0.5)[:, None], 4, axis=1)
        x[:, 3] = rng.random(300) < 0.5  # the same accuracy, but unrelated to the other three
        return x

    assert share(results(matrix, noisy, runs=300), lambda r: r["p_value"] < 0.05) <= 0.08


@pytest.mark.parametrize("n_conditions", [2, 4])
def test_p_values_are_at_most_nominal_without_an_effect(matrix: Make, n_conditions: int) -> None:
    found = results(matrix, lambda rng: correlated(rng, 200, [0.75] * n_conditions), runs=400)
    for level in (0.01, 0.05, 0.2, 0.5):
        error = 3 * (level * (1 - level) / len(found)) ** 0.5  # three standard errors of 400 runs
        assert share(found, lambda r, level=level: r["p_value"] <= level) <= level + error


def test_accuracy_of_samples_has_not_the_bias_of_a_majority(rows: Callable[..., Rows]) -> None:
    """Five samples, each right with .6: three or more are with 0.683, which the mean must not be."""
    rng = np.random.default_rng(0)
    n, k = 2000, 5
    item, condition, sample = (index.ravel() for index in np.indices((n, 4, k)))
    columns = {
        "predictions": (rng.random(n * 4 * k) < 0.6).astype(int),
        "references": np.ones(n * 4 * k, dtype=int),
        "item_ids": item,
        "conditions": np.array(["orig", "para/a", "pert/b", "adv/c"])[condition].tolist(),
        "samples": sample,
    }
    coded = rows(columns)
    options = Options.of(FEW)
    majority = sum(math.comb(k, right) * 0.6**right * 0.4 ** (k - right) for right in (3, 4, 5))
    for accuracy in drift(coded, options)["accuracy_by_condition"].values():
        assert accuracy == pytest.approx(0.6, abs=4 * (0.24 / (n * k)) ** 0.5)
    assert ratio(coded, options)["accuracy_orig"] == pytest.approx(
        majority, abs=4 * (majority * (1 - majority) / n) ** 0.5
    )
    flipped = flips(coded, options)
    assert abs(flipped["excess_flip_rate"]) < 0.02  # all of the flips are noise between samples
