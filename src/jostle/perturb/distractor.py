"""A tautology added at the end: it says nothing, so it should change nothing."""

from __future__ import annotations

import random
import re

from .base import Change, NotApplicable
from .words import Passage, draw, has_other_script, is_tokenised, not_english

KIND = "adv"
RELATION = "invariant"
TASKS = ("*",)
PROMISE = "The same text followed by a statement that is always true and bears on nothing in it."
LIMITATIONS = (
    "The added words are English, and few; a model may have learned to skip such a tail.",
    "The text grows, so that a model with a short window may lose the end of it.",
    "In a task that asks about form (length, last word, number of sentences) the gold label would change.",
    "The label is kept because a tautology has no sentiment (sst2), asks nothing (qqp, mcq), answers nothing "
    "(qnli), and neither adds to nor takes from what a text follows from or clashes with (mnli). For other "
    "tasks nobody has checked.",
)

# The noun is what must not occur in the text, lest the tail bear on it.
TAUTOLOGIES = (
    "a table is a table",
    "a spoon is a spoon",
    "a window is a window",
    "a pencil is a pencil",
    "a bridge is a bridge",
    "a basket is a basket",
    "a candle is a candle",
    "a ladder is a ladder",
    "a pillow is a pillow",
    "a button is a button",
)

_TAIL = re.compile(r" ?(?P<mark>[.!?…]*)(?P<quote>(?: ?(?:''|[\"'\u201d\u2019)\]]))*)\Z")
_REACH = 60
_ABBREVIATION = re.compile(r"(?:\.\w+|\b(?:Inc|Ltd|Corp|Co|Jr|Sr|etc|Mr|Mrs|Ms|Dr|St|vs|No|[A-Z]))\Z")
_UNFINISHED = re.compile(
    r"(?:[,:;(\-\u2013\u2014_=]|\b(?:is|are|was|were|of|the|a|an|to|by|in|and|or|that))\Z", re.IGNORECASE
)


def edits(passage: Passage, rng: random.Random, rate: float) -> list[Change] | NotApplicable:
    """Add a clause before the final stop, or a sentence after any other end.

    Args:
        passage: The text.
        rng: Draws the tautology, out of those whose noun is not in the text.
        rate: Has no effect: one addition is made.
    """
    refusal = not_english(passage.text)
    if refusal:
        return refusal
    if has_other_script(passage.text):
        return NotApplicable("words of another script")
    end = len(passage.text.rstrip())
    tail = _TAIL.search(passage.text[:end], max(0, end - _REACH))
    assert tail is not None  # every part of the pattern may be empty
    body = passage.text[max(0, tail.start() - _REACH) : tail.start()].rstrip()
    if not tail["mark"] and (passage.task == "mcq" or _UNFINISHED.search(body)):
        return NotApplicable("unfinished sentence")
    clause = _tautology(passage.text.lower(), rng)
    if clause is None:
        return NotApplicable("no tautology without a word of the text")
    return [_added(passage.text, tail, body, clause)]


def _tautology(text: str, rng: random.Random) -> str | None:
    return next((clause for clause in draw(rng, TAUTOLOGIES) if clause.rpartition(" ")[2] not in text), None)


def _added(text: str, tail: re.Match[str], body: str, clause: str) -> Change:
    """The clause where it reads best, with spaces and capitals as the text has them."""
    space = " " if is_tokenised(text) or tail[0].startswith(" ") else ""
    if not tail["mark"]:
        return Change(tail.end(), tail.end(), f"{space}, and {clause}")
    if tail["mark"] == "." and not tail["quote"] and not _ABBREVIATION.search(body):
        return Change(tail.start(), tail.start(), f"{space}, and {clause}")
    first = clause[0] if text.islower() else clause[0].upper()
    return Change(tail.end(), tail.end(), f" {first}{clause[1:]}{space}.")
