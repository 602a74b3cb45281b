"""Drift: figures by hand, the interval against a plain bootstrap, and the rules of the verdict."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar

from jostle.measures.drift import drift, items_needed
from jostle.measures.inputs import normalise, to_rows
from jostle.measures.options import Options
from jostle.measures.table import Rows

Make = Callable[..., Rows]
Array = np.ndarray[Any, Any]
# 20 items: 12 right in both, 3 only in orig (b), 1 only in p (c), 4 in neither
TWENTY = np.array([[1, 1]] * 12 + [[1, 0]] * 3 + [[0, 1]] + [[0, 0]] * 4)


def two(outcomes: Make, **options: object) -> dict[str, Any]:
    return drift(outcomes({"orig": TWENTY[:, 0].tolist(), "p": TWENTY[:, 1].tolist()}), Options.of(options))


def test_accuracies_and_drift_by_hand(outcomes: Make) -> None:
    found = two(outcomes)
    assert found["accuracy_by_condition"] == {"orig": 15 / 20, "p": 13 / 20}
    assert found["max_drift"] == pytest.approx(0.10)
    assert (found["worst_condition"], found["best_condition"]) == ("p", "orig")
    assert found["accuracy_ci_by_condition"]["orig"] == pytest.approx([0.531, 0.888], abs=5e-4)  # Wilson, 15 of 20
    assert found["reference_accuracy_by_condition"]["p"] == 0.75


def test_the_interval_by_hand(outcomes: Make) -> None:
    found = two(outcomes)
    # se = sqrt(b + c + 2 - (b - c)^2 / (n + 2)) / (n + 2) = sqrt(6 - 4/22) / 22 = .10964; q >= t(.975, 19) = 2.093
    q = (found["drift_ci_high"] - 0.10) / 0.10964
    assert 2.093 <= q < 2.5
    assert found["drift_ci_low"] == 0.0


def test_textbook_tests_are_those_of_statsmodels(outcomes: Make) -> None:
    found = two(outcomes)
    assert found["mcnemar_p_value"] == pytest.approx(mcnemar([[12, 3], [1, 4]], exact=True).pvalue)
    assert found["cochran_q_p_value"] == pytest.approx(cochrans_q(TWENTY).pvalue)


def max_t(x: Array, families: Array, n_resamples: int) -> tuple[float, float, float]:
    """The interval and p-value as the specification words them, by a plain loop over index samples."""
    rng, n = np.random.default_rng(99), len(x)
    pairs = list(itertools.combinations(range(x.shape[1]), 2))
    diff = {(i, j): x[:, i] - x[:, j] for i, j in pairs}
    se = {p: math.sqrt((d**2).sum() + 2 - d.sum() ** 2 / (n + 2)) / (n + 2) for p, d in diff.items()}
    members = [np.flatnonzero(families == g) for g in np.unique(families)]
    largest = []
    for _ in range(n_resamples):
        chosen = np.concatenate([members[g] for g in rng.integers(0, len(members), len(members))])
        largest.append(max(abs(d[chosen].mean() - d.mean()) / se[p] for p, d in diff.items()))
    q = max(1.96, float(np.quantile(largest, 0.95))) * stats.t.ppf(0.975, len(members) - 1) / 1.96
    low = max([0.0, *(abs(d.mean()) - q * se[p] for p, d in diff.items())])
    statistic = max(abs(d.mean()) / se[p] for p, d in diff.items())
    high = max(abs(d.mean()) + q * se[p] for p, d in diff.items())
    return low, high, float((np.array(largest) >= statistic).mean())


@pytest.mark.parametrize(("n", "family_size"), [(60, 1), (400, 1), (300, 5)])
def test_the_interval_is_that_of_a_plain_bootstrap(matrix: Make, n: int, family_size: int) -> None:
    rng = np.random.default_rng(n)
    x = (rng.random((n, 3)) < np.array([0.8, 0.75, 0.6])).astype(float)
    families = np.arange(n) // family_size
    found = drift(matrix(x, families if family_size > 1 else None), Options())
    low, high, p = max_t(x, families, 2000)
    assert found["drift_ci_low"] == pytest.approx(low, abs=0.012)
    assert found["drift_ci_high"] == pytest.approx(high, abs=0.012)
    assert found["p_value"] == pytest.approx(p, abs=0.02)


def test_expected_drift_under_the_null_is_that_of_the_range(matrix: Make) -> None:
    x = (np.random.default_rng(3).random((2000, 4)) < 0.8).astype(float)
    # independent conditions: E[range of 4] = 2.059 sigma, sigma^2 = disc / (2 n), disc = 2 p (1 - p) = .32
    assert drift(matrix(x), Options())["expected_drift_null"] == pytest.approx(2.059 * math.sqrt(0.16 / 2000), rel=0.06)


def test_pairwise_compares_each_condition_with_the_reference_on_shared_items(outcomes: Make) -> None:
    gaps: dict[str, list[int | None]] = {"orig": [1, 1, 0, 0], "p": [0, 1, None, None], "q": [1, 1, 1, 0]}
    rows = outcomes({name: row * 5 for name, row in gaps.items()} | {"rare": [1] + [None] * 19})
    found = drift(rows, Options(missing="pairwise"))
    # p on its 2 items: .5 against 1.0 there (-.5); q: .75 against .5 (+.25); range of {0, -.5, .25} = .75
    assert found["max_drift"] == pytest.approx(0.75)
    assert found["n_by_condition"] == {"orig": 20, "p": 10, "q": 20, "rare": 1}
    assert found["coverage_by_condition"] == {"orig": 1.0, "p": 0.5, "q": 1.0, "rare": 0.05}
    assert found["reference_accuracy_by_condition"] == {"orig": 0.5, "p": 1.0, "q": 0.5, "rare": 1.0}
    assert found["too_few_items"] == ["rare"]


def test_samples_are_averaged_and_their_disagreement_is_the_noise_floor(rows: Make) -> None:
    found = drift(rows({
        "predictions": [1, 0, 1, 1, 1, 1], "references": [1] * 6, "item_ids": ["a", "a", "b", "b", "a", "b"],
        "conditions": ["orig"] * 4 + ["p"] * 2, "samples": [0, 1, 0, 1, 0, 0],
    }), Options())  # fmt: skip
    # orig: mean of 1/2 and 2/2 = .75; item a's two samples differ, item b's do not: noise (1 + 0) / 2
    assert found["accuracy_by_condition"] == {"orig": 0.75, "p": 1.0}
    assert found["noise_floor"] == 0.5


def test_unparsed_is_wrong_and_counted_per_condition(rows: Make) -> None:
    found = drift(rows({
        "predictions": [1, None], "references": [1, 1], "item_ids": ["a", "a"], "conditions": ["orig", "p"],
    }), Options())  # fmt: skip
    assert found["accuracy_by_condition"]["p"] == 0.0
    assert found["unparsed_by_condition"] == {"orig": 0, "p": 1}


def test_items_needed_is_as_stated() -> None:
    # (2.569 + q80)^2 disc / tolerance^2: about 20.6 * .1 / .03^2 = 2289 for four conditions
    assert items_needed(0.1, 4, 0.03) == pytest.approx(2289, rel=0.01)
    assert math.isnan(items_needed(0.0, 4, 0.03))
    assert items_needed(0.1, 10, 0.03) > items_needed(0.1, 4, 0.03)


def test_seed_and_resamples_decide_the_numbers(outcomes: Make) -> None:
    assert repr(two(outcomes, seed=1)) == repr(two(outcomes, seed=1))
    assert two(outcomes, seed=1)["p_value"] != two(outcomes, seed=2)["p_value"]


@given(st.integers(0, 10_000))
@settings(max_examples=60)
def test_any_pattern_of_missing_variants_gives_finite_numbers(seed: int) -> None:
    """A condition that a part of the items has, and that flips nearly all of them, once made the variance negative."""
    rng = np.random.default_rng(seed)
    n, c = int(rng.integers(30, 80)), int(rng.integers(2, 5))
    present = rng.random((n, c)) < rng.random(c)
    present[:, 0] = True
    right = rng.random((n, c)) < rng.random(c)
    items, conditions = np.nonzero(present)
    names = ["orig", *(f"p{k}" for k in range(1, c))]
    columns = {
        "predictions": right[items, conditions].astype(int),
        "references": np.ones(len(items), dtype=int),
        "item_ids": items,
        "conditions": [names[k] for k in conditions],
    }
    options = Options(missing="pairwise", n_resamples=100)
    found = drift(to_rows(normalise(columns, options), options), options)
    if found["verdict"] != "not_measured":
        assert 0 <= found["drift_ci_low"] <= found["max_drift"] + 1e-12 <= found["drift_ci_high"] + 1e-9
        assert 0 < found["p_value"] <= 1


def test_conditions_on_different_items_that_all_flip(outcomes: Make) -> None:
    """p has the 50 items that the original gets right and breaks them all, q the 50 others and mends them all."""
    half = 50
    rows = {
        "orig": [1] * half + [0] * half,
        "p": [0] * half + [None] * half,
        "q": [None] * half + [1] * half,
    }
    found = drift(outcomes(rows), Options(missing="pairwise"))
    # p is -1 to the original on its items, q +1 on its own: together they are 2 apart.
    assert found["max_drift"] == pytest.approx(2.0)
    assert found["verdict"] == "fragile"
    assert found["drift_ci_high"] == 2.0


def test_the_p_value_knows_how_few_items_there_are(outcomes: Make) -> None:
    # 4 items, all lost: se = sqrt(4 + 2 - 16/6) / 6 = .304; 1 / .304 = 3.29; over t(.975, 3) / 1.96 = 1.624: 2.02
    found = drift(outcomes({"orig": [1] * 4, "p": [0] * 4}), Options())
    assert found["p_value"] == pytest.approx(2 * stats.norm.sf(2.02), abs=1e-3)


@given(st.integers(3, 40), st.integers(0, 2**32 - 1), st.floats(0, 0.5))
@settings(max_examples=60, deadline=None)
def test_the_p_value_agrees_with_the_interval(matrix: Make, n: int, seed: int, effect: float) -> None:
    x = (np.random.default_rng(seed).random((n, 3)) < np.array([0.8, 0.8, 0.8 - effect])).astype(float)
    found = drift(matrix(x), Options(n_resamples=200))
    if abs(found["p_value"] - 0.05) > 0.02:
        assert (found["p_value"] < 0.05) == (found["drift_ci_low"] > 0)


def test_conditions_on_the_same_items_drift_by_one_at_most(outcomes: Make) -> None:
    rare = [1] + [None] * 11  # left out of the drift, as fewer than 10 items have it
    found = drift(outcomes({"orig": [1] * 12, "p": [0] * 12, "rare": rare}), Options(missing="pairwise"))
    assert (found["max_drift"], found["drift_ci_high"]) == (1.0, 1.0)


def test_families_that_all_do_the_same_leave_an_interval_of_some_width(outcomes: Make) -> None:
    rows = outcomes({"orig": [1, 1, 1, 1], "p": [0, 0, 0, 0]}, families=["f", "f", "g", "g"])
    found = drift(rows, Options())
    # Wilson, 2 of 2 and 0 of 2: z^2 / (2 + z^2) = .658
    assert found["accuracy_ci_by_condition"] == {
        "orig": [pytest.approx(0.342, abs=5e-4), 1.0],
        "p": [0.0, pytest.approx(0.658, abs=5e-4)],
    }
