"""Counts by hand; tests and tails against scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jostle.measures.balance import class_balance, length_by_class, length_summary, position_balance
from jostle.measures.intervals import wilson


def test_counts_by_hand() -> None:
    found = class_balance(["a"] * 14 + ["b"] * 4 + ["c", "d", None])
    values = found.describe()
    assert list(found.counts.items()) == [("a", 14), ("b", 4), ("c", 1), ("d", 1)]
    assert (values["n_cases"], values["n_labelled"], values["n_unlabelled"], values["n_classes"]) == (21, 20, 1, 4)
    assert (values["imbalance_ratio"], values["majority_share"], values["majority_class"]) == (14.0, 0.7, "a")
    assert (found.small_by_share, found.small_by_count) == (["c", "d"], ["b", "c", "d"])  # 1/20 and 4/20 against 0.10
    assert values["distinct_accuracies_by_class"] == {"a": 15, "b": 5, "c": 2, "d": 2}
    assert values["balance"] == pytest.approx(stats.entropy([14, 4, 1, 1]) / math.log(4))
    low, high = wilson(2, 4)
    assert values["widest_interval_by_class"]["b"] == pytest.approx(high - low)


def test_thresholds_are_exclusive() -> None:
    found = class_balance(["a"] * 45 + ["b"] * 5, min_share=0.10, min_count=5)
    assert (found.small_by_share, found.small_by_count) == ([], [])
    found = class_balance(["a"] * 46 + ["b"] * 4, min_share=0.10, min_count=5)
    assert (found.small_by_share, found.small_by_count) == (["b"], ["b"])


def test_an_even_set_of_many_classes_has_no_small_one() -> None:
    labels = [str(k) for k in range(20)] * 10
    assert class_balance(labels).small_by_share == []
    # One class of 4 beside 19 of 10: 4/194 = 2.06 %, below half the even share 1/40 = 2.5 %.
    uneven = class_balance([str(k) for k in range(19)] * 10 + ["19"] * 4)
    assert (uneven.small_by_share, uneven.share_threshold) == (["19"], 0.025)


def test_nothing_labelled_and_one_class() -> None:
    empty, single = class_balance([None, None]).describe(), class_balance(["a"] * 3).describe()
    assert empty["n_unlabelled"] == 2
    assert math.isnan(empty["imbalance_ratio"])
    assert math.isnan(empty["balance"])
    assert (single["imbalance_ratio"], single["majority_share"], single["balance"]) == (1.0, 1.0, 0.0)


@pytest.mark.parametrize(("share", "count"), [(-0.1, 5), (1.1, 5), (math.nan, 5), (0.1, -1)])
def test_bad_thresholds(share: float, count: int) -> None:
    with pytest.raises(ValueError, match="Expected a least share"):
        class_balance(["a"], share, count)


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=60), st.randoms(use_true_random=False))
def test_the_order_of_cases_changes_nothing(labels: list[str], random: object) -> None:
    mixed = list(labels)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert class_balance(mixed).describe() == class_balance(labels).describe()
    assert sum(class_balance(labels).describe()["share_by_class"].values()) == pytest.approx(1)


def test_positions_against_scipy() -> None:
    golds = [0] * 40 + [1] * 20 + [2] * 25 + [3] * 15
    found = position_balance(golds, [4] * 100)
    expected = stats.chisquare([40, 20, 25, 15])
    assert (found.chi2, found.df, found.tested) == (pytest.approx(expected.statistic), 3, 100)
    assert found.p_value == pytest.approx(expected.pvalue)
    assert (found.best_share, found.chance) == (0.4, 0.25)


def test_numbers_of_options_are_tested_apart_and_added() -> None:
    golds, sizes = [0] * 15 + [1] * 5 + [0] * 10 + [1] * 10 + [2] * 10 + [3], [2] * 20 + [3] * 30 + [4]
    found = position_balance(golds, sizes)
    # (15-10)^2/10 + (5-10)^2/10 = 5 for two options, 0 for three; the single case of four is not tested.
    assert (found.chi2, found.df, found.tested) == (pytest.approx(5.0), 3, 50)
    assert found.p_value == pytest.approx(stats.chi2.sf(5.0, 3))
    assert found.counts == [25, 15, 10, 1]
    assert found.chance == pytest.approx((20 / 2 + 30 / 3 + 1 / 4) / 51)


def test_too_few_for_the_test_and_none() -> None:
    assert math.isnan(position_balance([0, 1, 2], [3, 3, 3]).p_value)
    none = position_balance([], [])
    assert math.isnan(none.p_value)
    assert math.isnan(none.best_share)


def test_even_positions_are_rarely_significant() -> None:
    rng = np.random.default_rng(1)
    p_values = [position_balance(rng.integers(4, size=80).tolist(), [4] * 80).p_value for _ in range(400)]
    assert 0.02 < np.mean(np.asarray(p_values) < 0.05) < 0.09


def test_lengths() -> None:
    found = length_summary(["one two three", "one", "one two"])
    assert (found["words_min"], found["words_median"], found["words_max"], found["words_mean"]) == (1, 2, 3, 2)
    assert (found["characters_min"], found["characters_max"]) == (3, 13)
    assert math.isnan(length_summary([])["words_mean"])


def test_length_by_class_is_the_share_of_variance_between() -> None:
    texts, labels = ["a", "a b", "a b c", "a b c d"], ["x", "x", "y", None]
    medians, epsilon = length_by_class(texts, labels)
    assert medians == {"x": 1.5, "y": 3.0}
    logs = np.log([2, 3, 4])
    between = 2 * (logs[:2].mean() - logs.mean()) ** 2 + (logs[2] - logs.mean()) ** 2
    share = between / ((logs - logs.mean()) ** 2).sum()
    assert epsilon == pytest.approx(1 - (1 - share) * (3 - 1) / (3 - 2))
    assert math.isnan(length_by_class(["a b", "c d"], ["x", "y"])[1])
    assert math.isnan(length_by_class(["a b"], [None])[1])
    # Equal lengths whose logarithm is no round number leave no variation to explain.
    assert math.isnan(length_by_class(["a b c"] * 30, ["x", "y", "z"] * 10)[1])


def test_length_that_says_nothing_explains_nothing_with_many_classes() -> None:
    rng = np.random.default_rng(2)
    texts = [" ".join("w" * int(n)) for n in rng.integers(5, 50, size=60)]
    found = [length_by_class(texts, [str(k) for k in rng.permutation(60) % 12])[1] for _ in range(200)]
    assert np.mean(found) == pytest.approx(0, abs=0.03)
