"""Verdicts of models on items, and what each item says about which model is better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .intervals import t_quantile
from .resample import Floats, Ints
from .separation import ModelPair, compare_models
from .table import Rows

KINDS = ("discriminating", "ceiling", "floor", "inverted", "unstable", "missing")
DISCRIMINATING, CEILING, FLOOR, INVERTED, UNSTABLE, MISSING = range(6)
MANY_MODELS = 5
_ONE_SIDED = 0.95

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Verdicts:
    """Passes of every model on every item: `right[i, m]` of `count[i, m]` repeats; a count of 0 is missing."""

    right: Floats
    count: Floats
    items: Sequence[str]
    models: Sequence[str]

    def columns(self, order: Sequence[int] | Ints) -> Verdicts:
        """The verdicts with the models in another order."""
        index = list(order)
        names = [self.models[int(m)] for m in index]
        return replace(self, right=self.right[:, index], count=self.count[:, index], models=names)


@dataclass(frozen=True)
class Discrimination:
    """What every item tells about the models, which are ordered weakest first.

    Attributes:
        verdicts: The passes, weakest model first.
        kind: Index into `KINDS`, one for each item.
        item_rest: Correlation over models of each item with the score on the other items; nan where it has none.
        pairs: Every pair of models on the measured items.
        rule: What makes an item inverted, `pairs` or `item_rest`.
    """

    verdicts: Verdicts
    kind: Ints
    item_rest: Floats
    pairs: Sequence[ModelPair]
    rule: str

    @property
    def measured(self) -> Bools:
        """Items that every model has a verdict on, the same in all repeats."""
        measured: Bools = (self.kind != UNSTABLE) & (self.kind != MISSING)
        return measured

    @property
    def accuracy(self) -> Floats:
        """Accuracy of each model on the measured items; nan without any."""
        right = self.verdicts.right[self.measured] > 0
        return np.asarray(right.mean(axis=0) if len(right) else np.full(right.shape[1], math.nan))

    def ids(self, kind: int) -> list[str]:
        """Items of a kind; inverted ones the most inverted first."""
        index = np.flatnonzero(self.kind == kind)
        if kind == INVERTED:
            index = index[np.argsort(self.item_rest[index], kind="stable")]
        return [self.verdicts.items[int(i)] for i in index]

    def count(self, *kinds: int) -> int:
        """Number of items of these kinds."""
        return int(np.isin(self.kind, kinds).sum())


def classify(verdicts: Verdicts, ordered: bool = False) -> Discrimination:
    """Say of every item whether it tells the models apart.

    An item is `missing` where a model has no verdict on it, and `unstable` where the repeats of a model differ; these
    are left out. Of the others it is at the `ceiling` when all models pass, at the `floor` when all fail, `inverted`
    when the weaker pass and the stronger fail, else `discriminating`. With fewer than 5 models an item is inverted if
    a weaker model passes and a stronger fails. Where the order comes from the results, that counts for models that the
    set tells apart (McNemar, Holm, 5 %). With 5 models or more too many good items have such a pair, so an item is
    inverted if its correlation over models with the score on the other items is below 0 at the 5 % level (one-sided).

    Args:
        verdicts: Passes of two or more models.
        ordered: Whether the models stand weakest first. If not, they are ordered by accuracy, ties by their place.

    Raises:
        ValueError: Fewer than two models.

    >>> four = Verdicts(np.array([[0, 1], [1, 1], [1, 0], [0, 0]]), np.ones((4, 2)), "abcd", ["small", "large"])
    >>> [KINDS[k] for k in classify(four, ordered=True).kind]
    ['discriminating', 'ceiling', 'inverted', 'floor']
    """
    if len(verdicts.models) < 2 and len(verdicts.items):  # noqa: PLR2004 - one model tells nothing apart
        raise ValueError(f"Expected two or more models, but got {len(verdicts.models)}: {list(verdicts.models)}.")
    missing = (verdicts.count == 0).any(axis=1)
    unstable = ~missing & ((verdicts.right > 0) & (verdicts.right < verdicts.count)).any(axis=1)
    measured = ~missing & ~unstable
    if not ordered:
        scores = (verdicts.right[measured] > 0).sum(axis=0)
        verdicts = verdicts.columns(np.argsort(scores, kind="stable"))
    right = (verdicts.right[measured] > 0).astype(np.float64)
    pairs = compare_models(right)
    rest = item_rest_correlation(right)
    rule = "item_rest" if len(verdicts.models) >= MANY_MODELS else "pairs"
    inverted = (
        rest < -critical_correlation(right.shape[1]) if rule == "item_rest" else _wrong_way(right, pairs, ordered)
    )
    found = np.full(len(right), DISCRIMINATING)
    found[inverted] = INVERTED
    found[right.all(axis=1)] = CEILING
    found[~right.any(axis=1)] = FLOOR
    kind = np.where(missing, MISSING, UNSTABLE)
    kind[measured] = found
    item_rest = np.full(len(kind), math.nan)
    item_rest[measured] = rest
    return Discrimination(verdicts, kind, item_rest, pairs, rule)


def item_rest_correlation(right: Floats) -> Floats:
    """Pearson correlation over models of each item with the number of other items that a model has right.

    A good item is right more often for the models that are right elsewhere. In [-1, 1]; nan where the item, or the
    score on the others, is the same for all models.

    Args:
        right: 1 where an item is right, else 0; shape (items, models).
    """
    if not right.size:
        return np.full(len(right), math.nan)
    rest = right.sum(axis=0) - right
    item = right - right.mean(axis=1, keepdims=True)
    rest = rest - rest.mean(axis=1, keepdims=True)
    spread = np.sqrt((item**2).sum(axis=1) * (rest**2).sum(axis=1))
    result: Floats = np.full(len(right), math.nan)
    np.divide((item * rest).sum(axis=1), spread, out=result, where=spread > 0)
    return result


def critical_correlation(n_models: int) -> float:
    """Correlation that chance exceeds in 5 of 100 items: t / sqrt(df + t^2) with n - 2 degrees of freedom.

    With two models or fewer it is infinite: nothing exceeds it.
    """
    if n_models <= 2:  # noqa: PLR2004 - two points lie on a line
        return math.inf
    t = t_quantile(_ONE_SIDED, n_models - 2)
    return t / math.sqrt(n_models - 2 + t * t)


def _wrong_way(right: Floats, pairs: Sequence[ModelPair], ordered: bool) -> Bools:
    """Items that a weaker model has right and a stronger wrong, over the pairs whose order is known."""
    found = np.zeros(len(right), dtype=bool)
    for pair in pairs:
        if ordered or (pair.told_apart and pair.difference > 0):
            found |= (right[:, pair.weaker] > 0) & (right[:, pair.stronger] == 0)
    return found


def verdicts_of(rows: Rows) -> Verdicts:
    """Passes and repeats of every item and model, from rows that have the models in the place of the conditions."""
    shape = (len(rows.item_names), len(rows.condition_names))
    cell = rows.items * shape[1] + rows.conditions
    count, right = (
        np.bincount(chosen, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float64)
        for chosen in (cell, cell[rows.predictions == rows.references])
    )
    used = np.flatnonzero(count.any(axis=1))
    names = [rows.item_names[int(i)] for i in used]
    return Verdicts(right[used], count[used], names, list(rows.condition_names))
