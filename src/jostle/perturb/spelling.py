"""American and British spelling."""

from __future__ import annotations

import random
import re
from functools import cache

from ..errors import UsageError
from . import lexicon
from .base import Change, NotApplicable
from .words import ENGLISH_WORD, Passage, cased_like, limited, not_english

KIND = "pert"
RELATION = "invariant"
TASKS = ("*",)
PROMISE = "The same words in the other of the two standard spellings of English."
LIMITATIONS = (
    "Only words in the table; pairs that differ in meaning or word class are left out (story, draft, disk, analyses, "
    "dialog, inquiry and others), or go from British to American only (program, tire, check, meter, practice, curb, "
    "license, mold, plow): beside one of these, a text of American spelling comes out mixed.",
    "Words with a capital inside a sentence are left alone, as they may be names (Pearl Harbor).",
    "The text is taken to be English: a foreign word that reads like one in the table is changed.",
    "Titles and quotations get another spelling too when they are in lower case.",
)

_WORD = re.compile(ENGLISH_WORD)
_LETTERS = re.compile("[a-z]+")  # quick, and finds more than words: only a first look
DIRECTIONS = ("auto", "uk", "us")


@cache
def _tables() -> tuple[dict[str, str], dict[str, str]]:
    """American to British, and back, where some words go back only ("programme")."""
    to_british = lexicon.pairs("us_uk")
    return to_british, {british: american for american, british in to_british.items()} | lexicon.pairs("uk_us")


def edits(
    passage: Passage, rng: random.Random, rate: float, *, direction: str = "auto"
) -> list[Change] | NotApplicable:
    """Respell the words of the table.

    Args:
        passage: The text.
        rng: Draws which words are left out when `rate` allows fewer than there are.
        rate: At most this share of the words is edited.
        direction: `uk`, `us`, or `auto`: to British if there is an American form, else to American.

    Raises:
        UsageError: Unknown direction.
    """
    if direction not in DIRECTIONS:
        raise UsageError(f"Expected `direction` to be one of {', '.join(DIRECTIONS)}, but got {direction!r}.")
    british, american = _tables()
    words = _LETTERS.findall(passage.text.lower())
    tables = {"auto": (british, american), "uk": (british,), "us": (american,)}[direction]
    for table in tables:
        if not table.keys().isdisjoint(words):
            changes = _respelled(passage, table)
            if changes:
                return limited(rng, changes, passage.budget(rate))
    return not_english(passage.text) or NotApplicable("no word with two spellings")


def _respelled(passage: Passage, table: dict[str, str]) -> list[Change]:
    changes = []
    for match in _WORD.finditer(passage.text):
        word = match.group()
        other = table.get(word.lower())
        if other and passage.is_free(*match.span()):
            cased = cased_like(word, other, passage.text, match.start())
            if cased:
                changes.append(Change(*match.span(), cased))
    return changes
