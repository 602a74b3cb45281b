"""Slips of the hand inside words: neighbouring keys, swapped, missing and doubled letters."""

from __future__ import annotations

import random
import re

from . import lexicon
from .base import Change, NotApplicable
from .protect import touches
from .words import Passage, draw, new_change, not_english, word_set

KIND = "pert"
RELATION = "invariant"
TASKS = ("*",)
RATE = 0.1
PROMISE = "The same words, a few of them with one slip of the hand that a reader sees through."
LIMITATIONS = (
    "English keyboard and English words; capitalised words, numbers, negations and quantifiers are left alone.",
    "A slip can still give another word that is not among the common words the guard knows.",
    "The kinds of slips are drawn evenly, not with the frequencies of real typing; a long word, which takes more "
    "keystrokes, is hit more often than a short one.",
    "In words of four letters slips are swaps and doublings, and words of five drop none: less would be hard to read.",
)

_JOINED = r"[\w'\u2019\u00ad\u0300-\u036f\u200b-\u200d]"
_WORD = re.compile(rf"(?<!{_JOINED})[a-z]{{4,}}+(?!{_JOINED}| n['\u2019]t)")
# The same at the start of a token, for a look at one token of the text.
_FIRST = re.compile(rf"[\"(\u201c]*+([a-z]{{4,}}+)(?!{_JOINED}| n['\u2019]t)")
# Negations, quantifiers and numbers carry the truth of a sentence: no reader should have to guess at one of them.
_KEPT = word_set(
    "never none nothing nobody nowhere neither without cannot hardly scarcely barely every each some most both half "
    "only several three four five seven eight nine eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen"
)
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_TRIES = 6
_PLACES = 6
_BITS, _SLIP_BITS = 53, 12  # of one draw, and what a slip takes of them
_NO_WORD = NotApplicable("no lower-case word of four letters")


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
    most = passage.budget(rate)
    slips = _sampled(passage, rng, most)
    if len(slips) < most:
        words, common = passage.free(_WORD), lexicon.words("common")
        if not words:
            return not_english(passage.text) or _NO_WORD
        for start, end in draw(rng, words):
            if len(slips) == most:
                break
            if start not in slips:
                word = passage.text[start:end]
                tried = (_slip(word, rng.getrandbits(_BITS), common) for _ in range(_TRIES))
                slipped = next(filter(None, tried), None)
                if slipped:
                    slips[start] = new_change((start, end, slipped))
    return list(slips.values())


def _sampled(passage: Passage, rng: random.Random, most: int) -> dict[int, Change]:
    """Slips at words under random places of the text: most texts need no look at all of their words."""
    text, spans, first, common = passage.text, passage.protected, _FIRST.match, lexicon.words("common")
    size, rfind, drawn = len(text), text.rfind, 0
    spent = size << _SLIP_BITS  # one draw serves several places, until what is left of it is too little
    slips: dict[int, Change] = {}
    for _ in range(_PLACES * most):
        if drawn < spent:
            drawn = rng.getrandbits(_BITS)
        drawn, place = divmod(drawn, size)
        found = first(text, rfind(" ", 0, place) + 1)
        if found is None:
            continue
        start, end = found.span(1)
        if start in slips or (spans and touches(spans, start, end)):
            continue
        slipped = _slip(found[1], drawn, common)
        drawn >>= _SLIP_BITS
        if slipped:
            slips[start] = new_change((start, end, slipped))
            if len(slips) == most:
                break
    return slips


def _slip(word: str, drawn: int, common: frozenset[str]) -> str | None:
    """The word with the slip that a random number stands for, or None where that is no slip or must not be."""
    inner = len(word) - 2
    at, kind = drawn % inner + 1, drawn // inner & 3
    if kind == 0 and inner > 2:  # noqa: PLR2004  - a strange letter in four reads as several words
        near = NEIGHBOURS[word[at]]
        slipped = word[:at] + near[drawn // (4 * inner) % len(near)] + word[at + 1 :]
    elif kind == 1:
        at -= at == inner  # the last letter stays
        slipped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    elif kind == 2 and inner > 3:  # noqa: PLR2004  - dropping one of five letters leaves too little to read
        slipped = word[:at] + word[at + 1 :]
    else:
        slipped = word[: at + 1] + word[at:]
    if slipped in common or word in _KEPT or slipped == word:
        return None
    return None if slipped[-1] in "sd" and slipped[:-1] in common else slipped
