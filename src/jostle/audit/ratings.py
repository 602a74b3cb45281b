"""How far people agree on a case, where the file has their ratings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, TypeGuard

import numpy as np

from ..measures.intervals import t_quantile
from .base import Case

MOST_SHARE = 0.8  # of the cases that must have ratings
FEWEST_RATERS = 3
SMALL_MAJORITY = 0.6
_LARGEST = 1e100  # squares of it can still be summed
_SPREADS = ("sd", "std", "stdev", "stddev", "standard_deviation", "rating_sd", "rating_std", "score_sd", "label_std")


@dataclass(frozen=True)
class Rated:
    """Cases by how far their raters agree.

    Args:
        column: The column with the ratings of each case, or with their standard deviation.
        kind: `numbers`, `classes` or `spread`.
        spread: For each case the standard deviation, or of classes 1 - the share of the largest; nan where not rated.
        unclear: Numbers of the cases on which the raters do not tell which answer is gold; most spread first.
        middle: Middle of the scale, between its smallest and largest rating (0 where it has both signs).
    """

    column: str
    kind: str
    spread: np.ndarray[Any, np.dtype[np.float64]]
    unclear: Sequence[int]
    middle: float | None = None


def rated(cases: Sequence[Case]) -> list[Rated]:
    """Columns with ratings, and the cases on which they disagree.

    A column has ratings where at least 80 % of the cases have a list of three or more numbers (or of three or more of
    few classes) in it. Cases are unclear where the 95 % interval of the mean rating (Student's t) has the middle of the
    scale in it, or where the largest class has at most 60 %. Where there is no such list, a column called `sd` or the
    like is read: cases beyond the third quartile by 1.5 times the interquartile range are unclear.
    """
    names = sorted({name for case in cases for name in case.metadata})
    found = []
    for name in names:
        lists = [_ratings(case.metadata.get(name)) for case in cases]
        if sum(one is not None for one in lists) >= MOST_SHARE * len(cases):
            one = _numbers(name, lists) or _classes(name, lists)
            found += [one] if one is not None else []
    if not found:
        found = [one for name in names if name.casefold() in _SPREADS and (one := _spread(name, cases)) is not None]
    return found


def _ratings(value: Any) -> list[Any] | None:
    if not isinstance(value, (list, tuple)) or len(value) < FEWEST_RATERS:
        return None
    return list(value) if all(isinstance(one, str) or _is_number(one) for one in value) else None


def _is_number(value: Any) -> TypeGuard[float]:
    """Whether a value is a finite number; JSON has whole numbers beyond what a float holds."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _numbers(name: str, lists: Sequence[list[Any] | None]) -> Rated | None:
    values = [value for one in lists for value in one or ()]
    if not all(isinstance(value, Real) for value in values):
        return None
    low, high = float(min(values)), float(max(values))
    if low == high:
        return None
    middle = 0.0 if low < 0 < high else (low + high) / 2
    spread, unclear = np.full(len(lists), np.nan), []
    for k, one in enumerate(lists):
        if one is None:
            continue
        ratings = np.array(one, dtype=np.float64)
        spread[k] = ratings.std(ddof=1)
        if abs(ratings.mean() - middle) <= t_quantile(0.975, len(ratings) - 1) * spread[k] / np.sqrt(len(ratings)):
            unclear.append(k)
    return Rated(name, "numbers", spread, sorted(unclear, key=lambda k: -spread[k]), middle)


def _classes(name: str, lists: Sequence[list[Any] | None]) -> Rated | None:
    given = [one for one in lists if one is not None]
    distinct = {str(value) for one in given for value in one}
    if not 1 < len(distinct) <= max(2, len(given) // 2) or not any(len(set(one)) < len(one) for one in given):
        return None
    spread = np.array([np.nan if one is None else 1 - _largest(one) for one in lists])
    unclear = [k for k, one in enumerate(lists) if one is not None and _largest(one) <= SMALL_MAJORITY]
    return Rated(name, "classes", spread, sorted(unclear, key=lambda k: -spread[k]))


def _largest(ratings: Sequence[Any]) -> float:
    return Counter(map(str, ratings)).most_common(1)[0][1] / len(ratings)


def _spread(name: str, cases: Sequence[Case]) -> Rated | None:
    values = [case.metadata.get(name) for case in cases]
    spread = np.array([float(v) if _is_number(v) else np.nan for v in values])
    if np.isfinite(spread).sum() < MOST_SHARE * len(cases):
        return None
    quarter, three = np.nanquantile(spread, [0.25, 0.75])
    beyond = np.flatnonzero(spread > three + 1.5 * (three - quarter))
    return Rated(name, "spread", spread, sorted(beyond.tolist(), key=lambda k: -spread[k]))
