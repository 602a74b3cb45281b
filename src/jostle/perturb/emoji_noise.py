"""A symbol without feeling or meaning after the text."""

from __future__ import annotations

import random

from .base import Change, NotApplicable
from .words import Passage, is_unfinished, not_english

KIND = "pert"
RELATION = "invariant"
TASKS = ("*",)
PROMISE = "The same text followed by one emoji that shows no feeling, no judgement and no thing."
LIMITATIONS = (
    "In a task about symbols, or about the last character of a text, the gold label would change.",
    "A tokenizer may turn the emoji into an unknown token, so that all of them look the same to a model.",
)

# Squares, diamonds, dots and arrows in neutral colours. No ticks, crosses, warnings, hearts, faces, thumbs or
# traffic-light colours: these judge.
EMOJI = (
    "\u25aa\ufe0f", "\u25ab\ufe0f", "\u25fb\ufe0f", "\u25fc\ufe0f", "\u27a1\ufe0f", "\u25b6\ufe0f",
    "\U0001f539", "\U0001f537", "\U0001f532", "\U0001f533", "\U0001f518", "#\ufe0f\u20e3",
)  # fmt: skip


def edits(passage: Passage, rng: random.Random, rate: float) -> list[Change] | NotApplicable:
    """Add one emoji after the last word or mark; spaces at the end stay at the end.

    Args:
        passage: The text.
        rng: Draws the emoji, out of those that the text does not hold.
        rate: Has no effect: one emoji is added.
    """
    text = passage.text
    refusal = not_english(text)
    if refusal:
        return refusal
    if passage.task == "mcq" and is_unfinished(text):
        return NotApplicable("unfinished sentence")
    fresh = [emoji for emoji in EMOJI if emoji not in text] if not text.isascii() else EMOJI
    end = len(text.rstrip())
    if not fresh or not passage.is_free(end, end):
        return NotApplicable("nowhere to add an emoji")
    return [Change(end, end, " " + fresh[int(rng.random() * len(fresh))])]
