"""Flips by hand: outcomes, answers, samples and noise."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from jostle.measures.flips import flips
from jostle.measures.options import Options
from jostle.measures.table import Rows

Make = Callable[..., Rows]
# items:          1  2  3  4
FOUR = {"orig": [1, 1, 0, 0], "p": [1, 0, 0, 1], "q": [1, 1, 0, 1]}


def test_rates_by_hand(outcomes: Make) -> None:
    found = flips(outcomes(FOUR), Options())
    assert found["flip_rate"] == 2 / 4  # items 2 and 4
    assert (found["flip_rate_ci_low"], found["flip_rate_ci_high"]) == pytest.approx(
        proportion_confint(2, 4, method="wilson")
    )
    # orig-p: items 2, 4 (.5); orig-q: item 4 (.25); p-q: item 2 (.25); mean 1/3
    assert found["mean_pairwise_flip"] == pytest.approx(1 / 3)
    assert found["worst_case_accuracy"] == 1 / 4  # item 1
    assert found["flip_rate_by_condition"] == {"p": 0.5, "q": 0.25}
    assert found["right_to_wrong_by_condition"] == {"p": 1, "q": 0}
    assert found["wrong_to_right_by_condition"] == {"p": 1, "q": 1}
    assert math.isnan(found["noise_flip_rate"])


def test_without_a_reference_there_are_no_directions(outcomes: Make) -> None:
    found = flips(outcomes({"s0": FOUR["orig"], "s1": FOUR["p"]}), Options())
    assert found["flip_rate"] == 0.5
    assert found["flip_rate_by_condition"] == {}
    named = flips(outcomes({"s0": FOUR["orig"], "s1": FOUR["p"]}), Options(reference="s0"))
    assert named["flip_rate_by_condition"] == {"s1": 0.5}


def test_p_values_are_those_of_statsmodels(outcomes: Make) -> None:
    rows = outcomes({"orig": [1] * 12 + [0] * 8, "p": [0] * 9 + [1] * 3 + [0] * 8, "q": [0] + [1] * 12 + [0] * 7})
    found = flips(rows, Options())
    # p: 9 lost, 0 gained; q: 1 lost, 1 gained
    expected = [mcnemar([[3, 9], [0, 8]], exact=True).pvalue, mcnemar([[11, 1], [1, 7]], exact=True).pvalue]
    assert list(found["p_value_by_condition"].values()) == pytest.approx(expected)
    holm = multipletests(expected, method="holm")[1]
    assert list(found["p_value_holm_by_condition"].values()) == pytest.approx(holm)


def test_wrong_to_other_wrong_is_an_answer_flip(rows: Make) -> None:
    found = flips(rows({
        "predictions": ["a", "b", "c", "c", None, "c"], "references": ["x"] * 6,
        "item_ids": [1, 1, 2, 2, 3, 3], "conditions": ["orig", "p"] * 3,
    }), Options())  # fmt: skip
    # item 1 changes its wrong answer, item 2 keeps it, item 3 is unparsed on one side: not compared
    assert found["flip_rate"] == 0.0
    assert found["answer_flip_rate"] == 1 / 2
    assert found["n_unparsed"] == 1


def test_answers_are_not_compared_where_the_gold_moves(rows: Make) -> None:
    found = flips(rows({
        "predictions": ["A", "B"], "references": ["A", "B"], "item_ids": [1, 1], "conditions": ["orig", "shift1"],
    }), Options())  # fmt: skip
    assert found["flip_rate"] == 0.0
    assert math.isnan(found["answer_flip_rate"])
    assert math.isnan(found["mean_pairwise_answer_flip"])


SAMPLED: dict[str, Any] = {
    # item a: orig 1,1,0 (right), p 0,0,1 (wrong); item b: orig 1,0 (half: unstable), p 1,1
    "predictions": [1, 1, 0, 0, 0, 1, 1, 0, 1, 1],
    "references": [1] * 10,
    "item_ids": ["a"] * 6 + ["b"] * 4,
    "conditions": ["orig"] * 3 + ["p"] * 3 + ["orig"] * 2 + ["p"] * 2,
    "samples": [0, 1, 2, 0, 1, 2, 0, 1, 0, 1],
}


def test_samples_vote_and_an_exact_half_is_unstable(rows: Make) -> None:
    found = flips(rows(SAMPLED), Options())
    assert (found["n_unstable"], found["n_compared"]) == (1, 1)
    assert found["flip_rate"] == 1.0


def test_noise_and_excess_by_hand(rows: Make) -> None:
    found = flips(rows(SAMPLED), Options())
    # within: a has 3 + 3 sample pairs, 2 + 2 differ (2/3); b has 1 + 1, 1 differs (1/2); mean 7/12
    assert found["noise_flip_rate"] == pytest.approx(7 / 12)
    # between: a: 2/3 of orig against 1/3 of p agree in 2/9 + 2/9, differ 5/9; b: 1/2; mean 19/36
    assert found["mean_pairwise_flip"] == pytest.approx(19 / 36)
    assert found["excess_flip_rate"] == pytest.approx(19 / 36 - 7 / 12)


def test_missing_conditions_are_compared_where_they_are(outcomes: Make) -> None:
    found = flips(outcomes({"orig": [1, 1, 1], "p": [0, None, None], "q": [1, 0, None]}), Options(missing="pairwise"))
    assert (found["flip_rate"], found["n_compared"]) == (1.0, 2)
    # orig-p: 1 of 1; orig-q: 1 of 2; p-q: 1 of 1
    assert found["mean_pairwise_flip"] == pytest.approx((1 + 0.5 + 1) / 3)


def test_family_interval_is_wilsons_with_an_effective_number(outcomes: Make) -> None:
    rng = np.random.default_rng(2)
    families = np.arange(200) // 4
    flipped = np.where(np.arange(200) % 4 == 0, rng.random(200) < 0.4, (rng.random(50) < 0.4)[families])
    found = flips(outcomes({"orig": [1] * 200, "p": (~flipped).tolist()}, families=families.tolist()), Options())
    # families of one size: the variance of the rate is that of the mean of 50 shares
    shares = flipped.reshape(50, 4).mean(axis=1)
    effective = shares.mean() * (1 - shares.mean()) / stats.sem(shares) ** 2
    assert 50 < effective < 200
    alpha = 2 * stats.norm.sf(stats.t.ppf(0.975, 49))
    low, high = proportion_confint(shares.mean() * effective, effective, alpha=alpha, method="wilson")
    assert (found["flip_rate_ci_low"], found["flip_rate_ci_high"]) == pytest.approx((low, high), abs=1e-5)


@pytest.mark.parametrize("n_conditions", [2, 4, 8])
def test_noise_alone_flips_more_with_more_conditions(matrix: Make, n_conditions: int) -> None:
    x = (np.random.default_rng(0).random((20_000, n_conditions)) < 0.9).astype(int)
    found = flips(matrix(x), Options())
    assert found["flip_rate"] == pytest.approx(1 - 0.9**n_conditions - 0.1**n_conditions, abs=0.01)
    assert found["mean_pairwise_flip"] == pytest.approx(2 * 0.9 * 0.1, abs=0.01)


@given(st.integers(1, 8), st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_bounds_and_renaming(outcomes: Make, n: int, c: int, seed: int) -> None:
    x = np.random.default_rng(seed).integers(0, 2, (n, c))
    found = flips(outcomes({f"a{k}": x[:, k].tolist() for k in range(c)}), Options())
    renamed = flips(outcomes({f"z{9 - k}": x[:, k].tolist() for k in range(c)}), Options())
    rates = ("flip_rate", "answer_flip_rate", "mean_pairwise_flip", "worst_case_accuracy", "flip_rate_ci_high")
    assert all(0 <= found[key] <= 1 for key in rates)
    assert repr(found) == repr(renamed)
    assert found["flip_rate"] == (x.min(axis=1) != x.max(axis=1)).mean()


@pytest.mark.parametrize("outcome", [{}, {"orig": [1, 0]}])
def test_nothing_compared_is_undefined(outcomes: Make, outcome: dict[str, list[int]]) -> None:
    found = flips(outcomes(outcome), Options())
    assert all(math.isnan(found[key]) for key in ("flip_rate", "flip_rate_ci_low", "worst_case_accuracy"))
    assert found["degenerate"]
