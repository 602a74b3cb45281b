"""Two sets of outcomes compared: cells by hand, textbook tests, and what is not shared."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from jostle.measures.options import Options
from jostle.measures.paired import paired
from jostle.measures.table import Rows

Make = Callable[..., Rows]
PAIRWISE = Options(n_resamples=500, missing="pairwise")
KINDS = ("orig", "para/x", "pert/x", "adv/x")


def test_accuracy_by_hand(outcomes: Make) -> None:
    first = outcomes({"orig": [1, 1, 0, 0], "pert/x": [1, 0, 0, None]})
    second = outcomes({"orig": [1, 1, 1, 0], "pert/x": [1, 1, 1, None]})
    found = paired(first, second, PAIRWISE)
    # per item: first 1, .5, 0, 0 (mean .375), second 1, 1, 1, 0 (mean .75)
    assert (found["accuracy_first"], found["accuracy_second"]) == (0.375, 0.75)
    assert found["accuracy_difference"] == pytest.approx(0.375)
    assert found["accuracy_difference_by_condition"] == pytest.approx({"orig": 1 / 4, "pert/x": 2 / 3})
    assert (found["n_items"], found["n_cells"]) == (4, 7)
    assert (found["n_unmatched_first"], found["n_unmatched_second"], found["n_gold_differs"]) == (0, 0, 0)
    assert found["robustness_ratio_undefined_reason"] == "no rows of kind para, adv"
    assert math.isnan(found["robustness_ratio_difference"])


def test_mcnemar_is_that_of_statsmodels(outcomes: Make) -> None:
    x, y = [1] * 12 + [0] * 8, [0] * 9 + [1] * 3 + [0] * 8
    z = [1] * 11 + [0] + [1] * 3 + [0] * 5
    found = paired(outcomes({"orig": x, "pert/x": x}), outcomes({"orig": y, "pert/x": z}), PAIRWISE)
    # orig: 9 lost, 0 won; pert/x: 1 lost, 3 won
    expected = [mcnemar([[3, 9], [0, 8]], exact=True).pvalue, mcnemar([[11, 1], [3, 5]], exact=True).pvalue]
    assert list(found["mcnemar_p_value_by_condition"].values()) == pytest.approx(expected)
    holm = multipletests(expected, method="holm")[1]
    assert list(found["mcnemar_p_value_holm_by_condition"].values()) == pytest.approx(holm)


def test_cells_are_matched_by_name_and_others_are_counted(rows: Make) -> None:
    # Codes differ: the first side knows items a, b, c, the second b, c, d; labels and conditions differ as well.
    first = rows({"predictions": ["x", "y", "x", "x"], "references": ["x", "x", "y", "x"],
                  "item_ids": ["a", "b", "c", "b"], "conditions": ["orig", "orig", "orig", "adv/x"]})  # fmt: skip
    second = rows({"predictions": ["x", "y", "w", "x"], "references": ["x", "y", "w", "x"],
                   "item_ids": ["b", "c", "d", "c"], "conditions": ["orig", "orig", "orig", "pert/x"]})  # fmt: skip
    found = paired(first, second, PAIRWISE)
    # shared: b and c under orig; wrong, wrong against right, right
    assert (found["n_items"], found["n_cells"], found["accuracy_difference"]) == (2, 2, 1.0)
    assert (found["n_unmatched_first"], found["n_unmatched_second"]) == (2, 2)  # a orig, b adv/x; d orig, c pert/x


def test_gold_labels_that_differ_are_counted(rows: Make) -> None:
    columns: dict[str, Any] = {"predictions": ["x", "y"], "item_ids": ["a", "b"], "conditions": ["orig", "orig"]}
    found = paired(rows(columns | {"references": ["x", "x"]}), rows(columns | {"references": ["x", "y"]}), PAIRWISE)
    assert found["n_gold_differs"] == 1


def test_nothing_shared_is_undefined(outcomes: Make, rows: Make) -> None:
    other = rows({"predictions": [1], "references": [1], "item_ids": ["z"], "conditions": ["orig"]})
    found = paired(outcomes({"orig": [1, 0]}), other, PAIRWISE)
    assert (found["n_items"], found["n_unmatched_first"], found["n_unmatched_second"]) == (0, 2, 1)
    assert math.isnan(found["accuracy_difference"])
    assert math.isnan(found["accuracy_p_value"])


def test_changed_and_unlabelled_rows_are_left_out(rows: Make) -> None:
    columns = {"predictions": [1, 0, 1], "references": [1, 1, -1], "item_ids": ["a", "a", "b"],
               "conditions": ["orig", "contrast/x", "orig"], "relations": [None, "changed", "invariant"]}  # fmt: skip
    found = paired(rows(columns), rows(columns), PAIRWISE)
    assert (found["n_cells"], found["n_unmatched_first"]) == (1, 0)


def test_a_single_answer_against_samples(rows: Make) -> None:
    items = ["a", "b"]
    greedy = rows({"predictions": [1, 0], "references": [1, 1], "item_ids": items, "conditions": ["orig"] * 2})
    sampled = rows({"predictions": [1, 1, 1, 0, 1, 0, 0, 0], "references": [1] * 8, "item_ids": ["a"] * 4 + ["b"] * 4,
                    "conditions": ["orig"] * 8, "samples": [0, 1, 2, 3] * 2})  # fmt: skip
    found = paired(greedy, sampled, PAIRWISE)
    # a: 1 -> 3/4, b: 0 -> 1/4, so the mean stays .5 though two of eight samples disagree
    assert (found["accuracy_first"], found["accuracy_second"], found["accuracy_difference"]) == (0.5, 0.5, 0.0)
    assert found["accuracy_p_value"] == 1.0
    assert math.isnan(found["mcnemar_p_value_by_condition"]["orig"])


def by_kind(outcomes: Make, right: np.ndarray[Any, Any], **extra: Any) -> Rows:
    return outcomes({kind: right[:, k].tolist() for k, kind in enumerate(KINDS)}, **extra)


def test_robustness_ratios_by_hand(outcomes: Make) -> None:
    first = np.array([[1, 1, 1, 0]] * 5 + [[0, 0, 0, 0]] * 5)
    second = np.array([[1, 1, 1, 1]] * 5 + [[1, 0, 0, 0]] * 5)
    found = paired(by_kind(outcomes, first), by_kind(outcomes, second), PAIRWISE)
    assert found["robustness_ratio_first"] == pytest.approx(2 / 3)  # (.5 + .5 + 0) / (3 x .5)
    assert found["robustness_ratio_second"] == pytest.approx(1 / 2)  # (.5 + .5 + .5) / (3 x 1)
    assert found["robustness_ratio_difference"] == pytest.approx(-1 / 6)
    assert found["n_matched"] == 10


def test_the_interval_of_a_ratio_difference_is_that_of_scipy(outcomes: Make) -> None:
    rng = np.random.default_rng(0)
    easy = rng.random((400, 1))
    sides = [(easy + 0.3 * rng.random((400, 4)) < level).astype(int) for level in (0.7, 0.9)]

    def difference(a: Any, b: Any, axis: int = -1) -> Any:
        ratios = [
            np.take(side, [1, 2, 3], -2).sum((-2, axis)) / (3 * np.take(side, 0, -2).sum(axis)) for side in (a, b)
        ]
        return ratios[1] - ratios[0]

    found = paired(*(by_kind(outcomes, side) for side in sides), Options(missing="pairwise"))
    index = rng.integers(0, 400, (4000, 400))
    expected = np.array([difference(sides[0][k].T, sides[1][k].T) for k in index])
    half = (found["robustness_ratio_difference_ci_high"] - found["robustness_ratio_difference_ci_low"]) / 2
    assert found["robustness_ratio_difference"] == pytest.approx(difference(sides[0].T, sides[1].T))
    assert half == pytest.approx(1.96 * expected.std(), rel=0.08)


def test_a_ratio_that_is_undefined_on_one_side(outcomes: Make) -> None:
    right, wrong = np.ones((20, 4), dtype=int), np.zeros((20, 4), dtype=int)
    found = paired(by_kind(outcomes, right), by_kind(outcomes, wrong), PAIRWISE)
    assert found["robustness_ratio_undefined_reason"] == "accuracy on the originals of the matched items is 0"
    assert found["accuracy_difference"] == -1.0


def test_equal_sides_differ_in_nothing_and_quietly(outcomes: Make) -> None:
    right = np.array([[1, 1, 0, 1]] * 30 + [[0, 1, 1, 0]] * 10)
    found = paired(by_kind(outcomes, right), by_kind(outcomes, right), PAIRWISE)
    for name in ("accuracy", "robustness_ratio"):
        assert found[f"{name}_difference"] == 0.0
        assert found[f"{name}_p_value"] == 1.0
        assert found[f"{name}_difference_ci_low"] < 0 < found[f"{name}_difference_ci_high"]


def test_families_of_either_side_are_resampled_together(outcomes: Make) -> None:
    right, family = np.ones((60, 4), dtype=int), [f"f{k // 10}" for k in range(60)]
    less = right.copy()
    less[:10] = 0  # one family in six is lost as a whole
    plain = paired(by_kind(outcomes, right), by_kind(outcomes, less), PAIRWISE)
    grouped = paired(by_kind(outcomes, right), by_kind(outcomes, less, families=family), PAIRWISE)
    assert (plain["n_families"], grouped["n_families"]) == (60, 6)
    assert plain["accuracy_p_value"] < 0.01
    assert grouped["accuracy_p_value"] > 0.2
    assert math.isnan(grouped["mcnemar_p_value_by_condition"]["orig"])


def test_a_ratio_difference_without_effect_is_rarely_found(outcomes: Make) -> None:
    rng = np.random.default_rng(3)
    p = []
    for _ in range(120):
        easy = rng.beta(2, 1, (80, 1))
        sides = (rng.random((2, 80, 4)) < easy).astype(int)
        p.append(paired(*(by_kind(outcomes, side) for side in sides), PAIRWISE)["robustness_ratio_p_value"])
    # At most a binomial(120, .05) would exceed in one case of a hundred.
    assert np.sum(np.array(p) < 0.05) <= stats.binom.ppf(0.99, 120, 0.05)


def test_drift_and_flips_of_both_sides_by_hand(outcomes: Make) -> None:
    # 40 items, 2 conditions. First: 40 and 30 right (10 flip); second: 40 and 20 right (20 flip).
    first = outcomes({"orig": [1] * 40, "p": [1] * 30 + [0] * 10})
    second = outcomes({"orig": [1] * 40, "p": [1] * 20 + [0] * 20})
    found = paired(first, second, PAIRWISE)
    assert [found[f"drift_{side}"] for side in ("first", "second", "difference")] == [0.25, 0.5, 0.25]
    assert [found[f"flip_rate_{side}"] for side in ("first", "second", "difference")] == [0.25, 0.5, 0.25]
    assert found["drift_difference_ci_low"] > 0  # all ten differences point one way
    assert found["flip_rate_difference_ci_low"] == pytest.approx(found["drift_difference_ci_low"], abs=0.02)


def test_equal_sides_differ_neither_in_drift_nor_in_flips(outcomes: Make) -> None:
    rows = outcomes({"orig": [1] * 40, "p": [1] * 30 + [0] * 10})
    found = paired(rows, rows, PAIRWISE)
    for name in ("drift", "flip_rate"):
        assert found[f"{name}_difference"] == 0.0
        assert found[f"{name}_p_value"] == 1.0


def test_one_condition_has_no_drift(outcomes: Make) -> None:
    rows = outcomes({"orig": [1, 0, 1]})
    assert math.isnan(paired(rows, rows, PAIRWISE)["drift_difference"])


@pytest.mark.slow
@pytest.mark.parametrize("drops", [(0.0, 0.0), (0.1, 0.1)])
def test_equal_drifts_are_told_apart_in_one_set_of_twenty_or_fewer(matrix: Make, drops: tuple[float, float]) -> None:
    rng, fired = np.random.default_rng(5), 0
    for _ in range(300):
        sides = []
        for drop in drops:
            x = (rng.random((200, 3)) < np.array([0.8, 0.8, 0.8 - drop])).astype(float)
            sides.append(matrix(x))
        fired += paired(*sides, Options(n_resamples=300))["drift_p_value"] < 0.05
    assert fired <= 27  # 300 x .05 = 15, and three standard errors of 3.8
