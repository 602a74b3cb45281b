"""A few random orders of the options, out of all n! orders."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping

from ..errors import UsageError
from ..items import MCQItem
from .base import NotApplicable, reordered
from .options import why_not_rotatable

KIND = "pert"
RELATION = "invariant"
TASKS = ("mcq",)
CONDITION = "permutation{number}"
PROMISE = "The same question with the same options in a random order; the gold moves with its option."
LIMITATIONS = (
    "A sample: three orders of the n! - 1 others, drawn for each item by itself, so that 'permutation1' is another "
    "order in each item.",
    "Items whose options point at others by place or letter, and items in which another option reads like the gold "
    "one, are left out; the former is read from English wording.",
    "Options that were sorted (by size, by date) lose their sorted order.",
)

SAMPLE = 3


def VARIANTS(item: MCQItem) -> list[Mapping[str, int]] | NotApplicable:  # noqa: N802  - its name in the contract
    """The first three permutations, or as many as there are."""
    reason = why_not_rotatable(item)
    if reason:
        return NotApplicable(reason)
    return [{"number": number + 1} for number in range(min(SAMPLE, _others(item)))]


def vary(item: MCQItem, rng: random.Random, *, number: int = 1) -> MCQItem | NotApplicable:
    """The item in the order that is drawn as number `number`; all numbers give different orders.

    Args:
        item: The item.
        rng: Draws the orders, the same ones for every `number`.
        number: From 1.

    Raises:
        UsageError: `number` is below 1.
    """
    if number < 1:
        raise UsageError(f"Expected `number` to be 1 or more, but got {number}. Count permutations from 1.")
    reason = why_not_rotatable(item)
    if reason:
        return NotApplicable(reason)
    if number > _others(item):
        return NotApplicable("no further permutation")
    seen = [list(range(len(item.choices)))]
    while len(seen) <= number:
        order = seen[0].copy()
        rng.shuffle(order)
        if order not in seen:
            seen.append(order)
    return reordered(item, tuple(item.order[place] for place in seen[-1]))


def _others(item: MCQItem) -> int:
    """How many orders there are beside the present one."""
    return math.factorial(len(item.choices)) - 1
