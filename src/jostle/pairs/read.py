"""Files of contrast pairs -> `PairSet`: a row a pair, or an outcomes table whose rows are paired with the original."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError, UsageError
from ..importers import read_results
from ..measures.options import REQUIRED
from ..rows import read_parquet, read_rows
from .from_outcomes import pairs_from_outcomes
from .make import LABELS, Source, make_pairs
from .rows import COLUMNS, PairSet

FIELDS = (*COLUMNS, "abstained")
_ALIASES = {"id": ("pair_id", "idx"), "family": ("families", "family_id"), "operator": ("operators",)}


def read_pairs(
    path: str | Path,
    mapping: Mapping[str, str] | None = None,
    *,
    label_map: Mapping[str, str] | None = None,
    reference: str | None = None,
    group: str = "",
) -> PairSet:
    """Read contrast pairs.

    Args:
        path: A jsonl, json, csv, tsv or parquet file with a row for every pair (columns as the fields of `PairRow`,
            those of the golds and predictions required), an outcomes table, or a folder of `jostle run`.
        mapping: Field -> column, where the file has other names.
        label_map: Predicted label -> gold label, where the two are written differently; never guessed.
        reference: Condition that is the base, for outcomes; `orig` by default.
        group: Which task, model and decoding, for outcomes of several ("model=a|decoding=greedy").

    Raises:
        UsageError: The mapping names a field or column that is not there, or the map a label that was not predicted.
        InputError: The file cannot be read, or a pair is not whole (no gold, no prediction key, a repeated id, a
            relation that contradicts the golds); with file, line and pair.

    Other columns are kept as evidence. An empty cell or a prediction of None is an abstention.
    """
    path, mapping = Path(path), mapping or {}
    if path.is_dir():
        return pairs_from_outcomes(read_results(path).relabelled(label_map or {}), reference, group)
    columns, places = read_columns(path)
    if set(REQUIRED) <= set(columns) and not mapping:
        return pairs_from_outcomes(read_results(path).relabelled(label_map or {}), reference, group)
    if reference or group:
        raise UsageError(f"Expected outcomes for a reference or a group, but {path} has a row for every pair.")
    return pairs_from_columns(columns, mapping, str(path), places, label_map)


def pairs_from_dicts(pairs: Sequence[Mapping[str, Any]]) -> PairSet:
    """Pairs that are dicts with the fields of `PairRow`; see `read_pairs`.

    Raises:
        InputError: As for a file.
    """
    return pairs_from_columns(columns_of(pairs) if pairs else {name: [] for name in LABELS})


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Rows as columns; a key that a row does not have is told apart from one that is None."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name, _ABSENT) for row in rows] for name in names}


class _Absent:
    """Stands where a row does not have the key at all."""


_ABSENT = _Absent()


def read_columns(path: Path) -> tuple[dict[str, Any], list[str]]:
    """Columns of a file and the place of every row."""
    if path.suffix.lower() == ".parquet" and path.is_file():
        table = read_parquet(path)
        if not table.num_rows:
            raise InputError(f"Expected rows, but {path} has none.")
        columns = {name: table[name].combine_chunks() for name in table.column_names}
        return columns, [f"row {k}" for k in range(1, table.num_rows + 1)]
    file = read_rows(path)
    return columns_of(file.rows), file.places


def field_columns(columns: Mapping[str, Any], mapping: Mapping[str, str], name: str) -> dict[str, str]:
    """Column of each field that is there: by the mapping, by its own name, or by an alias.

    Raises:
        UsageError: The mapping names a field or column that is not there.
    """
    where = name or "the pairs"
    return {field: column for field in FIELDS if (column := _column(field, columns, mapping, where))}


def pairs_from_columns(
    columns: Mapping[str, Any],
    mapping: Mapping[str, str] | None = None,
    name: str = "",
    places: Sequence[str] = (),
    label_map: Mapping[str, str] | None = None,
) -> PairSet:
    """Checked pairs of columns as `read_columns` or `columns_of` gives them.

    Raises:
        UsageError, InputError: As for a file.
    """
    field_map = field_columns(columns, mapping or {}, name)
    length = len(next(iter(columns.values()), ()))
    for field in LABELS:
        if field not in field_map:
            _refuse_column(field, columns, name)
    _check_keys(columns, field_map, name, places)
    known = {column: filled(values) for column, values in columns.items()}
    used = set(field_map.values())
    return make_pairs(
        Source(
            fields={field: known[column] for field, column in field_map.items()},
            length=length,
            name=name,
            places=places,
            field_map=field_map,
            evidence={column: values for column, values in known.items() if column not in used},
            label_map=label_map,
        )
    )


def _column(field: str, columns: Mapping[str, Any], mapping: Mapping[str, str], where: str) -> str | None:
    unknown = [name for name in mapping if name not in FIELDS]
    if unknown:
        raise UsageError(f"Expected --map to name a field of {', '.join(FIELDS)}, but got {unknown[0]!r}.")
    if field in mapping:
        if mapping[field] not in columns:
            raise UsageError(
                f"Expected a column {mapping[field]!r} (--map {field}={mapping[field]}), but {where} has "
                f"{', '.join(columns)}."
            )
        return mapping[field]
    return next((name for name in (field, *_ALIASES.get(field, ())) if name in columns), None)


def _refuse_column(field: str, columns: Mapping[str, Any], name: str) -> None:
    if not name:
        raise InputError(_missing_key(field, _name(columns, 0, name, ())))
    raise InputError(
        f"Expected a column {field!r} in {name}, but found {', '.join(columns)}. Name it: --map {field}=COLUMN; or "
        f"give an outcomes table with {', '.join(REQUIRED)}."
    )


def _check_keys(columns: Mapping[str, Any], field_map: Mapping[str, str], name: str, places: Sequence[str]) -> None:
    """Every row must have the keys of golds and predictions, even where the value is None."""
    for field in LABELS:
        values = columns[field_map[field]]
        if isinstance(values, list):
            k = next((k for k, value in enumerate(values) if value is _ABSENT), None)
            if k is not None:
                raise InputError(_missing_key(field, _name(columns, k, name, places)))


def _missing_key(field: str, name: str) -> str:
    if field.endswith("_label"):
        return f"Expected gold labels on both sides, but {name} has no {field}."
    return f"Expected a prediction on both sides (None if there was none), but {name} has no {field}."


def _name(columns: Mapping[str, Any], k: int, source: str, places: Sequence[str]) -> str:
    own = filled(columns["id"])[k] if "id" in columns else None
    own = f"pair {k + 1}" if own is None else str(own)
    return f"{source}, {places[k]} ({own})" if places else own


def filled(values: Any) -> Any:
    """A column in which a key that a row does not have is None."""
    return [None if value is _ABSENT else value for value in values] if isinstance(values, list) else values
