"""What gives an option away without knowing anything: its length, its words, or that no other is named."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

from ..measures.binomial import binomial_p_value
from ..measures.intervals import holm, wilson
from ..measures.words import words
from .base import Case
from .leak_texts import padded

CUES = {
    "longest": "is the longest",
    "shortest": "is the shortest",
    "most_overlap": "shares most words with the question",
    "only_in_input": "is the only one that stands in the input",
}

_MOST_CLASSES = 50


@dataclass(frozen=True)
class Cue:
    """How often the one option that has a cue is the gold.

    Args:
        name: One of `CUES`, or `class_named`.
        told: For each case that exactly one option has the cue in: its number, whether that is the gold, its chance.
        n: Cases with a gold option.
        p_value: Two-sided exact binomial, adjusted for all cues by Holm.
    """

    name: str
    told: Sequence[tuple[int, bool, float]]
    n: int
    p_value: float = math.nan

    @property
    def hits(self) -> int:
        """Cases in which the cue points to the gold."""
        return sum(hit for _, hit, _ in self.told)

    @property
    def expected(self) -> float:
        """Share of hits by chance."""
        return sum(chance for *_, chance in self.told) / len(self.told) if self.told else math.nan

    def raw_p_value(self) -> float:
        """Exact p-value of the number of hits."""
        trials = Counter(round(chance, 6) for *_, chance in self.told)
        return binomial_p_value(self.hits, trials) if self.told else math.nan

    def describe(self) -> dict[str, Any]:
        """Counts, share with its interval (Wilson), chance and p-value."""
        low, high = wilson(self.hits, len(self.told))
        return {
            "n": len(self.told),
            "n_gold": self.hits,
            "share": self.hits / len(self.told) if self.told else math.nan,
            "share_ci_low": low,
            "share_ci_high": high,
            "expected_share": self.expected,
            "p_value_holm": self.p_value,
        }


def option_cues(cases: Sequence[Case], inputs: Sequence[str] | None = None) -> list[Cue]:
    """The cues of the options of multiple-choice cases; chance is 1 / number of options.

    Only cases count in which exactly one option has the cue: of two options that are equally long, none is longest.

    Args:
        cases: The cases.
        inputs: Words of their inputs as `padded` gives them, where they are known.
    """
    told: dict[str, list[tuple[int, bool, float]]] = {name: [] for name in CUES}
    n = 0
    for k, case in enumerate(cases):
        options, gold = case.choices, case.answer_index
        if options is None or gold is None or not 0 <= gold < len(options):
            continue
        n += 1
        if len(options) > 1:
            for name, place in _cued(padded(words(case.text)) if inputs is None else inputs[k], options):
                told[name].append((k, place == gold, 1 / len(options)))
    return adjusted([Cue(name, found, n) for name, found in told.items()])


def _cued(text: str, options: Sequence[str]) -> Iterator[tuple[str, int]]:
    """The cues that exactly one option has, and its place."""
    lengths = [len(option.strip()) for option in options]
    tokens = [words(option) for option in options]
    asked = set(text.split())
    places = {
        "longest": single_most(lengths),
        "shortest": single_most([-length for length in lengths]),
        "most_overlap": single_most([len(asked.intersection(own)) for own in tokens]),
        "only_in_input": only_named(text, [padded(own) for own in tokens]),
    }
    return ((name, place) for name, place in places.items() if place is not None)


def class_cue(cases: Sequence[Case], golds: Sequence[str | None]) -> Cue:
    """How often the only class that an input names is its gold class; chance is the share of that class in the set."""
    counts = Counter(gold for gold in golds if gold is not None)
    total = sum(counts.values())
    names = [name for name in sorted(counts) if any(len(token) > 1 and not token.isdecimal() for token in words(name))]
    told = []
    if 1 < len(names) == len(counts) <= _MOST_CLASSES:
        needles = [padded(words(name)) for name in names]
        for k, (case, gold) in enumerate(zip(cases, golds, strict=True)):
            text = padded(words(case.text)) if gold is not None else ""
            named = [name for name, needle in zip(names, needles, strict=True) if needle in text]
            if len(named) == 1:
                told.append((k, named[0] == gold, counts[named[0]] / total))
    return adjusted([Cue("class_named", told, total)])[0]


def adjusted(cues: Sequence[Cue]) -> list[Cue]:
    """The cues with their p-values, adjusted by Holm."""
    p_values = holm({cue.name: cue.raw_p_value() for cue in cues})
    return [Cue(cue.name, cue.told, cue.n, p_values[cue.name]) for cue in cues]


def single_most(values: Sequence[float]) -> int | None:
    """Place of the largest value; None where two are equally large.

    >>> single_most([3, 5, 1]), single_most([2, 2])
    (1, None)
    """
    most = max(values)
    return values.index(most) if values.count(most) == 1 else None


def only_named(text: str, options: Sequence[str]) -> int | None:
    """Place of the only option that stands in a text as whole words; None where none or several do.

    Args:
        text: Words of the text, as `padded` gives them.
        options: Words of the options, likewise.

    >>> only_named(" rome fell in 476 ", [" rome ", " athens "])
    0
    """
    found = [k for k, option in enumerate(options) if option.strip() and option in text]
    return found[0] if len(found) == 1 else None


def hit_ids(cue: Cue, cases: Sequence[Case]) -> Iterator[str]:
    """Ids of the cases in which the cue points to the gold."""
    return (cases[k].id for k, hit, _ in cue.told if hit)


def ids_of(places: Set[int], cases: Sequence[Case]) -> tuple[str, ...]:
    """Ids of cases by number, in their order."""
    return tuple(cases[k].id for k in sorted(places))
