"""Slips of the hand inside words: neighbouring keys, swapped, missing and doubled letters."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from itertools import repeat

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
    slips: dict[int, Change] = {}
    # Words under random places first: most texts need no look at all of their words.
    _add_slips(passage, rng, most, slips, repeat(-1, _PLACES * most))
    if len(slips) < most:
        words = passage.free(_WORD)
        if not words:
            return not_english(passage.text) or _NO_WORD
        starts = (start for start, _ in draw(rng, words) for _ in range(_TRIES))
        _add_slips(passage, rng, most, slips, starts)
    return list(slips.values())


def _add_slips(
    passage: Passage, rng: random.Random, most: int, slips: dict[int, Change], starts: Iterable[int]
) -> None:  # fmt: skip
    """Add slips at words that begin at `starts` (or under a random place for -1) until there are `most`.

    One function, as a call for each slip would cost as much as the slip.
    """
    text, spans, first, common = passage.text, passage.protected, _FIRST.match, lexicon.words("common")
    size, rfind, drawn = len(text), text.rfind, 0
    for given in starts:
        if drawn < size << _SLIP_BITS:  # one draw serves several places, until what is left of it is too little
            drawn = rng.getrandbits(_BITS)
        found = first(text, given if given >= 0 else rfind(" ", 0, drawn % size) + 1)
        drawn //= size
        if found is None:
            continue
        start, end = found.span(1)
        if start in slips or (spans and touches(spans, start, end)):
            continue
        word, inner = found[1], end - start - 2
        at, kind, drawn = drawn % inner + 1, drawn // inner & 3, drawn // (4 * inner)
        if kind == 0:
            near = NEIGHBOURS[word[at]]
            slipped = word[:at] + near[drawn % len(near)] + word[at + 1 :]
            drawn >>= 3
        elif kind == 1:
            at -= at == inner  # the last letter stays
            slipped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        elif kind == 2 and inner > 2:  # noqa: PLR2004  - dropping one of four letters leaves too little to read
            slipped = word[:at] + word[at + 1 :]
        else:
            slipped = word[: at + 1] + word[at:]
        if slipped in common or word in _KEPT or slipped == word:
            continue
        if slipped[-1] in "sd" and slipped[:-1] in common:  # a common word with an ending
            continue
        slips[start] = new_change((start, end, slipped))
        if len(slips) == most:
            break

