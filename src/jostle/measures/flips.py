"""Flips: items whose outcome is not the same in all conditions, beside what sampling noise alone would flip."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .align import Rows, Table, align
from .intervals import wilson
from .options import Options, plain
from .resample import Floats, Ints, percentile_interval, resample_totals, sum_by

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
    low, high = _rate_interval(flipped, compared, table, options.n_resamples, options.seed)
    pairwise, noise = pairwise_flip(table, answers=False), noise_rate(table)[1]
    return {
        "flip_rate": _share(flipped, compared),
        "flip_rate_ci_low": low,
        "flip_rate_ci_high": high,
        "n_compared": int(compared.sum()),
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
    return (largest >= 0) & (smallest < largest)


def _share(hits: Bools, among: Bools) -> float:
    return float(hits.sum() / among.sum()) if among.any() else math.nan


def _rate_interval(hits: Bools, among: Bools, table: Table, n_resamples: int, seed: int) -> tuple[float, float]:
    """Wilson interval of a share of items, or the family bootstrap where there are families."""
    if not table.has_families:
        return wilson(float(hits.sum()), int(among.sum()))
    totals = sum_by(table.families, np.stack([hits, among], axis=1).astype(np.float64), table.n_families)
    drawn = resample_totals(totals[totals[:, 1] > 0], n_resamples, seed)
    with np.errstate(invalid="ignore"):
        return percentile_interval(drawn[:, 0] / drawn[:, 1])


def _by_condition(table: Table, state: Ints) -> dict[str, Any]:
    """Flips of each condition against the reference, right -> wrong and wrong -> right apart."""
    rate: dict[str, float] = {}
    lost: dict[str, int] = {}
    gained: dict[str, int] = {}
    if table.reference is not None and len(table.items):
        base = state[:, table.reference]
        for c, name in enumerate(table.conditions):
            if c == table.reference:
                continue
            both = (base >= 0) & (state[:, c] >= 0)
            rate[name] = _share(both & (base != state[:, c]), both)
            lost[name] = int((both & (base > state[:, c])).sum())
            gained[name] = int((both & (base < state[:, c])).sum())
    return {
        "flip_rate_by_condition": rate,
        "right_to_wrong_by_condition": lost,
        "wrong_to_right_by_condition": gained,
    }


def answers_comparable(table: Table) -> bool:
    """Whether each item has one gold in all conditions, so that its answers can be compared as they stand."""
    gold = np.full(len(table.items), -1, dtype=np.int64)
    gold[table.rows.items] = table.rows.references
    return bool((gold[table.rows.items] == table.rows.references).all())


def votes_by_answer(table: Table, answers: bool) -> tuple[Ints, Floats]:
    """How often each item got each answer under each condition.

    Returns:
        Item number of every (item, answer) that occurs, shape (u,), and the counts, shape (u, conditions). Unparsed
        rows do not vote. With `answers=False` the answers are right and wrong.
    """
    rows, n_conditions = table.rows, len(table.conditions)
    vote = rows.predictions if answers else (rows.predictions == rows.references).astype(np.int64)
    voting = vote >= 0
    n_answers = int(vote.max(initial=0)) + 1
    key = rows.items[voting] * n_answers + vote[voting]
    n_keys = len(table.items) * n_answers
    if n_keys > 4 * len(rows):  # many different answers: number only those that occur
        used, key = np.unique(key, return_inverse=True)
    else:
        used = np.arange(n_keys)
    counts = np.bincount(key * n_conditions + rows.conditions[voting], minlength=len(used) * n_conditions)
    return used // n_answers, counts.reshape(len(used), n_conditions).astype(np.float64)


def _answer_flip_rate(table: Table) -> float:
    """Share of items whose majority answer is not the same in all conditions."""
    if not answers_comparable(table) or not table.items:
        return math.nan
    item, counts = votes_by_answer(table, answers=True)
    top = np.zeros((len(table.items), counts.shape[1]))
    np.maximum.at(top, item, counts)
    winners = (counts == top[item]) & (counts > 0)
    n_winners = sum_by(item, winners.astype(np.float64), len(table.items))
    answer = np.full(top.shape, -1, dtype=np.int64)
    u, c = np.nonzero(winners)
    answer[item[u], c] = u
    answer[n_winners != 1] = -1
    compared = (answer >= 0).sum(axis=1) >= 2  # noqa: PLR2004
    return _share(compared & _differs(answer), compared)


def _pair_rates(table: Table, answers: bool) -> tuple[Floats, Floats]:
    """Per item: its mean chance to differ between two conditions, and between two samples of one condition.

    nan where an item has no two conditions (no condition with two samples).
    """
    item, counts = votes_by_answer(table, answers)
    n_items = len(table.items)
    votes = sum_by(item, counts, n_items)
    # Sum over pairs c < c' of p_c . p_c' = (|sum_c p_c|^2 - sum_c |p_c|^2) / 2, per item.
    share = np.divide(counts, votes[item], out=np.zeros_like(counts), where=votes[item] > 0)
    present = (votes > 0).sum(axis=1)
    pairs = present * (present - 1) / 2
    squares = np.stack([share.sum(axis=1) ** 2 - (share**2).sum(axis=1)], axis=1) / 2
    same = sum_by(item, squares, n_items)[:, 0]
    between = np.divide(pairs - same, pairs, out=np.full(n_items, np.nan), where=pairs > 0)
    sample_pairs = (votes * (votes - 1)).sum(axis=1)
    agree = sum_by(item, (counts * (counts - 1)).sum(axis=1, keepdims=True), n_items)[:, 0]
    within = np.divide(sample_pairs - agree, sample_pairs, out=np.full(n_items, np.nan), where=sample_pairs > 0)
    return np.clip(between, 0, 1), np.clip(within, 0, 1)


def pairwise_flip(table: Table, answers: bool) -> float:
    """Mean over pairs of conditions of the chance that an item differs; with samples, of two single samples."""
    if not table.items or (answers and not answers_comparable(table)):
        return math.nan
    if table.complete:
        between = _pair_rates(table, answers)[0]
        return float(np.nanmean(between)) if (~np.isnan(between)).any() else math.nan
    item, counts = votes_by_answer(table, answers)
    votes = sum_by(item, counts, len(table.items))
    share = np.divide(counts, votes[item], out=np.zeros_like(counts), where=votes[item] > 0)
    rates = []
    for a, b in combinations(range(len(table.conditions)), 2):
        both = int(((votes[:, a] > 0) & (votes[:, b] > 0)).sum())
        if both:
            rates.append(1 - float(share[:, a] @ share[:, b]) / both)
    return float(np.mean(rates)) if rates else math.nan


def noise_rate(table: Table) -> tuple[float, float]:
    """Disagreement between samples of one condition: of answers (of correctness where answers cannot be compared),
    and of correctness. nan without repeated samples.
    """
    if not table.items or not (table.count > 1).any():
        return math.nan, math.nan
    right = _pair_rates(table, answers=False)[1]
    answer = _pair_rates(table, answers=True)[1] if answers_comparable(table) else right
    return _nanmean(answer), _nanmean(right)


def _nanmean(values: Floats) -> float:
    return float(np.nanmean(values)) if (~np.isnan(values)).any() else math.nan


def mean_pairwise_bounds(table: Table, n_resamples: int, seed: int) -> tuple[float, float, str]:
    """Mean pairwise flip above the noise floor, the upper end of its 95 % interval, and what it counts.

    On answers where they can be compared, else on correctness. Without families the upper end is Wilson's (the
    variance of a share in [0, 1] is at most the binomial one); with families or noise the larger of that and the
    family bootstrap's.
    """
    answers = answers_comparable(table)
    between, within = _pair_rates(table, answers)
    here = ~np.isnan(between)
    what = "answers" if answers else "outcomes"
    if not here.any():
        return math.nan, math.nan, what
    noisy = not np.isnan(within).all()
    excess = between[here] - (np.nan_to_num(within[here]) if noisy else 0.0)
    mean = float(excess.mean())
    groups = len(np.unique(table.families[here])) if table.has_families else int(here.sum())
    high = wilson(max(mean, 0.0) * groups, groups)[1]
    if table.has_families or noisy:
        totals = sum_by(table.families[here], np.stack([excess, np.ones(len(excess))], axis=1), table.n_families)
        drawn = resample_totals(totals[totals[:, 1] > 0], n_resamples, seed)
        high = max(high, percentile_interval(drawn[:, 0] / drawn[:, 1])[1])
    return mean, high, what
