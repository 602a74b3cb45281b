"""An edit for the eye: what stayed, what went, what came."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..perturb.diff import edits_between

CONTEXT = 60  # characters kept on each side of an edit in a long text
SAME, GONE, NEW, CUT = "same", "gone", "new", "cut"


class Piece(NamedTuple):
    """A stretch of text and what became of it: `same`, `gone`, `new`, or `cut` (same, and left out here)."""

    kind: str
    text: str


def marked(base: str, edited: str, context: int = CONTEXT) -> list[Piece]:
    """The edit from `base` to `edited`, word by word; unchanged stretches longer than twice the context are cut.

    The pieces that are not `new` make the base text, those that are not `gone` the edited one.

    >>> marked("a dull film", "a bright film")
    [Piece(kind='same', text='a '), Piece(kind='gone', text='dull'), Piece(kind='new', text='bright'), \
Piece(kind='same', text=' film')]
    """
    pieces = list(_pieces(base, edited))
    last = len(pieces) - 1
    return [
        short
        for k, piece in enumerate(pieces)
        for short in (_shortened(piece.text, context, k > 0, k < last) if piece.kind == SAME else [piece])
    ]


def _pieces(base: str, edited: str) -> Iterator[Piece]:
    done = 0
    for start, end, replacement in _edits(base, edited):
        if start > done:
            yield Piece(SAME, base[done:start])
        if end > start:
            yield Piece(GONE, base[start:end])
        if replacement:
            yield Piece(NEW, replacement)
        done = end
    if done < len(base):
        yield Piece(SAME, base[done:])


def _edits(base: str, edited: str) -> list[tuple[int, int, str]]:
    """Start, end and replacement; edits with nothing but space between them are one."""
    found: list[tuple[int, int, str]] = []
    for _, start, end, _, replacement in edits_between({"text": base}, {"text": edited}):
        if found and not base[found[-1][1] : start].strip():
            first, before, written = found.pop()
            found.append((first, end, written + base[before:start] + replacement))
        else:
            found.append((start, end, replacement))
    return found


def _shortened(text: str, context: int, after_edit: bool, before_edit: bool) -> list[Piece]:
    """The ends of a stretch that are near an edit, and the middle or far end as one piece that is cut."""
    if len(text) <= 2 * context:
        return [Piece(SAME, text)]
    head = _word_end(text, context) if after_edit or not before_edit else 0
    tail = len(text) - _word_end(text[::-1], context) if before_edit else len(text)
    if head >= tail:
        return [Piece(SAME, text)]
    parts = [Piece(SAME, text[:head]), Piece(CUT, text[head:tail]), Piece(SAME, text[tail:])]
    return [part for part in parts if part.text]


def _word_end(text: str, start: int) -> int:
    """The first position at or after `start` where no word is broken."""
    while start < len(text) and not text[start].isspace():
        start += 1
    return start
