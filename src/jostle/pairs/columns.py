"""Single columns of contrast pairs, of any make, as Arrow arrays."""

from __future__ import annotations

import math
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..errors import InputError
from ..labels import UNLABELLED
from ..measures.encode import Column, to_floats, to_text, whole_text
from ..outcomes import outside_unit
from .rows import PairSet


def label_column(values: Any, name: str) -> Column:
    """Labels as text, -1 as none."""
    column = whole_text(to_text(values, name))
    return Column(pc.if_else(pc.equal(column.values, UNLABELLED), None, column.values), column.kinds)


def text_column(values: Any, name: str, length: int) -> pa.Array:
    """Text, or nothing where there is no such column."""
    return pa.nulls(length, pa.string()) if values is None else to_text(values, name).values


def id_column(values: Any, length: int) -> pa.Array:
    """Ids as given, or numbers."""
    numbers = pa.array([f"pair {k}" for k in range(1, length + 1)], pa.string())
    return numbers if values is None else pc.coalesce(to_text(values, "id").values, numbers)


def confidence_column(values: Any, name: str, named: PairSet) -> pa.Array:
    """Confidences in [0, 1]; nan is none, as JSON has no nan and some write it as text.

    Raises:
        InputError: Not a number from 0 to 1; with file, line and pair.
    """
    if values is None:
        return pa.nulls(len(named), pa.float64())
    if isinstance(values, list):
        values = [_number(value, name, named, k) for k, value in enumerate(values)]
    column = pa.array(to_floats(values, name), from_pandas=True)
    strange = outside_unit(column)
    if strange is not None:
        raise _refused(name, named, strange, f"{column[strange].as_py():g}")
    return column


def _number(value: Any, name: str, named: PairSet, k: int) -> float | None:
    try:
        number = None if value is None else float(value)
    except (OverflowError, TypeError, ValueError):
        raise _refused(name, named, k, f"{value!r:.60}") from None
    return None if number is None or math.isnan(number) else number


def _refused(name: str, named: PairSet, k: int, value: str) -> InputError:
    return InputError(f"Expected {name} to be a number from 0 to 1 (or none), but {named.at(k)} has {value}.")
