"""A true fact about something else, as a sentence of its own."""

from __future__ import annotations

import random
from collections.abc import Mapping

from ..items import AnyItem
from ._append import add_to_sides, task_of, unrelated
from .base import Change, NotApplicable

KIND = "adv"
RELATION = "invariant"
TASKS = ("sst2", "mnli", "qqp", "qnli", "mcq")
FIELDS = {"mnli": ("premise",)}
PROMISE = "The same text followed by a plain fact that shares no content word with the item."
LIMITATIONS = (
    "The facts are English, and few; a model may have learned to skip such a tail.",
    "Words are compared by their letters: a fact may still touch the topic of the text in other words.",
    "In mnli only a premise takes a fact: a hypothesis with a fact would claim what its premise does not say. Ask for "
    "the side `first`.",
    "A question with a statement after it reads oddly; what it asks is the same.",
)

FACTS = (
    "bees live in hives",
    "paper is made from wood",
    "glass is made from sand",
    "bread is made from flour",
    "bricks are made of clay",
    "candles are made of wax",
    "cakes are baked in ovens",
    "bicycles have wheels",
    "ladders have rungs",
    "pianos have keys",
    "forks have prongs",
    "oaks grow from acorns",
    "cows eat grass",
    "penguins lay eggs",
    "snails carry shells",
    "socks go on feet",
)


def rewrite(
    item: AnyItem, sides: tuple[str, ...], rng: random.Random, rate: float, *, form: str = "sentence"
) -> Mapping[str, list[Change]] | NotApplicable:
    """Add one fact to each side.

    Args:
        item: The item.
        sides: Fields to edit; of mnli the premise only.
        rng: Draws the fact.
        rate: Has no effect: one addition is made.
        form: `sentence`, or `clause` (joined with "and" before the final stop where a statement ends in it).

    Raises:
        UsageError: Unknown form.
    """
    allowed = tuple(field for field in sides if field == "premise") if task_of(item) == "mnli" else sides
    if not allowed:
        return NotApplicable("a fact in a hypothesis would need the premise to say it")
    return add_to_sides(
        item, allowed, lambda field: unrelated(rng, FACTS, item), form, "no fact without a word of the item"
    )
