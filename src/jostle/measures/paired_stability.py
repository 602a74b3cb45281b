"""Drift and flips of two sets of outcomes on the same cells: which of the two holds better."""

from __future__ import annotations

import math

import numpy as np

from .difference import UNDEFINED, Difference, mean_difference, studentised
from .flips import majority
from .options import Options
from .resample import Floats, Ints, resample_totals, sum_by
from .shared import Shared
from .table import Table

_TWO = 2  # conditions that drift and flips need


def drift_difference(shared: Shared, options: Options) -> tuple[float, float, Difference]:
    """Drift of both sides, and of the second minus the first.

    Items that have all shared conditions are used, so that a drift is the range of accuracies over one set of items.
    The difference is studentised as in `difference`: its standard error comes from its linear part, the best and the
    worst condition of each side held fixed; the replicates let them change. nan with fewer than two conditions.

    Limitations: each drift is above 0 by chance alone; that cancels where both sides are alike, and not fully where one
    side really drifts.
    """
    sides = [table.x[:, np.argsort(table.conditions)] for table in (shared.first, shared.second)]
    whole = ~np.isnan(sides[0]).any(axis=1)
    if sides[0].shape[1] < _TWO or not whole.any():
        return math.nan, math.nan, UNDEFINED
    first, second = (side[whole] for side in sides)
    drifts = [float(np.ptp(side.mean(axis=0))) for side in (first, second)]
    linear = _range_part(second) - _range_part(first)
    found = _joint(first, second, linear, shared.families[whole], drifts[1] - drifts[0], options)
    return drifts[0], drifts[1], found


def _range_part(x: Floats) -> Floats:
    """Each item's outcome in the best condition minus that in the worst."""
    means = x.mean(axis=0)
    part: Floats = x[:, means.argmax()] - x[:, means.argmin()]
    return part


def _joint(
    first: Floats, second: Floats, linear: Floats, families: Ints, estimate: float, options: Options
) -> Difference:
    n = first.shape[1]
    differs = (first != second).any(axis=1)
    columns = np.column_stack([first, second, linear, np.ones(len(linear)), differs])
    totals = sum_by(families, columns, int(families.max()) + 1)
    totals = totals[totals[:, -2] > 0]
    drawn = resample_totals(totals[:, [*range(2 * n), 2 * n + 1]], options.n_resamples, options.seed)
    sizes = drawn[:, -1]
    replicates = (np.ptp(drawn[:, n : 2 * n], axis=1) - np.ptp(drawn[:, :n], axis=1)) / sizes
    found = studentised(estimate, replicates, totals[:, 2 * n], totals[:, 2 * n + 1], totals[:, -1] > 0)
    return Difference(found.estimate, max(found.low, -1.0), min(found.high, 1.0), found.p_value)


def flip_difference(shared: Shared, options: Options) -> tuple[float, float, Difference]:
    """Flip rate of both sides on the items that have two conditions with a majority, and the difference."""
    flips, known = zip(*(_flips(table) for table in (shared.first, shared.second)), strict=True)
    both = known[0] & known[1]
    if not both.any():
        return math.nan, math.nan, UNDEFINED
    first, second = (side[both].astype(np.float64) for side in flips)
    found = mean_difference(second - first, shared.families[both], options)
    return float(first.mean()), float(second.mean()), found


def _flips(table: Table) -> tuple[Ints, Ints]:
    """Whether each item flips, and whether it can: two conditions of it have a majority."""
    state, _ = majority(table)
    known = (state >= 0).sum(axis=1) >= _TWO
    right, wrong = (state == 1).any(axis=1), (state == 0).any(axis=1)
    return (right & wrong & known).astype(np.int64), known
