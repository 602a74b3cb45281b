"""Findings with what belongs to each, as text of 80 columns (but for longer words, such as paths) and as Markdown."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..printable import printable
from ..report.markdown import escape

WIDTH = 80


@dataclass(frozen=True)
class Entry:
    """A line, and lines that belong to it."""

    head: str
    details: Sequence[str] = ()


@dataclass(frozen=True)
class Listing:
    """Entries under a title; those beyond `most` are counted."""

    title: str
    entries: Sequence[Entry]
    most: int = 20

    def shown(self) -> list[Entry]:
        """The entries that are shown, and a last one that counts the rest."""
        rest = len(self.entries) - self.most
        return [*self.entries[: self.most], *([Entry(f"and {rest} more (--format json has all)")] if rest > 0 else [])]


def to_text(head: str, listings: Sequence[Listing]) -> str:
    """Text for the terminal."""
    return "\n".join([*_wrapped(head, ""), *(line for listing in listings for line in _text(listing))]) + "\n"


def _text(listing: Listing) -> Iterator[str]:
    yield from ("", listing.title)
    for entry in listing.shown():
        yield from _wrapped(entry.head, "- ")
        for detail in entry.details:
            yield from _wrapped(detail, "    ")


def _wrapped(text: str, indent: str) -> list[str]:
    below = " " * (len(indent) + (2 if indent.isspace() else 0))
    return textwrap.wrap(
        printable(text),
        WIDTH,
        initial_indent=indent,
        subsequent_indent=below,
        break_on_hyphens=False,
        break_long_words=False,
    ) or [""]


def to_markdown(head: str, listings: Sequence[Listing]) -> str:
    """Markdown for a pull request."""
    return "\n\n".join([escape(head), *("\n".join(_markdown(listing)) for listing in listings)]) + "\n"


def _markdown(listing: Listing) -> Iterator[str]:
    yield from (f"**{escape(listing.title)}**", "")
    for entry in listing.shown():
        yield f"- {escape(entry.head)}"
        yield from (f"  - {escape(detail)}" for detail in entry.details)
