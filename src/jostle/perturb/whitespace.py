"""Other spacing between the words of plain prose."""

from __future__ import annotations

import random
import re

from ..errors import InputError, UsageError
from ..items import MCQItem
from .base import Change, NotApplicable, Span
from .protect import touches
from .words import Passage, limited, not_english

KIND = "pert"
RELATION = "invariant"
TASKS = ("*",)
PROMISE = "The same words in the same order; only the number of spaces between them differs."
LIMITATIONS = (
    "Many tokenizers (BERT among them) merge runs of spaces, so such a model cannot see the edit.",
    "Only plain prose on one line is restyled: code, tables, verse and questions about spacing are left out.",
    "Questions about spacing are known by English words; one that is put otherwise may slip through.",
)

_GAP = re.compile(r"(?<=[^\s\d]) (?=\S)|(?<=\d) (?=[^\s\d])")  # not within "1 000"
_SENTENCE_GAP = re.compile(r"(?<=[.!?]) (?=[^\W\d_])")
_TRAILING = re.compile(r"(?<=\S)(?=\s*\Z)")

_TABLE = re.compile(r"^[^|\n]*\|[^|\n]*\||\t", re.MULTILINE)
_INDENTED = re.compile(r"\n[ \t]+\S")
_QUOTED = re.compile(r"\"[^\"\n]*+\"|\u201c[^\u201d\n]*+\u201d|(?<!\w)'(?!')[^'\n]*+'(?!\w)|``(?:[^'\n]|'(?!'))*+''")
_QUOTE = re.compile("[\"'\u201c`]")
_WIDE = re.compile(r"\S(?:  |\t)\s*\S")
_ABOUT_SPACING = re.compile(
    r"\b(?:spaces|spacing|white ?space|blanks|indent\w*"
    r"|how many (?:characters|letters|symbols|words|lines))\b",
    re.IGNORECASE,
)

_HINTS = ("spac", "blank", "indent", "how many")
STYLES = ("double", "mixed", "sentence", "trailing")


def edits(passage: Passage, rng: random.Random, rate: float, *, style: str = "double") -> list[Change] | NotApplicable:
    """Widen gaps between words.

    Where all gaps are widened, one edit holds all gaps between two protected spans.

    Args:
        passage: The text.
        rng: Draws the gaps and, for `mixed`, their widths.
        rate: At most this share of the words has its gap widened.
        style: `double` (two spaces for one), `mixed` (two or three spaces at about half the gaps), `sentence`
            (two spaces after the end of a sentence) or `trailing` (two spaces after the last word).

    Raises:
        UsageError: Unknown style.
    """
    if style not in STYLES:
        raise UsageError(f"Expected `style` to be one of {', '.join(STYLES)}, but got {style!r}.")
    reason = _why_not_prose(passage.text)
    if reason:
        return NotApplicable(reason)
    if style == "double" and rate >= 1 and (all_of_it := _whole(passage)):
        return limited(rng, all_of_it, passage.budget(rate))
    gaps = _gaps(passage, style)
    if isinstance(gaps, NotApplicable):
        return gaps
    if style == "mixed":
        gaps = [gap for gap in gaps if rng.random() < 0.5] or gaps[:1]  # noqa: PLR2004  - half of them
    chosen = limited(rng, gaps, passage.budget(rate))
    if style == "mixed":
        return [Change(start, end, " " * rng.randint(2, 3)) for start, end in chosen]
    return [Change(start, end, "  ") for start, end in chosen]


def _whole(passage: Passage) -> list[Change]:
    """All gaps between two protected spans as one change; none where a gap may be wide already, or quoted."""
    text = passage.text
    end = len(text.rstrip())
    start = len(text) - len(text.lstrip())
    if "  " in text[start:end] or not text.isascii() or (_QUOTE.search(text) and _QUOTED.search(text)):
        return []
    changes = []
    for left, right in (*passage.protected, (end, end)):
        first, last = text.find(" ", start, left), text.rfind(" ", start, left)
        if first >= 0 and not text[first - 1 : last + 2].replace(" ", "").isdigit():  # "1 000" is one number
            changes.append(Change(first, last + 1, text[first : last + 1].replace(" ", "  ")))
        start = right
    return changes


def _gaps(passage: Passage, style: str) -> list[Span] | NotApplicable:
    if style == "trailing":
        return passage.free(_TRAILING)
    gaps = passage.free(_SENTENCE_GAP if style == "sentence" else _GAP)
    if not gaps:
        return not_english(passage.text) or NotApplicable("no gap to widen")
    if _QUOTE.search(passage.text) is None:
        return gaps
    quoted = tuple(match.span() for match in _QUOTED.finditer(passage.text))
    return [gap for gap in gaps if not touches(quoted, *gap)] or NotApplicable("no gap to widen")


def _why_not_prose(text: str) -> str | None:
    """What makes the spacing of this text mean something, or None for plain prose on one line."""
    if ("|" in text or "\t" in text) and _TABLE.search(text):
        return "table"
    body = text.strip()
    if "\n" in body or "\r" in body:
        return "code indentation" if _INDENTED.search(text) else "line-structured text"
    if "  " in body and any(_WIDE.search(match.group()) for match in _QUOTED.finditer(text)):
        return "quoted spacing"
    lowered = text.lower()
    for hint in _HINTS:
        if hint in lowered:
            return "about spacing" if _ABOUT_SPACING.search(text) else None
    return None


def whitespace_variant(item: MCQItem, style: str = "double") -> MCQItem:
    """The item with other spacing in its question; the options stay as they are.

    Args:
        item: A multiple-choice item whose question is plain prose.
        style: `double`, `mixed`, `sentence` or `trailing` (see `edits`).

    Raises:
        UsageError: Unknown style.
        InputError: The question is not plain prose, or there is nothing to widen.

    Limitations: see `LIMITATIONS`; a model whose tokenizer merges spaces cannot see the edit.

    >>> whitespace_variant(MCQItem("Capital of France?", ["Paris", "Rome"], 0), "double").question
    'Capital  of  France?'
    """
    from .engine import apply

    variant = apply("whitespace", item, style=style)
    if isinstance(variant, NotApplicable):
        raise InputError(
            f"Expected a question of plain prose, but got {variant.reason} in item {variant.item_id!r}. "
            "Leave this item out."
        )
    assert isinstance(variant.item, MCQItem)
    return variant.item
