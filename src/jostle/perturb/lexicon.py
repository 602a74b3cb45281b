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


def _lines(filename: str) -> list[str]:
    text = (files("jostle") / "data" / "lexicon" / filename).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith(_COMMENT)]
