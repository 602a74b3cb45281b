"""Cyclic shifts of the options: the score of a model that reads options, not places, stays."""

from __future__ import annotations

import random

from ..errors import InputError
from ..items import MCQItem
from .base import NotApplicable
from .options import why_not_rotatable

KIND = "pert"
RELATION = "invariant"
TASKS = ("mcq",)
CONDITION = "shift{shift}"
PROMISE = "The same question with the same options in another cyclic order; the gold moves with its option."
LIMITATIONS = (
    "Items whose options point at others by place or letter ('both of the above', 'A and B') are left out, "
    "so the "
    "result speaks only for the rest; the classification reads English wording.",
    "Items in which another option reads like the gold one are left out.",
    "Options that were sorted (by size, by date) lose their sorted order.",
    "Only the n cyclic orders are tried, not all n! orders.",
)


def VARIANTS(item: MCQItem) -> list[dict[str, int]] | NotApplicable:  # noqa: N802  - its name in the contract
    """One shift for each place but the first."""
    reason = why_not_rotatable(item)
    return NotApplicable(reason) if reason else [{"shift": shift} for shift in range(1, len(item.choices))]


def vary(item: MCQItem, rng: random.Random, *, shift: int = 1) -> MCQItem | NotApplicable:
    """The item with every option moved `shift` places towards the front."""
    reason = why_not_rotatable(item)
    return NotApplicable(reason) if reason else item.rotate(shift)


def all_cyclic_variants(item: MCQItem) -> list[MCQItem]:
    """All n rotations of an item of n options, the original first.

    Over them each option stands at each place exactly once.

    Args:
        item: The item; its options must mean the same in every order.

    Raises:
        InputError: Fewer than two options, options that point at others by place, or a distractor equal to
        the gold.

    Limitations: whether options point at others is read from English wording.

    >>> item = MCQItem("Capital of France?", ["Paris", "Rome", "Bonn"], answer_index=0)
    >>> [variant.answer_letter for variant in all_cyclic_variants(item)]
    ['A', 'C', 'B']
    """
    reason = why_not_rotatable(item)
    if reason:
        name = repr(item.id if item.id is not None else item.question)
        raise InputError(f"Expected options that can be rotated, but got {reason} in item {name}. Leave this item out.")
    return [item.rotate(shift) for shift in range(len(item.choices))]
