"""Spans that no operator may touch: addresses, handles, numbers, code, placeholders, tags."""

from __future__ import annotations

import re
from bisect import bisect_left

from .base import Span

# What a protected span holds: most sentences hold none of it, and are done after one look. A stop counts before a word
# only. ASCII digits where they are all there can be let the engine skip along in C.
_SIGNS = b"@#0123456789_/\\$%~^=+*|&`{<["
_DOTTED = re.compile(r"\.\w")
_HINT = re.compile(r"[@#\d_/\\$€£¥%~^=+*|&.](?:(?<!\.)|\w)")
_ASCII_HINT = re.compile(r"[@#0-9_/\\$%~^=+*|&.](?:(?<!\.)|\w)")

# A whole token (up to the next space) that holds a sign of an address, number, path or name. Possessive parts
# let the scan pass each character at most a few times, however long a token is.
_TOKEN = re.compile(
    r"[^\s@#\d_/\\$€£¥%~^=+*|&]*+[@#\d_/\\$€£¥%~^=+*|&]\S*"
    r"|[^\s.]*+(?:\.++(?!\w)[^\s.]*+)*+\.\w\S*"
)
_TO_SPACE = re.compile(r"\S*+")
_CLOSING = ".,;:!?)]}\"'\u201d\u2019»…"

_PLAIN_NUMBER = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+")

# Spans that may hold spaces. A backtick before a space is a quotation mark of the Penn Treebank, not code. The first
# character is taken out of the alternatives, so that the engine looks for it in C.
_REGION = re.compile(
    r"[`{<\[](?:"
    r"(?<=`)``.*?```"
    r"|(?<=`)(?<!``)(?P<second>`?)(?![`\s])[^`\n]*+`(?P=second)(?!`)"
    r"|(?<=\{)\{[^{}\n]{0,200}+\}\}|(?<=\{)[^{}\n]{0,200}+\}"
    r"|(?<=<)/?[A-Za-z|][^<>\n]{0,200}+>"
    r"|(?<=\[)[A-Z_][A-Z0-9_ ]{0,60}+\])",
    re.DOTALL,
)


def protected_spans(text: str, numbers: bool = True) -> tuple[Span, ...]:
    """Spans of `text` that stay as they are, sorted and merged.

    Args:
        text: The text.
        numbers: Whether plain numbers (12, 1,000) are among them; anything with more to it than that always is.

    >>> text = "Write to ops@example.org, before 09:30."
    >>> [text[a:b] for a, b in protected_spans(text)]
    ['ops@example.org', '09:30']
    """
    hint = _HINT
    if text.isascii():
        # Deleting bytes takes half the time of a search for any of them.
        if len(text.encode().translate(None, _SIGNS)) == len(text) and not _has_dotted(text):
            return ()
        hint = _ASCII_HINT
    spans = _tokens(text, hint, numbers)
    if "`" in text or "<" in text or "[" in text or "{" in text:
        spans += [match.span() for match in _REGION.finditer(text)]
    return _merged(spans) if len(spans) > 1 else tuple(spans)


def _has_dotted(text: str) -> bool:
    dot = text.find(".")
    return dot >= 0 and _DOTTED.search(text, dot) is not None


def _tokens(text: str, hint: re.Pattern[str], numbers: bool) -> list[Span]:
    """The protected part of each token in which there is a hint; tokens without one are not looked at."""
    spans: list[Span] = []
    end = 0
    while found := hint.search(text, end):
        place = found.start()
        start = text.rfind(" ", end, place) + 1 or end
        if start < place:  # other white space than the space may stand before it
            start = place + 1 - len((text[start:place] + ".").split()[-1])
        match = _TOKEN.match(text, start)
        if match is None:
            end = _TO_SPACE.match(text, place).end()  # type: ignore[union-attr]  # matches anywhere
            continue
        end = match.end()
        kept = start + len(match.group().rstrip(_CLOSING))
        if not numbers and _PLAIN_NUMBER.fullmatch(text, start, kept):
            continue
        spans.append((start, kept))  # not empty: no sign is a closing mark
    return spans


def _merged(spans: list[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def touches(spans: tuple[Span, ...], start: int, end: int) -> bool:
    """Whether text[start:end] overlaps one of the sorted spans; an insertion at an edge does not.

    >>> touches(((2, 5),), 4, 7), touches(((2, 5),), 5, 7), touches(((2, 5),), 3, 3)
    (True, False, True)
    """
    before = bisect_left(spans, (end,))  # spans that begin before `end`; the last of them reaches furthest
    return before > 0 and spans[before - 1][1] > start
