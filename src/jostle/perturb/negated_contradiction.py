"""A denied absurdity added at the end: true whatever the text says, but it brings a negation in."""

from __future__ import annotations

import random
from collections.abc import Mapping

from ..errors import UsageError
from ..items import AnyItem
from ._append import add_to_sides, unrelated
from .base import Change, NotApplicable

KIND = "adv"
RELATION = "invariant"
TASKS = ("*",)
PROMISE = "The same text followed by the denial of an absurdity, which is true whatever else is."
LIMITATIONS = (
    "The added words are English, and few; a model may have learned to skip such a tail.",
    "After verbs of saying or thinking a reader could take the added clause as part of what is said.",
    "The text grows, so that a model with a short window may lose the end of it.",
    "The label is kept because what is true in every case adds nothing to a hypothesis (mnli), answers nothing "
    "(qnli), asks nothing (qqp, mcq) and praises nothing (sst2). For other tasks nobody has checked.",
)

LOGICAL = (
    "false is not true",
    "east is not west",
    "up is not down",
    "north is not south",
    "yesterday is not tomorrow",
)
ABSURD = (
    "a stone is not a bird",
    "a spoon is not a river",
    "a square is not a circle",
    "a fork is not a cloud",
    "a chair is not a whale",
    "a horse is not a hat",
    "a lamp is not a lake",
    "a pencil is not a planet",
)
_STYLES = {"any": LOGICAL + ABSURD, "logical": LOGICAL, "absurd": ABSURD, "classic": LOGICAL[:1]}


def rewrite(
    item: AnyItem, sides: tuple[str, ...], rng: random.Random, rate: float, *, style: str = "any", form: str = "clause"
) -> Mapping[str, list[Change]] | NotApplicable:
    """Add one denial to each side; its words stand in no text or option of the item.

    The negation stress test of Naik et al. (2018) adds "and false is not true": that is the style `classic`.

    Args:
        item: The item.
        sides: Fields to edit.
        rng: Draws the denial.
        rate: Has no effect: one addition is made.
        style: `logical` ("up is not down"), `absurd` ("a stone is not a bird"), `any` of them, or `classic`.
        form: `clause` (joined with "and" before the final stop where a statement ends in it) or `sentence`.

    Raises:
        UsageError: Unknown style or form.
    """
    if style not in _STYLES:
        raise UsageError(f"Expected `style` to be one of {', '.join(_STYLES)}, but got {style!r}.")
    clauses = _STYLES[style]
    return add_to_sides(
        item, sides, lambda field: unrelated(rng, clauses, item), form, "no denial without a word of the item"
    )
