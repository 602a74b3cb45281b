"""Spellings that people get wrong: a word of the table becomes its common misspelling."""

from __future__ import annotations

import random
import re

from . import lexicon
from .base import Change, NotApplicable
from .words import ENGLISH_WORD, Passage, cased_like, limited, not_english

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
    found = table.keys() & _LETTERS.findall(text.lower())
    if not found:
        return not_english(text) or _NO_WORD
    changes = []
    for match in _WORD.finditer(text):
        wrong = table.get(match.group().lower())
        if wrong and passage.is_free(*match.span()):
            cased = cased_like(match.group(), wrong, text, match.start())
            if cased:
                changes.append(Change(*match.span(), cased))
    return limited(rng, changes, passage.budget(rate)) or _NO_WORD
