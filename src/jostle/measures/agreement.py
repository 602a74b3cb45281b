"""How often answers agree: between conditions, and between samples of one condition."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .resample import Floats, Ints, sum_by
from .table import Table


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


def differs_between(table: Table, answers: bool) -> Floats:
    """Per item: its mean chance to differ between two conditions; nan where it has no two of them."""
    item, counts = votes_by_answer(table, answers)
    n_items = len(table.items)
    votes = sum_by(item, counts, n_items)
    # Sum over pairs c < c' of p_c . p_c' = (|sum_c p_c|^2 - sum_c |p_c|^2) / 2, per item.
    share = np.divide(counts, votes[item], out=np.zeros_like(counts), where=votes[item] > 0)
    present = np.count_nonzero(votes, axis=1)
    pairs = present * (present - 1) / 2
    both = (_row_sums(share) ** 2 - _row_sums(share**2)) / 2
    same = np.bincount(item, both, minlength=n_items)
    between: Floats = np.divide(pairs - same, pairs, out=np.full(n_items, np.nan), where=pairs > 0)
    return np.clip(between, 0, 1)


def differs_within(table: Table, answers: bool) -> Floats:
    """Per item: its mean chance to differ between two samples of one condition; nan where no condition has two."""
    if not (table.count > 1).any():
        return np.full(len(table.items), np.nan)
    item, counts = votes_by_answer(table, answers)
    n_items = len(table.items)
    votes = sum_by(item, counts, n_items)
    pairs = _row_sums(votes * (votes - 1))
    agree = np.bincount(item, _row_sums(counts * (counts - 1)), minlength=n_items)
    within: Floats = np.divide(pairs - agree, pairs, out=np.full(n_items, np.nan), where=pairs > 0)
    return np.clip(within, 0, 1)


def _row_sums(values: Floats) -> Floats:
    """Sum of each row, column by column: over few columns twice as fast as `sum`, and alike for rows that are alike."""
    total = np.zeros(len(values))
    for column in values.T:
        total += column
    return total


def pairwise_flip(table: Table, answers: bool) -> float:
    """Mean over pairs of conditions of the chance that an item differs; with samples, of two single samples."""
    if not table.items or (answers and not answers_comparable(table)):
        return math.nan
    if table.complete:
        between = differs_between(table, answers)
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
    right = differs_within(table, answers=False)
    answer = differs_within(table, answers=True) if answers_comparable(table) else right
    return _nanmean(answer), _nanmean(right)


def _nanmean(values: Floats) -> float:
    return float(np.nanmean(values)) if (~np.isnan(values)).any() else math.nan


@dataclass(frozen=True)
class Majority:
    """The answers with most votes: of each (item, answer) and condition whether it is one, and per cell how many are.

    Attributes:
        item: Item number of every (item, answer), shape (u,).
        winners: Whether it has most votes, shape (u, conditions).
        top: Votes of the winners, shape (items, conditions).
        n_winners: How many answers share them; 0 where nothing was parsed. Shape (items, conditions).
    """

    item: Ints
    winners: NDArray[np.bool_]
    top: Floats
    n_winners: Floats


def majority_answers(table: Table) -> Majority:
    """Count the votes of every cell; unparsed rows do not vote."""
    item, counts = votes_by_answer(table, answers=True)
    top = np.zeros((len(table.items), counts.shape[1]))
    np.maximum.at(top, item, counts)
    winners = (counts == top[item]) & (counts > 0)
    return Majority(item, winners, top, sum_by(item, winners.astype(np.float64), len(table.items)))
