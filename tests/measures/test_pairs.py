"""Contrast pairs by hand: the whole table, families, abstentions, confidences and refusals."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from jostle.measures.options import Options
from jostle.measures.pairs import SIDES, pairs
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
