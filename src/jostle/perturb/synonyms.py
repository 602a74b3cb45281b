"""Words replaced by others that mean the same."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from ..errors import UsageError
from ._substitute import Table, own_table, substitutions, table
from .base import Change, NotApplicable
from .words import Passage, limited, not_english

KIND = "para"
RELATION = "invariant"
TASKS = ("*",)
RATE = 0.15  # one word in seven: more would read as if it were written by a thesaurus
PROMISE = "The same statement with some words replaced by near-exact synonyms."
LIMITATIONS = (
    "Only words of a table written for this package, in English; rarer words are never replaced.",
    "A table looks at the word before and after, not at the sentence: a rare sense may slip through.",
    "Some pairs differ in tone ('children' and 'kids', 'require' and 'need'), which a reader of style may notice.",
    "Words in quotation marks, in compounds with a hyphen, and with a capital inside a sentence are left alone, "
    "as they may be titles or names; a title in lower case without marks is not seen.",
    "A few words of opinion are replaced by their equals (boring, dull); their strength may differ slightly.",
    "Of two neighbours only the first is replaced, and no word by one that stands close by already.",
    "With `pairs`, the promise is the user's.",
)


def edits(
    passage: Passage, rng: random.Random, rate: float, *, pairs: Mapping[str, str] | None = None
) -> list[Change] | NotApplicable:
    """Replace words of the table; "a" or "an" before them is brought into line, and their case is kept.

    Args:
        passage: The text.
        rng: Draws which words are replaced when `rate` allows fewer than there are.
        rate: At most this share of the words is edited.
        pairs: Words and what replaces them, instead of the table that comes with the package.

    Raises:
        UsageError: `pairs` is no mapping of texts to texts, or empty.
    """
    entries = _default(passage.task) if pairs is None else own_table(_checked(pairs))
    changes = substitutions(passage, entries)
    if changes:
        return limited(rng, changes, passage.budget(rate))
    return not_english(passage.text) or NotApplicable("no word with a synonym")


def _default(task: str) -> Table:
    return table("synonyms", "synonyms_film") if task == "sst2" else table("synonyms")


def _checked(pairs: Any) -> Mapping[str, str]:
    if isinstance(pairs, Mapping) and pairs:
        texts = [text for pair in pairs.items() for text in pair]
        if all(isinstance(text, str) and text.strip() for text in texts):
            return pairs
    raise UsageError(
        f"Expected `pairs` to map words to words, but got {pairs!r}. Give a dict such as {{'charming': 'delightful'}}."
    )
