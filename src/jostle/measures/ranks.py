"""Ranks of three or more models: whether their order depends on the condition or on which items were drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .options import Options
from .resample import Floats, Ints, resample_totals, sum_by

LIMITATIONS = (
    "An order that holds under resampling is one for items like these; another task may give another.",
    "Models that are equal in truth change places in every draw: read the differences first, then the order.",
    "The chance of being best is the share of bootstrap draws; it says nothing about models that were not compared.",
)
_LEVEL = (0.025, 0.975)


@dataclass(frozen=True)
class Ranks:
    """How models rank on the items and conditions that all of them have.

    Attributes:
        models: Names.
        accuracy: Mean over items of the mean over conditions, shape (models,).
        by_condition: Accuracy of each model under each condition, shape (models, conditions).
        conditions: Names.
        chance_best: Share of bootstrap draws in which each model is best; ties share.
        rank_low, rank_high: Ends of the 95 % interval of the rank of each model; 1 is best, ties take the mean.
        tau_between_conditions: Mean Kendall's tau-b between the orders under two conditions; nan with one condition.
        tau_lowest: The lowest of them, and the two conditions.
        swapped: Model pairs whose order is not the same (or tied) under all conditions.
        tau_resampled: Mean tau-b between the order of a bootstrap draw and the observed one.
        n_items: Items that all models have under the conditions that all have.
    """

    models: Sequence[str]
    accuracy: Floats
    by_condition: Floats
    conditions: Sequence[str]
    chance_best: Floats
    rank_low: Floats
    rank_high: Floats
    tau_between_conditions: float
    tau_lowest: tuple[float, str, str]
    swapped: Sequence[tuple[str, str]]
    tau_resampled: float
    n_items: int


def ranks(x: Floats, models: Sequence[str], conditions: Sequence[str], families: Ints, options: Options) -> Ranks:
    """Rank stability.

    Args:
        x: Share of right answers, shape (models, items, conditions), no nan.
        models: Names of the models.
        conditions: Names of the conditions.
        families: Family number of each item, resampled together.
        options: `n_resamples` and `seed` are used.

    Returns:
        The ranks; see the attributes.

    Raises:
        ValueError: Fewer than two models, or no items.

    >>> x = np.array([[[1.0], [1.0], [1.0]], [[1.0], [1.0], [0.0]], [[0.0], [0.0], [0.0]]])
    >>> found = ranks(x, ["a", "b", "c"], ["orig"], np.arange(3), Options(n_resamples=200))
    >>> found.accuracy.round(2).tolist(), found.swapped
    ([1.0, 0.67, 0.0], [])

    Reference: M. G. Kendall, The treatment of ties in ranking problems, 1945 (tau-b).
    """
    n_models, n_items, _ = x.shape
    if n_models < 2 or not n_items:  # noqa: PLR2004 - an order needs two
        raise ValueError(f"Expected two models or more on some items, but got {n_models} on {n_items}.")
    by_condition = x.mean(axis=1)
    accuracy = by_condition.mean(axis=1)
    drawn = _drawn(x.mean(axis=2).T, families, options)
    order = _rank(drawn)
    best = drawn == drawn.max(axis=1, keepdims=True)
    low, high = np.quantile(order, _LEVEL, axis=0)
    taus = {
        (conditions[i], conditions[j]): kendall_tau(by_condition[:, i], by_condition[:, j])
        for i, j in combinations(range(len(conditions)), 2)
    }
    defined = {pair: tau for pair, tau in taus.items() if not math.isnan(tau)}
    lowest = min(defined, key=defined.__getitem__) if defined else ("", "")
    resampled = [kendall_tau(row, accuracy) for row in drawn[: min(len(drawn), 2000)]]
    return Ranks(
        models=models,
        accuracy=accuracy,
        by_condition=by_condition,
        conditions=conditions,
        chance_best=(best / best.sum(axis=1, keepdims=True)).mean(axis=0),
        rank_low=low,
        rank_high=high,
        tau_between_conditions=float(np.mean(list(defined.values()))) if defined else math.nan,
        tau_lowest=(defined.get(lowest, math.nan), *lowest),
        swapped=[(models[i], models[j]) for i, j in combinations(range(n_models), 2) if _swaps(by_condition, i, j)],
        tau_resampled=float(np.nanmean(resampled)) if not np.isnan(resampled).all() else math.nan,
        n_items=n_items,
    )


def _drawn(x: Floats, families: Ints, options: Options) -> Floats:
    """Accuracies of the models in every bootstrap draw, shape (B, models)."""
    totals = sum_by(families, np.column_stack([x, np.ones(len(x))]), int(families.max()) + 1)
    drawn = resample_totals(totals[totals[:, -1] > 0], options.n_resamples, options.seed)
    rates: Floats = drawn[:, :-1] / drawn[:, -1:]
    return rates.round(12)  # sums in another order must not break a tie


def _rank(rows: Floats) -> Floats:
    """Ranks in each row, 1 for the largest; ties take the mean of their places."""
    above = (rows[:, None, :] > rows[:, :, None]).sum(axis=2)
    equal = (rows[:, None, :] == rows[:, :, None]).sum(axis=2)
    ranked: Floats = above + (equal + 1) / 2
    return ranked


def _swaps(by_condition: Floats, i: int, j: int) -> bool:
    sign = np.sign((by_condition[i] - by_condition[j]).round(12))
    return bool((sign > 0).any() and (sign < 0).any())


def kendall_tau(first: Floats, second: Floats) -> float:
    """Kendall's tau-b of two sequences; nan where one of them is constant.

    >>> round(kendall_tau(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])), 3)
    0.333
    """
    upper = np.triu_indices(len(first), 1)
    a = np.sign((first[:, None] - first[None, :]).round(12))[upper]
    b = np.sign((second[:, None] - second[None, :]).round(12))[upper]
    spread = math.sqrt(float((a != 0).sum()) * float((b != 0).sum()))
    return float((a * b).sum()) / spread if spread else math.nan
