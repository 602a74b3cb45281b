"""`compute()` of the modules on a million rows, from lists and from numpy arrays, against stock evaluate's path.

    python benchmarks/compute.py --rows 1000000

The stock module is an `evaluate.Metric` with the same features that does the same measurement; what differs is how the
rows come in, for evaluate encodes every element, writes a file and reads it back. Both give the same result, which is
checked. Beside each stands the limit: the measurement alone, of rows that are coded already. One thread, CPU seconds,
medians, in turns. Kept in results/compute.json.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"

import argparse
import importlib
from collections.abc import Callable, Mapping
from typing import Any

import datasets
import evaluate
import numpy as np
from form import Row, in_turns, keep

from jostle import load
from jostle.measures.inputs import normalise, to_rows
from jostle.measures.options import Options

MODULES = {
    "invariance_drift": "drift",
    "flip_rate": "flips",
    "pair_consistency": "pairs",
    "robustness_ratio": "ratio",
}
CONDITIONS = ("orig", "para/contractions", "pert/typos", "adv/distractor")
STOCK, LIMIT, OURS = "stock evaluate", "the measurement alone", "ours"
WANTED = {"lists": 5.0, "numpy": 50.0}
Columns = Mapping[str, Any]
Measure = Callable[[Columns], dict[str, Any]]


class Stock(evaluate.Metric):
    """The same measurement behind evaluate's own `compute`."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        super().__init__()

    def _info(self) -> evaluate.MetricInfo:
        whole = {name: datasets.Value("int64") for name in ("predictions", "references", "item_ids")}
        features = datasets.Features(whole | {"conditions": datasets.Value("string")})
        return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

    def _compute(self, **columns: Any) -> dict[str, Any]:
        return self.measure(columns)


def make(n: int, seed: int = 0) -> dict[str, Columns]:
    """Outcomes of n / 4 items under four conditions, 15 % of them wrong, as lists and as arrays."""
    rng = np.random.default_rng(seed)
    arrays = {
        "predictions": (rng.random(n) < 0.85).astype(np.int64),
        "references": np.ones(n, dtype=np.int64),
        "item_ids": np.repeat(np.arange(n // 4), 4),
        "conditions": np.tile(np.array(CONDITIONS), n // 4),
    }
    return {"lists": {name: values.tolist() for name, values in arrays.items()}, "numpy": arrays}


def alike(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two results say the same; nan is nan."""
    return all(repr(one[name]) == repr(value) for name, value in other.items())


def measured(name: str, made: str, columns: Columns, runs: int) -> Row:
    """One module on columns of one make."""
    measure, options = importlib.import_module(f"jostle.measures.{MODULES[name]}").MEASURE, Options()

    def whole(given: Columns) -> dict[str, Any]:
        found: dict[str, Any] = measure(to_rows(normalise(given, options), options), options)
        return found

    module, stock = load(name), Stock(whole)
    assert alike(module.compute(**columns), stock.compute(**columns)), "the results differ"
    rows = to_rows(normalise(columns, options), options)
    ways = {
        OURS: lambda: module.compute(**columns),
        STOCK: lambda: stock.compute(**columns),
        LIMIT: lambda: measure(rows, options),
    }
    taken = in_turns(ways, runs)
    work, most = f"`{name}` from {made}, {len(columns['predictions']):,} rows", taken[STOCK] / taken[LIMIT]
    note = f"same result; if rows came in for nothing and only the measurement were left, it would be {most:.0f} times"
    return Row(work, taken.pop(OURS), "s", taken, STOCK, WANTED[made], note)


def taking_in(made: str, columns: Columns, runs: int) -> Row:
    """The columns of one make taken in and coded, and nothing measured."""
    options = Options()
    counted = Stock(lambda given: {"n": len(given["predictions"])})
    ways = {
        OURS: lambda: to_rows(normalise(columns, options), options),
        STOCK: lambda: counted.compute(**columns),
    }
    taken = in_turns(ways, runs)
    note = "ours are coded to numbers and sorted names, stock's are lists again"
    return Row(f"taking rows in from {made}, nothing measured", taken.pop(OURS), "s", taken, STOCK, None, note)


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    rows = []
    for made, columns in make(options.rows).items():
        rows.append(taking_in(made, columns, options.runs))
        rows += [measured(name, made, columns, options.runs) for name in MODULES]
    keep("compute", "`compute()` of the evaluate modules", rows)


if __name__ == "__main__":
    main()
