"""Rates of contrast pairs with intervals: over all pairs, by operator, by family, and over weighted operators."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .intervals import clustered, family_interval, wilson
from .pair_data import Pairs
from .resample import Floats, Ints, sum_by

RATES = ("side_accuracy", "relation_accuracy", "pair_accuracy")
Ends = tuple[float, float]
Bools = NDArray[np.bool_]


def with_ends(name: str, value: float, ends: Ends) -> dict[str, float]:
    """A rate and its interval under the keys of the metric card."""
    return {name: value, f"{name}_ci_low": ends[0], f"{name}_ci_high": ends[1]}


def mean(values: Floats) -> float:
    """Mean, nan of nothing."""
    return float(values.mean()) if len(values) else math.nan


class Summed:
    """Column means of the pairs and of the families, with intervals.

    Where every pair is its own family the intervals are Wilson's, else Wilson's with an effective number of pairs.

    Args:
        values: A column for every rate, shape (pairs, k), in [0, 1].
        families: Family number of each pair, below `n_names`.
        n_names: Number of family names; not all need occur.
        parts: Subsets of the pairs whose means are wanted too.
    """

    def __init__(self, values: Floats, families: Ints, n_names: int, parts: Sequence[Bools] = ()) -> None:
        counted = np.hstack([values, np.ones((len(values), 1))])
        # One part after the other: beside each other they are the largest thing that a report holds.
        whole = sum_by(families, counted, n_names)
        self.blocks = [whole, *(whole if m.all() else sum_by(families[m], counted[m], n_names) for m in parts)]
        self.n_families = int((self.blocks[0][:, -1] > 0).sum())

    def pooled(self, column: int, part: int = 0) -> tuple[float, Ends]:
        """Rate over the pairs, or over those of a part, numbered from 1."""
        totals = self.blocks[part][self.blocks[part][:, -1] > 0]
        n = float(totals[:, -1].sum())
        if not n:
            return math.nan, (math.nan, math.nan)
        rate = min(1.0, float(totals[:, column].sum()) / n)
        if n == len(totals):
            return rate, wilson(rate * n, n)
        return rate, family_interval(totals[:, [column, -1]])

    def per_family(self, column: int) -> tuple[float, Ends]:
        """Rate with every family counting once."""
        totals = self.blocks[0][self.blocks[0][:, -1] > 0]
        shares = totals[:, column] / totals[:, -1]
        if totals[:, -1].sum() == len(totals):
            return mean(shares), wilson(float(shares.sum()), len(totals))
        return mean(shares), family_interval(np.stack([shares, np.ones(len(shares))], axis=1))


def rates(summed: Summed, family_mean: bool = False) -> dict[str, float]:
    """The three accuracies with intervals, over pairs or over families."""
    prefix, way = ("family_mean_", summed.per_family) if family_mean else ("", summed.pooled)
    result: dict[str, float] = {}
    for column, name in enumerate(RATES):
        result |= with_ends(f"{prefix}{name}", *way(column))
    return result


def by_operator(data: Pairs, values: Floats, counts: Floats, summed: Summed) -> dict[str, dict[str, float]]:
    """Counts and rates with intervals of every operator.

    Args:
        data: The pairs.
        values: The three rates of each pair.
        counts: 0/1 columns counted beside the rates: gold changes, failing, abstained.
        summed: The sums of all pairs, which are those of a single operator.
    """
    if not len(data):
        return {}
    order = np.argsort(data.operators, kind="stable")
    sizes = np.bincount(data.operators, minlength=len(data.operator_names))
    result = {}
    for name, own in zip(data.operator_names, np.split(order, np.cumsum(sizes)[:-1]), strict=True):
        if len(own):
            whole = len(own) == len(data)
            of_own = summed if whole else Summed(values[own], data.families[own], len(data.family_names))
            sums = counts[own].sum(axis=0).astype(int).tolist()
            result[name] = {
                "n_pairs": len(own),
                "n_families": of_own.n_families,
                **dict(zip(("n_sensitivity", "n_failures", "n_abstained"), sums, strict=True)),
                **rates(of_own),
            }
    return result


def by_family(data: Pairs, values: Floats) -> dict[str, dict[str, float]]:
    """Number of pairs and the three accuracies of every family."""
    totals = sum_by(data.families, np.column_stack([np.ones(len(data)), values]), len(data.family_names))
    shares = totals[:, 1:] / np.maximum(totals[:, :1], 1)
    rows = zip(data.family_names, totals[:, 0].astype(int).tolist(), shares.tolist(), strict=True)
    return {name: {"n_pairs": n, **dict(zip(RATES, row, strict=True))} for name, n, row in rows if n}


def operator_weighted(data: Pairs, values: Floats, weights: Mapping[str, float]) -> dict[str, float]:
    """The three accuracies as weighted means of the operators' accuracies, whatever their numbers of pairs.

    r = sum_o w_o r_o / sum_o w_o over the operators that occur. The interval is that of `clustered`, from the families'
    contributions to the linearised total.

    Args:
        data: The pairs.
        values: The three rates of each pair.
        weights: Weight by operator; 1 for those not named.

    Raises:
        ValueError: A weight that is negative or not finite, or weights that are all 0.
    """
    share = _shares(data, weights)
    counts = np.maximum(np.bincount(data.operators, minlength=len(share)), 1)
    by_name = sum_by(data.operators, values, len(share)) / counts[:, None]
    each = (share / counts)[data.operators]
    n_families = int((np.bincount(data.families, minlength=len(data.family_names)) > 0).sum())
    result: dict[str, float] = {}
    for column, name in enumerate(RATES):  # one after the other, for the same reason as the parts of `Summed`
        rate = min(1.0, float(share @ by_name[:, column])) if len(data) else math.nan
        spread = each * (values[:, column] - by_name[data.operators, column])
        squares = float((np.bincount(data.families, spread, minlength=len(data.family_names)) ** 2).sum())
        ends = clustered(rate, squares, n_families) if n_families else (math.nan, math.nan)
        result |= with_ends(f"operator_weighted_{name}", rate, ends)
    return result


def _shares(data: Pairs, weights: Mapping[str, float]) -> Floats:
    """Weight of every operator name, 0 where it does not occur, adding up to 1."""
    for name, weight in weights.items():
        if not (math.isfinite(weight) and weight >= 0):
            raise ValueError(f"Expected a weight of 0 or more for operator {name!r}, but got {weight:g}.")
    occurs = np.bincount(data.operators, minlength=len(data.operator_names)) > 0
    share: Floats = np.array([weights.get(name, 1.0) for name in data.operator_names], dtype=np.float64) * occurs
    if len(data) and not share.sum() > 0:
        raise ValueError(f"Expected a weight above 0 for some operator, but got {dict(weights)}.")
    return share / share.sum() if len(data) else share


def answered_only(values: Floats, answered: Bools) -> dict[str, float]:
    """Relation and pair accuracy over the pairs that were answered on both sides."""
    kept = values[answered]
    return {f"{name}_answered": mean(kept[:, column]) for column, name in enumerate(RATES) if column}
