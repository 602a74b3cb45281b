"""Drift and flips from the scores of a log: the numbers of jostle's own measures, and what is no outcome counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")

from inspect_ai.scorer import SampleScore, Score

from jostle.importers.inspect_log import CONDITION, CONDITIONS, FAMILY, ITEM
from jostle.integrations.inspect_ai import invariance_metrics
from jostle.report import build_report

Row = tuple[str, str, Any]


def scores(rows: Sequence[Row], conditions: int = 2, **more: Any) -> list[SampleScore]:
    return [
        SampleScore(
            score=Score(value=value, **more),
            sample_id=f"{item}::{condition}",
            sample_metadata={ITEM: item, CONDITION: condition, CONDITIONS: conditions, FAMILY: item},
        )
        for item, condition, value in rows
    ]


def measured(given: list[SampleScore], **options: Any) -> dict[str, float]:
    values = invariance_metrics(**options)(given)  # type: ignore[arg-type]
    assert isinstance(values, dict)
    assert all(isinstance(value, float) for value in values.values())
    return {name.removeprefix("invariance_"): value for name, value in values.items()}


def test_i02_epochs_are_reduced_by_majority_and_what_is_not_scored_is_counted() -> None:
    rows: list[Row] = [("1", "orig", grade) for grade in "CCI"] + [("1", "shift1", grade) for grade in "INI"]
    rows += [("2", "orig", grade) for grade in "CCC"] + [("2", "shift1", math.nan)] * 3
    found = measured(scores(rows))
    # Item 1: 2 of 3 right, then none: one flip. Item 2 has one condition, so it is not compared.
    assert (found["n_items"], found["n_compared"], found["flip_rate"]) == (2, 1, 1.0)
    assert (found["n_no_answer"], found["n_unscored"], found["n_not_binary"]) == (1, 3, 0)
    assert found["accuracy_shift1"] == 0.0
    assert found["accuracy_orig"] == pytest.approx(5 / 6)
    # Inspect takes nan away before it calls a metric: the same, from what the samples say of their item.
    assert measured(scores([row for row in rows if row[2] == row[2]])) == pytest.approx(found, nan_ok=True)


def test_i02_partial_credit_is_neither_right_nor_wrong() -> None:
    rows: list[Row] = [("1", "orig", 0.33), ("1", "shift1", "P"), ("2", "orig", 1.0), ("2", "shift1", 0)]
    found = measured(scores(rows))
    assert (found["n_not_binary"], found["n_unscored"], found["n_items"], found["flip_rate"]) == (2, 0, 1, 1.0)


def test_i02_the_answer_is_not_needed() -> None:
    rows: list[Row] = [("1", "orig", "C"), ("1", "shift1", "I")]
    assert measured(scores(rows, answer=None)) == pytest.approx(measured(scores(rows, answer="A")), nan_ok=True)


def test_what_cannot_be_read_is_no_answer() -> None:
    rows: list[Row] = [("1", "orig", "I"), ("1", "shift1", "I")]
    assert measured(scores(rows, reason="invalid_response_format"))["n_no_answer"] == 2
    assert measured(scores(rows, reason="grader_failed"))["n_no_answer"] == 0


@pytest.mark.parametrize("epochs", [1, 3])
def test_numbers_are_those_of_a_report(epochs: int) -> None:
    rng = np.random.default_rng(5)
    names = ("orig", "shift1", "pert/typos")
    cells = [(f"i{i}", name, k) for i in range(60) for name in names for k in range(epochs)]
    # Some items lack the last condition.
    cells = [cell for cell in cells if cell[1] != "pert/typos" or int(cell[0][1:]) % 7]
    right = [bool(rng.random() < (0.8 if name == "orig" else 0.6)) for _, name, _ in cells]
    given = scores([(item, name, "C" if r else "I") for (item, name, _), r in zip(cells, right, strict=True)], 3)
    found = measured(given[::-1])
    rows = [
        {"id": item, "condition": name, "correct": r, "sample": k}
        for (item, name, k), r in zip(cells, right, strict=True)
    ]
    from jostle.outcomes import Outcomes

    outcomes = Outcomes.from_columns(
        predictions=right,
        references=[True] * len(rows),
        item_ids=[row["id"] for row in rows],
        conditions=[row["condition"] for row in rows],
        samples=[row["sample"] for row in rows],
    )
    report = build_report(outcomes)
    drift, flips = report.values("invariance_drift"), report.values("flip_rate")
    expected = {
        "drift": drift["max_drift"],
        "drift_ci_low": drift["drift_ci_low"],
        "drift_ci_high": drift["drift_ci_high"],
        "drift_expected": drift["expected_drift_null"],
        "noise_floor": drift["noise_floor"],
        "flip_rate": flips["flip_rate"],
        "flip_rate_ci_low": flips["flip_rate_ci_low"],
        "flip_rate_ci_high": flips["flip_rate_ci_high"],
        "n_unstable": flips["n_unstable"],
        "accuracy_pert/typos": drift["accuracy_by_condition"]["pert/typos"],
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, nan_ok=True)
    assert math.isnan(found["noise_floor"]) == (epochs == 1)
    assert found["n_unscored"] == 9 * epochs  # 60 items, of which 9 are multiples of 7


def test_by_hand() -> None:
    rows: list[Row] = [(f"i{i}", "orig", "C") for i in range(4)]
    rows += [("i0", "shift1", "C"), ("i1", "shift1", "C"), ("i2", "shift1", "C"), ("i3", "shift1", "I")]
    found = measured(scores(rows))
    # 4/4 against 3/4 right; one item of four flips.
    assert (found["drift"], found["flip_rate"], found["worst_case_accuracy"]) == (0.25, 0.25, 0.75)
    assert math.isnan(found["noise_floor"])


def test_nothing_measured_is_nan_and_no_error() -> None:
    assert math.isnan(measured([])["drift"])
    passed = measured([SampleScore(score=Score(value="C"), sample_id="x")], left_out=2)
    assert (passed["n_passed_through"], passed["n_left_out"]) == (1, 2)
    assert math.isnan(passed["flip_rate"])
    one = measured(scores([("1", "orig", "C"), ("2", "orig", "I")]))
    assert math.isnan(one["drift"])
    assert math.isnan(one["flip_rate"])
    assert (one["accuracy_orig"], one["n_compared"]) == (0.5, 0)


def test_without_originals_the_items_that_all_conditions_have_are_compared() -> None:
    rows: list[Row] = [("1", "shift1", "C"), ("1", "shift2", "I"), ("2", "shift1", "C")]
    found = measured(scores(rows, 3))
    assert (found["n_items"], found["n_dropped"], found["flip_rate"]) == (1, 1, 1.0)


def test_dropped_items_have_no_original() -> None:
    rows: list[Row] = [("1", "orig", "C"), ("1", "shift1", "I"), ("2", "shift1", "C")]
    found = measured(scores(rows))
    assert (found["n_items"], found["n_dropped"], found["n_unscored"]) == (1, 1, 1)
