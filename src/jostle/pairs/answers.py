"""New predictions for pinned pairs -> `PairSet`: whole pairs, outcomes, or ids with predictions alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..errors import InputError
from ..measures.encode import to_text
from .fixtures import CONTENT, Fixtures
from .read import field_columns, filled, pairs_from_columns, read_columns, read_pairs
from .rows import PairSet

_SHORT = {"id", "base_prediction", "edited_prediction"}
_GOLDS = {"base_label", "edited_label"}
_PINNED = (*CONTENT, "operator", "family", "critical", "reviewed")


def read_answers(
    path: str | Path,
    fixtures: Fixtures,
    mapping: Mapping[str, str] | None = None,
    label_map: Mapping[str, str] | None = None,
) -> PairSet:
    """New predictions for pinned pairs: a file of pairs, an outcomes table, or rows of id and predictions.

    Rows with `id`, `base_prediction` and `edited_prediction` but without golds take texts and golds from the pinned
    pair of that id; other columns are evidence.

    Raises:
        UsageError: The mapping names a field or column that is not there, or the map a label that was not predicted.
        InputError: The file cannot be read, or has none of these forms.
    """
    path = Path(path)
    if path.is_dir():
        return read_pairs(path, mapping, label_map=label_map)
    columns, places = read_columns(path)
    fields = field_columns(columns, mapping or {}, str(path))
    if not fields.keys() >= _SHORT or _GOLDS & fields.keys():
        return read_pairs(path, mapping, label_map=label_map)
    used = {*fields, *fields.values()}
    rest = {name: values for name, values in columns.items() if name not in used}
    return complete(rest | {field: columns[name] for field, name in fields.items()}, fixtures, path, places, label_map)


def complete(
    columns: Mapping[str, Any],
    fixtures: Fixtures,
    source: str | Path = "",
    places: Sequence[str] = (),
    label_map: Mapping[str, str] | None = None,
) -> PairSet:
    """Columns of id, predictions and evidence, with texts and golds of the pinned pairs; other rows are left out.

    Raises:
        InputError: There are no ids or predictions, or a value is not what it should be.
    """
    pinned, name = fixtures.pairs.columns, str(source)
    if "id" not in columns:
        raise InputError(f"Expected the ids of pinned pairs, but {name or 'the set of predictions'} has none.")
    try:
        ids = to_text(filled(columns["id"]), "id").values
    except ValueError as error:
        raise InputError(f"{name}: {error}" if name else str(error)) from None
    found = pc.index_in(ids, value_set=pinned["id"])
    kept = pc.indices_nonzero(pc.is_valid(found))
    chosen = kept.to_pylist()
    own = {key: pinned[key].take(found.take(kept)) for key in _PINNED}
    given = {key: _picked(values, chosen) for key, values in columns.items()}
    return pairs_from_columns({**given, **own}, {}, name, [places[k] for k in chosen] if places else (), label_map)


def _picked(values: Any, chosen: Sequence[int]) -> Any:
    return [values[k] for k in chosen] if isinstance(values, list) else values.take(pa.array(chosen, pa.int64()))
