"""A tautology added at the end: it says nothing, so it should change nothing."""

from __future__ import annotations

import random

from ._append import added
from .base import Change, NotApplicable
from .words import Passage, draw, not_english

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


def edits(passage: Passage, rng: random.Random, rate: float) -> list[Change] | NotApplicable:
    """Add a clause before the final stop of a statement, or a sentence after any other end.

    Args:
        passage: The text.
        rng: Draws the tautology, out of those whose noun is not in the text.
        rate: Has no effect: one addition is made.
    """
    clause = next((c for c in draw(rng, TAUTOLOGIES) if c.rpartition(" ")[2] not in passage.text.lower()), None)
    if clause is None:
        return not_english(passage.text) or NotApplicable("no tautology without a word of the text")
    change = added(passage, clause)
    return change if isinstance(change, NotApplicable) else [change]
