"""`pair_report`: contrast pairs as people hold them."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from jostle import pair_report
from jostle.errors import InputError


def pair(base: Any, edited: Any, base_prediction: Any, edited_prediction: Any, **more: Any) -> dict[str, Any]:
    return {
        "base_label": base,
        "edited_label": edited,
        "base_prediction": base_prediction,
        "edited_prediction": edited_prediction,
        **more,
    }


def test_rates_by_hand() -> None:
    report = pair_report(
        [
            pair("ok", "bad", "ok", "bad"),  # both right, relation kept
            pair("ok", "bad", "ok", "ok"),  # edited side wrong, relation failed
            pair("ok", "ok", "bad", "bad"),  # both wrong, relation kept
            pair("ok", "ok", "ok", "bad"),  # edited side wrong, relation failed
        ]
    )
    assert report["n_pairs"] == 4
    assert (report["n_sensitivity"], report["n_invariance"]) == (2, 2)
    assert report["side_accuracy"] == 4 / 8
    assert report["relation_accuracy"] == 2 / 4
    assert report["pair_accuracy"] == 1 / 4
    assert (report["sensitivity_accuracy"], report["invariance_accuracy"]) == (0.5, 0.5)
    assert report["table"]["edited_only_error"] == {"kept": 0, "failed": 2}
    assert report["table"]["both_wrong"] == {"kept": 1, "failed": 0}


def test_labels_that_are_written_otherwise_warn() -> None:
    with pytest.warns(UserWarning, match="2 predictions count as wrong, for they differ from a gold label by case"):
        report = pair_report([pair("ok", "bad", "OK", "Bad")])
    assert report["side_accuracy"] == 0


def test_an_abstention_is_wrong_and_counted() -> None:
    report = pair_report([pair("ok", "bad", None, "bad"), pair("ok", "bad", "ok", "bad")])
    assert report["side_accuracy"] == 3 / 4
    assert report["pair_accuracy"] == 1 / 2
    assert report["relation_accuracy"] == 1 / 2


@pytest.mark.parametrize("side", ["base", "edited"])
def test_a_pair_without_gold_is_refused(side: str) -> None:
    for broken in ({f"{side}_label": None}, {}):
        row = pair("ok", "bad", "ok", "bad", id="p7")
        row.pop(f"{side}_label")
        with pytest.raises(InputError, match=rf"gold labels on both sides, but p7 has no {side}_label"):
            pair_report([{**row, **broken}])


def test_a_pair_without_a_prediction_is_refused_by_place() -> None:
    row = pair("ok", "bad", "ok", "bad")
    del row["edited_prediction"]
    with pytest.raises(InputError, match=r"\(None if there was none\), but pair 2 has no edited_prediction"):
        pair_report([pair("ok", "bad", "ok", "bad"), row])


@pytest.mark.parametrize(("edited", "relation"), [("bad", "invariant"), ("ok", "changed")])
def test_a_relation_that_contradicts_the_golds(edited: str, relation: str) -> None:
    with pytest.raises(InputError, match="p7"):
        pair_report([pair("ok", edited, "ok", "ok", id="p7", relation=relation)])
    fitting = {"invariant": "changed", "changed": "invariant"}[relation]
    assert pair_report([pair("ok", edited, "ok", "ok", relation=fitting)])["n_pairs"] == 1


def test_labels_of_two_kinds_are_refused() -> None:
    with pytest.raises(InputError, match="Expected"):
        pair_report([pair(True, False, "true", "false")])
    assert pair_report([pair(1, 0, "1", "0")])["pair_accuracy"] == 1.0


def test_nothing_is_undefined_not_perfect() -> None:
    report = pair_report([])
    assert report["n_pairs"] == 0
    assert report["side_accuracy"] is None
    assert report["relation_accuracy"] is None
    assert report["pair_accuracy"] is None


def test_operators_families_and_confidences() -> None:
    rows = [
        pair("ok", "bad", "ok", "bad", operator="negation", family="d1", base_confidence=0.9, edited_confidence=0.8),
        pair("ok", "bad", "ok", "ok", operator="number", family="d2", base_confidence=0.9, edited_confidence=None),
    ]
    report = pair_report(rows)
    assert set(report["by_operator"]) == {"negation", "number"}
    assert report["by_operator"]["negation"]["relation_accuracy"] == 1.0
    assert report["by_operator"]["number"]["relation_accuracy"] == 0.0
    with pytest.raises(InputError, match="confidence"):
        pair_report([pair("ok", "bad", "ok", "bad", base_confidence="high")])


def test_the_result_is_strict_json() -> None:
    for rows in ([], [pair("ok", "bad", "ok", "ok")]):
        assert json.loads(json.dumps(pair_report(rows), allow_nan=False)) is not None
    assert not any(isinstance(v, float) and math.isnan(v) for v in pair_report([]).values())
