"""What a million contrast pairs cost beyond reading them: coding, scoring and 10,000 resamples of their families.

    python benchmarks/pairs.py --pairs 1000000

One thread. Four makings: families of four pairs (an item and its edits), of ten (every operator once), of a hundred (a
template), and pairs without families. Prints the seconds of each step and keeps them in results/pairs.json.
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from jostle.pairs import measure_pairs, read_pairs

RESULTS = Path(__file__).parent / "results" / "pairs.json"
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


def seconds(n: int, size: int) -> dict[str, float]:
    """Seconds of reading, and of measuring and showing."""
    from jostle.pairs.sections import sections

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.parquet"
        pq.write_table(make(n, size), path)
        start = time.perf_counter()
        pairs = read_pairs(path)
        read = time.perf_counter()
        report = measure_pairs(pairs)
        measured = time.perf_counter()
        shown = [list(sections(report)), report.failure_types(), report.failing(10)]
        assert all(shown)
        return {"read": read - start, "measure": measured - read, "show": time.perf_counter() - measured}


def main() -> None:
    """Print and keep the seconds."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pairs", type=int, default=1_000_000)
    n = parser.parse_args().pairs
    found = {name: seconds(n, size) for name, size in FAMILIES.items()}
    for name, taken in found.items():
        print(f"{name:16}", "  ".join(f"{step} {value:5.2f} s" for step, value in taken.items()))
    about = {"python": platform.python_version(), "numpy": np.__version__, "machine": platform.machine(), "pairs": n}
    RESULTS.write_text(json.dumps({"about": about, "seconds": found}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
