"""Ranks: Kendall's tau against scipy, chances by hand, ties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jostle.measures.options import Options
from jostle.measures.ranks import kendall_tau, ranks

QUICK = Options(n_resamples=2000)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12))
def test_tau_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    first, second = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    expected = stats.kendalltau(first, second).statistic if np.ptp(first) and np.ptp(second) else math.nan
    assert kendall_tau(first, second) == pytest.approx(expected, nan_ok=True)


def test_one_item_decides_between_two_models() -> None:
    # a and b agree on 9 items, a alone has the tenth, which is in a draw of 10 with 1 - .9^10 = .651; else they tie.
    x = np.ones((2, 10, 1))
    x[1, 9] = 0
    found = ranks(x, ["a", "b"], ["orig"], np.arange(10), QUICK)
    assert found.chance_best[0] == pytest.approx(0.651 + 0.349 / 2, abs=0.03)
    assert found.chance_best.sum() == pytest.approx(1.0)
    assert (found.rank_low[0], found.rank_high[0]) == (1.0, 1.5)


def test_an_order_that_turns_with_the_condition() -> None:
    x = np.zeros((3, 20, 2))
    for k, (orig, other) in enumerate([(20, 5), (10, 10), (5, 20)]):
        x[k, :orig, 0] = 1
        x[k, :other, 1] = 1
    found = ranks(x, ["a", "b", "c"], ["orig", "p"], np.arange(20), QUICK)
    assert found.tau_between_conditions == -1.0
    assert found.tau_lowest == (-1.0, "orig", "p")
    assert found.swapped == [("a", "b"), ("a", "c"), ("b", "c")]


def test_families_are_drawn_together() -> None:
    x = np.zeros((2, 40, 1))
    x[0, :20] = 1  # one family is all a's, the other all b's: either is best with the same chance
    x[1, 20:] = 1
    found = ranks(x, ["a", "b"], ["orig"], np.repeat([0, 1], 20), QUICK)
    assert found.chance_best == pytest.approx([0.5, 0.5], abs=0.04)
    assert found.rank_high.tolist() == [2.0, 2.0]


def test_models_that_are_the_same_share_the_first_place() -> None:
    found = ranks(np.ones((3, 5, 2)), list("abc"), ["orig", "p"], np.arange(5), QUICK)
    assert found.chance_best == pytest.approx([1 / 3] * 3)
    assert found.rank_low.tolist() == found.rank_high.tolist() == [2.0] * 3
    assert math.isnan(found.tau_resampled)


@pytest.mark.parametrize("shape", [(1, 4, 1), (2, 0, 1)])
def test_an_order_needs_models_and_items(shape: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="Expected two models or more on some items"):
        ranks(np.ones(shape), list("ab"[: shape[0]]), ["orig"], np.arange(shape[1]), QUICK)
