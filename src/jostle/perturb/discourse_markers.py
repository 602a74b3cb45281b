"""Words that tie a sentence to its text, replaced by their equals or put before a claim."""

from __future__ import annotations

import random
import re
from functools import cache

from ..errors import UsageError
from . import lexicon
from ._clauses import NEGATIONS, lowered, sentence, words_of
from .base import Change, NotApplicable
from .words import Passage, draw, limited, not_english, word_set

KIND = "para"
RELATION = "invariant"
TASKS = ("*",)
PROMISE = "The same statement with another marker of discourse of the same meaning, or with one that adds no claim."
LIMITATIONS = (
    "English only. A marker is replaced where commas or the start of a sentence show that it is one.",
    "Markers differ in register ('additionally', 'in addition'), and 'nevertheless' is a stronger 'however'.",
    "A marker before a hypothesis (mnli) hints at a text that is not there; it leaves open whether the claim is true.",
    "Markers are added to hypotheses only: a fragment of a review or an answer would read oddly with one.",
)

MODES = ("auto", "replace", "add")
_TASKS_WITH_CLAIMS = ("mnli",)
# They state the claim over again and ask nothing new of the premise.
_ADDED = ("in fact", "indeed", "as it happens", "as a matter of fact")
_SUBJECTS = word_set(
    "the he she it they we there this these those his her its their our people everyone everybody nobody most some "
    "many all both i my"
)
_HAS_MARKER = re.compile(r"\A\W*[\w' ]{1,30} ?,")
_STARTS = re.compile(r"\A[\s\"'\u201c]*\Z|(?:[.!?;]|,)\s*\Z")
_REACH = 6
_FEWEST = 4


def edits(passage: Passage, rng: random.Random, rate: float, *, mode: str = "auto") -> list[Change] | NotApplicable:
    """Replace a marker ("for example," by "for instance,"), or put one before the claim.

    Args:
        passage: The text.
        rng: Draws the marker to add, and which are replaced when `rate` allows fewer than there are.
        rate: At most this share of the words is edited.
        mode: `replace`, `add`, or `auto`: replace where there is a marker, else add to a hypothesis of mnli.

    Raises:
        UsageError: Unknown mode.
    """
    if mode not in MODES:
        raise UsageError(f"Expected `mode` to be one of {', '.join(MODES)}, but got {mode!r}.")
    changes = _replaced(passage) if mode != "add" else []
    if not changes and (mode == "add" or (mode == "auto" and passage.task in _TASKS_WITH_CLAIMS)):
        changes = _added(passage, rng)
    if changes:
        return limited(rng, changes, passage.budget(rate))
    return not_english(passage.text) or NotApplicable("no place for a marker")


@cache
def _table() -> tuple[re.Pattern[str], dict[str, str]]:
    table: dict[str, str] = {}
    for left, direction, right in lexicon.rows("discourse_markers"):
        table[left] = right
        if direction == "<>":
            table[right] = left
    longest_first = sorted(table, key=len, reverse=True)
    return re.compile(rf"(?<![\w'\-])(?:{'|'.join(longest_first)})(?= ?,)", re.IGNORECASE), table


def _replaced(passage: Passage) -> list[Change]:
    pattern, table = _table()
    changes = []
    for match in pattern.finditer(passage.text):
        found, start = match.group(), match.start()
        if not passage.is_free(*match.span()) or _STARTS.search(passage.text[max(0, start - _REACH) : start]) is None:
            continue
        if found == "however" and passage.text[:start].rstrip().endswith(","):
            continue  # inside a sentence it contrasts, where "nevertheless" would concede
        other = table[found.lower()]
        if found.islower() or (found[0].isupper() and found[1:].islower()):
            changes.append(Change(*match.span(), other if found.islower() else other[0].upper() + other[1:]))
    return changes


def _added(passage: Passage, rng: random.Random) -> list[Change]:
    """A marker before a text that is one plain claim, with the capital moved to it."""
    found = sentence(passage)
    if found is None or found.mark not in ("", ".") or _HAS_MARKER.match(passage.text):
        return []
    words = words_of(found.body)
    body = lowered(found.body)
    if len(words) < _FEWEST or words[0] not in _SUBJECTS or body is None:
        return []
    marker = next(draw(rng, _ADDED[:2] if not NEGATIONS.isdisjoint(words) else _ADDED))
    opening = marker[0].upper() + marker[1:] if found.body[0].isupper() else marker
    comma = " ," if passage.text[found.stop : found.stop + 1] == " " and found.mark else ","
    return [Change(found.start, found.start + 1, f"{opening}{comma} {body[0]}")]
