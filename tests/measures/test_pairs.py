"""Contrast pairs by hand: the whole table, families, abstentions, confidences and refusals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm
from scipy.stats import t as student_t
from statsmodels.stats.proportion import proportion_confint

from jostle.measures.options import Options
from jostle.measures.pair_data import Pairs, abstain_below, pairs_from_rows
from jostle.measures.pair_rates import operator_weighted
from jostle.measures.pairs import SIDES, pairs, score_pairs
from jostle.measures.table import Rows

Make = Callable[..., Rows]
Pair = tuple[Any, Any, Any, Any]  # gold and gold, then prediction and prediction: base, edited
SIX: list[Pair] = [
    ("pos", "neg", "pos", "pos"),  # edited-only error, relation failed
    ("pos", "neg", "neg", "pos"),  # both wrong, relation kept
    ("pos", "pos", "neg", "neg"),  # both wrong, relation kept
    ("pos", "pos", "pos", "neg"),  # edited-only error, relation failed
    ("ent", "con", "neu", "con"),  # base-only error, relation kept
    ("ent", "con", "neu", "neu"),  # both wrong, relation failed
]


def columns(of: Sequence[Pair], **by_pair: Sequence[Any]) -> dict[str, Any]:
    """Pairs as columns; `by_pair` has one value a pair."""
    doubled = {name: [v for v in values for _ in range(2)] for name, values in by_pair.items()}
    return doubled | {
        "references": [gold for pair in of for gold in pair[:2]],
        "predictions": [prediction for pair in of for prediction in pair[2:]],
        "item_ids": [i for i in range(len(of)) for _ in range(2)],
        "conditions": ["orig", "edit"] * len(of),
    }


def test_rates_by_hand(rows: Make) -> None:
    found = pairs(rows(columns(SIX)), Options())
    assert found["side_accuracy"] == 3 / 12
    assert found["relation_accuracy"] == 3 / 6
    assert found["pair_accuracy"] == 0.0
    ends = (found["relation_accuracy_ci_low"], found["relation_accuracy_ci_high"])
    assert ends == pytest.approx(proportion_confint(3, 6, method="wilson"))
    assert (found["sensitivity_accuracy"], found["n_sensitivity"]) == (2 / 4, 4)  # rows 2 and 5 of 1, 2, 5, 6
    assert (found["invariance_accuracy"], found["n_invariance"]) == (1 / 2, 2)  # row 3 of 3, 4


def test_the_table_and_its_counters(rows: Make) -> None:
    found = pairs(rows(columns(SIX)), Options())
    assert found["table"] == {
        "both_right": {"failed": 0, "kept": 0},
        "base_only_error": {"failed": 0, "kept": 1},
        "edited_only_error": {"failed": 2, "kept": 0},
        "both_wrong": {"failed": 1, "kept": 2},
    }
    counters = ("base_only_error", "edited_only_error", "both_wrong_expected_relation", "relation_failure")
    assert [found[key] for key in counters] == [1, 2, 2, 3]
    assert (found["n_failures"], len(found["failures"])) == (6, 6)
    assert found["failures"][0] == {
        "pair": "0 / edit", "operator": "edit", "sides": "edited_only_error", "relation": "failed",
    }  # fmt: skip


def test_failures_are_listed_up_to_a_number(rows: Make) -> None:
    found = pairs(rows(columns(SIX)), Options(max_failures=2))
    assert (found["n_failures"], len(found["failures"])) == (6, 2)


def test_families_count_once(rows: Make) -> None:
    found = pairs(rows(columns(SIX, families=["f", "g", "g", "g", "g", "g"])), Options())
    # f: 0 of 1; g: rows 2, 3, 5 of 5 = .6; mean .3, against 3/6 of all pairs
    assert found["family_mean_relation_accuracy"] == pytest.approx(0.3)
    assert found["n_families"] == 2
    assert found["by_family"]["g"] == {
        "n_pairs": 5, "side_accuracy": pytest.approx(0.2), "relation_accuracy": 0.6, "pair_accuracy": 0.0,
    }  # fmt: skip


def test_by_operator(rows: Make) -> None:
    found = pairs(rows(columns(SIX, operators=["negation"] * 4 + ["entity"] * 2)), Options())
    assert {name: row["n_pairs"] for name, row in found["by_operator"].items()} == {"negation": 4, "entity": 2}
    assert found["by_operator"]["entity"]["relation_accuracy"] == 0.5
    assert found["by_family"] == {}


def test_abstentions_keep_no_relation(rows: Make) -> None:
    found = pairs(rows(columns([("a", "a", None, None), ("a", "b", None, "b"), ("a", "b", "a", -1)])), Options())
    assert found["relation_accuracy"] == 0.0
    assert (found["n_abstained_base"], found["n_abstained_edited"], found["n_unparsed"]) == (2, 2, 4)


def test_samples_vote_and_a_tie_abstains(rows: Make) -> None:
    found = pairs(rows({
        "predictions": ["a", "a", "b", "b", "b", "a"], "references": ["a"] * 3 + ["b"] * 3, "item_ids": [1] * 6,
        "conditions": ["orig"] * 3 + ["edit"] * 3, "samples": [0, 1, 2] * 2,
    }), Options())  # fmt: skip
    assert found["pair_accuracy"] == 1.0
    tied = pairs(rows({
        "predictions": ["a", "b", "a"], "references": ["a"] * 3, "item_ids": [1] * 3,
        "conditions": ["orig"] * 2 + ["edit"], "samples": [0, 1, 0],
    }), Options())  # fmt: skip
    assert (tied["n_abstained_base"], tied["relation_accuracy"]) == (1, 0.0)


def test_confidence_change_over_complete_pairs(rows: Make) -> None:
    given_columns = columns([("a", "a", "a", "a")] * 3) | {"confidences": [0.9, 0.7, math.nan, 0.6, 0.8, None]}
    found = pairs(rows(given_columns), Options())
    assert found["mean_confidence_change"] == pytest.approx(-0.2)
    assert found["n_missing_confidence"] == 2


def test_weights_of_the_edited_rows(rows: Make) -> None:
    found = pairs(rows(columns([("a", "a", "a", "a"), ("a", "a", "a", "b")], weights=[1, 3])), Options())
    assert found["weighted_relation_accuracy"] == 0.25
    assert math.isnan(pairs(rows(columns(SIX)), Options())["weighted_relation_accuracy"])


@pytest.mark.parametrize(("golds", "side"), [((None, "a"), "base"), (("a", -1), "edited")])
def test_one_missing_gold_names_the_pair(rows: Make, golds: tuple[Any, Any], side: str) -> None:
    with pytest.raises(ValueError, match=f"pair '0 / edit' has no {side} gold"):
        pairs(rows(columns([(*golds, "a", "a")])), Options())


def test_pairs_without_any_gold_are_counted(rows: Make) -> None:
    found = pairs(rows(columns([(None, None, "a", "a"), ("a", "a", "a", "a")])), Options())
    assert (found["n_pairs"], found["n_unlabelled"]) == (1, 2)


@pytest.mark.parametrize(
    ("golds", "stated", "found"), [(("a", "a"), "changed", "equal"), (("a", "b"), "invariant", "different")]
)
def test_a_relation_that_the_golds_contradict(rows: Make, golds: tuple[str, str], stated: str, found: str) -> None:
    with pytest.raises(ValueError, match=f"pair '0 / edit' is marked '{stated}' and its golds are {found}"):
        pairs(rows(columns([(*golds, "a", "a")], relations=[stated])), Options())


def test_items_without_a_reference_row_are_named(rows: Make) -> None:
    lone = {name: values[1:] for name, values in columns(SIX).items()}
    found = pairs(rows(lone), Options())
    assert (found["n_pairs"], found["dropped"]) == (5, ["0"])
    with pytest.raises(ValueError, match=r"Expected `reference` to be one of .*but got 'base'"):
        pairs(rows(lone), Options(reference="base"))


def test_no_pairs_are_undefined_not_zero(rows: Make) -> None:
    found = pairs(rows(columns([])), Options())
    assert found["n_pairs"] == 0
    assert all(math.isnan(found[key]) for key in ("side_accuracy", "relation_accuracy", "pair_accuracy_ci_low"))
    assert found["degenerate"]


@given(st.lists(st.tuples(*[st.sampled_from("ab")] * 2, *[st.sampled_from(["a", "b", None])] * 2), min_size=1))
def test_the_table_adds_up(rows: Make, of: list[Pair]) -> None:
    found = pairs(rows(columns(of)), Options(n_resamples=100))
    cells = np.array([[found["table"][side][kept] for kept in ("failed", "kept")] for side in SIDES])
    assert cells.sum() == len(of)
    assert cells[:, 1].sum() / len(of) == found["relation_accuracy"]
    assert cells[0].sum() / len(of) == found["pair_accuracy"]
    assert found["side_accuracy"] == (2 * cells[0].sum() + cells[1].sum() + cells[2].sum()) / (2 * len(of))
    assert all(0 <= found[f"{key}_accuracy_ci_low"] <= found[f"{key}_accuracy"] for key in ("side", "relation"))


def test_every_operator_counts_once(rows: Make) -> None:
    of: list[Pair] = [("a", "a", "a", "a")] * 3 + [("a", "a", "a", "b")] + [("a", "b", "a", "a")]
    found = pairs(rows(columns(of, operators=["common"] * 4 + ["rare"])), Options())
    assert found["relation_accuracy"] == 3 / 5
    # (3/4 + 0) / 2, against 3/5 of all pairs; both right: the same; sides: (7/8 + 1/2) / 2
    assert found["operator_weighted_relation_accuracy"] == pytest.approx(0.375)
    assert found["operator_weighted_pair_accuracy"] == pytest.approx(0.375)
    assert found["operator_weighted_side_accuracy"] == pytest.approx(0.6875)
    # Variance of the linearised total: .5^2 (.75 .25) / 4 = .01171875, times 5/4 for five families; .375 .625 over it
    # is an effective number of 16 pairs. Student's quantile on 4 degrees of freedom stands for 1.96.
    ends = (found["operator_weighted_relation_accuracy_ci_low"], found["operator_weighted_relation_accuracy_ci_high"])
    alpha = 2 * norm.sf(student_t.ppf(0.975, 4))
    assert ends == pytest.approx(proportion_confint(6, 16, alpha=alpha, method="wilson"), abs=2e-3)


def coded(of: Sequence[Pair], rows: Make, **by_pair: Sequence[Any]) -> Pairs:
    return pairs_from_rows(rows(columns(of, **by_pair)))[0]


def test_operators_weigh_as_they_are_told(rows: Make) -> None:
    data = coded([("a", "a", "a", "a"), ("a", "b", "a", "a")], rows, operators=["common", "rare"])
    assert score_pairs(data, Options())["operator_weighted_relation_accuracy"] == 0.5
    weighted = score_pairs(data, Options(), {"rare": 3, "absent": 9})
    assert weighted["operator_weighted_relation_accuracy"] == 0.25  # (1 * 1 + 3 * 0) / 4
    for weights, message in (
        ({"rare": -1.0}, "0 or more for operator 'rare', but got -1"),
        ({"rare": math.inf}, "inf"),
    ):
        with pytest.raises(ValueError, match=message):
            score_pairs(data, Options(), weights)
    with pytest.raises(ValueError, match="a weight above 0"):
        score_pairs(data, Options(), {"rare": 0, "common": 0})


@pytest.mark.slow
def test_the_interval_of_the_weighted_rate_covers() -> None:
    rng = np.random.default_rng(0)
    n_families, covered, times = 40, 0, 1000
    operators = np.tile([0, 0, 0, 0, 0, 0, 0, 1], n_families)  # seven paraphrases and one negation a family
    families = np.repeat(np.arange(n_families), 8)
    names = [str(k) for k in range(n_families)]
    none = np.zeros(len(operators), dtype=np.int64)
    data = Pairs(none, none, none, none, str, operators, ["paraphrase", "negation"], families, names, True)
    for _ in range(times):
        shift = rng.normal(0, 0.08, n_families)[families]  # families differ, so their pairs are alike
        right = (rng.random(len(operators)) < np.array([0.9, 0.6])[operators] + shift).astype(float)
        found = operator_weighted(data, np.column_stack([right] * 3), {})
        low, high = (found[f"operator_weighted_pair_accuracy_ci_{end}"] for end in ("low", "high"))
        covered += low <= 0.5 * (_clipped(0.9) + 0.6) <= high
    assert 0.93 <= covered / times <= 0.99


def _clipped(p: float) -> float:
    """Mean of the chance p + shift where it is cut at 1: E[min(p + s, 1)] for s ~ N(0, .08)."""
    z = (1 - p) / 0.08
    return float(p - 0.08 * (norm.pdf(z) - z * norm.sf(z)))


def test_families_that_agree_leave_no_point_as_interval(rows: Make) -> None:
    of: list[Pair] = [("a", "a", "a", "a"), ("a", "a", "a", "b")] * 3
    found = pairs(rows(columns(of, families=["f", "f", "g", "g", "h", "h"])), Options())
    expected = pytest.approx(proportion_confint(1.5, 3, method="wilson"))  # each family keeps 1 of 2; three families
    for prefix in ("", "family_mean_"):
        assert found[f"{prefix}relation_accuracy"] == 0.5
        ends = (found[f"{prefix}relation_accuracy_ci_low"], found[f"{prefix}relation_accuracy_ci_high"])
        assert ends == expected
    one = pairs(rows(columns([("a", "a", "a", "a")] * 5, families=["f"] * 5)), Options())
    assert one["pair_accuracy_ci_low"] < 0.25  # five pairs of one family are one observation


def test_the_two_kinds_apart(rows: Make) -> None:
    never = [("a", "b", "a", "a"), ("a", "b", "a", "a"), ("a", "a", "a", "a")]
    always = [(*pair[:3], "b" if pair[3] == "a" else "a") for pair in never]
    flat, flipping = (pairs(rows(columns(of)), Options()) for of in (never, always))
    assert (flat["sensitivity_accuracy"], flat["invariance_accuracy"]) == (0.0, 1.0)
    assert (flipping["sensitivity_accuracy"], flipping["invariance_accuracy"]) == (1.0, 0.0)
    assert (flat["sensitivity_pair_accuracy"], flat["invariance_pair_accuracy"]) == (0.0, 1.0)
    ends = (flat["invariance_accuracy_ci_low"], flat["invariance_accuracy_ci_high"])
    assert ends == pytest.approx(proportion_confint(1, 1, method="wilson"))


def test_operators_have_counts_and_intervals(rows: Make) -> None:
    found = pairs(rows(columns(SIX, operators=["negation"] * 4 + ["entity"] * 2)), Options())["by_operator"]
    negation = found["negation"]
    counts = ("n_pairs", "n_families", "n_sensitivity", "n_failures", "n_abstained")
    assert [negation[key] for key in counts] == [4, 4, 2, 4, 0]
    ends = (negation["relation_accuracy_ci_low"], negation["relation_accuracy_ci_high"])
    assert ends == pytest.approx(proportion_confint(2, 4, method="wilson"))


def test_abstention_is_an_outcome_of_its_own(rows: Make) -> None:
    of: list[Pair] = [
        ("a", "a", None, None), ("a", "b", None, "b"), ("a", "b", "a", -1), ("a", "a", "a", "a"), ("a", "a", "b", "b"),
    ]  # fmt: skip
    found = pairs(rows(columns(of)), Options())
    assert (found["n_abstained"], found["coverage"]) == (3, 2 / 5)
    assert found["abstained_by_side"] == {
        "both_right": 0, "base_only_error": 1, "edited_only_error": 1, "both_wrong": 1,
    }  # fmt: skip
    assert (found["relation_accuracy"], found["relation_accuracy_answered"]) == (2 / 5, 1.0)
    assert (found["pair_accuracy"], found["pair_accuracy_answered"]) == (1 / 5, 1 / 2)
    assert [failure["relation"] for failure in found["failures"]] == ["abstained"] * 3 + ["kept"]
    assert found["by_operator"]["edit"]["n_abstained"] == 3


def test_collapse_counts_pairs_that_are_still_right(rows: Make) -> None:
    of: list[Pair] = [("a", "b", "a", "b")] * 3 + [("a", "b", "a", "a")]
    confidences = [0.9, 0.7, 0.9, 0.6, 0.9, None, 0.9, 0.1]  # falls of .2 and .3, one unknown, one with an error
    found = pairs(rows(columns(of) | {"confidences": confidences}), Options())
    assert (found["collapse_rate"], found["n_collapsed"], found["n_still_right"]) == (0.5, 1, 2)
    wide = pairs(rows(columns(of) | {"confidences": confidences}), Options(collapse=0.35))
    assert wide["collapse_rate"] == 0.0
    assert math.isnan(pairs(rows(columns(of)), Options())["collapse_rate"])


def test_one_threshold_for_both_members(rows: Make) -> None:
    data = coded([("a", "b", "a", "b"), ("a", "b", None, "b")], rows)
    both = replace(data, base_confidences=np.array([0.9, np.nan]), edited_confidences=np.array([0.5, 0.5]))
    assert abstain_below(both, 0.5).edited_predictions.tolist() == data.edited_predictions.tolist()
    cut = abstain_below(both, 0.6)
    assert (cut.base_predictions.tolist(), cut.edited_predictions.tolist()) == ([0, -1], [-1, -1])
    with pytest.raises(ValueError, match=r"abstain below 0\.6, but pair '0 / edit' has no base confidence"):
        abstain_below(data, 0.6)


@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 4, st.sampled_from("xyz")), min_size=1), st.randoms())
def test_the_order_of_the_pairs_does_not_matter(rows: Make, of: list[tuple[str, ...]], random: Any) -> None:
    def found(order: Sequence[int]) -> dict[str, Any]:
        made = columns([of[k][:4] for k in order], operators=[of[k][4] for k in order])  # type: ignore[misc]
        result = pairs(rows(made | {"item_ids": [k for k in order for _ in range(2)]}), Options(n_resamples=100))
        return {key: value for key, value in result.items() if key != "failures"}

    order = list(range(len(of)))
    expected = found(order)
    random.shuffle(order)
    assert _close(found(order), expected)


def _close(one: Any, other: Any) -> bool:
    """Equal but for the last bits of sums."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_close(one[key], other[key]) for key in one)
    if isinstance(one, float):
        return math.isclose(one, other, abs_tol=1e-12) or (math.isnan(one) and math.isnan(other))
    return bool(one == other)
