"""The edits between two texts, for variants that somebody or something else made."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from .base import Edit

_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


def edits_between(base: Mapping[str, str], edited: Mapping[str, str]) -> tuple[Edit, ...]:
    """Replacements that turn the base texts into the edited ones, word by word.

    Every field of `base` must be in `edited`. Making the edits gives the edited text exactly, and undoing them the
    base. Which of several shortest ways is given is decided by position, so it is the same every time.

    >>> edits_between({"text": "a dull film"}, {"text": "a very dull film"})
    (Edit(field='text', start=1, end=1, original='', replacement=' very'),)
    """
    return tuple(edit for field, text in base.items() for edit in _field_edits(field, text, edited[field]))


def _field_edits(field: str, text: str, other: str) -> list[Edit]:
    if text == other:
        return []
    before, after = _TOKEN.findall(text), _TOKEN.findall(other)
    starts = [0]
    for token in before:
        starts.append(starts[-1] + len(token))
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return [
        Edit(field, starts[a], starts[b], text[starts[a] : starts[b]], "".join(after[c:d]))
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal"
    ]
