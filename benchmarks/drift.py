"""The interval of the drift, B = 10,000, against other ways to the same bootstrap.

    python benchmarks/drift.py --sizes 1000 10000 100000

Without families ours is the whole measure on coded rows: lining the items up, the interval, the verdict and what stands
beside it. The others get the outcomes as an items x conditions array and give the 95 % percentile interval of the
largest difference alone: loops in pure Python, scipy.stats.bootstrap, and numpy by item numbers, which are drawn,
counted and multiplied with the outcomes. With families both sides begin with the sums of each family. The loops run at
the smallest size; beyond it, their time is that times the size. That the intervals are about as wide is checked (ours
holds for all pairs of conditions at once, and is wider). One thread, CPU seconds, medians, in turns. Kept in
results/drift.json.
"""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from form import Row, in_turns, keep
from scipy import stats

from jostle.measures.align import align
from jostle.measures.drift import drift, profile_drift
from jostle.measures.inputs import normalise, to_rows
from jostle.measures.options import Options
from jostle.measures.profile import profile_of
from jostle.measures.table import Rows

SMALLEST = 1_000
B, BLOCK = 10_000, 2_000_000  # replicates, and numbers that scipy draws at once: all of them would take gigabytes
SCIPY, INDEX = "scipy.stats.bootstrap", "numpy index"
LOOP, CHOICES = "pure Python, `randrange`", "pure Python, `choices`"
WANTED = {1_000: 100.0, 10_000: 1_000.0}  # times the plain loop
CONDITIONS, FAMILIES = (4, 12), (3, 50)  # the second: items in a family
Table = np.ndarray[Any, Any]
Interval = tuple[float, float]


def outcomes(n: int, conditions: int, seed: int = 0) -> Table:
    """Right or wrong; items differ in difficulty, so the outcomes of an item go together, as they do."""
    rng = np.random.default_rng(seed)
    ability = rng.normal(1.8, 1.5, (n, 1)) - np.linspace(0.0, 0.4, conditions)
    return (rng.random((n, conditions)) < 1 / (1 + np.exp(-ability))).astype(np.float64)


def rows_of(table: Table, family: Table | None = None) -> Rows:
    """The same outcomes as the coded rows that a measure gets."""
    n, conditions = table.shape
    columns: dict[str, Any] = {
        "predictions": table.astype(np.int64).ravel(),
        "references": np.ones(table.size, dtype=np.int64),
        "item_ids": np.repeat(np.arange(n), conditions),
        "conditions": np.tile(np.array([f"c{k}" for k in range(conditions)]), n),
    }
    if family is not None:
        columns["families"] = np.repeat(family, conditions)
    return to_rows(normalise(columns, Options()), Options())


def by_loop(table: Table, drawn: Callable[[random.Random, int], list[int]]) -> Interval:
    """Draw item numbers, and add up each condition."""
    columns, n, rng, found = table.T.tolist(), len(table), random.Random(0), []
    for _ in range(B):
        numbers = drawn(rng, n)
        shares = [sum(column[k] for k in numbers) / n for column in columns]
        found.append(max(shares) - min(shares))
    return ends(found)


def by_randrange(rng: random.Random, n: int) -> list[int]:
    """As the loop is mostly written."""
    return [rng.randrange(n) for _ in range(n)]


def by_choices(rng: random.Random, n: int) -> list[int]:
    """The fastest way of the standard library."""
    return rng.choices(range(n), k=n)


def by_scipy(table: Table) -> Interval:
    """Paired samples, with the statistic over blocks of replicates."""

    def largest(*columns: Table, axis: int) -> Table:
        found: Table = np.ptp(np.stack([column.mean(axis=axis) for column in columns]), axis=0)
        return found

    result = stats.bootstrap(
        tuple(table.T), largest, paired=True, n_resamples=B, batch=max(1, BLOCK // len(table)), method="percentile",
        rng=np.random.default_rng(0),
    )  # fmt: skip
    return float(result.confidence_interval.low), float(result.confidence_interval.high)


def by_index(sums: Table, sizes: Table) -> Interval:
    """Draw numbers of items (or families), count them, and multiply."""
    rng, n, found = np.random.default_rng(0), len(sums), np.empty(B)
    for b in range(B):
        drawn = np.bincount(rng.integers(0, n, n), minlength=n)
        found[b] = np.ptp(drawn @ sums) / (drawn @ sizes)
    return ends(found)


def ends(replicates: Any) -> Interval:
    """The 95 % percentile interval."""
    low, high = np.quantile(replicates, [0.025, 0.975])
    return float(low), float(high)


def check(found: Interval, ours: dict[str, Any]) -> None:
    """Hold the width of a peer's interval against ours, which the t factor makes far wider for 20 families."""
    share = (found[1] - found[0]) / (ours["drift_ci_high"] - ours["drift_ci_low"])
    assert 0.3 < share < 1.3, f"the intervals differ: {found}, {ours['drift_ci_low']}, {ours['drift_ci_high']}"


def without_families(n: int, conditions: int, loops: dict[str, float], runs: int) -> Iterator[Row]:
    """One size: against the plain loop where there is one, and against numpy."""
    table, options = outcomes(n, conditions), Options(n_resamples=B)
    rows, ones = rows_of(table), np.ones(n)
    check(by_index(table, ones), drift(rows, options))
    ways: dict[str, Callable[[], object]] = {
        "ours": lambda: drift(rows, options), INDEX: lambda: by_index(table, ones)
    }  # fmt: skip
    if loops:
        ways[SCIPY] = lambda: by_scipy(table)
    taken = in_turns(ways, runs)
    ours = taken.pop("ours")
    work, note = f"drift, {n:,} items, {conditions} conditions", f"{len(np.unique(table, axis=0)):,} different outcomes"
    if loops:
        times = n / SMALLEST
        far = f"; the loops ran on {SMALLEST:,} items, their times are {times:g} times that" if times > 1 else ""
        peers = taken | {name: seconds * times for name, seconds in loops.items()}
        yield Row(work, ours, "s", peers, LOOP, WANTED.get(n), f"{note}{far}")
    yield Row(f"{work}, against numpy", ours, "s", taken, INDEX, 1.0, note)


def with_families(n: int, conditions: int, size: int, runs: int) -> Row:
    """One size and one size of families, from their sums on."""
    table, family, options = outcomes(n, conditions), np.arange(n) // size, Options(n_resamples=B)
    rows = rows_of(table, family)
    sums = np.stack([np.bincount(family, column) for column in table.T], axis=1)
    sizes, profile = np.bincount(family), profile_of(align(rows))
    check(by_index(sums, sizes), profile_drift(profile, options))
    ways = {
        "ours": lambda: profile_drift(profile, options),
        INDEX: lambda: by_index(sums, sizes),
        "whole": lambda: drift(rows, options),
    }
    taken = in_turns(ways, runs)
    ours, whole = taken.pop("ours"), taken.pop("whole")
    note = f"{len(profile.family_counts):,} different of {len(sums):,} families; the whole measure, {whole:.2g} s"
    return Row(f"drift, {n:,} items, {conditions} conditions, families of {size}", ours, "s", taken, INDEX, 1.0, note)


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[SMALLEST, 10_000, 100_000])
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    few, rows = outcomes(SMALLEST, CONDITIONS[0]), []
    drawers = {LOOP: by_randrange, CHOICES: by_choices}
    loops = in_turns({name: partial(by_loop, few, drawn) for name, drawn in drawers.items()}, options.runs)
    for n in options.sizes:
        for conditions in CONDITIONS:
            found = loops if conditions == CONDITIONS[0] else {}
            rows += without_families(n, conditions, found, options.runs)
            rows += [with_families(n, conditions, size, options.runs) for size in FAMILIES]
    keep("drift", f"The interval of the drift, {B:,} replicates", rows)


if __name__ == "__main__":
    main()
