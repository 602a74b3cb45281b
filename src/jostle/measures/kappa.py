"""Agreement of two raters beyond what chance would give."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> dict[str, Any]:
    """Cohen's kappa of two raters who judged the same things in the same order.

    kappa = (p_o - p_e) / (1 - p_e), with p_o the share of things they agree on and p_e = sum over categories of the
    product of their shares, which is what raters who answer at random with these shares would agree on.

    Args:
        first: Categories of the first rater.
        second: Categories of the second rater, as many.

    Returns:
        `kappa` in [-1, 1] (1: always agree, 0: as by chance), `agreement` = p_o in [0, 1], and `n`. Both are nan
        without anything to compare; kappa is nan where both gave one and the same category to everything (p_e = 1).

    Raises:
        ValueError: The raters judged different numbers of things.

    Limitations: kappa falls where one category is rare, at the same agreement, so read it beside p_o; it takes all
    disagreements for equally bad.

    >>> cohen_kappa(["yes", "yes", "no", "no"], ["yes", "no", "no", "no"])
    {'kappa': 0.5, 'agreement': 0.75, 'n': 4}
    """
    n = len(first)
    if n != len(second):
        raise ValueError(f"Expected two raters of the same things, but got {n} and {len(second)} answers.")
    if not n:
        return {"kappa": math.nan, "agreement": math.nan, "n": 0}
    codes = {category: k for k, category in enumerate(dict.fromkeys([*first, *second]))}
    table = np.zeros((len(codes), len(codes)))
    np.add.at(table, ([codes[a] for a in first], [codes[b] for b in second]), 1)
    agreement = float(np.trace(table)) / n
    chance = float(table.sum(axis=0) @ table.sum(axis=1)) / n**2
    kappa = math.nan if len(codes) == 1 else (agreement - chance) / (1 - chance)
    return {"kappa": kappa, "agreement": agreement, "n": n}
