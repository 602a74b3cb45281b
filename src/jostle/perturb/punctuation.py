"""Marks that are missing or typed twice, where no meaning hangs on them."""

from __future__ import annotations

import random
import re

from .base import Change, NotApplicable
from .words import Passage, limited, not_english

KIND = "pert"
RELATION = "invariant"
TASKS = ("*",)
RATE = 0.1
PROMISE = "The same words; one or two stops or commas are missing, added or typed twice."
LIMITATIONS = (
    "Commas are dropped before 'and' and 'but' only: elsewhere they can decide who did what.",
    "Question marks are never dropped, stops never traded for exclamation marks; quotations keep their marks.",
    "A text without a final mark that is in truth a question put as a statement gets a stop.",
)

_FINAL = re.compile(r"(?<=[A-Za-z)\]%\d]) ?([.!?])\Z")
_BARE = re.compile(r"(?<=[A-Za-z])\Z")
_COMMA = re.compile(r" ?,(?= (?:and|but) [A-Za-z])")
_DOUBLE = re.compile(r",(?= [A-Za-z])")
_ASKS = re.compile(
    r"\W*(?:wh(?:at|ich|o|om|ose|en|ere|y)|how|is|are|was|were|do|does|did|can|could|will|would|should|has|have|had)\b",
    re.IGNORECASE,
)
_QUOTE = re.compile("[\"\u201c\u201d`]|''")
_NO_MARK = NotApplicable("no mark that may change")
_REACH = 4  # what may stand around a final mark


def edits(passage: Passage, rng: random.Random, rate: float) -> list[Change] | NotApplicable:
    """Drop, add or double marks.

    Args:
        passage: The text.
        rng: Draws the marks and what becomes of them.
        rate: Number of marks as a share of the words; at least one.
    """
    text = passage.text
    refusal = not_english(text)
    if refusal:
        return refusal
    changes = _final(passage, rng)
    if "," in text and _QUOTE.search(text) is None:
        changes += _commas(passage, rng)
    if passage.protected:
        changes = [change for change in changes if passage.is_free(change.start, change.end)]
    return (limited(rng, changes, passage.budget(rate)) if len(changes) > 1 else changes) or _NO_MARK


def _final(passage: Passage, rng: random.Random) -> list[Change]:
    """What may happen to the mark at the end: a stop goes or is doubled, others are doubled, none becomes a stop."""
    end = len(passage.text.rstrip())
    found = _FINAL.search(passage.text, max(0, end - _REACH), end)
    if found is None:
        return _stop(passage, end)
    drops = found[1] == "." and rng.random() < 0.5  # noqa: PLR2004  - half of them
    return [Change(found.start(), end, "") if drops else Change(end, end, found[1])]


def _stop(passage: Passage, end: int) -> list[Change]:
    asks = passage.task == "mcq" or passage.field.startswith("question") or _ASKS.match(passage.text)
    if asks or _BARE.search(passage.text, max(0, end - _REACH), end) is None:
        return []
    return [Change(end, end, ".")]


def _commas(passage: Passage, rng: random.Random) -> list[Change]:
    """A comma that goes before "and" and "but", and one typed twice; one of them at each place."""
    dropped = {match.end(): Change(*match.span(), "") for match in _COMMA.finditer(passage.text)}
    changes = []
    for match in _DOUBLE.finditer(passage.text):
        drop = dropped.get(match.end())
        double = Change(match.end(), match.end(), ",")
        changes.append(drop if drop and rng.random() < 0.5 else double)  # noqa: PLR2004  - half of them
    return changes
