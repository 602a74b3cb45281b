"""The resampling engine against plain bootstraps, and the reduction to patterns."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from jostle.measures.resample import patterns, percentile_interval, resample_totals, sum_by

Array = np.ndarray[Any, Any]
shapes = st.tuples(st.integers(1, 25), st.integers(1, 4))
values = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0, -2.0, 70.0])
tables = shapes.flatmap(lambda shape: hnp.arrays(np.float64, shape, elements=values))


@given(tables)
def test_patterns_reconstruct_the_rows(table: Array) -> None:
    distinct, counts, code = patterns(table)
    assert np.array_equal(distinct[code], table)
    assert len(np.unique(distinct, axis=0)) == len(distinct)
    assert counts.tolist() == np.bincount(code).tolist()


@given(tables, st.randoms(use_true_random=False))
def test_patterns_and_totals_do_not_depend_on_the_order_of_rows(table: Array, random: Any) -> None:
    order = random.sample(range(len(table)), len(table))
    assert np.array_equal(patterns(table)[0], patterns(table[order])[0])
    assert np.array_equal(resample_totals(table, 100, seed=3), resample_totals(table[order], 100, seed=3))


@given(tables)
def test_totals_are_those_of_n_rows(table: Array) -> None:
    with_ones = np.column_stack([table, np.ones(len(table))])
    totals = resample_totals(with_ones, 50, seed=0)
    assert (totals[:, -1] == len(table)).all()
    assert (totals <= len(table) * with_ones.max(axis=0) + 1e-9).all()
    assert (totals >= len(table) * with_ones.min(axis=0) - 1e-9).all()


def test_many_columns_do_not_overflow_the_code() -> None:
    table = np.random.default_rng(0).integers(0, 50, size=(200, 40)).astype(float)
    distinct, _, code = patterns(table)
    assert np.array_equal(distinct[code], table)


def index_bootstrap(table: Array, n_resamples: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    return np.array([table[rng.integers(0, len(table), len(table))].sum(axis=0) for _ in range(n_resamples)])


@pytest.mark.parametrize("n_distinct", [2, 90])  # multinomial draws; drawing row numbers
def test_totals_are_distributed_as_an_index_bootstrap(n_distinct: int) -> None:
    rng = np.random.default_rng(1)
    table = rng.integers(0, n_distinct, size=(100, 1)).astype(float)
    ours, plain = resample_totals(table, 4000, seed=0), index_bootstrap(table, 4000, seed=2)
    assert stats.ks_2samp(ours[:, 0], plain[:, 0]).pvalue > 0.01
    # n draws with replacement: mean n m and variance n s^2 (population variance)
    assert ours.mean() == pytest.approx(table.sum(), rel=0.01)
    assert ours.var() == pytest.approx(100 * table.var(), rel=0.1)


def test_columns_are_drawn_jointly() -> None:
    table = np.column_stack([np.arange(50) % 2, 1 - np.arange(50) % 2]).astype(float)
    totals = resample_totals(table, 500, seed=0)
    assert (totals.sum(axis=1) == 50).all()
    assert len(np.unique(totals[:, 0])) > 1


def test_percentile_interval_is_that_of_scipy() -> None:
    sample = np.random.default_rng(5).random(200) < 0.8
    low, high = percentile_interval(resample_totals(sample[:, None].astype(float), 20_000, seed=0)[:, 0] / 200)
    expected = stats.bootstrap((sample,), np.mean, method="percentile", n_resamples=20_000, rng=7).confidence_interval
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=0.005)


def test_counts_given_are_counts_found() -> None:
    table = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    distinct, counts, _ = patterns(table)
    given_counts = resample_totals(distinct, 300, seed=1, counts=counts)
    assert np.array_equal(resample_totals(table, 300, seed=1), given_counts)


def test_seed_alone_decides() -> None:
    table = np.array([[1.0], [0.0], [0.0]])
    first = resample_totals(table, 200, seed=4)
    np.random.random()  # noqa: NPY002
    assert np.array_equal(first, resample_totals(table, 200, seed=4))
    assert not np.array_equal(first, resample_totals(table, 200, seed=5))


def test_global_generator_is_left_alone() -> None:
    np.random.seed(1)  # noqa: NPY002 - the global generator is the point
    expected = np.random.random()  # noqa: NPY002
    np.random.seed(1)  # noqa: NPY002
    resample_totals(np.array([[1.0], [0.0]]), 100, seed=0)
    assert np.random.random() == expected  # noqa: NPY002


def test_no_rows_give_zeros() -> None:
    assert resample_totals(np.zeros((0, 3)), 100, seed=0).tolist() == [[0.0] * 3] * 100


def test_percentile_interval_leaves_nan_out() -> None:
    assert percentile_interval(np.array([math.nan, 1.0, 1.0])) == (1.0, 1.0)
    assert all(math.isnan(end) for end in percentile_interval(np.array([math.nan])))


def test_sum_by_group() -> None:
    table = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    assert sum_by(np.array([0, 2, 0]), table, 3).tolist() == [[6.0, 8.0], [0.0, 0.0], [3.0, 4.0]]
    assert sum_by(np.array([0, 1]), np.zeros((2, 0)), 2).shape == (2, 0)
