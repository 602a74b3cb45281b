"""How time and memory grow with the number of rows, and a report on ten million of them.

    python benchmarks/growth.py --data path/to/glue

Every size runs in a process of its own (growth_worker.py), after a small one that loads what does not grow. The last
size is held against what n log n makes of the size before it, and its memory against ten times as much for ten times
the rows. `report` reads outcome rows with all columns that `run` writes, families of three included. `audit` is given
sentences of made-up words, and compares texts but not embeddings; with them it is measured as far as minutes go, as
is `run` with the embedded classifier. `build` repeats its sentences under new ids. CPU seconds, one thread; the
notes have the wall time too. Kept in results/growth.json, drawn in docs/images/growth.svg.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from form import Row, keep
from near_duplicates import make_texts
from sentences import FILES, sentences

from jostle.files import write_text
from jostle.report.drawing import GRID, sheet, svg

WORKER = Path(__file__).with_name("growth_worker.py")
PLOT = Path(__file__).parents[1] / "docs" / "images" / "growth.svg"
CONDITIONS = ("orig", "para/contractions", "pert/typos", "adv/distractor")
RIGHT = (0.9, 0.88, 0.85, 0.8)
AT_ONCE, FAMILY = 250_000, 3  # items written at once, and in a family
SMALL, TEN_MILLION, MOST_GB = 20, 2_500_000, 4.0
NOISE = 1 / 1.25  # what one run may be off by
# Items in each file; `build` and `run` make some fifteen rows of one.
SIZES = {
    "report": (250, 2_500, 25_000, 250_000),
    "audit without embeddings": (1_000, 10_000, 100_000, 1_000_000),
    "audit": (100, 1_000, 10_000),
    "build": (70, 700, 7_000, 70_000),
    "run": (58, 580),
}


@dataclass(frozen=True)
class Point:
    """One size: rows, CPU and wall seconds, GB at the peak and before."""

    rows: int
    seconds: float
    wall: float
    peak: float
    base: float

    @property
    def grown(self) -> float:
        """GB beyond what the small file took; never quite 0."""
        return max(self.peak - self.base, 1e-3)


def outcomes(n: int, path: Path) -> None:
    """Outcome rows of n items under four conditions, with the columns that `run` writes."""
    rng, names, writer = np.random.default_rng(0), np.array(["negative", "positive"]), None
    for start in range(0, n, AT_ONCE):
        items = np.arange(start, min(start + AT_ONCE, n))
        gold = rng.integers(0, 2, len(items))
        right = rng.random((len(items), len(RIGHT))) < RIGHT
        of_row, rows = np.repeat(items, len(RIGHT)), right.size
        constant = {"relations": "invariant", "tasks": "sst2", "models": "org/model", "decodings": "classify"}
        columns: dict[str, Any] = {
            "predictions": names[np.where(right, gold[:, None], 1 - gold[:, None]).ravel()],
            "references": names[np.repeat(gold, len(RIGHT))],
            "item_ids": [f"item-{k:07d}" for k in of_row],
            "conditions": CONDITIONS * len(items),
            "families": [f"family-{k:07d}" for k in of_row // FAMILY],
            "operators": [name.partition("/")[2] or name for name in CONDITIONS] * len(items),
            **{name: [value] * rows for name, value in constant.items()},
            "confidences": rng.random(rows),
        }
        table = pa.table(columns)
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


def items(texts: Sequence[str], path: Path) -> None:
    """Items of SST-2 with these sentences."""
    labels = [("negative", "positive")[k % 2] for k in range(len(texts))]
    ids = [f"item-{k:07d}" for k in range(len(texts))]
    pq.write_table(pa.table({"id": ids, "sentence": list(texts), "label": labels}), path)


def write(work: str, n: int, data: Path | None, path: Path) -> None:
    """The file that a piece of work is given."""
    if work == "report":
        outcomes(n, path)
    elif work.startswith("audit"):
        items(make_texts(n), path)
    else:
        texts = sentences(data, 580)
        items((texts * (n // len(texts) + 1))[:n], path)


def points(work: str, sizes: Sequence[int], data: Path | None) -> list[Point]:
    """Measure a piece of work at all its sizes."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        small, file = Path(folder) / "small.parquet", Path(folder) / "large.parquet"
        write(work, SMALL, data, small)
        for n in sizes:
            write(work, n, data, file)
            command = [sys.executable, str(WORKER), work, str(small), str(file)]
            done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
            found.append(Point(**json.loads(done.stdout)))
            print(work, found[-1], file=sys.stderr)
    return found


def exponent(found: Sequence[Point], values: Sequence[float]) -> float:
    """Slope of the logarithms over the last two sizes: before, what does not grow still counts."""
    (a, b), (x, y) = [point.rows for point in found[-2:]], values[-2:]
    return math.log(y / x) / math.log(b / a)


def rows_of(work: str, found: Sequence[Point]) -> Iterator[Row]:
    """Time and memory of the last size against the one before."""
    before, last = found[-2:]
    times = last.rows / before.rows
    name = f"`{work.replace(' ', '` ', 1)}" + ("" if " " in work else "`")
    sizes = listed([point.rows for point in found], ",")
    seconds, wall = [point.seconds for point in found], listed([point.wall for point in found])
    note = f"{sizes} rows: {listed(seconds)} s, wall time {wall} s; time grows with the power"
    peers = {f"n log n from {before.rows:,}": before.seconds * times * math.log(last.rows) / math.log(before.rows)}
    note = f"{note} {exponent(found, seconds):.2f} of the rows"
    yield Row(f"{name}, {last.rows:,} rows", last.seconds, "s", peers, "", NOISE, note)
    peaks, power = listed([point.peak for point in found]), exponent(found, [point.grown for point in found])
    note = f"{sizes} rows: {peaks} GB at the peak, {last.base:.2g} before; memory grows with the power {power:.2f}"
    peers = {f"n from {before.rows:,}": last.base + before.grown * times}
    yield Row(f"{name}, {last.rows:,} rows", last.peak, "GB", peers, "", NOISE, note)


def listed(values: Sequence[float], form: str = ".3g") -> str:
    """Values of the sizes one after another."""
    return " / ".join(format(value, form) for value in values)


def ten_million() -> Row:
    """The report that has a limit of its own."""
    (point,) = points("report", [TEN_MILLION], None)
    each = f"{point.grown / point.rows * 1e9:.0f} bytes a row beyond {point.base:.2g} GB for the packages"
    note = f"{point.seconds:.0f} s, wall time {point.wall:.0f} s; {each}"
    return Row(f"`report`, {point.rows:,} rows", point.peak, "GB", {"limit": MOST_GB}, "", 1.0, note)


def draw(measured: dict[str, list[Point]]) -> None:
    """Time and memory by rows, on logarithmic axes."""
    with sheet(9, 3.8) as (figure, _):
        figure.clear()
        for axes, name, unit in zip(
            figure.subplots(1, 2), ("seconds", "peak"), ("CPU seconds", "GB at peak"), strict=True
        ):
            for work, found in measured.items():
                axes.plot([p.rows for p in found], [getattr(p, name) for p in found], "o-", markersize=4, label=work)
            axes.set(xscale="log", yscale="log", xlabel="rows", ylabel=unit)
            axes.grid(color=GRID)
        axes.legend(frameon=False, fontsize=8)
        text = svg(figure, "CPU time and peak memory of report, audit, build and run against the number of rows")
    # It is shown as a file of its own, on dark pages too.
    write_text(PLOT, re.sub(r"<svg ", '<svg style="background: white" ', text, count=1))


def main() -> None:
    """Measure, print, keep, draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help=f"folder with {FILES}")
    parser.add_argument("--only", nargs="+", choices=SIZES, default=list(SIZES))
    options = parser.parse_args()
    measured = {work: points(work, SIZES[work], options.data) for work in options.only}
    rows = [row for work, found in measured.items() for row in rows_of(work, found)]
    keep("growth", "How time and memory grow", [*rows, ten_million()])
    draw(measured)


if __name__ == "__main__":
    main()
