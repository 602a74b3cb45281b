"""Spellings that people get wrong: a word of the table becomes its common misspelling."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from . import lexicon
from .base import Change, NotApplicable, Span
from .words import ENGLISH_WORD, Passage, cased_like, limited, new_change, not_english

KIND = "pert"
RELATION = "invariant"
TASKS = ("*",)
RATE = 0.2
PROMISE = "The same words, a few of them misspelled in a way that many writers do."
LIMITATIONS = (
    "Only words in the table, which are the ones often misspelled in English; many texts hold none of them.",
    "Words with a capital inside a sentence are left alone, as they may be names.",
    "Each word has one misspelling in the table; people have more, and make them at rates that are not modelled.",
)

_WORD = re.compile(ENGLISH_WORD)
_NO_WORD = NotApplicable("no word that is often misspelled")
_SMALL = frozenset("abcdefghijklmnopqrstuvwxyz")
_LETTERS = re.compile("[a-z]{4,}")  # quick, and finds more than words: only a first look


def edits(passage: Passage, rng: random.Random, rate: float) -> list[Change] | NotApplicable:
    """Misspell words of the table.

    Args:
        passage: The text.
        rng: Draws the words when `rate` allows fewer than there are.
        rate: At most this share of the words is edited.
    """
    table = lexicon.pairs("misspellings")
    text = passage.text
    lowered = text.lower()
    known = list(filter(table.__contains__, _LETTERS.findall(lowered)))
    changes = []
    for start, end in _places(text, lowered, known):
        if passage.is_free(start, end):
            word = text[start:end]
            cased = cased_like(word, table[word.lower()], text, start)
            if cased:
                changes.append(new_change((start, end, cased)))
    if len(changes) > 1:
        return limited(rng, changes, passage.budget(rate))
    return changes or not_english(text) or _NO_WORD


def _places(text: str, lowered: str, known: list[str]) -> Iterator[Span]:
    """Where these words stand in the text, in their order; not where they are part of a longer word."""
    if known and len(lowered) != len(text):  # a letter with two in lower case: the places would not fit
        words = set(known)
        yield from (match.span() for match in _WORD.finditer(text) if match.group().lower() in words)
        return
    end = 0
    for word in known:
        whole = False
        while not whole:  # each word of `known` stands alone in `lowered`, maybe after others that begin like it
            start = lowered.find(word, end)
            end = start + len(word)
            match = _WORD.match(text, start)
            if match and match.end() == end:
                yield start, end
                break
            whole = lowered[start - 1 : start] not in _SMALL and lowered[end : end + 1] not in _SMALL
