"""Exact test of a count of hits whose chance is known."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from .resample import Floats


def binomial_pmf(n: int, p: float) -> Floats:
    """Probability of 0, 1, ... n hits in n trials.

    >>> binomial_pmf(2, 0.5).round(9).tolist()
    [0.25, 0.5, 0.25]
    """
    if p <= 0 or p >= 1:
        pmf = np.zeros(n + 1)
        pmf[n if p >= 1 else 0] = 1.0
        return pmf
    odds, top = math.log(p / (1 - p)), math.lgamma(n + 1)
    logs = [top - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * odds for k in range(n + 1)]
    return np.exp(np.array(logs) + n * math.log1p(-p))


def hits_pmf(trials: Mapping[float, int]) -> Floats:
    """Probability of 0, 1, ... hits where trials differ in their chance (the Poisson-binomial distribution).

    Args:
        trials: Number of trials by chance.
    """
    pmf = np.ones(1)
    for p, n in sorted(trials.items()):
        pmf = np.convolve(pmf, binomial_pmf(n, p))
    return pmf


def binomial_p_value(hits: int, trials: Mapping[float, int]) -> float:
    """Two-sided exact p-value of a number of hits: twice the smaller tail, at most 1; 1.0 without trials.

    Args:
        hits: Hits over all trials.
        trials: Number of trials by chance; with a single chance this is the exact binomial test.

    >>> round(binomial_p_value(9, {0.5: 10}), 4)  # 2 (10 + 1) / 1024
    0.0215
    """
    pmf = hits_pmf(trials)
    return min(1.0, 2 * float(min(pmf[: hits + 1].sum(), pmf[hits:].sum())))
