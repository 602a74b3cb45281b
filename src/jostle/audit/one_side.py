"""How well the gold is guessed from a part of the input: one side of a pair, or the options without the question."""

from __future__ import annotations

import math
import zlib
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..measures.difference import mean_difference
from ..measures.intervals import wilson
from ..measures.linear import balanced_folds, cross_scores, ngram_rows
from ..measures.links import Links
from ..measures.options import Options
from ..measures.resample import Floats, Ints
from ..measures.words import words
from .base import Case, EvalSet

MOST_CASES = 10_000  # of a baseline; its interval is then within 1 point
FEWEST_CASES = 100
_MOST_CLASSES = 50
_FAMILIES = ("family", "families", "group", "document", "promptID", "pair_id")
_TIED = 1e-12


@dataclass(frozen=True)
class Baseline:
    """Accuracy of a model that sees only a part of the input.

    Args:
        name: What it sees: a side, `answer_only` or `options_only`.
        accuracy: Share of held-out cases that it has right.
        low: Lower end of the 95 % interval (Wilson, with the effective number of independent cases).
        high: Upper end.
        guess: Accuracy without any input: of the majority class, or 1 / number of options.
        gain: Accuracy minus guess, with its interval, over groups of cases.
        gain_low: Its lower end.
        gain_high: Its upper end.
        p_value: Two-sided, of no gain, paired by case and over groups.
        n: Cases.
        n_groups: Groups of cases with a text or family in common; a group is in one fold.
    """

    name: str
    accuracy: float
    low: float
    high: float
    guess: float
    gain: float
    gain_low: float
    gain_high: float
    p_value: float
    n: int
    n_groups: int

    def describe(self) -> dict[str, Any]:
        """All numbers by name."""
        return {
            "accuracy": self.accuracy,
            "accuracy_ci_low": self.low,
            "accuracy_ci_high": self.high,
            "guess": self.guess,
            "gain": self.gain,
            "gain_ci_low": self.gain_low,
            "gain_ci_high": self.gain_high,
            "p_value": self.p_value,
            "n": self.n,
            "n_groups": self.n_groups,
        }


def pair_baselines(evalset: EvalSet) -> list[Baseline]:
    """Cross-validated accuracy from each side of a pair alone, against the majority class.

    A ridge regression on hashed words and pairs of words, on five folds. Cases that share a side or a family are in one
    fold. Of more than 10,000 cases, those with the smallest hashes are taken.

    Returns:
        A baseline for each side; none without pairs, labels of 2 to 50 classes, 100 cases and 10 groups.
    """
    names = evalset.pair_fields
    cases = [case for case in evalset.cases if case.label is not None and names and set(names) <= set(case.fields)]
    if names is None or len(cases) < FEWEST_CASES or not 1 < len({c.label for c in cases}) <= _MOST_CLASSES:
        return []
    cases = sampled(cases)
    labels = sorted({str(case.label) for case in cases})
    gold = np.array([labels.index(str(case.label)) for case in cases])
    guess = np.bincount(gold).argmax()
    groups = _groups([[*((name, _key(case.fields[name])) for name in names), *_families(case)] for case in cases])
    folds = _folds(groups, cases)
    if folds is None:
        return []
    target = np.eye(len(labels))[gold]
    found = []
    for name in names:
        scores = cross_scores(ngram_rows([str(case.fields[name]) for case in cases]), target, folds)
        right = (scores.argmax(axis=1) == gold).astype(np.float64)
        found.append(_baseline(name, right, (gold == guess).astype(np.float64), groups))
    return found


def option_baselines(evalset: EvalSet) -> list[Baseline]:
    """Cross-validated accuracy from the options without the question, against chance.

    `answer_only` scores each option by its own words; `options_only` also knows how it compares with the others in
    length and in words that they share.

    Returns:
        Both; none with fewer than 100 cases or 10 groups.
    """
    usable = (case for case in evalset.cases if case.choices is not None and len(case.choices) > 1)
    cases = [case for case in usable if case.answer_index is not None and case.answer_index < len(case.choices or ())]
    if len(cases) < FEWEST_CASES:
        return []
    cases = sampled(cases)
    choices = [case.choices or () for case in cases]
    groups = _groups(
        [
            [("input", _key(case.text)), ("choices", *sorted(map(_key, own))), *_families(case)]
            for case, own in zip(cases, choices, strict=True)
        ]
    )
    folds = _folds(groups, cases)
    if folds is None:
        return []
    row = np.repeat(np.arange(len(cases)), [len(own) for own in choices])
    first = np.searchsorted(row, np.arange(len(cases)))
    gold = first + np.array([case.answer_index for case in cases])
    target = np.zeros((len(row), 1))
    target[gold] = 1.0
    options = [option for own in choices for option in own]
    compared = [marks for own in choices for marks in comparison(own)]
    chance = np.array([1 / len(own) for own in choices])
    found = []
    for name, extra in (("answer_only", None), ("options_only", compared)):
        scores = cross_scores(ngram_rows(options, extra), target, folds[row])[:, 0]
        found.append(_baseline(name, credit(scores, first, gold), chance, groups))
    return found


def comparison(options: Sequence[str]) -> list[list[str]]:
    """How each option compares with the others: in length, in shared words, in holding numbers.

    >>> comparison(["red", "a red car"])[1]
    ['longest', 'shares most']
    """
    lengths = [len(option.strip()) for option in options]
    sets = [set(words(option)) for option in options]
    shared = [sum(len(one & other) for other in sets) - len(one) for one in sets]
    digits = [any(character.isdecimal() for character in option) for option in options]
    marks = []
    for k, length in enumerate(lengths):
        own = ["longest"] if length == max(lengths) > min(lengths) else []
        own += ["shortest"] if length == min(lengths) < max(lengths) else []
        own += ["shares most"] if shared[k] == max(shared) > 0 else []
        own += ["shares least"] if shared[k] == min(shared) < max(shared) else []
        own += [f"number alone {digits[k]}"] if digits.count(digits[k]) == 1 and len(options) > 2 else []  # noqa: PLR2004
        marks.append(own)
    return marks


def credit(scores: Floats, first: Ints, gold: Ints) -> Floats:
    """1 for a case whose gold option has the highest score, 1 / m where m options share it, else 0."""
    best = np.maximum.reduceat(scores, first)
    tied = np.add.reduceat(scores >= np.repeat(best, np.diff([*first, len(scores)])) - _TIED, first)
    found: Floats = np.where(scores[gold] >= best - _TIED, 1 / tied, 0.0)
    return found


def sampled(cases: Sequence[Case], most: int = MOST_CASES) -> list[Case]:
    """The cases with the smallest hashes of their texts, in the order of the set; all where there are no more."""
    if len(cases) <= most:
        return list(cases)
    hashes = np.array([_hash(case) for case in cases])
    return [cases[k] for k in np.sort(np.argsort(hashes, kind="stable")[:most])]


def _hash(case: Case) -> int:
    return zlib.crc32(f"{case.text}\x00{case.choices}".encode("utf-8", "surrogatepass"))


def _key(text: Any) -> str:
    return " ".join(str(text).casefold().split())


def _families(case: Case) -> Iterable[Hashable]:
    return (("family", name, str(case.metadata[name])) for name in _FAMILIES if case.metadata.get(name) is not None)


def _groups(keys: Sequence[Sequence[Hashable]]) -> Ints:
    """Group of each case: cases that have any key in common, directly or through others."""
    links = Links(len(keys))
    seen: dict[Hashable, int] = {}
    pairs = [(seen.setdefault(key, k), k) for k, own in enumerate(keys) for key in own]
    if pairs:
        links.join(*zip(*pairs, strict=True))
    return np.unique(links.roots, return_inverse=True)[1].astype(np.int64)


def _folds(groups: Ints, cases: Sequence[Case]) -> Ints | None:
    """Folds of the cases; None where one group is so large that nothing independent is left to learn from."""
    sizes = Counter(groups.tolist())
    if len(sizes) < 10 or max(sizes.values()) > len(cases) / 2:  # noqa: PLR2004 - two groups for each fold
        return None
    return balanced_folds(groups, np.array([_hash(case) for case in cases]))


def _baseline(name: str, right: Floats, guess: Floats, groups: Ints) -> Baseline:
    found = mean_difference(right - guess, groups, Options(n_resamples=2000))
    n, p = len(right), float(right.mean())
    sums = np.bincount(groups, weights=right - p)
    spread = float((sums**2).sum()) / n**2  # variance of the mean over groups
    effective = n if spread <= 0 else min(n, p * (1 - p) / spread)
    low, high = wilson(p * effective, effective)
    gain = found.estimate if n else math.nan
    return Baseline(
        name, p, low, high, float(guess.mean()), gain, found.low, found.high, found.p_value, n, int(groups.max()) + 1
    )
