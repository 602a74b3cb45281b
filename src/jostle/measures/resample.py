"""One resampling engine for every interval: families drawn with replacement, one draw for all statistics.

Rows that are equal are one *pattern* with a count, and one multinomial draw per replicate gives how often each pattern
came up. That is exact in distribution, and its cost does not grow with the number of rows. Where rows hardly repeat
(more patterns than a sixth of the rows), drawing row numbers is cheaper, and that is what happens then.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_DRAWS_AT_ONCE = 4_000_000  # bounds the memory of a block of replicates to some tens of megabytes
_ROW_NUMBERS_AT_ONCE = 1 << 18  # measured: what stays in the cache takes down to half of the time
_ROWS_PER_PATTERN = 6  # measured: below this many rows a pattern, drawing row numbers wins
_MAX_BINS = 1 << 20


def patterns(rows: Floats) -> tuple[Floats, Ints, Ints]:
    """Distinct rows of a table, how often each occurs, and which one each row is.

    Args:
        rows: Shape (n, k), no nan.

    Returns:
        Distinct rows in lexicographic order (p, k), their counts (p,), and the pattern number of every row (n,).
        The first two do not depend on the order of the rows.

    >>> distinct, counts, code = patterns(np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]))
    >>> distinct.tolist(), counts.tolist(), code.tolist()
    ([[0.0, 0.0], [1.0, 0.0]], [1, 2], [1, 0, 1])
    """
    code = np.zeros(len(rows), dtype=np.int64)
    size = 1
    for column in rows.T:
        digit, radix = _digits(column)
        if size * radix > np.iinfo(np.int64).max // 2:
            code, size = _compress(code)
        code, size = code * radix + digit, size * radix
    code, n_patterns = _compress(code, size)
    first = np.empty(n_patterns, dtype=np.int64)
    first[code[::-1]] = np.arange(len(rows) - 1, -1, -1)  # the last write wins, so this leaves each first row
    return rows[first], np.bincount(code, minlength=n_patterns), code


def _digits(column: Floats) -> tuple[Ints, int]:
    """Order-preserving whole numbers for the values of a column, and how many there can be."""
    if not len(column):
        return np.zeros(0, dtype=np.int64), 1
    low, high = float(column.min()), float(column.max())
    whole = column.astype(np.int64)
    if low >= 0 and high < 64 and np.array_equal(whole, column):  # noqa: PLR2004 - small counts need no sort
        return whole, int(high) + 1
    values, inverse = np.unique(column, return_inverse=True)
    return inverse.astype(np.int64), len(values)


def _compress(code: Ints, size: int | None = None) -> tuple[Ints, int]:
    """Renumber codes 0, 1, 2 ... without gaps, keeping their order."""
    if size is not None and size <= _MAX_BINS:
        used = np.bincount(code, minlength=size) > 0
        return (np.cumsum(used) - 1)[code], int(used.sum())
    values, inverse = np.unique(code, return_inverse=True)
    return inverse.astype(np.int64), len(values)


def resample_totals(rows: Floats, n_resamples: int, seed: int, counts: Ints | None = None) -> Floats:
    """Column totals of `n_resamples` bootstrap samples of the rows.

    Each replicate draws n rows with replacement. The rows are families (or items): sums of numerators and
    denominators, so any ratio of means can be formed from the totals. The result depends on the multiset of rows
    and the seed, not on the order of the rows.

    Args:
        rows: Shape (n, k).
        n_resamples: Number of replicates B.
        seed: Seed of the generator; numpy's global state is neither read nor changed.
        counts: How often each row occurs, where the caller has reduced them to patterns already.

    Returns:
        Totals, shape (B, k).

    >>> totals = resample_totals(np.array([[1.0], [0.0]]), n_resamples=1000, seed=0)
    >>> totals.shape, sorted(set(totals[:, 0].tolist()))
    ((1000, 1), [0.0, 1.0, 2.0])

    Reference: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, chapters 6 and 8.
    """
    if not len(rows):
        return np.zeros((n_resamples, rows.shape[1]))
    distinct, counts = (rows, counts) if counts is not None else patterns(rows)[:2]
    n = int(counts.sum())
    rng = np.random.default_rng(seed)
    by_pattern = len(distinct) * _ROWS_PER_PATTERN <= n
    block = max(1, _DRAWS_AT_ONCE // len(distinct) if by_pattern else _ROW_NUMBERS_AT_ONCE // n)
    different, of_column = _different(distinct)
    totals = np.empty((n_resamples, different.shape[1]))
    for start in range(0, n_resamples, block):
        stop = min(start + block, n_resamples)
        totals[start:stop] = _draw(rng, counts, stop - start) @ different
    return totals[:, of_column]


def _different(table: Floats) -> tuple[Floats, Ints]:
    """The columns without repeats, and which one each was: items with all conditions repeat many."""
    first: dict[bytes, int] = {}
    of_column = np.array([first.setdefault(column.tobytes(), len(first)) for column in table.T], dtype=np.int64)
    different = np.empty((len(table), len(first)))
    different[:, of_column] = table
    return different, of_column


def _draw(rng: np.random.Generator, counts: Ints, size: int) -> Floats:
    """How often each pattern is drawn in each of `size` replicates, shape (size, patterns)."""
    n, n_patterns = int(counts.sum()), len(counts)
    if n_patterns * _ROWS_PER_PATTERN <= n:
        return rng.multinomial(n, counts / n, size=size).astype(np.float64)
    pattern_of_row = np.repeat(np.arange(n_patterns), counts)
    drawn = pattern_of_row[rng.integers(0, n, size=(size, n))]
    drawn += np.arange(size)[:, None] * n_patterns
    return np.bincount(drawn.ravel(), minlength=size * n_patterns).reshape(size, n_patterns).astype(np.float64)


def percentile_interval(replicates: Floats, level: float = 0.95) -> tuple[float, float]:
    """Percentile interval of bootstrap replicates; nan replicates (an empty denominator) are left out."""
    kept = replicates[~np.isnan(replicates)]
    if not len(kept):
        return float("nan"), float("nan")
    low, high = np.quantile(kept, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def sum_by(codes: Ints, values: Floats, n_groups: int) -> Floats:
    """Sum rows of `values` (n, k) by group number, shape (n_groups, k)."""
    if not values.shape[1]:
        return np.zeros((n_groups, 0))
    return np.stack([np.bincount(codes, weights=column, minlength=n_groups) for column in values.T], axis=1)
