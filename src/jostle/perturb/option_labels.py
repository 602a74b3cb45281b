"""Other labels before the options: numbers or Roman numerals for letters."""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Mapping

from ..errors import UsageError
from ..items import MCQItem
from ..items import option_labels as letters
from .base import NotApplicable
from .options import order_dependent

KIND = "pert"
RELATION = "invariant"
TASKS = ("mcq",)
CONDITION = "pert/labels_{style}"
PROMISE = "The same question with the same options in the same order; only the labels before them differ."
LIMITATIONS = (
    "A prompt that writes its own letters, whatever the labels of the item, shows no difference.",
    "Items whose text or options point at options by label or place are left out; that is read from English wording.",
    "Items with an option that reads like one of the new labels are left out, as an answer would have two readings; so "
    "are items that count statements in the new labels: (ii), I and II, (2).",
)

_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv", "xvi")
# Statements counted in a text: "(ii)", "I and II only"; "(2)", "1 and 3 only".
_COUNTED = {
    "roman": re.compile(r"\((?i:[ivx]+)\)|\b(?:I{2,3}|IV|VI{1,3})\b|\bi{2,3}\b"),
    "numbers": re.compile(r"\(\d\)|\b\d(?:, \d)*,? and \d(?: only)?\W*\Z"),
}
STYLES = ("numbers", "roman", "letters")


def VARIANTS(item: MCQItem) -> list[Mapping[str, str]] | NotApplicable:  # noqa: N802  - its name in the contract
    """One variant for each style of labels that the item does not have."""
    return [{"style": style} for style in STYLES if style != "letters"]


def vary(item: MCQItem, rng: random.Random, *, style: str = "numbers") -> MCQItem | NotApplicable:
    """The item with other labels.

    Args:
        item: The item.
        rng: Has no effect: nothing is drawn.
        style: `numbers` (1, 2, 3), `roman` (i, ii, iii) or `letters` (A, B, C).

    Raises:
        UsageError: Unknown style.
    """
    if style not in STYLES:
        raise UsageError(f"Expected `style` to be one of {', '.join(STYLES)}, but got {style!r}.")
    count = len(item.choices)
    if style == "roman" and count > len(_ROMAN):
        return NotApplicable("too many options")
    if order_dependent(item):
        return NotApplicable("order-dependent options")
    labels = {"numbers": tuple(str(k + 1) for k in range(count)), "roman": _ROMAN[:count], "letters": letters(count)}
    texts = {choice.strip(" .()").casefold() for choice in item.choices}
    if not texts.isdisjoint(label.casefold() for label in labels[style]):
        return NotApplicable("option that reads like a label")
    if style in _COUNTED and any(_COUNTED[style].search(text) for text in (item.question, *item.choices)):
        return NotApplicable("text that counts in these labels")
    return dataclasses.replace(item, labels=labels[style])
