"""Exact tests of a number of hits, against scipy and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from jostle.measures.binomial import binomial_p_value, binomial_pmf, hits_pmf


@given(st.integers(0, 300), st.floats(0.01, 0.99))
def test_the_probabilities_are_those_of_scipy(n: int, p: float) -> None:
    assert binomial_pmf(n, p) == pytest.approx(binom.pmf(np.arange(n + 1), n, p), abs=1e-12)


@given(st.integers(1, 200), st.data())
def test_a_half_gives_the_two_sided_test_of_scipy(n: int, data: st.DataObject) -> None:
    # At p = 1/2 the distribution is symmetric, so twice the smaller tail is what scipy's rule gives, too.
    hits = data.draw(st.integers(0, n))
    assert binomial_p_value(hits, {0.5: n}) == pytest.approx(min(1.0, binomtest(hits, n, 0.5).pvalue), abs=1e-9)


def test_chances_that_differ_by_trial() -> None:
    # One trial at 1/2 and one at 1/4: P(0) = 3/8, P(2) = 1/8, P(1) = 4/8.
    assert hits_pmf({0.5: 1, 0.25: 1}) == pytest.approx([3 / 8, 4 / 8, 1 / 8])
    assert binomial_p_value(2, {0.5: 1, 0.25: 1}) == pytest.approx(2 / 8)


def test_certain_and_impossible_trials_and_none() -> None:
    assert hits_pmf({1.0: 2, 0.0: 3}) == pytest.approx([0, 0, 1, 0, 0, 0])
    assert binomial_p_value(0, {}) == 1.0


def test_many_trials_stay_finite() -> None:
    # 50,000 trials at 1/4, 12,500 expected with a standard deviation of 97: 1,000 more are ten of them.
    assert binomial_p_value(12_500, {0.25: 50_000}) > 0.9
    assert binomial_p_value(13_500, {0.25: 50_000}) == pytest.approx(2 * binom.sf(13_499, 50_000, 0.25), rel=1e-6)
