"""Rates of contrast pairs with intervals: over all pairs, by operator, by family, and over weighted operators."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .intervals import Z95, t_quantile, wilson
from .pair_data import Pairs
from .resample import Floats, Ints, family_interval, percentile_interval, resample_totals, sum_by

RATES = ("side_accuracy", "relation_accuracy", "pair_accuracy")
Ends = tuple[float, float]
Bools = NDArray[np.bool_]
_FEW = 2  # families that a spread between families can be told from


def with_ends(name: str, value: float, ends: Ends) -> dict[str, float]:
    """A rate and its interval under the keys of the metric card."""
    return {name: value, f"{name}_ci_low": ends[0], f"{name}_ci_high": ends[1]}


def mean(values: Floats) -> float:
    """Mean, nan of nothing."""
    return float(values.mean()) if len(values) else math.nan


class Sampled:
    """Column means of the pairs and of the families, with intervals from one draw of families.

    Where every pair is its own family the intervals are Wilson's. Where all families have the same rate a bootstrap
    knows no spread and its interval would be a point; Wilson's with the family as the unit stands there instead.

    Args:
        values: A column for every rate, shape (pairs, k), in [0, 1].
        families: Family number of each pair, below `n_names`.
        n_names: Number of family names; not all need occur.
        n_resamples: Bootstrap replicates.
        seed: Seed of the bootstrap.
        parts: Subsets of the pairs whose means are wanted too, from the same draw.
    """

    def __init__(
        self, values: Floats, families: Ints, n_names: int, n_resamples: int, seed: int, parts: Sequence[Bools] = ()
    ) -> None:
        counted = np.hstack([values, np.ones((len(values), 1))])
        # One part after the other: beside each other they are the largest thing that a report holds.
        masks = (None, *parts)
        sums = [sum_by(families, counted if m is None else counted * m[:, None], n_names) for m in masks]
        totals = np.hstack(sums)
        totals = totals[totals[:, values.shape[1]] > 0]
        self.k, self.n_families = values.shape[1], len(totals)
        self.blocks = np.split(totals, len(sums), axis=1)
        shares = self.blocks[0][:, :-1] / self.blocks[0][:, -1:]
        self.drawn: list[Floats] = []
        if self.n_families < len(values):
            drawn = resample_totals(np.hstack([totals, shares]), n_resamples, seed)
            self.drawn = [drawn[:, at : at + self.k + 1] for at in range(0, totals.shape[1] + 1, self.k + 1)]

    def pooled(self, column: int, part: int = 0) -> tuple[float, Ends]:
        """Rate over the pairs, or over those of a part, numbered from 1."""
        totals = self.blocks[part][self.blocks[part][:, -1] > 0]
        n = float(totals[:, -1].sum())
        if not n:
            return math.nan, (math.nan, math.nan)
        rate = min(1.0, float(totals[:, column].sum()) / n)
        if n == len(totals):
            return rate, wilson(rate * n, n)
        pair = [column, -1]
        return rate, family_interval(totals[:, pair], self.drawn[part][:, pair])

    def per_family(self, column: int) -> tuple[float, Ends]:
        """Rate with every family counting once."""
        shares = self.blocks[0][:, column] / self.blocks[0][:, -1]
        rate = mean(shares)
        if not self.drawn or np.ptp(shares) == 0:
            return rate, wilson(float(shares.sum()), self.n_families)
        return rate, percentile_interval(self.drawn[-1][:, column] / self.n_families)


def rates(sampled: Sampled, family_mean: bool = False) -> dict[str, float]:
    """The three accuracies with intervals, over pairs or over families."""
    prefix, way = ("family_mean_", sampled.per_family) if family_mean else ("", sampled.pooled)
    result: dict[str, float] = {}
    for column, name in enumerate(RATES):
        result |= with_ends(f"{prefix}{name}", *way(column))
    return result


def by_operator(
    data: Pairs, values: Floats, counts: Floats, n_resamples: int, seed: int
) -> dict[str, dict[str, float]]:
    """Counts and rates with intervals of every operator.

    Args:
        data: The pairs.
        values: The three rates of each pair.
        counts: 0/1 columns counted beside the rates: gold changes, failing, abstained.
        n_resamples: Bootstrap replicates.
        seed: Seed of the bootstrap.
    """
    if not len(data):
        return {}
    order = np.argsort(data.operators, kind="stable")
    sizes = np.bincount(data.operators, minlength=len(data.operator_names))
    result = {}
    for name, own in zip(data.operator_names, np.split(order, np.cumsum(sizes)[:-1]), strict=True):
        if len(own):
            sampled = Sampled(values[own], data.families[own], len(data.family_names), n_resamples, seed)
            sums = counts[own].sum(axis=0).astype(int).tolist()
            result[name] = {
                "n_pairs": len(own),
                "n_families": sampled.n_families,
                **dict(zip(("n_sensitivity", "n_failures", "n_abstained"), sums, strict=True)),
                **rates(sampled),
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

    r = sum_o w_o r_o / sum_o w_o over the operators that occur. The interval is Wilson's with the effective number
    r (1 - r) / v of pairs, where v is the variance between families of the linearised total and Student's quantile
    stands for the normal one; with v = 0 the effective number is that of the families.

    Args:
        data: The pairs.
        values: The three rates of each pair.
        weights: Weight by operator; 1 for those not named.

    Raises:
        ValueError: A weight that is negative or not finite, or weights that are all 0.
    """
    share = _shares(data, weights)
    own = share[data.operators]
    counts = np.bincount(data.operators, minlength=len(share))
    by_name = sum_by(data.operators, values, len(share)) / np.maximum(counts, 1)[:, None]
    spread = own[:, None] / counts[data.operators][:, None] * (values - by_name[data.operators])
    totals = sum_by(data.families, spread, len(data.family_names))
    n_families = int((np.bincount(data.families, minlength=len(data.family_names)) > 0).sum())
    result: dict[str, float] = {}
    for column, name in enumerate(RATES):
        rate = min(1.0, float(share @ by_name[:, column])) if len(data) else math.nan
        ends = _weighted_ends(rate, float((totals[:, column] ** 2).sum()), n_families)
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


def _weighted_ends(rate: float, squares: float, n_families: int) -> Ends:
    if not n_families:
        return math.nan, math.nan
    if n_families < _FEW:
        return wilson(rate, 1)
    variance = squares * n_families / (n_families - 1)
    plain = rate * (1 - rate)
    effective = plain / variance if variance > 0 and plain > 0 else n_families
    return wilson(rate * effective, effective, max(Z95, t_quantile(0.975, n_families - 1)))


def answered_only(values: Floats, answered: Bools) -> dict[str, float]:
    """Relation and pair accuracy over the pairs that were answered on both sides."""
    kept = values[answered]
    return {f"{name}_answered": mean(kept[:, column]) for column, name in enumerate(RATES) if column}
