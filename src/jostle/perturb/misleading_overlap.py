"""More words in common between the two texts of a pair, by mentioning words of one in the other."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from ..errors import UsageError
from ..items import AnyItem
from ._append import add_to_sides, stems
from ._important import FUNCTION_WORDS
from .base import Change, NotApplicable
from .words import Passage, limited, word_set

KIND = "adv"
RELATION = "invariant"
TASKS = ("mnli", "qnli", "qqp")
PROMISE = "The same text followed by the statement that some words of the other text consist of letters."
LIMITATIONS = (
    "English only, and only lower-case words of four or more letters are mentioned.",
    "The words are mentioned, not used: a reader sees that nothing is claimed, but the clause is odd English.",
    "It only raises the overlap; for less overlap see `distractor` and `negated_contradiction`, which add other words.",
    "The label is kept because that a word consists of letters follows from any premise (mnli), answers no question "
    "about the world (qnli) and asks nothing (qqp). Items about words are left out by their wording alone.",
)

_MENTIONABLE = re.compile(r"(?<![\w'\u2019\-])[a-z]{4,25}+(?![\w'\u2019\-])")
_ABOUT_WORDS = word_set(
    "word term language letter spell spelling spelled spelt name named called mean meaning noun verb pronounce "
    "translation translate translated"
)


def rewrite(
    item: AnyItem, sides: tuple[str, ...], rng: random.Random, rate: float, *, count: int = 3
) -> Mapping[str, list[Change]] | NotApplicable:
    """Mention up to `count` content words of the other side that this side does not have.

    Args:
        item: A pair.
        sides: Fields to edit.
        rng: Draws the words.
        rate: Has no effect: one addition is made.
        count: Most words to mention, from 1.

    Raises:
        UsageError: `count` is below 1.
    """
    if count < 1:
        raise UsageError(f"Expected `count` to be at least 1, but got {count}. Give the number of words to mention.")
    if len(item.fields) < 2:  # noqa: PLR2004  - a pair
        return NotApplicable("no other text to take words from")
    if not _ABOUT_WORDS.isdisjoint(stems(" ".join(item.fields.values()))):
        return NotApplicable("about words")
    return add_to_sides(
        item, sides, lambda field: _mention(item, field, rng, count), "clause", "no word that only the other text has"
    )


def _mention(item: AnyItem, field: str, rng: random.Random, count: int) -> str | None:
    own = stems(item.fields[field]) | FUNCTION_WORDS
    others: dict[str, None] = {}
    for name, text in item.fields.items():
        if name != field:
            found = (text[slice(*span)] for span in Passage(text).free(_MENTIONABLE))
            others |= {word: None for word in found if own.isdisjoint({word, *stems(word)})}
    words = [f'"{word}"' for word in limited(rng, list(others), count)]
    if not words:
        return None
    if len(words) == 1:
        return f"the word {words[0]} consists of letters"
    return f"the words {', '.join(words[:-1])} and {words[-1]} consist of letters"
