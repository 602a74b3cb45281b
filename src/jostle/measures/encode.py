"""Columns of any make (lists, numpy, torch, pandas, Arrow) as codes and sorted names.

Labels mean the same whatever they are made of: "1", 1, 1.0, True and numpy or torch scalars are one label, and None is
the absence of one. What cannot be meant as a label (0.9, a row of logits, "true" beside True) is refused by row.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

_TEXT_BOOLEANS = ("true", "false")


@dataclass(frozen=True)
class Column:
    """A column as nullable text, with the kinds of value it was made of: `number`, `bool`, `text`.

    The text may be dictionary-encoded (distinct texts, each used, and where they stand), if `to_text` was asked so.
    """

    values: pa.Array
    kinds: frozenset[str]


def to_text(values: Any, name: str, encoded: bool = False) -> Column:
    """Normalise a column to nullable strings.

    Args:
        values: List, tuple, numpy / torch / pandas / Arrow column of str, int, bool, whole float or None.
        name: Name of the column, for messages.
        encoded: Leave what comes dictionary-encoded as it is, and encode numbers: `to_codes` then need not look at
            every text, and many rows take less memory.

    Raises:
        ValueError: On fractional numbers (row and value named), 2-D input, values that are no label, and text with
            half of a surrogate pair.

    >>> to_text([1, 0, None], "predictions").values.to_pylist()
    ['1', '0', None]
    """
    values = _plain(values, name)
    try:
        array = _arrow(values)
        column = _by_element(values, name) if array is None else _normalise(array, values, name)
    except UnicodeEncodeError as error:
        raise ValueError(
            f"Expected `{name}` to be text, but got {error.object!r:.60}, which holds half of a surrogate pair. "
            "Remove or repair it."
        ) from None
    return column if encoded else Column(plain_text(column.values), column.kinds)


def plain_text(values: pa.Array) -> pa.Array:
    """Text without its dictionary; other columns as they are."""
    return values.cast(values.type.value_type) if pa.types.is_dictionary(values.type) else values


def _plain(values: Any, name: str) -> Any:
    """Unwrap torch and pandas to numpy, and refuse what is not one column."""
    if isinstance(values, str) or not isinstance(values, (Iterable, pa.ChunkedArray)):
        raise ValueError(f"Expected `{name}` to be a column of values, but got {values!r}.")
    if hasattr(values, "detach"):
        values = values.detach().cpu().numpy()
    elif hasattr(values, "to_numpy") and not isinstance(values, (pa.Array, pa.ChunkedArray)):
        values = values.to_numpy()
    elif not isinstance(values, (list, tuple, np.ndarray, pa.Array, pa.ChunkedArray)):
        values = list(values)
    if getattr(values, "ndim", 1) != 1:
        raise ValueError(
            f"Expected `{name}` to have one value a row, but got shape {values.shape}. "
            "Take the argmax of logits first: predictions.argmax(axis=-1)."
        )
    return values


def _arrow(values: Any) -> pa.Array | None:
    if isinstance(values, pa.ChunkedArray):
        return values.combine_chunks()
    if isinstance(values, pa.Array):
        return values
    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return None  # mixed Python types, or numbers beyond 64 bits: taken one by one


def _normalise(array: pa.Array, values: Any, name: str) -> Column:
    kind = array.type
    if pa.types.is_dictionary(kind):
        whole = _is_text(kind.value_type) and not array.dictionary.null_count
        if whole and len(pc.unique(array.dictionary)) == len(array.dictionary):
            return Column(_used(_dictionary(array.indices, array.dictionary)), frozenset({"text"}))
        return _normalise(plain_text(array), values, name)
    if pa.types.is_null(kind):
        return Column(pa.array([None] * len(array), pa.string()), frozenset())
    if _is_text(kind):
        return Column(array.cast(pa.string()), frozenset({"text"}))
    if pa.types.is_boolean(kind):
        return Column(_encoded(array.cast(pa.int8())), frozenset({"bool"}))
    if pa.types.is_integer(kind):
        return Column(_encoded(array), frozenset({"number"}))
    if pa.types.is_floating(kind):
        return Column(_whole(array, name), frozenset({"number"}))
    return _by_element(values if not isinstance(values, pa.Array) else array.to_pylist(), name)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _dictionary(indices: pa.Array, distinct: pa.Array) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(indices.cast(pa.int32()), distinct.cast(pa.string()))


def _encoded(numbers: pa.Array) -> pa.DictionaryArray:
    """Whole numbers as encoded text: only the distinct ones are written out."""
    found = numbers.dictionary_encode()
    return _dictionary(found.indices, found.dictionary)


def _used(values: pa.DictionaryArray) -> pa.DictionaryArray:
    """The same column with a dictionary of what occurs in it: filtering rows leaves the others there."""
    n = len(values.dictionary)
    codes = pc.fill_null(values.indices, n).to_numpy(zero_copy_only=False)
    used = np.bincount(codes, minlength=n + 1)[:n] > 0
    if used.all():
        return values
    number = np.append(np.cumsum(used) - 1, 0).astype(np.int32)
    indices = pa.array(number[codes], mask=codes == n)
    return pa.DictionaryArray.from_arrays(indices, values.dictionary.filter(pa.array(used)))


def _whole(array: pa.Array, name: str) -> pa.Array:
    """Whole floats as text; nan is missing; a fraction is refused by row."""
    numbers = array.to_numpy(zero_copy_only=False).astype(np.float64)
    missing = np.isnan(numbers)
    bad = np.flatnonzero(~missing & (np.isinf(numbers) | (np.floor(numbers) != numbers)))
    if len(bad):
        raise _fraction(name, int(bad[0]), float(numbers[bad[0]]))
    if np.abs(numbers[~missing]).max(initial=0) >= 2**63:  # no whole number of 64 bits
        return _by_element(array.to_pylist(), name).values
    whole = np.where(missing, 0, numbers).astype(np.int64)
    return _encoded(pa.array(whole, mask=missing))


def _fraction(name: str, row: int, value: float) -> ValueError:
    return ValueError(
        f"Expected `{name}` to be labels, but got {value:g} in row {row}. "
        "Pass class labels, not probabilities: a fraction would be cut to a whole number."
    )


def _by_element(values: Sequence[Any], name: str) -> Column:
    texts: list[str | None] = []
    kinds: set[str] = set()
    for row, value in enumerate(values):
        text, kind = _element(value, name, row)
        texts.append(text)
        kinds |= {kind} if kind else set()
    return Column(pa.array(texts, pa.string()), frozenset(kinds))


def _element(value: Any, name: str, row: int) -> tuple[str | None, str]:
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()  # numpy and torch scalars
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return None, ""
    if isinstance(value, bool):
        return str(int(value)), "bool"
    if isinstance(value, int):
        return str(value), "number"
    if isinstance(value, float):
        if not value.is_integer():
            raise _fraction(name, row, value)
        return str(int(value)), "number"
    if isinstance(value, str):
        return value, "text"
    hint = " Take the argmax of logits first." if isinstance(value, (list, tuple, np.ndarray)) else ""
    raise ValueError(f"Expected `{name}` to be text, a number or None, but got {value!r} in row {row}.{hint}")


def whole_text(column: Column) -> Column:
    """A column of text in which whole numbers are written as floats, without the ".0".

    pandas writes class indices that way into a csv file when some are missing: "1.0" beside "1" in another column.
    A column with any other text stays as it is.

    >>> whole_text(to_text(["1.0", None, "0.0"], "predictions")).values.to_pylist()
    ['1', None, '0']
    """
    if column.kinds != {"text"}:
        return column
    distinct = plain_text(pc.unique(column.values))
    floats = pc.match_substring_regex(distinct, r"^-?\d+(\.0+)?$")
    if not pc.all(floats, min_count=0).as_py() or not pc.any(pc.match_substring(distinct, ".")).as_py():
        return column
    return Column(pc.replace_substring_regex(plain_text(column.values), r"\.0+$", ""), column.kinds)


def check_labels(predictions: Column, references: Column, sentinels: Sequence[str] = ()) -> None:
    """Refuse predictions and references that cannot be compared as they stand.

    `sentinels` mean "no label": a -1 among names is an unparsed prediction, not a second type of label.

    Raises:
        ValueError: On "true"/"false" as text beside booleans, and on numbers beside text that is no number.
    """
    kinds = predictions.kinds | references.kinds
    if "text" not in kinds or len(kinds) == 1:
        return
    columns = {"predictions": predictions, "references": references}
    distinct = {
        name: set(pc.unique(column.values).to_pylist()) - {None, *sentinels} for name, column in columns.items()
    }
    if "bool" not in kinds and not any(_is_number(value) for values in distinct.values() for value in values):
        return
    for name, column in columns.items():
        if "text" not in column.kinds:
            continue
        words = sorted(value for value in distinct[name] if not _is_number(value))
        booleans = [word for word in words if word.lower() in _TEXT_BOOLEANS]
        if booleans and "bool" in kinds:
            raise ValueError(
                f"Expected booleans, but got the text {booleans[0]!r} in `{name}`. Convert it first: "
                'the text "false" is not False.'
            )
        if words:
            raise ValueError(
                f"Expected labels of one type, but got {' and '.join(sorted(kinds))} together "
                f"(for example {words[0]!r} in `{name}`). Pass `label_names=[...]` to map names and indices, "
                "or None for a prediction that is no label."
            )


def _is_number(text: str) -> bool:
    return text.removeprefix("-").isdigit()


def to_indices(column: Column, names: Sequence[str], what: str, also: Sequence[str] = ()) -> pa.Array:
    """Map names, indices and digit strings to the text of the class index, by `label_names`.

    Values in `also` (what means "unlabelled") stay as they are.

    Raises:
        ValueError: On a value that is neither one of the names nor an index (row named).
    """
    index = {value: value for value in also} | {str(i): str(i) for i in range(len(names))}
    index |= {name: str(i) for i, name in enumerate(names)}
    encoded = column.values.dictionary_encode()
    known = encoded.dictionary.to_pylist()
    for value in known:
        if value not in index:
            row = column.values.to_pylist().index(value)
            raise ValueError(
                f"Expected `{what}` to be one of {list(names)} or an index below {len(names)}, but got {value!r} "
                f"in row {row}. Pass None for a prediction that is no label."
            )
    mapped = pa.array([index[value] for value in known], pa.string())
    return pa.DictionaryArray.from_arrays(encoded.indices, mapped).cast(pa.string())


def to_codes(values: pa.Array) -> tuple[np.ndarray[Any, np.dtype[np.int64]], list[str]]:
    """Codes (-1 where null) into the sorted distinct values.

    >>> codes, names = to_codes(pa.array(["b", None, "a", "b"]))
    >>> codes.tolist(), names
    ([1, -1, 0, 1], ['a', 'b'])
    """
    encoded = _used(values) if pa.types.is_dictionary(values.type) else values.dictionary_encode()
    order = pc.sort_indices(encoded.dictionary)
    names = encoded.dictionary.take(order).to_pylist()
    rank = np.empty(len(names) + 1, dtype=np.int64)
    rank[order.to_numpy()] = np.arange(len(names))
    rank[-1] = -1
    codes = pc.fill_null(encoded.indices, len(names)).to_numpy(zero_copy_only=False)
    return rank[codes], names


def to_floats(values: Any, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """A numeric column as floats, nan where missing.

    Raises:
        ValueError: On text or anything else that is no number.
    """
    try:
        array = pa.array(_plain(values, name), from_pandas=True).cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError, UnicodeError) as error:
        raise ValueError(f"Expected `{name}` to be numbers or None, but got {values[:3]!r:.80}... ({error}).") from None
    return np.asarray(array.to_numpy(zero_copy_only=False), dtype=np.float64)
