"""The paired difference: against the drift's formula, textbook tests and its own null."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from jostle.measures.difference import UNDEFINED, mean_difference
from jostle.measures.intervals import mcnemar_exact
from jostle.measures.options import Options

FEW = Options(n_resamples=200)


def alone(n: int) -> np.ndarray:
    return np.arange(n)


def test_few_discordant_items_by_hand() -> None:
    found = mean_difference(np.array([1.0] * 6 + [0.0] * 394), alone(400), Options())
    # b = 6, c = 0, n = 400: se = sqrt(6 + 0 + 2 - 6^2 / 402) / 402; the normal tail is the larger of the two p-values,
    # for a bootstrap sample is as far off only with no discordant item, or with twelve (0.2 % and 2 %)
    error = math.sqrt(8 - 36 / 402) / 402
    stretch = stats.t.ppf(0.975, 399) / stats.norm.ppf(0.975)
    assert found.estimate == pytest.approx(6 / 400)
    assert found.p_value == pytest.approx(2 * stats.norm.sf(6 / 400 / error / stretch), rel=1e-4)
    assert found.p_value == pytest.approx(mcnemar_exact(6, 0), abs=0.003)
    assert found.low >= 0
    assert found.high == pytest.approx(6 / 400 + stats.t.ppf(0.975, 399) * error, rel=0.1)


def test_many_discordant_items_come_close_to_the_t_test() -> None:
    values = np.array([1.0] * 130 + [-1.0] * 100 + [0.0] * 370)
    found = mean_difference(values, alone(600), Options())
    expected = stats.ttest_1samp(values, 0)
    assert found.p_value == pytest.approx(expected.pvalue, abs=0.01)
    ends = expected.confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), abs=0.003)


def test_no_discordant_item_is_no_evidence_of_equality() -> None:
    found = mean_difference(np.zeros(10), alone(10), FEW)
    assert (found.estimate, found.p_value) == (0.0, 1.0)
    # sqrt(2) / 12 with one pseudo-discordant item each way, times t at 9 degrees of freedom
    assert found.high == pytest.approx(stats.t.ppf(0.975, 9) * math.sqrt(2) / 12, rel=1e-3)


def test_changes_that_cancel_within_families_leave_the_error_above_zero() -> None:
    found = mean_difference(np.array([1.0, -1.0] * 20), np.repeat(np.arange(20), 2), FEW)
    assert (found.estimate, found.p_value) == (0.0, 1.0)
    assert found.low < 0 < found.high


def test_nothing_compared_is_undefined() -> None:
    assert mean_difference(np.zeros(0), alone(0), FEW) is UNDEFINED


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=2, max_size=30), st.randoms())
def test_the_order_of_items_changes_nothing_and_the_sides_negate(values: list[float], random: object) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found, again, swapped = (
        mean_difference(np.array(v), alone(len(v)), FEW) for v in (values, shuffled, [-v for v in values])
    )
    assert vars(again) == pytest.approx(vars(found))
    assert swapped.estimate == pytest.approx(-found.estimate)
    assert 0 < found.p_value <= 1
    assert -1 <= found.low <= found.estimate <= found.high <= 1


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3])
def test_single_answers_without_an_effect_reject_at_most_one_in_twenty(rate: float) -> None:
    rng = np.random.default_rng(0)
    sides = rng.random((400, 2, 200)) < rate
    p = [mean_difference((a.astype(float) - b), alone(200), FEW).p_value for a, b in sides]
    assert np.mean(np.array(p) < 0.05) <= 0.06  # .050 + about one standard error of 400 runs


def test_families_reject_as_rarely_where_mcnemar_rejects_twice_as_often() -> None:
    rng = np.random.default_rng(1)
    family = np.repeat(np.arange(50), 4)
    chance = rng.beta(0.3, 2, (400, 2, 50))[:, :, family]  # items of a family are easy or hard together
    changes = np.diff((rng.random(chance.shape) < chance).astype(float), axis=1)[:, 0]
    ours = [mean_difference(change, family, FEW).p_value for change in changes]
    plain = [mcnemar_exact(int((change > 0).sum()), int((change < 0).sum())) for change in changes]
    assert np.mean(np.array(ours) < 0.05) <= 0.07
    assert np.mean(np.array(plain) < 0.05) > 0.10
