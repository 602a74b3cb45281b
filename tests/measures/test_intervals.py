"""Textbook formulas against scipy and statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from jostle.measures import intervals


@pytest.mark.parametrize("n", [1, 2, 10, 300, 100_000])
def test_wilson_is_that_of_statsmodels(n: int) -> None:
    for successes in sorted({0, 1, n // 3, n - 1, n}):
        assert intervals.wilson(successes, n) == pytest.approx(proportion_confint(successes, n, method="wilson"))


def test_wilson_of_nothing_is_undefined() -> None:
    assert all(math.isnan(end) for end in intervals.wilson(0, 0))


def test_wilson_by_hand() -> None:
    # p = .5, n = 4, z^2/n = .9604 (z = 1.96): centre (.5 + .4802) / 1.9604 = .5; half 1.96 sqrt(.0625 + .0600) / 1.9604
    low, high = intervals.wilson(2, 4)
    assert (round(low, 3), round(high, 3)) == (0.15, 0.85)


@pytest.mark.parametrize(
    ("df", "within"), [(1, 1e-9), (2, 1e-9), (3, 0.01), (5, 2e-3), (10, 1e-4), (30, 1e-5), (999, 1e-6)]
)
def test_t_quantile_is_that_of_scipy(df: int, within: float) -> None:
    assert intervals.t_quantile(0.975, df) == pytest.approx(stats.t.ppf(0.975, df), abs=within)


def test_t_quantile_without_degrees_of_freedom_is_infinite() -> None:
    assert intervals.t_quantile(0.975, 0) == math.inf


@pytest.mark.parametrize("df", [1, 2, 3, 7, 8, 30])
def test_chi2_tail_is_that_of_scipy(df: int) -> None:
    for x in (0.001, 0.5, 3.84, 20.0, 200.0):
        assert intervals.chi2_sf(x, df) == pytest.approx(stats.chi2.sf(x, df), rel=1e-9)


@pytest.mark.parametrize("x", [0.0, math.nan])
def test_chi2_tail_of_no_statistic_is_one(x: float) -> None:
    assert intervals.chi2_sf(x, 3) == 1.0


@pytest.mark.parametrize(("b", "c"), [(0, 0), (1, 0), (0, 6), (5, 5), (3, 9), (200, 260)])
def test_mcnemar_is_that_of_statsmodels(b: int, c: int) -> None:
    expected = mcnemar([[10, b], [c, 10]], exact=True).pvalue if b + c else 1.0
    assert intervals.mcnemar_exact(b, c) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("n_conditions", [2, 3, 5])
def test_cochran_q_is_that_of_statsmodels(n_conditions: int) -> None:
    x = np.random.default_rng(n_conditions).integers(0, 2, size=(60, n_conditions)).astype(float)
    expected = cochrans_q(x)
    found = intervals.cochran_q(x, np.ones(60, dtype=np.int64))
    assert found == pytest.approx((expected.statistic, expected.pvalue))


def test_cochran_q_counts_stand_for_repeated_rows() -> None:
    x, counts = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([5, 2, 9])
    # With two conditions Q is McNemar's (b - c)^2 / (b + c) = (5 - 2)^2 / 7
    assert intervals.cochran_q(x, counts)[0] == pytest.approx(9 / 7)


def test_cochran_q_without_discordance_is_undefined() -> None:
    assert all(math.isnan(v) for v in intervals.cochran_q(np.ones((5, 3)), np.ones(5, dtype=np.int64)))


def test_holm_is_that_of_statsmodels() -> None:
    p = {"a": 0.04, "b": 0.001, "c": 0.6, "d": 0.02, "e": 0.02}
    expected = multipletests(list(p.values()), method="holm")[1]
    assert list(intervals.holm(p).values()) == pytest.approx(expected)


@pytest.mark.parametrize("n_groups", [2, 3, 4, 10])
@pytest.mark.parametrize("p", [0.8, 0.95])
def test_range_quantile_is_the_studentised_range(p: float, n_groups: int) -> None:
    expected = stats.studentized_range.ppf(p, n_groups, 1e6) / math.sqrt(2)
    assert intervals.range_quantile(p, n_groups) == pytest.approx(expected, abs=1e-3)
