"""What operators of the relation `changed` share: the field they edit, and how certain a review's opinion is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..items import AnyItem, Item
from . import lexicon
from .base import Change, NotApplicable
from .words import Passage, word_set

FIELDS = {"sst2": "sentence", "mnli": "hypothesis", "qqp": "question2"}
FIRST = {"mnli": "premise", "qqp": "question1"}
OPPOSITE = {"positive": "negative", "negative": "positive"}
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*(?:['\u2019][a-z]+)?")
# Beside one of these the opinion of the whole is open, whatever the one word says.
_OPEN = word_set(
    "but though although yet despite while however if not no never none nothing nobody nor neither without hardly "
    "barely rarely scarcely seldom too only just almost nearly would could should might may rather instead except than "
    "unless until otherwise enough any anything anyone even as supposed trying tries try wants want seems seem seemed "
    "pretend pretends mere merely cannot ca wo far quite sometimes occasionally occasional some more most less least "
    "once still what when where why how who lack lacks fails fail off away from or spite suppose think thought expect "
    "expected hope hoping intended title titled like old used attempt attempts beyond "
    "went aim aims aimed strive strives striving"
)
# Where these join parts, another part may hold an opinion that no list knows: "an enthralling, dull film".
_JOINED = re.compile(
    r"[,;:/()\"\u2026]|--|\.\.|\b(?:and|both|or|as|that|which|who)\b|[.!] +\w|\b[A-Z]+ [A-Z]+\b|['`]{2}|\s{2,}\w"
)
_LONGEST = 12


def rewritten(item: Item, sides: Sequence[str], changes: list[Change] | NotApplicable) -> (
    Mapping[str, list[Change]] | NotApplicable
):  # fmt: skip
    """The changes under the name of the field, if that field may be edited and none of them is protected."""
    field = FIELDS.get(item.task, "")
    if field not in sides:
        return NotApplicable(f"{field or 'no field'} is not to be edited")
    if isinstance(changes, NotApplicable):
        return changes
    passage = Passage(item.fields[field], item.task, field)
    if not changes or not all(passage.is_free(*change[:2]) for change in changes):
        return NotApplicable("nothing to turn round")
    return {field: changes}


def is_for(item: AnyItem, tasks: tuple[str, ...]) -> bool:
    """Whether the item is one of these tasks, with its fields."""
    if not isinstance(item, Item) or item.task not in tasks:
        return False
    return FIELDS[item.task] in item.fields and FIRST.get(item.task, FIELDS[item.task]) in item.fields


def only_opinion(text: str, but_for: frozenset[str] = frozenset()) -> re.Match[str] | None:
    """The one word of opinion in a short text that has nothing else to sway it; None when that is not certain.

    Args:
        text: A review.
        but_for: Words that would leave it open and are expected here.
    """
    words = list(_WORD.finditer(text))
    if len(words) > _LONGEST or _sways(words, but_for) or _JOINED.search(text.strip()) or "?" in text:
        return None
    opinions = [word for word in words if _opinion(word.group())]
    return opinions[0] if len(opinions) == 1 else None


def _sways(words: list[re.Match[str]], but_for: frozenset[str]) -> bool:
    found = {word.group().lower().replace("\u2019", "'") for word in words}
    return bool((found & _OPEN) - but_for) or any(word.endswith("n't") for word in found - but_for)


def _opinion(word: str) -> int:
    """Opinion of a word, or of any part of a compound."""
    return lexicon.polarity(word) or next(filter(None, map(lexicon.polarity, word.split("-"))), 0)


def agrees(word: str, label: str | None) -> bool:
    """Whether the label is the one that the word alone would give."""
    return {1: "positive", -1: "negative"}.get(lexicon.polarity(word)) == label
