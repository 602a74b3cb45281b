"""Slips of the hand in the words that matter most."""

from __future__ import annotations

import random
import re

from ._important import FUNCTION_WORDS, importance
from ._letters import slips
from .base import Change, NotApplicable, Span
from .words import Passage, draw, not_english

KIND = "adv"
RELATION = "invariant"
TASKS = ("*",)
RATE = 0.1
PROMISE = "The same words; those that carry most of the meaning have one slip that a reader sees through."
LIMITATIONS = (
    "Importance is a rule (words of praise or blame, then rare words, then long ones), not what a model attends to.",
    "English words of five or more lower-case letters only; names, numbers, negations and function words stay.",
    "A slip can still give another word that is in none of the word lists the guard knows.",
    "A long or rare word with a slip is harder to read for people who do not know it.",
)

_JOINED = r"[\w'\u2019\u00ad\u0300-\u036f\u200b-\u200d]"
# A dropped letter is harder to guess ("weay") and more often gives another word ("spier", "libration").
_KINDS = ("swap", "repeat")
_WORD = re.compile(rf"(?<!{_JOINED})[a-z]{{5,25}}+(?!{_JOINED}| n['\u2019]t)")


def edits(passage: Passage, rng: random.Random, rate: float) -> list[Change] | NotApplicable:
    """One swapped or doubled inner letter in each of the most important words.

    Args:
        passage: The text.
        rng: Draws between words that matter the same, and the slips.
        rate: Share of the words that get a slip; at least one does.
    """
    words = [span for span in passage.free(_WORD) if passage.text[slice(*span)] not in FUNCTION_WORDS]
    if not words:
        return not_english(passage.text) or NotApplicable("no content word of five letters")
    most = passage.budget(rate)
    changes: list[Change] = []
    for span in _ranked(passage.text, words, rng):
        forms = slips(passage.text[slice(*span)], _KINDS)
        if forms:
            changes.append(Change(*span, rng.choice(forms)))
            if len(changes) == most:
                break
    return changes


def _ranked(text: str, words: list[Span], rng: random.Random) -> list[Span]:
    """Most important first; those that matter the same in random order."""
    return sorted(draw(rng, words), key=lambda span: importance(text[slice(*span)]), reverse=True)
