"""Rows that an operator could not change neither count as survived nor are hidden."""

from __future__ import annotations

from jostle.measures.drift import drift
from jostle.measures.inputs import normalise, to_rows
from jostle.measures.options import Options


def test_b02_effect_is_stated_on_the_same_rows_and_the_full_set_beside_it() -> None:
    correct_orig, correct_pert = [1, 1, 0, 0, 0], {"0": 0, "1": 1}
    columns = {
        "predictions": correct_orig + list(correct_pert.values()),
        "references": [1] * 7,
        "item_ids": ["0", "1", "2", "3", "4", *correct_pert],
        "conditions": ["orig"] * 5 + ["para/contract"] * 2,
    }
    options = Options(missing="pairwise")
    found = drift(to_rows(normalise(columns, options), options), options)
    assert found["n_by_condition"] == {"orig": 5, "para/contract": 2}
    assert found["accuracy_by_condition"] == {"orig": 0.4, "para/contract": 0.5}
    assert found["reference_accuracy_by_condition"]["para/contract"] == 1.0  # the same two rows before
    assert found["full_set_accuracy_by_condition"] == {"orig": 0.4, "para/contract": 0.2}


def test_b02_no_changed_row_is_not_measured() -> None:
    columns = {"predictions": [1, 0], "references": [1, 1], "item_ids": ["a", "b"], "conditions": ["orig"] * 2}
    options = Options(missing="pairwise")
    found = drift(to_rows(normalise(columns, options), options), options)
    assert found["verdict"] == "not_measured"


def test_b02_few_changed_rows_are_named_and_left_out_of_the_drift() -> None:
    ids = [str(k) for k in range(40)]
    columns = {
        "predictions": [1] * 40 + [0] * 9,
        "references": [1] * 49,
        "item_ids": ids + ids[:9],
        "conditions": ["orig"] * 40 + ["para/contract"] * 9,
    }
    options = Options(missing="pairwise")
    found = drift(to_rows(normalise(columns, options), options), options)
    assert found["verdict"] == "not_measured"
    assert "fewer than 30 items" in found["verdict_reason"]
