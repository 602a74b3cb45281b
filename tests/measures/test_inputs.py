"""What the columns may hold, options, and results per group."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jostle.measures.inputs import by_group, normalise
from jostle.measures.options import Options, plain
from jostle.measures.table import Rows

Make = Callable[..., Rows]
GOOD: dict[str, Any] = {
    "predictions": [1, 0], "references": [1, 1], "item_ids": ["a", "b"], "conditions": ["orig", "orig"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"item_ids": None}, "item_ids is missing"),
        ({"item_ids": None, "conditions": None}, "item_ids, conditions is missing"),
        ({"familes": ["f", "g"]}, "got 'familes'"),
        ({"item_ids": ["a"]}, "columns of one length, but got .*'item_ids': 1"),
        ({"item_ids": ["a", None]}, "`item_ids` to have a value in every row, but row 1 has none"),
        ({"families": [None, "f"]}, "`families` to have a value in every row, but row 0 has none"),
        ({"relations": ["invariant", "same"]}, "'invariant', 'changed' or None, but got 'same'"),
        ({"samples": [0, 0], "item_ids": ["a", "a"]}, "item 'a', condition 'orig', sample '0' has 2"),
        ({"confidences": ["high", "low"]}, "`confidences` to be numbers or None"),
    ],
)
def test_bad_columns_are_named(rows: Make, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rows(GOOD | change)


def test_condition_names(rows: Make) -> None:
    found = rows(GOOD | {"conditions": [0, 1]}, condition_names=["orig", "para/x"])
    assert list(found.condition_names) == ["orig", "para/x"]
    with pytest.raises(ValueError, match=r"Expected `conditions` .* got '-1' in row 1"):
        rows(GOOD | {"conditions": [0, -1]}, condition_names=["orig", "para/x"])


@pytest.mark.parametrize("unlabelled", [(-100,), [-100.0], np.array([-100]), ("-100", -1)])
@pytest.mark.parametrize("label_names", [None, ["no", "yes"]])
def test_unlabelled_values_of_any_make(rows: Make, unlabelled: Any, label_names: list[str] | None) -> None:
    found = rows(GOOD | {"references": [1, -100]}, unlabelled=unlabelled, label_names=label_names)
    assert (found.references >= 0).tolist() == [True, False]


def test_an_unlabelled_class_may_be_named(rows: Make) -> None:
    found = rows(GOOD | {"references": [1, "skip"]}, unlabelled=("skip",), label_names=["no", "yes", "skip"])
    assert (found.references >= 0).tolist() == [True, False]


def test_minus_one_can_be_a_label(rows: Make) -> None:
    found = rows(GOOD | {"references": [-1, -1], "predictions": [-1, 1]}, unlabelled=())
    assert (found.predictions == found.references).tolist() == [True, False]


def test_groups_are_split_by_the_columns_that_vary() -> None:
    arrays = normalise(GOOD | {"models": ["m", "n"], "tasks": ["t", "t"]}, Options())
    groups = dict(by_group(arrays))
    assert list(groups) == ["model=m", "model=n"]
    assert groups["model=n"]["item_ids"].to_pylist() == ["b"]


def test_groups_without_a_name_are_a_group() -> None:
    groups = dict(by_group(normalise(GOOD | {"models": ["m", None]}, Options())))
    assert sorted(groups) == ["model=None", "model=m"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"tolerance": 0}, "`tolerance` to be between 0 and 1, but got 0"),
        ({"flip_tolerance": 2}, "`flip_tolerance`"),
        ({"n_resamples": 99}, "from 100 on, but got 99"),
        ({"n_resamples": 100.5}, "whole number"),
        ({"missing": "drop"}, "but got 'drop'"),
        ({"tolerence": 0.1}, "but got 'tolerence'"),
    ],
)
def test_bad_options_are_named(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Options.of(given)


def test_signature_part_lists_what_changes_numbers() -> None:
    assert Options(reference="base", missing="pairwise").describe() == (
        "seed=0|resamples=10000|tolerance=0.03|flip_tolerance=0.1|missing=pairwise|reference=base"
    )


def test_plain_values() -> None:
    found = plain({1: np.float64(0.5), "b": (np.int64(2), None), "c": {"d": np.bool_(True)}})
    assert found["1"] == 0.5
    assert found["b"][0] == 2
    assert math.isnan(found["b"][1])
    assert json.dumps(found["c"]) == '{"d": true}'


def test_labels_that_pandas_wrote_with_a_point_are_the_same_labels() -> None:
    """A csv column of class indices with gaps holds "1.0"; the golds beside it, without gaps, "1"."""
    columns = {"predictions": ["1.0", None, "0.0"], "references": ["1", "1", "0"], "item_ids": list("abc")}
    arrays = normalise(columns | {"conditions": ["orig"] * 3}, Options())
    assert arrays["predictions"].to_pylist() == ["1", None, "0"]


def test_names_with_a_point_stay_as_they_are() -> None:
    columns = {"predictions": ["1.0", "v2"], "references": ["1.0", "1"], "item_ids": ["a", "b"]}
    arrays = normalise(columns | {"conditions": ["orig"] * 2}, Options())
    assert arrays["predictions"].to_pylist() == ["1.0", "v2"]
    named = normalise(columns | {"conditions": ["orig"] * 2}, Options(label_names=["1", "1.0", "v2"]))
    assert named["predictions"].to_pylist() == ["1", "2"]
