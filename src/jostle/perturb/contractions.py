"""Contractions expanded ("it's" to "it is"), or made ("does not" to "doesn't")."""

from __future__ import annotations

import random

from ..errors import UsageError
from ._contract import contractions
from ._expand import expansions
from .base import Change, NotApplicable
from .words import Passage, limited, not_english

KIND = "para"
RELATION = "invariant"
TASKS = ("*",)
PROMISE = "The same words, with an auxiliary or 'not' written in full or in its short form."
LIMITATIONS = (
    "English only, and only where the reading is certain: 's and 'd are left alone where they could stand "
    "for two verbs.",
    "The full form is more formal and can sound stressed ('you do not say'), which a reader of tone may notice.",
    "A participle after 'have' is read as its verb, which it need not be ('we have hired guns').",
    "A possessive 'its' misspelled as 'it's' is expanded where it stands at the start of a clause.",
)

DIRECTIONS = ("auto", "expand", "contract")


def edits(
    passage: Passage, rng: random.Random, rate: float, *, direction: str = "auto"
) -> list[Change] | NotApplicable:
    """Expand contractions, or make them.

    Possessives, contractions at the end of a clause, before a subject ("isn't it") and those with two
    readings stay. Text in Penn Treebank tokens ("does n't") stays in that form, and curly apostrophes stay
    curly.

    Args:
        passage: The text.
        rng: Draws which are left out when `rate` allows fewer than there are.
        rate: At most this share of the words is edited.
        direction: `expand`, `contract`, or `auto`: expand, or contract where there is nothing to expand.

    Raises:
        UsageError: Unknown direction.
    """
    if direction not in DIRECTIONS:
        raise UsageError(f"Expected `direction` to be one of {', '.join(DIRECTIONS)}, but got {direction!r}.")
    changes: list[Change] = []
    if direction != "contract" and ("'" in passage.text or "\u2019" in passage.text):
        changes = expansions(passage)
    if not changes and direction != "expand":
        changes = contractions(passage)
    if changes:
        return limited(rng, changes, passage.budget(rate))
    return not_english(passage.text) or NotApplicable("no contraction to expand or make")
