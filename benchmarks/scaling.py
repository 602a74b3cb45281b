"""`jostle build` and `jostle run` on a Ray of one and two workers, beside the local engine.

    python benchmarks/scaling.py --data mnli.parquet --items 20000

Wall seconds of whole commands, each in a process of its own, medians of runs that take turns; a Ray is started and
stopped in each. What Ray costs beside the work is the time of a command with next to nothing to do. With --data the
rows of a file in GLUE's MNLI columns are repeated under new ids until there are enough; else embedded items are. Kept
in results/scaling.json; docs/scaling.md says what follows from it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from form import Row, keep

from jostle.embedded_items import embedded_items

FEW = 1000  # rows of which nothing follows for a million
ENGINES = {
    "local": (),
    "ray, one worker": ("--engine", "ray", "--ray-workers", "1"),
    "ray, two workers": ("--engine", "ray", "--ray-workers", "2"),
}


def items_file(data: Path | None, count: int, folder: Path) -> Path:
    """A file of that many MNLI items."""
    if data is None:
        own = [{**item.fields, "label": item.label} for item in embedded_items("mnli").items]
    else:
        table = pq.read_table(data)
        own = [{"premise": row["premise"], "hypothesis": row["hypothesis"], "label": row["label"]}
               for row in table.to_pylist()]  # fmt: skip
    path = folder / "items.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for k in range(count):
            file.write(json.dumps({"idx": k, **own[k % len(own)]}) + "\n")
    return path


def seconds(command: list[str]) -> float:
    """Wall seconds of a command; one that fails is an error."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "jostle", *command, "--quiet"], capture_output=True, text=True, check=False
    )
    if done.returncode not in (0, 3):  # 3: too little to measure, in a run of two items
        raise RuntimeError(done.stderr)
    return time.perf_counter() - start


def medians(command: list[str], folder: Path, runs: int) -> dict[str, float]:
    """Median seconds by engine; the output goes to a new folder in each run, so that nothing is reused."""
    taken: dict[str, list[float]] = {name: [] for name in ENGINES}
    for run in range(runs):
        for name, flags in ENGINES.items():
            out = folder / f"{name.replace(' ', '_')}-{run}"
            taken[name].append(seconds([*command, "--out", str(out), *flags]))
    return {name: statistics.median(of) for name, of in taken.items()}


def rows_of(folder: Path) -> int:
    """Rows in the parquet files of a build, or of outcomes."""
    return sum(pq.read_metadata(path).num_rows for path in folder.rglob("*.parquet") if ".partitions" not in path.parts)


def measured(work: str, command: list[str], folder: Path, runs: int) -> Iterator[Row]:
    """A row for one worker and one for two, against the local engine."""
    taken = medians(command, folder, runs)
    one_run = folder / "local-0"
    outcomes = one_run / "outcomes.parquet"
    count = pq.read_metadata(outcomes).num_rows if outcomes.exists() else rows_of(one_run)
    note = f"wall time; {count:,} rows"
    if count > FEW:
        note += "; seconds for a million: " + ", ".join(f"{of} {t / count * 1e6:,.0f}" for of, t in taken.items())
    for name in ("ray, one worker", "ray, two workers"):
        yield Row(f"{work}, {name}", taken[name], "s", {"local": taken["local"]}, "local", None, note)


def rows(options: argparse.Namespace) -> Iterator[Row]:
    """What starting costs, a build and a run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        few, many = ((folder / part) for part in ("few", "many"))
        few.mkdir()
        many.mkdir()
        build: list[str] = ["build", "--task", "mnli", "--data"]
        tiny = items_file(options.data, 2, few)
        yield from measured("build of two items", [*build, str(tiny)], few, options.runs)
        large = items_file(options.data, options.items, many)
        yield from measured(f"build of {options.items:,} MNLI items", [*build, str(large)], many, options.runs)
        data: Any = options.sst2 or "embedded"
        run = ["run", "--task", "sst2", "--model", "embedded", "--data", str(data), "--resamples", "200"]
        yield from measured("run of a classifier on SST-2", run, folder / "run", options.runs)


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="parquet file with premise, hypothesis and label")
    parser.add_argument("--sst2", type=Path, help="parquet file with sentence and label")
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=3)
    keep("scaling", "Ray beside the local engine", list(rows(parser.parse_args())))


if __name__ == "__main__":
    main()
