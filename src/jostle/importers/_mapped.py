"""A plain table of answers, with a field map, -> outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, UsageError
from ..measures.options import COLUMNS
from ..outcomes import Outcomes
from ..rows import read_rows

_CORRECT = "correct"
_TRUE = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}
_NEEDED = ("item_ids", "predictions", "references")


def read_mapped(path: Path, mapping: Mapping[str, str]) -> Outcomes:
    """Read a table by a map from outcome columns, or `correct`, to its own columns.

    Columns that bear the names of outcome columns need no mapping. Instead of predictions and references `correct` will
    do (true and false, 1 and 0). Without conditions the table is one, named as its file.

    Raises:
        UsageError: The map names no outcome column, or a column that the table does not have.
        InputError: The table lacks what it takes, or `correct` is neither true nor false; with the line.
    """
    file = read_rows(path)
    present = list(dict.fromkeys(name for row in file.rows for name in row))
    for field, column in mapping.items():
        if field not in (*COLUMNS, _CORRECT):
            raise UsageError(f"Expected --map to name one of {', '.join([*COLUMNS, _CORRECT])}, but got {field!r}.")
        if column not in present:
            raise UsageError(f"Expected a column {column!r} (--map {field}), but {path} has {', '.join(present)}.")
    names = {name: name for name in (*COLUMNS, _CORRECT) if name in present} | dict(mapping)
    columns: dict[str, Any] = {field: [row.get(column) for row in file.rows] for field, column in names.items()}
    if _CORRECT in mapping or not {"predictions", "references"} <= columns.keys():
        right = columns.get(_CORRECT, [])
        for k, value in enumerate(right):
            if str(value).lower() not in _TRUE:
                raise InputError(f"Expected true or false in {names[_CORRECT]!r}, but {file.at(k)} has {value!r}.")
        if right:
            columns |= {"predictions": [_TRUE[str(v).lower()] for v in right], "references": [True] * len(right)}
    columns.pop(_CORRECT, None)
    absent = [name for name in _NEEDED if name not in columns]
    if absent:
        raise InputError(
            f"Expected {', '.join(absent)}, but {path} has {', '.join(present)}. Name the columns, for example --map "
            f"{absent[0]}=COLUMN; `correct` stands for predictions and references."
        )
    columns.setdefault("conditions", [path.stem] * len(file.rows))
    return Outcomes.from_columns(str(path), **columns)
