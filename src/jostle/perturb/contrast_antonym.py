"""The one word that decides, replaced by its opposite: the gold label turns round."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from ..items import Item
from . import lexicon
from ._contrast import FIELDS, OPPOSITE, agrees, is_for, only_opinion, rewritten
from ._substitute import indefinite
from .base import Change, NotApplicable

KIND = "adv"
RELATION = "changed"
TASKS = ("sst2", "qqp")
PROMISE = "The opposite opinion, or a question for something else, by one word; the gold label is the other one."
LIMITATIONS = (
    "English, and words of two small tables only.",
    "sst2: only short reviews in which that adjective is the one word of opinion and agrees with the gold label; an "
    "opinion that no single word gives away is not seen, so a variant may stay mixed.",
    "qqp: only duplicates in which both questions hold the word; a question that names both opposites is left out.",
    "The opposite may collocate less well than the word did.",
)

_WORD = re.compile(r"(?<![\w\-'\u2019])[A-Za-z]+(?![\w\-'\u2019])")
# An adverb of manner with an opinion of its own: "quietly engaging", "strenuously unfunny".
_COLOURED = re.compile(
    r"(?<!extremely)(?<!mildly)(?<!consistently)(?<!thoroughly)(?<!surprisingly)(?<!uniformly)(?<!wildly)(?<!simply)"
    r"(?<!deeply)(?<!utterly)(?<!completely)(?<!totally)(?<!highly)(?<=ly) \Z",
    re.IGNORECASE,
)
_SUPERLATIVE = re.compile(r"\b(?:the|their|your|my|his|her|'s) \Z", re.IGNORECASE)
_ARTICLE = re.compile(r"(?<![\w'\u2019\-])(an?)(?= +\Z)", re.IGNORECASE)
_REACH = 8
# "for the most part", "as good as", "good at", "after all": not the word that the table means.
_PHRASES = re.compile(
    r"\b(?:most part|at (?:most|least|first|last|best|worst)|most of|after all|first of all|before (?:and|or) after"
    r"|good (?:at|for|time|old)|feel good|(?:best|worst) (?:kind|sense|of)|original (?:hit|film|movie|novel|book)"
    r"|first time|men and women|most likely|for the first|look after|first name|best (?:friend|buy))\b",
    re.IGNORECASE,
)


def relabel(item: Item) -> str | NotApplicable:
    """The other label, where one word decides it."""
    if not is_for(item, TASKS):
        return NotApplicable("not for this task")
    if _deciding(item) is None:
        return NotApplicable("no single word decides the label")
    return OPPOSITE[item.label or ""] if item.task == "sst2" else "not_duplicate"


def rewrite(
    item: Item, sides: Sequence[str], rng: random.Random, rate: float
) -> Mapping[str, list[Change]] | NotApplicable:
    """Replace the deciding word by its opposite, with "a" or "an" before it brought into line.

    Args:
        item: An item of sst2, or a duplicate of qqp.
        sides: Fields that may be edited.
        rng: Not needed: each word has one opposite.
        rate: Has no effect: one word is edited.
    """
    found = _deciding(item)
    if found is None:
        return NotApplicable("no single word decides the label")
    return rewritten(item, sides, [_exchanged(item.fields[FIELDS[item.task]], found, _opposites(item.task))])


def _opposites(task: str) -> dict[str, str]:
    return lexicon.pairs("antonyms" if task == "sst2" else "question_antonyms")


def _deciding(item: Item) -> re.Match[str] | None:
    text = item.fields[FIELDS[item.task]]
    if _PHRASES.search(text):
        return None
    if item.task == "sst2":
        found = only_opinion(text)
        if found is None or found.group() not in _opposites("sst2") or _COLOURED.search(text[: found.start()]):
            return None
        return found if agrees(found.group(), item.label) else None
    return _shared(item.fields["question1"], text) if item.label == "duplicate" else None


def _shared(first: str, second: str) -> re.Match[str] | None:
    """The one word of the table in the second question, when the first question has it too and not its opposite."""
    table = _opposites("qqp")
    words = {word.lower() for word in _WORD.findall(first)}
    found = [match for match in _WORD.finditer(second) if match.group().lower() in table]
    if len(found) != 1 or not found[0].group().islower() or _PHRASES.search(first):
        return None
    word = found[0].group()
    if word.endswith("st") and word != "most" and not _SUPERLATIVE.search(second[: found[0].start()]):
        return None
    return found[0] if word in words and table[word].split()[-1] not in words else None


def _exchanged(text: str, found: re.Match[str], opposites: dict[str, str]) -> Change:
    other = opposites[found.group()]
    window = text[max(0, found.start() - _REACH) : found.start()]
    article = _ARTICLE.search(window)
    if article is None or article.group(1).lower() == indefinite(other):
        return Change(*found.span(), other)
    gap = window[article.end() :]
    given = article.group(1)
    return Change(found.start() - len(gap) - len(given), found.end(), given[0] + indefinite(other)[1:] + gap + other)
