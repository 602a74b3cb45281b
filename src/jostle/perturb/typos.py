"""Slips of the hand inside words: neighbouring keys, swapped, missing and doubled letters."""

from __future__ import annotations

import random
import re

from . import lexicon
from .base import Change, NotApplicable, Span
from .words import Passage, draw, not_english, word_set

KIND = "pert"
RELATION = "invariant"
TASKS = ("*",)
RATE = 0.1
PROMISE = "The same words, a few of them with one slip of the hand that a reader sees through."
LIMITATIONS = (
    "English keyboard and English words; capitalised words, numbers and negations are left alone.",
    "A slip can still give another word that is not among the common words the guard knows.",
    "Slips are drawn uniformly, not with the frequencies of real typing.",
)

_JOINED = r"[\w'\u2019\u00ad\u0300-\u036f\u200b-\u200d]"
_WORD = re.compile(rf"(?<!{_JOINED})[a-z]{{4,}}+(?!{_JOINED}| n['\u2019]t)")
_NEGATIONS = word_set("never none nothing nobody nowhere neither without cannot hardly scarcely barely")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_TRIES = 6


def _neighbours() -> dict[str, str]:
    """Keys to the left, right, above and below; each row sits half a key to the right of the one above."""
    near: dict[str, str] = {}
    for at, row in enumerate(_ROWS):
        for place, key in enumerate(row):
            above = _ROWS[at - 1][place : place + 2] if at else ""
            below = _ROWS[at + 1][max(0, place - 1) : place + 1] if at + 1 < len(_ROWS) else ""
            near[key] = row[max(0, place - 1) : place] + row[place + 1 : place + 2] + above + below
    return near


NEIGHBOURS = _neighbours()


def edits(passage: Passage, rng: random.Random, rate: float) -> list[Change] | NotApplicable:
    """One slip in each of a few words of four or more letters; the first and the last letter stay.

    Args:
        passage: The text.
        rng: Draws the words and the slips.
        rate: Share of the words that get a slip; at least one does.
    """
    words = passage.free(_WORD)
    if not words:
        return not_english(passage.text) or NotApplicable("no lower-case word of four letters")
    common = lexicon.words("common")
    most = passage.budget(rate)
    changes: list[Change] = []
    for span in draw(rng, words):
        change = _slip(passage.text, span, rng, common)
        if change:
            changes.append(change)
            if len(changes) == most:
                break
    return changes


def _slip(text: str, span: Span, rng: random.Random, common: frozenset[str]) -> Change | None:
    word = text[slice(*span)]
    if word in _NEGATIONS:
        return None
    for _ in range(_TRIES):
        slipped = _once(word, rng)
        if slipped != word and not _is_word(slipped, common):
            return Change(*span, slipped)
    return None


def _is_word(word: str, common: frozenset[str]) -> bool:
    return word in common or (word[-1] in "sd" and word[:-1] in common)


def _once(word: str, rng: random.Random) -> str:
    """The word with one slip at an inner letter (which may come out equal: two same letters swapped)."""
    at = 1 + int(rng.random() * (len(word) - 2))
    kind = int(rng.random() * 4)
    if kind == 0:
        near = NEIGHBOURS[word[at]]
        return word[:at] + near[int(rng.random() * len(near))] + word[at + 1 :]
    if kind == 1:
        at = min(at, len(word) - 3)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == 2 and len(word) > 4:  # noqa: PLR2004  - dropping one of four letters leaves too little to read
        return word[:at] + word[at + 1 :]
    return word[:at] + word[at] + word[at:]
