"""Columns of any make mean the same labels, and what is no label is refused by row."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.measures.encode import check_labels, to_codes, to_floats, to_indices, to_text

torch = pytest.importorskip("torch")
NAN = math.nan


@pytest.mark.parametrize(
    "column",
    [
        [1, 0, 1], (1, 0, 1), ["1", "0", "1"], [True, False, True], [1.0, 0.0, 1.0], ["1", 0, True],
        [np.int64(1), np.float32(0), np.bool_(True)], [torch.tensor(1), torch.tensor(0), 1], range(1, -2, -1),
        np.array([1, 0, 1], dtype=np.int8), np.array([1.0, -0.0, 1.0]), np.array(["1", "0", "1"]),
        np.array([1, "0", True], dtype=object), torch.tensor([1, 0, 1]), torch.tensor([True, False, True]),
        pd.Series([1, 0, 1]), pd.Series(["1", "0", "1"]), pd.Series(["1", "0", "1"], dtype="category"),
        pa.array([1, 0, 1]), pa.chunked_array([[1], [0, 1]]), pa.array(["1", "0", "1"]).dictionary_encode(),
        pa.array(["1", "0", "1"], pa.large_string()), (value for value in (1, 0, 1)),
    ],
    ids=lambda column: f"{type(column).__name__}",
)  # fmt: skip
def test_makes_of_a_column_agree(column: Any) -> None:
    expected = ["1", "0", "-1"] if isinstance(column, range) else ["1", "0", "1"]
    assert to_text(column, "predictions").values.to_pylist() == expected


@pytest.mark.parametrize(
    "column",
    [
        [1, None], ["1", None], [1.0, NAN], [True, None], np.array([1.0, NAN]), pd.Series([1, None]),
        pd.Series([1, None], dtype="Int64"), pd.Series(["1", None]), pa.array([1, None]), np.array([1, None], object),
    ],
)  # fmt: skip
def test_absent_labels(column: Any) -> None:
    assert to_text(column, "predictions").values.to_pylist() == ["1", None]


@pytest.mark.parametrize("values", [[], [None, None], np.array([]), pa.array([], pa.int64())])
def test_columns_without_labels(values: Any) -> None:
    assert to_text(values, "x").values.to_pylist() == [None] * len(values)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([1.0, 0.9], "got 0.9 in row 1"),
        (["a", 0.5], "got 0.5 in row 1"),
        (np.array([0.25]), "got 0.25 in row 0"),
        ([1.0, math.inf], "got inf in row 1"),
        (["a", math.inf], "got inf in row 1"),
        (np.zeros((2, 3)), r"got shape \(2, 3\).*argmax"),
        (torch.zeros(2, 3), "argmax"),
        ([[0.1, 0.9]], "argmax"),
        ([{"label": 1}], "text, a number or None"),
        ("abc", "a column of values, but got 'abc'"),
        (3, "a column of values, but got 3"),
    ],
)
def test_what_is_no_label_is_refused(column: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        to_text(column, "predictions")


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (["true", "false"], [True, False], "the text 'false' in `predictions`"),
        ([1, 0], ["yes", "no"], "number and text together"),
        (["yes", 1], ["yes", "no"], "number and text together"),
    ],
)
def test_labels_that_cannot_be_compared(predictions: list[Any], references: list[Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_labels(to_text(predictions, "predictions"), to_text(references, "references"))


@pytest.mark.parametrize(
    ("predictions", "references"),
    [(["true", "x"], ["true", "false"]), ([1, 0], ["1", "0"]), ([True], [1]), ([None], ["a"]), (["-1"], [0])],
)
def test_labels_that_can_be_compared(predictions: list[Any], references: list[Any]) -> None:
    check_labels(to_text(predictions, "predictions"), to_text(references, "references"))


def test_a_sentinel_among_names_is_no_second_type() -> None:
    names, numbers = to_text(["a", -1], "predictions"), to_text(["a", "1"], "references")
    check_labels(names, to_text(["a", "b"], "references"), ["-1"])
    with pytest.raises(ValueError, match="number and text together"):
        check_labels(names, to_text(["a", "b"], "references"))
    with pytest.raises(ValueError, match="number and text together"):
        check_labels(names, numbers, ["-1"])


def test_label_names_map_names_indices_and_digits() -> None:
    column = to_text(["no", 1, "1", None, -1], "predictions")
    assert to_indices(column, ["yes", "no"], "predictions", ["-1"]).to_pylist() == ["1", "1", "1", None, "-1"]


@pytest.mark.parametrize("value", ["maybe", 2, -1])
def test_what_label_names_do_not_know_is_named_by_row(value: object) -> None:
    with pytest.raises(ValueError, match=f"got '{value}' in row 1"):
        to_indices(to_text(["no", value], "predictions"), ["yes", "no"], "predictions")


@given(st.lists(st.one_of(st.none(), st.text(max_size=3))))
def test_codes_point_at_sorted_names(values: list[str | None]) -> None:
    codes, names = to_codes(pa.array(values, pa.string()))
    assert names == sorted(set(values) - {None}, key=lambda v: str(v).encode())
    assert [names[c] if c >= 0 else None for c in codes] == values


def test_floats() -> None:
    found = to_floats([0.5, None, 1], "weights")
    assert np.array_equal(found, [0.5, NAN, 1.0], equal_nan=True)
    with pytest.raises(ValueError, match="Expected `weights` to be numbers or None"):
        to_floats(["much"], "weights")


@pytest.mark.parametrize("values", [["a", "\ud800"], ["a\udfff", 1, None]], ids=["text", "mixed"])
def test_half_of_a_surrogate_pair_is_named(values: list[Any]) -> None:
    with pytest.raises(
        ValueError, match=r"Expected `conditions` to be text, but got 'a?\\ud.*half of a surrogate pair"
    ):
        to_text(values, "conditions")
