"""What a million contrast pairs cost beyond reading them: coding, scoring and 10,000 resamples of their families.

    python benchmarks/pairs.py --pairs 1000000

One thread. Four makings: families of four pairs (an item and its edits), of ten (every operator once), of a hundred (a
template), and pairs without families. CPU seconds of each step, medians. Kept in results/pairs.json.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from form import Row, keep

from jostle.pairs import measure_pairs, read_pairs

LABELS = np.array(["entailment", "neutral", "contradiction"])
OPERATORS = np.array([f"operator{k}" for k in range(10)])
FAMILIES = {"families of 4": 4, "families of 10": 10, "families of 100": 100, "no families": 0}


def make(n: int, size: int, seed: int = 0) -> pa.Table:
    """Pairs of three labels; 85 % of the answers are right, 2 % are missing."""
    rng = np.random.default_rng(seed)
    golds = rng.integers(0, 3, (n, 2))
    golds[:, 1] = np.where(rng.random(n) < 0.5, golds[:, 0], golds[:, 1])
    said = np.where(rng.random((n, 2)) < 0.85, golds, rng.integers(0, 3, (n, 2)))
    missing = rng.random((n, 2)) < 0.02
    columns = {"id": pa.array(np.arange(n)).cast(pa.string()), "operator": OPERATORS[np.arange(n) % len(OPERATORS)]}
    for k, side in enumerate(("base", "edited")):
        columns |= {
            f"{side}_label": LABELS[golds[:, k]],
            f"{side}_prediction": pa.array(LABELS[said[:, k]], mask=missing[:, k]),
            f"{side}_confidence": rng.random(n),
        }
    if size:
        columns["family"] = pa.array(np.arange(n) // size).cast(pa.string())
    return pa.table(columns)


def seconds(path: Path) -> dict[str, float]:
    """CPU seconds of each step."""
    from jostle.pairs.sections import sections

    start = time.process_time()
    pairs = read_pairs(path)
    read = time.process_time()
    report = measure_pairs(pairs)
    measured = time.process_time()
    shown = [list(sections(report)), report.failure_types(), report.failing(10)]
    assert all(shown)
    return {"read": read - start, "measure": measured - read, "show": time.process_time() - measured}


def rows(n: int, runs: int) -> Iterator[Row]:
    """A row for each making and step."""
    for name, size in FAMILIES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "pairs.parquet"
            pq.write_table(make(n, size), path)
            taken = [seconds(path) for _ in range(runs)]
        for step in taken[0]:
            median = statistics.median(run[step] for run in taken)
            yield Row(f"{step} {n:,} pairs, {name}", median, "s", {})


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    keep("pairs", "Contrast pairs with 10,000 resamples of their families", list(rows(options.pairs, options.runs)))


if __name__ == "__main__":
    main()
