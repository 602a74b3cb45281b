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


@dataclass
class Summary:
    """What a build holds.

    Args:
        rows: Rows by configuration.
        by_operator: Rows by condition.
        dropped: What gave no row, by condition and reason.
        examples: The first row of every condition; some of them stand in the card.
        sizes: Bytes of the parquet file, by configuration.
    """

    rows: Counter[str] = field(default_factory=Counter)
    by_operator: Counter[str] = field(default_factory=Counter)
    dropped: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: list[dict[str, Any]] = field(default_factory=list)
    sizes: Counter[str] = field(default_factory=Counter)

    def add(self, other: Summary) -> None:
        """Add what comes after."""
        for name in ("rows", "by_operator", "dropped", "sizes"):
            getattr(self, name).update(getattr(other, name))
        self.add_examples(other.examples)

    def add_examples(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Keep the first row of every condition."""
        shown = {example["variant"] for example in self.examples}
        for row in rows:
            if row["kind"] != "orig" and row["variant"] not in shown:
                shown.add(row["variant"])
                self.examples.append(dict(row))


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
        summary = write_rows(made, task, folder, reviews, transforms)
        require_variants(summary)
        paths = {config: shard(out, config, split) for config in summary.rows}
        for config, path in paths.items():
            path.parent.mkdir(exist_ok=True)
            (folder / f"{config}.parquet").replace(path)
        remove_other_shards(paths.values(), split)
        return summary
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def shard(out: Path, config: str, split: str, number: int = 0, total: int = 1) -> Path:
    """Where a parquet file of a configuration goes.

    >>> shard(Path("out"), "sst2-para", "validation").as_posix()
    'out/sst2-para/validation-00000-of-00001.parquet'
    """
    return out / config / f"{split}-{number:05d}-of-{total:05d}.parquet"


def remove_other_shards(paths: Iterable[Path], split: str) -> None:
    """Remove what a build in another number of files left beside these: `datasets` would read its rows, too."""
    kept = set(paths)
    for folder in {path.parent for path in kept}:
        for path in folder.glob(f"{split}-?????-of-?????.parquet"):
            if path not in kept:
                path.unlink()


def require_variants(summary: Summary) -> None:
    """Refuse a build without variants.

    Raises:
        InputError: There is none.
    """
    if not summary.by_operator.total():
        raise InputError(f"Expected variants, but no operator applied: {dict(summary.dropped)}.")


def write_rows(
    made: Iterable[Made], task: Task, folder: Path, reviews: Reviews | None, transforms: Sequence[Transform]
) -> Summary:
    """Write rows as they come, one parquet file a configuration, and say what they hold."""
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
                summary.rows[config] += len(of_kind)
                summary.by_operator.update(row["variant"] for row in of_kind if kind != "orig")
                summary.add_examples(of_kind)
    summary.sizes.update({config: (folder / f"{config}.parquet").stat().st_size for config in summary.rows})
    return summary


def _by_kind(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    return {kind: of for kind in KINDS if (of := [row for row in rows if row["kind"] == kind])}
