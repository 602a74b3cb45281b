"""How evenly the cases of an evaluation set spread over its classes, and its gold over the places of the options."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .intervals import chi2_sf, wilson

LEAST_EXPECTED = 5.0  # the usual rule for the chi-squared approximation


@dataclass(frozen=True)
class Balance:
    """The distribution of labels.

    Args:
        counts: Cases by class, the largest first.
        n_unlabelled: Cases without a class.
        small_by_share: Classes below the least share.
        small_by_count: Classes below the least count.
        share_threshold: The share below which a class counts as small.
    """

    counts: Mapping[str, int]
    n_unlabelled: int
    small_by_share: Sequence[str]
    small_by_count: Sequence[str]
    share_threshold: float

    @property
    def n_labelled(self) -> int:
        """Cases with a class."""
        return sum(self.counts.values())

    def describe(self) -> dict[str, Any]:
        """The numbers; nan where there is no label.

        `imbalance_ratio` is the largest class over the smallest; `majority_share` the accuracy of always answering the
        largest; `balance` the entropy of the distribution over that of an even one, 1 for an even one and 0 for a
        single class; `resolution` by class the step between two accuracies that it can have, 1 / n.
        """
        sizes, n = list(self.counts.values()), self.n_labelled
        return {
            "n_cases": n + self.n_unlabelled,
            "n_labelled": n,
            "n_unlabelled": self.n_unlabelled,
            "n_classes": len(sizes),
            "imbalance_ratio": max(sizes) / min(sizes) if sizes else math.nan,
            "majority_share": max(sizes) / n if sizes else math.nan,
            "majority_class": next(iter(self.counts), ""),
            "balance": _evenness(sizes),
            "count_by_class": dict(self.counts),
            "share_by_class": {name: size / n for name, size in self.counts.items()},
            "distinct_accuracies_by_class": {name: size + 1 for name, size in self.counts.items()},
            "widest_interval_by_class": {name: _widest(size) for name, size in self.counts.items()},
            "small_by_share": list(self.small_by_share),
            "small_by_count": list(self.small_by_count),
            "share_threshold": self.share_threshold,
        }


def class_balance(labels: Sequence[str | None], min_share: float = 0.10, min_count: int = 5) -> Balance:
    """Count the classes and name the small ones.

    A class is small by share below `min_share`. Where there are so many classes that an even share 1/K would itself be
    below, it is small below half the even share instead: else every class of a balanced set would be.

    Args:
        labels: Class of every case; None is unlabelled.
        min_share: Least share of the labelled cases.
        min_count: Least number of cases.

    Raises:
        ValueError: A share outside [0, 1], or a negative count.

    >>> found = class_balance(["a"] * 9 + ["b"] + [None])
    >>> found.counts, found.small_by_share, found.small_by_count, found.describe()["imbalance_ratio"]
    ({'a': 9, 'b': 1}, [], ['b'], 9.0)
    """
    if not 0 <= min_share <= 1 or min_count < 0:
        raise ValueError(
            f"Expected a least share in [0, 1] and a least count from 0 on, but got {min_share} and {min_count}."
        )
    found = Counter(label for label in labels if label is not None)
    counts = dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
    n = sum(counts.values())
    threshold = min_share if not counts or 1 / len(counts) >= min_share else 0.5 / len(counts)
    return Balance(
        counts,
        len(labels) - n,
        [name for name, size in counts.items() if size / n < threshold],
        [name for name, size in counts.items() if size < min_count],
        threshold,
    )


def _evenness(sizes: Sequence[int]) -> float:
    if len(sizes) < 2:  # noqa: PLR2004 - one class has no other to be even with
        return 0.0 if sizes else math.nan
    shares = np.asarray(sizes, dtype=float) / sum(sizes)
    return float(-(shares * np.log(shares)).sum() / math.log(len(sizes)))


def _widest(size: int) -> float:
    """Width of the 95 % interval of an accuracy of one half, where it is widest."""
    low, high = wilson(size / 2, size)
    return high - low


@dataclass(frozen=True)
class PositionBalance:
    """How often the gold option stands at each place.

    Args:
        counts: Gold options by place, from 0.
        chances: Expected share of each place if the gold were placed evenly.
        chi2: Pearson's statistic, summed over the numbers of options.
        df: Its degrees of freedom.
        tested: Cases whose number of options is frequent enough for the test.
    """

    counts: Sequence[int]
    chances: Sequence[float]
    chi2: float = 0.0
    df: int = 0
    tested: int = field(default=0)

    @property
    def p_value(self) -> float:
        """Upper tail of the chi-squared distribution; nan where nothing could be tested."""
        return chi2_sf(self.chi2, self.df) if self.df else math.nan

    @property
    def best_share(self) -> float:
        """Accuracy of always answering the most frequent place."""
        return max(self.counts) / sum(self.counts) if sum(self.counts) else math.nan

    @property
    def chance(self) -> float:
        """Accuracy to expect of the same place if the gold were placed evenly."""
        return self.chances[int(np.argmax(self.counts))] if sum(self.counts) else math.nan


def position_balance(golds: Sequence[int], sizes: Sequence[int]) -> PositionBalance:
    """Test whether the gold options are placed evenly, by Pearson's chi-squared test.

    Cases with different numbers of options are tested apart and the statistics added, with the degrees of freedom;
    a number of options that gives fewer than five expected cases a place is left out of the test.

    Args:
        golds: Place of each gold option, from 0.
        sizes: Number of options of each case.

    >>> found = position_balance([0, 0, 0, 0, 0, 0, 0, 0, 1, 1], [2] * 10)
    >>> found.counts, round(found.chi2, 1), round(found.p_value, 3), found.best_share
    ([8, 2], 3.6, 0.058, 0.8)
    """
    places, options = np.asarray(golds, dtype=np.int64), np.asarray(sizes, dtype=np.int64)
    most = int(options.max(initial=0))
    counts = np.bincount(places, minlength=most)
    expected = np.zeros(most)
    chi2, df, tested = 0.0, 0, 0
    for k in np.unique(options).tolist():
        here = places[options == k]
        expected[:k] += len(here) / k
        if k > 1 and len(here) / k >= LEAST_EXPECTED:
            observed = np.bincount(here, minlength=k)
            chi2 += float(((observed - len(here) / k) ** 2).sum() / (len(here) / k))
            df, tested = df + k - 1, tested + len(here)
    shares = expected / len(places) if len(places) else expected
    return PositionBalance(counts.tolist(), shares.tolist(), chi2, df, tested)


def length_summary(texts: Sequence[str]) -> dict[str, float]:
    """Words and characters of texts: smallest, quartiles, largest and mean.

    >>> length_summary(["one two", "three"])["words_median"]
    1.5
    """
    result: dict[str, float] = {}
    for unit, sizes in (("words", word_counts(texts)), ("characters", np.asarray([len(text) for text in texts]))):
        if not len(sizes):
            result |= {f"{unit}_{name}": math.nan for name in ("min", "median", "p95", "max", "mean")}
            continue
        low, middle, high, top = (float(np.quantile(sizes, q)) for q in (0, 0.5, 0.95, 1))
        result |= {f"{unit}_min": low, f"{unit}_median": middle, f"{unit}_p95": high, f"{unit}_max": top}
        result[f"{unit}_mean"] = float(sizes.mean())
    return result


def word_counts(texts: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Words of each text, as spaces part them."""
    return np.asarray([len(text.split()) for text in texts], dtype=float)


def length_by_class(texts: Sequence[str], labels: Sequence[str | None]) -> tuple[dict[str, float], float]:
    """Median words of each class, and how much of the variation of length the class explains.

    The second is epsilon squared of log(1 + words), 1 - (1 - eta^2) (n - 1) / (n - K): the share of variance between
    the K classes, adjusted so that it is about 0 where length says nothing of the class (it can be below), and 1 where
    length gives it away. It is nan with fewer than two classes, one case a class, or without variation.

    >>> length_by_class(["a", "b", "c d e f", "e f g h"], ["x", "x", "y", "y"])
    ({'x': 1.0, 'y': 4.0}, 1.0)
    """
    kept = [k for k, label in enumerate(labels) if label is not None]
    words, names = word_counts([texts[k] for k in kept]), np.asarray([labels[k] for k in kept], dtype=str)
    classes, codes = np.unique(names, return_inverse=True)
    medians = {str(name): float(np.median(words[codes == k])) for k, name in enumerate(classes)}
    logs = np.log1p(words)
    if len(classes) < 2 or len(words) == len(classes) or words.min() == words.max():  # noqa: PLR2004
        return medians, math.nan
    sizes = np.bincount(codes)
    means = np.bincount(codes, weights=logs) / sizes
    within = float(((logs - means[codes]) ** 2).sum())
    whole = float(((logs - logs.mean()) ** 2).sum())
    return medians, 1 - within / whole * (len(logs) - 1) / (len(logs) - len(classes))
