"""Rows -> a folder that `datasets.load_dataset` reads: one parquet file a configuration, and the card."""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import InputError
from ..reviews import Reviews
from ..tasks import Task
from .make import Made
from .schema import KINDS, features

Transform = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]
EXAMPLES = 10


@dataclass
class Summary:
    """What a build holds.

    Args:
        rows: Rows by configuration.
        by_operator: Rows by condition.
        dropped: What gave no row, by condition and reason.
        examples: Some rows of variants, for the card.
        sizes: Bytes of the parquet file, by configuration.
    """

    rows: Counter[str] = field(default_factory=Counter)
    by_operator: Counter[str] = field(default_factory=Counter)
    dropped: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: list[dict[str, Any]] = field(default_factory=list)
    sizes: dict[str, int] = field(default_factory=dict)


def build_dataset(
    made: Iterable[Made],
    task: Task,
    split: str,
    out: Path,
    reviews: Reviews | None = None,
    transforms: Sequence[Transform] = (),
) -> Summary:
    """Write the rows as they come, and move the folder's files into place when all of them are there.

    Args:
        made: Pieces of rows, in their order.
        task: Task of the rows.
        split: Split of the rows.
        out: Folder of the data set; configurations of other tasks in it stay.
        reviews: Review decisions that are merged in; rejected rows are left out.
        transforms: What is done to the rows of each piece before they are written (similarity).

    Raises:
        InputError: No row was made, or the folder cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=out, prefix=".build-"))
    except OSError as error:
        raise InputError(f"Expected to write {out}, but {error.strerror or error}.") from None
    try:
        summary = _write(made, task, folder, reviews, transforms)
        if not summary.by_operator.total():
            raise InputError(f"Expected variants, but no operator applied: {dict(summary.dropped)}.")
        for config in summary.rows:
            target = out / config
            target.mkdir(exist_ok=True)
            path = target / f"{split}-00000-of-00001.parquet"
            summary.sizes[config] = (folder / f"{config}.parquet").stat().st_size
            (folder / f"{config}.parquet").replace(path)
        return summary
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write(
    made: Iterable[Made], task: Task, folder: Path, reviews: Reviews | None, transforms: Sequence[Transform]
) -> Summary:
    schema = features(task).arrow_schema
    summary = Summary()
    with ExitStack() as stack:
        writers: dict[str, pq.ParquetWriter] = {}
        for piece in made:
            summary.dropped += piece.dropped
            rows = piece.rows if reviews is None else reviews.merge(piece.rows, summary.dropped)
            for transform in transforms:
                rows = transform(rows)
            for kind, of_kind in _by_kind(rows).items():
                config = f"{task.name}-{kind}"
                if config not in writers:
                    writer = pq.ParquetWriter(folder / f"{config}.parquet", schema)
                    writers[config] = stack.enter_context(writer)
                writers[config].write_table(pa.Table.from_pylist(of_kind, schema=schema))
                _count(summary, config, of_kind)
    return summary


def _by_kind(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    return {kind: of for kind in KINDS if (of := [row for row in rows if row["kind"] == kind])}


def _count(summary: Summary, config: str, rows: Sequence[Mapping[str, Any]]) -> None:
    summary.rows[config] += len(rows)
    summary.by_operator.update(row["variant"] for row in rows if row["kind"] != "orig")
    shown = Counter(example["variant"] for example in summary.examples)
    for row in rows:
        if row["kind"] == "orig" or len(summary.examples) >= EXAMPLES or shown[row["variant"]]:
            continue
        shown[row["variant"]] += 1
        summary.examples.append(dict(row))
