"""Flips: items whose outcome is not the same in all conditions, beside what sampling noise alone would flip."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .agreement import answers_comparable, majority_answers, noise_rate, pairwise_flip
from .align import align
from .intervals import family_interval, holm, mcnemar_exact, wilson
from .options import Options, plain
from .resample import Ints, sum_by
from .table import Rows, Table

NAME = "flip_rate"
LIMITATIONS = (
    "The flip rate grows with the number of conditions from noise alone; the mean pairwise flip does not.",
    "A flip says that an outcome changed, not why, and not that it would flip again.",
)

Bools = NDArray[np.bool_]


def flips(rows: Rows, options: Options) -> dict[str, Any]:
    """How many items change side between conditions.

    `flip_rate` = share of items whose correctness is not the same in all their conditions. It grows with the number
    of conditions from noise alone, so beside it `mean_pairwise_flip` = mean over pairs of conditions of the share of
    items that differ, and `noise_flip_rate` = the same between samples of one condition. `answer_flip_rate` is the
    flip rate of the predicted answer, for wrong -> other wrong is a flip too; an unparsed answer is counted, not a
    flip. With samples a condition is right or wrong by the majority of its samples, and an exact half is
    `n_unstable`: that cell is left out.

    Returns:
        The flip keys (see the metric card), rates in [0, 1], nan where nothing was compared.

    Limitations: a flip says that the outcome changed, not why. Answer flips are nan where the gold differs between
    the conditions of an item (option letters that were not mapped back), for then answers cannot be compared.
    """
    table = align(rows, options.missing, options.reference)
    return plain(table.counts() | table_flips(table, options))  # type: ignore[no-any-return]


def table_flips(table: Table, options: Options) -> dict[str, Any]:
    """The flips of outcomes that are aligned already."""
    state, unstable = majority(table)
    n_states = (state >= 0).sum(axis=1)
    compared = n_states >= 2  # noqa: PLR2004 - a flip needs two conditions
    flipped = compared & _differs(state)
    low, high = _rate_interval(flipped, compared, table)
    pairwise, noise = pairwise_flip(table, answers=False), noise_rate(table)[1]
    return {
        "flip_rate": _share(flipped, compared),
        "flip_rate_ci_low": low,
        "flip_rate_ci_high": high,
        "n_compared": int(compared.sum()),
        "n_flipped": int(flipped.sum()),
        "answer_flip_rate": _answer_flip_rate(table),
        "mean_pairwise_flip": pairwise,
        "mean_pairwise_answer_flip": pairwise_flip(table, answers=True),
        "noise_flip_rate": noise,
        "excess_flip_rate": pairwise - noise,
        "worst_case_accuracy": _share(compared & (np.where(state < 0, 1, state) == 1).all(axis=1), compared),
        "n_unstable": int(unstable.sum()),
        "degenerate": not compared.any() or len(table.items) == 1,
    } | _by_condition(table, state)


def majority(table: Table) -> tuple[Ints, Bools]:
    """1 right, 0 wrong, -1 absent or exactly half; and where it is exactly half. Shape (items, conditions)."""
    twice = 2 * table.right
    unstable = (table.count > 0) & (twice == table.count)
    state = np.where(twice > table.count, 1, 0)
    return np.where((table.count == 0) | unstable, -1, state), unstable


def _differs(state: Ints) -> Bools:
    """Whether the non-negative entries of each row are not all the same."""
    if state.shape[1] == 0:
        return np.zeros(len(state), dtype=bool)
    largest = state.max(axis=1)
    smallest = np.where(state < 0, np.iinfo(np.int64).max, state).min(axis=1)
    return np.asarray((largest >= 0) & (smallest < largest))


def _share(hits: Bools, among: Bools) -> float:
    return float(hits.sum() / among.sum()) if among.any() else math.nan


def _rate_interval(hits: Bools, among: Bools, table: Table) -> tuple[float, float]:
    """Wilson interval of a share of items, with an effective number of them where there are families."""
    if not table.has_families:
        return wilson(float(hits.sum()), int(among.sum()))
    return family_interval(sum_by(table.families, np.stack([hits, among], axis=1).astype(np.float64), table.n_families))


def _by_condition(table: Table, state: Ints) -> dict[str, Any]:
    """Flips of each condition against the reference, right -> wrong and wrong -> right apart.

    With them the exact McNemar p-value of each condition, raw and adjusted by Holm; nan with families, for the test
    takes items as independent.
    """
    rate: dict[str, float] = {}
    lost: dict[str, int] = {}
    gained: dict[str, int] = {}
    if table.reference is not None:
        base = state[:, table.reference]
        for name, c in sorted((name, c) for c, name in enumerate(table.conditions)):
            if c == table.reference:
                continue
            both = (base >= 0) & (state[:, c] >= 0)
            rate[name] = _share(both & (base != state[:, c]), both)
            lost[name] = int((both & (base > state[:, c])).sum())
            gained[name] = int((both & (base < state[:, c])).sum())
    independent = not table.has_families
    p_values = {name: mcnemar_exact(lost[name], gained[name]) if independent else math.nan for name in rate}
    return {
        "p_value_by_condition": p_values,
        "p_value_holm_by_condition": holm(p_values),
        "flip_rate_by_condition": rate,
        "right_to_wrong_by_condition": lost,
        "wrong_to_right_by_condition": gained,
    }


def _answer_flip_rate(table: Table) -> float:
    """Share of items whose majority answer is not the same in all conditions."""
    if not answers_comparable(table) or not table.items:
        return math.nan
    votes = majority_answers(table)
    answer = np.full(votes.top.shape, -1, dtype=np.int64)
    u, c = np.nonzero(votes.winners)
    answer[votes.item[u], c] = u
    answer[votes.n_winners != 1] = -1
    compared = (answer >= 0).sum(axis=1) >= 2  # noqa: PLR2004
    return _share(compared & _differs(answer), compared)


MEASURE = flips
