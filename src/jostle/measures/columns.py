"""The part that all evaluate modules share: taking outcome columns in, and staying clean after an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import datasets
import pyarrow as pa

from .encode import plain_text
from .inputs import by_group, normalise, to_rows
from .options import COLUMNS, NUMERIC, OPTIONAL, REQUIRED, Options
from .table import Rows
from .version import __version__

INPUTS = """
    predictions: Predicted label of each row: str, int, bool, or None (refused, unparsable).
    references: Gold label of each row; None or -1 is unlabelled, left out and counted.
    item_ids: The base item each row comes from.
    conditions: `orig` for the original, otherwise the name of the variant, with its kind in front where it has one
        (`para/contractions`, `pert/typos`, `adv/distractor`, `shift1`).
    families, operators, relations, confidences, samples, reasons, positions, answer_positions, tasks, models,
    decodings, weights: Optional columns, see the metric card.
"""
_SINGULAR = {"prediction": "predictions", "reference": "references"}
_BUFFERED = 1024


def columns_info(names: Sequence[str] = REQUIRED) -> datasets.Features:
    """Features of the columns as they are stored: nullable text, floats for confidences and weights."""
    kind = {name: "float64" if name in NUMERIC else "string" for name in names}
    return datasets.Features({name: datasets.Value(dtype) for name, dtype in kind.items()})


class OutcomeColumns:
    """Mixin in front of `evaluate.Metric`, `Comparison` or `Measurement`; a module adds `measure(rows, options)`.

    Every input is normalised before evaluate sees it, for evaluate looks at the first row only and casts the rest.
    `compute(predictions=...)` skips evaluate's file when this is the only process: its per-element encoding is 94 % of
    the cost. After any error nothing is pending, so a failed round cannot leak into the next.

    Args:
        columns: Optional columns that `add` and `add_batch` under `evaluate.combine` will be given.
        options: Options (see `Options`) that `compute` then need not be given.
    """

    writer: Any
    info: Any
    data: Any
    filelocks: Any
    file_paths: Any
    num_process: int
    name: str
    _module_info: Any

    def __init__(self, *args: Any, columns: Sequence[str] = (), **kwargs: Any) -> None:
        unknown = [name for name in columns if name not in OPTIONAL]
        if unknown:
            raise ValueError(f"Expected `columns` to be among {list(OPTIONAL)}, but got {unknown[0]!r}.")
        self._declared = (*REQUIRED, *columns)
        self._defaults = {name: kwargs.pop(name) for name in list(kwargs) if name in Options.__dataclass_fields__}
        if "seed" in self._defaults:
            kwargs["seed"] = self._defaults["seed"]
        self._options = Options.of(self._defaults)
        self._buffer: list[dict[str, Any]] = []
        super().__init__(*args, **kwargs)
        self._use_columns(self._declared)

    def measure(self, rows: Rows, options: Options) -> dict[str, Any]:
        """What the module computes from coded rows."""
        raise NotImplementedError

    def compute(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> dict[str, Any] | None:
        """Compute the module on the columns given, or on the rows added since the last `compute`.

        Returns:
            The keys of the metric card as plain Python values; None on processes other than 0.
        """
        given = {"predictions": predictions, "references": references}
        given |= {name: kwargs.pop(name) for name in list(kwargs) if name in COLUMNS}
        given = {name: column for name, column in given.items() if column is not None}
        try:
            options = Options.of({**self._defaults, **kwargs})
            if not given:
                return self._compute_pending(options)
            if len(self):
                raise ValueError(
                    f"Expected no pending rows when columns are passed, but {len(self)} were added "
                    "before. Call compute() without columns, or pass everything at once."
                )
            arrays = normalise(given, options)
            if self.num_process == 1:
                return self._measure(arrays, options)
            self._write(arrays)
            return self._compute_pending(options)
        except Exception as error:
            self._discard(error)
            raise

    def add_batch(self, *, predictions: Any = None, references: Any = None, **kwargs: Any) -> None:
        """Add rows; `compute()` without columns measures them.

        The first batch of a round decides which optional columns the round has.
        """
        given = {"predictions": predictions, "references": references, **kwargs}
        try:
            self._flush()
            self._write(normalise(given, self._options))
        except Exception as error:
            self._discard(error)
            raise

    def add(self, *, prediction: Any = None, reference: Any = None, **kwargs: Any) -> None:
        """Add one row. Rows are buffered, so that each costs little; column names are singular or plural."""
        row = {"predictions": prediction, "references": reference}
        row |= {_SINGULAR.get(name, name): value for name, value in kwargs.items()}
        try:
            if self._buffer and set(row) != set(self._buffer[0]):
                self._flush()
            self._buffer.append(row)
            if len(self._buffer) >= _BUFFERED:
                self._flush()
        except Exception as error:
            self._discard(error)
            raise

    def __len__(self) -> int:
        """Rows added and not yet computed."""
        return super().__len__() + len(self._buffer)  # type: ignore[misc,no-any-return]

    def _flush(self) -> None:
        rows, self._buffer = self._buffer, []
        if rows:
            self._write(normalise({name: [row[name] for row in rows] for name in rows[0]}, self._options))

    def _write(self, arrays: Mapping[str, pa.Array]) -> None:
        """Hand one Arrow table to evaluate's file, where other processes can read it."""
        if self.writer is None:
            self._use_columns([name for name in COLUMNS if name in arrays])
            self.selected_feature_format = self.info.features
            self._init_writer()  # type: ignore[attr-defined]
        names = list(self.selected_feature_format)
        if set(names) != set(arrays):
            odd = sorted(set(names) ^ set(arrays))
            raise ValueError(
                f"Expected the columns of the first batch ({names}) in every batch, but {odd[0]!r} is "
                "only in one of them."
            )
        self.writer.write_table(pa.table({name: plain_text(arrays[name]) for name in names}))

    def _compute_pending(self, options: Options) -> dict[str, Any] | None:
        self._flush()
        self._round = options
        result = super().compute()  # type: ignore[misc]
        self.filelocks = self.file_paths = None  # or a later error would take them for this round's
        self._use_columns(self._declared)
        return result  # type: ignore[no-any-return]

    def _compute(self, **columns: Any) -> dict[str, Any]:
        """Called by evaluate on process 0 with the rows of all processes."""
        names = self._feature_names()  # type: ignore[attr-defined]
        table = self.data.data.table.select(names).combine_chunks()
        arrays = {name: _one_array(table[name]) for name in names}
        return self._measure(arrays, self._round)

    def _measure(self, arrays: Mapping[str, pa.Array], options: Options) -> dict[str, Any]:
        groups = dict(by_group(arrays))
        if list(groups) == [""]:
            return self._signed(self.measure(to_rows(groups[""], options), options), options)
        results = {name: self.measure(to_rows(group, options), options) for name, group in groups.items()}
        return self._signed({"by_group": results, "n_rows": len(arrays["predictions"])}, options)

    def _signed(self, result: dict[str, Any], options: Options) -> dict[str, Any]:
        return result | {"signature": f"{self.name}|jostle={__version__}|{options.describe()}"}

    def _use_columns(self, names: Sequence[str]) -> None:
        self._module_info.features = columns_info(names)

    def _discard(self, error: Exception) -> None:
        """Forget this process's pending rows, and say so in the error."""
        lost = len(self)
        self._buffer = []
        self.writer = None
        for name in ("filelock", "rendez_vous_lock"):
            lock = getattr(self, name, None)
            if lock is not None:
                lock.release(force=True)
                setattr(self, name, None)
        self.cache_file_name = self.selected_feature_format = self.buf_writer = self.data = None
        for lock, path in zip(self.filelocks or (), self.file_paths or (), strict=True):
            Path(path).unlink(missing_ok=True)  # read and then not measured: evaluate deletes these on success only
            lock.release(force=True)
        self.filelocks = self.file_paths = None
        self._use_columns(self._declared)
        if lost:
            error.args = (f"{error} The {lost} pending rows of this process were discarded: start the round again.",)


def _one_array(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks or [pa.array([], column.type)])
