"""How well a set of items tells models apart: every pair compared, and the smallest difference it could detect."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from .intervals import Z95, holm, mcnemar_exact
from .resample import Floats

POWER = 0.8
ALPHA = 0.05
_Z_POWER = NormalDist().inv_cdf(POWER)


@dataclass(frozen=True)
class ModelPair:
    """Two models on the same items; the weaker comes first in the order that was given.

    Attributes:
        weaker, stronger: Column numbers.
        weaker_only: Items that the weaker model alone has right.
        stronger_only: Items that the stronger model alone has right.
        n: Items compared.
        p_value: Exact McNemar, two-sided.
        p_value_holm: The same, adjusted for all pairs of models.
    """

    weaker: int
    stronger: int
    weaker_only: int
    stronger_only: int
    n: int
    p_value: float
    p_value_holm: float

    @property
    def difference(self) -> float:
        """Accuracy of the stronger minus that of the weaker; nan without items."""
        return (self.stronger_only - self.weaker_only) / self.n if self.n else math.nan

    @property
    def discordance(self) -> float:
        """Share of items that one of the two has right and the other wrong; nan without items."""
        return (self.stronger_only + self.weaker_only) / self.n if self.n else math.nan

    @property
    def told_apart(self) -> bool:
        """Whether the difference is significant at 5 % after Holm's adjustment."""
        return self.p_value_holm < ALPHA

    @property
    def detectable(self) -> float:
        """Smallest difference that this pair's discordance would let the set detect; see `smallest_detectable`."""
        return smallest_detectable(self.n, self.discordance)


def compare_models(right: Floats) -> list[ModelPair]:
    """Every pair of models on the same items, by the exact McNemar test with Holm's adjustment.

    Args:
        right: 1 where an item is right, else 0; shape (items, models), weakest model first.

    Returns:
        The pairs, ordered by their weaker and then their stronger model.

    >>> pair = compare_models(np.array([[0.0, 1.0]] * 6 + [[1.0, 1.0]] * 4))[0]
    >>> pair.difference, round(pair.p_value, 5)
    (0.6, 0.03125)

    Limitations: items are taken as independent; cases that share a document make the p-values too small.
    """
    n, n_models = right.shape
    only = right.T @ (1 - right)  # only[i, j]: items that i has right and j wrong
    counts = {(i, j): (int(only[i, j]), int(only[j, i])) for i in range(n_models) for j in range(i + 1, n_models)}
    names = {pair: f"{pair[0]} {pair[1]}" for pair in counts}
    raw = {names[pair]: mcnemar_exact(*both) if n else math.nan for pair, both in counts.items()}
    adjusted = holm(raw)
    return [
        ModelPair(*pair, *both, n, raw[names[pair]], adjusted[names[pair]])  # the fields in order
        for pair, both in counts.items()
    ]


def smallest_detectable(n: int, discordance: float) -> float:
    """Smallest true difference in accuracy that n items would show as significant in 80 of 100 comparisons.

    For paired answers the count of items won minus items lost, n d on average, has the standard deviation
    sqrt(n psi) without a difference and sqrt(n (psi - d^2)) with it, where psi is the discordance. The exact
    McNemar test is the normal one with a continuity correction of 1, so d is where

        n d - 1 = z_.975 sqrt(n psi) + z_.8 sqrt(n (psi - d^2)).

    For large n this is d = 2.8 sqrt(psi / n). No difference exceeds the discordance: where d would, the discordance is
    taken to grow with it (psi = d).

    Args:
        n: Items that both models answer.
        discordance: Share of items that exactly one of two models has right.

    Returns:
        The difference, in (0, 1]; nan where no difference could be detected (fewer than 6 items).

    >>> round(smallest_detectable(1000, 0.2), 3), round(smallest_detectable(100, 0.2), 3)
    (0.041, 0.134)

    Limitations: never smaller than what enumerating the exact test gives; within 6 % of it from 20 discordant items
    on, up to 23 % larger with fewer. It holds for one pair of models, two-sided at 5 %: after an adjustment for many
    pairs the difference must be larger, and so where items are not independent.
    """
    if not n or math.isnan(discordance) or _shortfall(1.0, n, discordance) > 0:
        return math.nan
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _shortfall(middle, n, discordance) > 0 else (low, middle)
    return high


def _shortfall(difference: float, n: int, discordance: float) -> float:
    """How far n d - 1 stays below what significance with the wanted power takes."""
    psi = max(discordance, difference)
    spread = Z95 * math.sqrt(n * psi) + _Z_POWER * math.sqrt(n * max(psi - difference**2, 0.0))
    return spread - (n * difference - 1)


def items_needed(difference: float, discordance: float) -> int | None:
    """Fewest items on which `difference` would be detected with 80 % power; None where it exceeds the discordance.

    The same equation as in `smallest_detectable`, solved for n: with a = z_.975 sqrt(psi) + z_.8 sqrt(psi - d^2),
    n = ((a + sqrt(a^2 + 4 d)) / (2 d))^2.

    >>> items_needed(0.01, 0.2)
    15895
    """
    if not 0 < difference <= discordance:
        return None
    a = Z95 * math.sqrt(discordance) + _Z_POWER * math.sqrt(discordance - difference**2)
    return math.ceil(((a + math.sqrt(a * a + 4 * difference)) / (2 * difference)) ** 2)


def median_discordance(pairs: Sequence[ModelPair]) -> float:
    """Median over pairs of models of the share of items that exactly one of the two has right; nan without pairs."""
    values = [pair.discordance for pair in pairs if pair.n]
    return float(np.median(values)) if values else math.nan
