"""A number that the other text names too, replaced by another: an entailment becomes a contradiction."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from ..items import Item
from ._contrast import FIELDS, FIRST, is_for, rewritten
from .base import Change, NotApplicable
from .words import word_set

KIND = "adv"
RELATION = "changed"
TASKS = ("mnli", "qqp")
PROMISE = "The same statement or question about another number; what followed is now contradicted."
LIMITATIONS = (
    "Numbers in English words from two to twelve, and round ones to ninety; numerals are protected and never edited.",
    "Only where both texts hold the number once and nothing makes it a bound or an estimate (at least, about).",
    "mnli: rests on the convention of the task that 'three' means three and no more; only entailments change.",
    "qqp: only duplicates change, to not_duplicate.",
)

_SMALL = ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_LARGE = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = frozenset({"two", *_SMALL, *_LARGE[:-2]})  # a larger one is left for each of them
_ALL = _NUMBERS | word_set("one eighty ninety hundred thousand million both half double twice dozen pair couple first")
_WORD = re.compile(r"[A-Za-z]+")
_NUMBER = re.compile(r"(?<![\w\-'\u2019])[a-z]+(?![\w\-'\u2019])")
_FREE = re.compile(
    r"\b(?:at (?:least|most)|more than|less than|fewer than|up to|over|under|about|around|approximately|roughly|nearly"
    r"|almost|between|or|only|maybe|perhaps|possibly|some|other|another|an?|of|the|these|those|his|her|their|my|our|any"
    r"|every|last|first|next|to|than|if|within|or|no|not)\s+\Z",
    re.IGNORECASE,
)
# "There were five men" may hold beside "he pointed at two men".
_EXISTS = re.compile(r"\bthere(?:['\u2019]s| (?:is|are|was|were|will be|(?:has|have|had) been))\s+\Z", re.IGNORECASE)
_AFTER = re.compile(
    r"\s+(?:or|and|to|hundred|thousand|million|billion|times|of|different|fold|more|less|separate|others?|extra|additional)\b"
    r"|\s+[A-Z]|\s*[.?!,]|\s*\Z|:"
)
_LARGE_STEP = 2


def relabel(item: Item) -> str | NotApplicable:
    """contradiction for an entailment, not_duplicate for a duplicate; nothing else is certain."""
    if not is_for(item, TASKS):
        return NotApplicable("not for this task")
    turned = {("mnli", "entailment"): "contradiction", ("qqp", "duplicate"): "not_duplicate"}
    label = turned.get((item.task, item.label or ""))
    return label or NotApplicable("only an entailment or a duplicate turns for certain")


def rewrite(
    item: Item, sides: Sequence[str], rng: random.Random, rate: float
) -> Mapping[str, list[Change]] | NotApplicable:
    """Replace the number in the second text by a larger one that neither text holds.

    Args:
        item: An entailment of mnli or a duplicate of qqp.
        sides: Fields that may be edited.
        rng: Draws the number.
        rate: Has no effect: one word is edited.
    """
    first, second = item.fields[FIRST[item.task]], item.fields[FIELDS[item.task]]
    return rewritten(item, sides, _changed(first, second, rng))


def _changed(first: str, second: str, rng: random.Random) -> list[Change] | NotApplicable:
    found = _numbers(second)
    if len(found) != 1 or re.search(r"\d", second):
        return NotApplicable("not one number in words")
    number = found[0].group()
    same = [match for match in _numbers(first) if match.group() == number]
    if number not in _NUMBERS or len(same) != 1 or _is_bound(first, same[0]) or _is_bound(second, found[0]):
        return NotApplicable("the other text does not hold just that number")
    if _EXISTS.search(second[: found[0].start()]):
        return NotApplicable("others than those counted may exist")
    held = {word.lower() for word in _WORD.findall(first)}
    scale = _SMALL if number in ("two", *_SMALL) else _LARGE
    larger = scale[scale.index(number) + _LARGE_STEP :] if number in scale else scale[_LARGE_STEP:]
    free = [word for word in larger if word not in held]
    if not free:
        return NotApplicable("no other number")
    other = rng.choice(free)
    return [Change(*found[0].span(), other if second[found[0].start()].islower() else other.capitalize())]


def _numbers(text: str) -> list[re.Match[str]]:
    return [match for match in _NUMBER.finditer(text.lower()) if match.group() in _ALL]


def _is_bound(text: str, found: re.Match[str]) -> bool:
    """Whether the number is a bound, an estimate, or part of a larger expression."""
    return _FREE.search(text[: found.start()]) is not None or _AFTER.match(text, found.end()) is not None
