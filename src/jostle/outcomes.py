"""The outcomes table: one row per model x decoding x item x condition (x sample). All measures read this alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .errors import InputError, as_written_by
from .files import atomic_path
from .labels import map_labels
from .measures.encode import plain_text
from .measures.inputs import normalise
from .measures.options import COLUMNS, GROUPS, NUMERIC, REQUIRED, Options
from .rows import parquet_names, read_parquet, read_rows

if TYPE_CHECKING:
    import pandas as pd

OUTCOMES_FILE = "outcomes.parquet"
VARIANTS_FILE = "variants.parquet"
_ABOUT = b"jostle"
_ROUNDING = 1e-6  # a softmax in single precision may sum to a little more than 1


@dataclass(frozen=True)
class Outcomes:
    """Outcome rows, with the columns of the evaluate modules.

    Args:
        columns: Arrow arrays by column name; at least predictions, references, item_ids and conditions. Text may be
            dictionary-encoded; `to_arrow` has it plain.
        source: Where the rows came from.
        notes: What a reader of the results must know about how they were made ("rows were matched by order").
        counts: What was left out on the way, by condition and reason.
        texts: Texts of the items for display, by (item id, condition); may be empty.
        about: What a log says of itself: its task and model.

    >>> rows = Outcomes.from_columns(
    ...     predictions=[1, 0], references=[1, 1], item_ids=["a", "a"], conditions=["orig", "pert/typos"]
    ... )
    >>> rows.to_arrow().num_rows
    2
    """

    columns: Mapping[str, pa.Array]
    source: str = ""
    notes: Sequence[str] = ()
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict)
    about: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def from_columns(cls, source: str = "", notes: Sequence[str] = (), **columns: Any) -> Outcomes:
        """Outcomes from columns of any make.

        Raises:
            InputError: A missing or unknown column, different lengths, or values that are no label.
        """
        try:
            return cls(normalise(columns, Options()), source, notes)
        except InputError:
            raise
        except ValueError as error:
            raise InputError(f"{source}: {error}" if source else str(error)) from None

    def __len__(self) -> int:
        return len(self.columns["predictions"])

    def to_arrow(self) -> pa.Table:
        """The rows as an Arrow table."""
        return pa.table({name: plain_text(values) for name, values in self.columns.items()})

    def to_pandas(self) -> pd.DataFrame:
        """The rows as a pandas frame."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def relabelled(self, label_map: Mapping[str, str]) -> Outcomes:
        """The outcomes with predicted labels under the names of the gold labels, and a note of it.

        Raises:
            UsageError: A label of the map that was never predicted.
        """
        mapped, notes = map_labels(self.columns["predictions"], label_map)
        return replace(self, columns={**self.columns, "predictions": mapped}, notes=[*self.notes, *notes])

    def write(self, path: str | Path) -> Path:
        """Write the rows to a parquet file (to a temporary file first, so that it is whole or not there)."""
        path = Path(path)
        about = {"source": self.source, "notes": list(self.notes), "counts": self.counts}
        table = self.to_arrow().replace_schema_metadata({_ABOUT: json.dumps(about)})
        with atomic_path(path) as temporary:
            pq.write_table(table, temporary)
        return path


def read_outcomes(path: str | Path) -> Outcomes:
    """Read outcome rows from parquet, jsonl or csv.

    Columns that are no outcome columns are left out and named in the notes. What jostle itself wrote keeps its notes
    and its counts of what was left out.

    Raises:
        InputError: The file cannot be read, is empty, or lacks a required column.
    """
    path = Path(path)
    columns, places, about = _columns(path)
    absent = [name for name in REQUIRED if name not in columns]
    if absent:
        raise InputError(
            f"Expected outcome columns {', '.join(REQUIRED)}, but {path} lacks {', '.join(absent)} (it has "
            f"{', '.join(columns)}). Rename its columns, or say which are which: "
            f"{' '.join(f'--map {name}=COLUMN' for name in absent)}"
        )
    extra = [name for name in columns if name not in COLUMNS]
    notes = [*about.get("notes", []), *([f"columns left out: {', '.join(extra)}"] if extra else [])]
    known = {name: values for name, values in columns.items() if name in COLUMNS}
    outcomes = Outcomes.from_columns(source=about.get("source", str(path)), notes=notes, **known)
    _check_confidences(outcomes, path, places)
    return replace(outcomes, counts=about.get("counts", {}))


def _about(table: pa.Table, path: Path) -> dict[str, Any]:
    """What jostle wrote about the rows of a parquet file; nothing where another wrote it."""
    with as_written_by("jostle", f"the metadata of {path}"):
        given = json.loads((table.schema.metadata or {}).get(_ABOUT, b"{}"))
        counts = {
            str(name): {str(why): int(n) for why, n in left_out.items()}
            for name, left_out in given.get("counts", {}).items()
        }
        notes = [str(note) for note in given.get("notes", [])]
        return {"source": str(given.get("source", path)), "notes": notes, "counts": counts}


def _check_confidences(outcomes: Outcomes, path: Path, places: Sequence[str]) -> None:
    strange = outside_unit(outcomes.columns["confidences"]) if "confidences" in outcomes.columns else None
    if strange is not None:
        place = places[strange] if places else f"row {strange + 1}"
        value = outcomes.columns["confidences"][strange].as_py()
        raise InputError(f"Expected confidences from 0 to 1 (or none), but {path}, {place} has {value:g}.")


def outside_unit(numbers: pa.Array) -> int | None:
    """Place of the first number that is not from 0 to 1; missing ones are passed over."""
    outside = pc.or_(pc.less(numbers, 0), pc.greater(numbers, 1 + _ROUNDING))
    found: int = pc.index(outside, True).as_py()
    return None if found < 0 else found


def _columns(path: Path) -> tuple[dict[str, Any], Sequence[str], dict[str, Any]]:
    """Columns of a file, the place of every row where it is not its number, and what jostle wrote about them.

    Of a parquet file those that are no outcome columns are only named, and text comes dictionary-encoded: ten million
    rows take less than half of the memory so.
    """
    if path.suffix != ".parquet" or not path.is_file():
        file = read_rows(path)
        names = list(dict.fromkeys(name for row in file.rows for name in row))
        return {name: [row.get(name) for row in file.rows] for name in names}, file.places, {}
    table = read_parquet(path, COLUMNS, [name for name in COLUMNS if name not in (*NUMERIC, *GROUPS)])
    if not table.num_rows:
        raise InputError(f"Expected rows, but {path} has none.")
    about = _about(table, path)
    columns: dict[str, Any] = dict.fromkeys(parquet_names(path))
    for name in table.column_names:
        columns[name] = table[name].combine_chunks()
        table = table.drop_columns(name)  # or it would be there twice
    return columns, (), about
