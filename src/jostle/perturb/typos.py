"""Slips of the hand inside words: neighbouring keys, swapped, missing and doubled letters."""

from __future__ import annotations

import random
import re

from . import lexicon
from .base import Change, NotApplicable
from .protect import touches
from .words import Passage, draw, not_english, word_set

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
        words = passage.free(_WORD)
        if not words:
            return not_english(passage.text) or NotApplicable("no lower-case word of four letters")
        for start, end in draw(rng, words):
            if len(slips) == most:
                break
            if start not in slips:
                tried = (_slip(passage.text[start:end], rng.random()) for _ in range(_TRIES))
                slipped = next(filter(None, tried), None)
                if slipped:
                    slips[start] = Change(start, end, slipped)
    return list(slips.values())


def _sampled(passage: Passage, rng: random.Random, most: int) -> dict[int, Change]:
    """Slips at words under random places of the text: most texts need no look at all of their words."""
    text, spans, draw_one, first = passage.text, passage.protected, rng.random, _FIRST.match
    slips: dict[int, Change] = {}
    for _ in range(_PLACES * most):
        drawn = draw_one() * len(text)
        place = int(drawn)
        found = first(text, text.rfind(" ", 0, place) + 1)
        if found is None:
            continue
        start, end = found.span(1)
        if start in slips or (spans and touches(spans, start, end)):
            continue
        slipped = _slip(found[1], drawn - place)
        if slipped:
            slips[start] = Change(start, end, slipped)
            if len(slips) == most:
                break
    return slips


def _slip(word: str, drawn: float) -> str | None:
    """The word with the slip that a number in [0, 1) stands for, or None where that is no slip or must not be."""
    slipped = _once(word, drawn)
    common = lexicon.words("common")
    if slipped == word or slipped in common or word in _KEPT:
        return None
    return None if slipped[-1] in "sd" and slipped[:-1] in common else slipped


def _once(word: str, drawn: float) -> str:
    """The word with one slip at an inner letter (which may come out equal: two same letters swapped)."""
    length = len(word)
    choice = drawn * (length - 2)
    at = 1 + int(choice)
    kind = int((choice - at + 1) * 4)
    if kind == 0:
        near = NEIGHBOURS[word[at]]
        return word[:at] + near[int(choice * 1024) % len(near)] + word[at + 1 :]
    if kind == 1:
        at = min(at, length - 3)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == 2 and length > 4:  # noqa: PLR2004  - dropping one of four letters leaves too little to read
        return word[:at] + word[at + 1 :]
    return word[:at] + word[at] + word[at:]
