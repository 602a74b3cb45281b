"""Word lists that come with the package; each is read once, when it is first needed."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

_COMMENT = "#"


@cache
def words(name: str) -> frozenset[str]:
    """All words of `data/lexicon/<name>.txt`, in lower case."""
    return frozenset(" ".join(_lines(f"{name}.txt")).lower().split())


@cache
def pairs(name: str) -> dict[str, str]:
    """The two columns of `data/lexicon/<name>.tsv`, left to right."""
    rows = (line.split("\t") for line in _lines(f"{name}.tsv"))
    return {left: right for left, right in rows}  # noqa: C416  - dict() would lose the check for two columns


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of `data/lexicon/<name>.tsv`, column by column; empty columns at the end of a row may be missing."""
    return tuple(tuple(line.split("\t")) for line in _lines(f"{name}.tsv"))


def polarity(word: str) -> int:
    """The opinion that a word gives in a review: 1 praise, -1 blame, 0 neither or unknown; any case.

    The list holds common words only: 0 is no proof that a word is neutral.

    >>> polarity("Charming"), polarity("tedious"), polarity("table")
    (1, -1, 0)
    """
    return int(pairs("polarity").get(word.lower(), 0))


def _lines(filename: str) -> list[str]:
    text = (files("jostle") / "data" / "lexicon" / filename).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith(_COMMENT)]
