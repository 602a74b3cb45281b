"""Spans that no operator may touch: addresses, handles, numbers, code, placeholders, tags."""

from __future__ import annotations

import re
from bisect import bisect_right

from .base import Span

# One look at the text: most sentences hold none of these, and are done. A stop counts before a word only. One set of
# characters in front, and ASCII digits where they are all there can be, let the engine skip along in C.
_HINT = re.compile(r"[@#\d_/\\$€£¥%~^=+*|&`{<\[.](?:(?<!\.)|\w)")
_ASCII_HINT = re.compile(r"[@#0-9_/\\$%~^=+*|&`{<\[.](?:(?<!\.)|\w)")

# A whole token (up to the next space) that holds a sign of an address, number, path or name. Possessive parts
# and the look-behind let the scan pass each character at most a few times, however long a token is.
_TOKEN = re.compile(
    r"(?<!\S)(?:[^\s@#\d_/\\$€£¥%~^=+*|&]*+[@#\d_/\\$€£¥%~^=+*|&]\S*"
    r"|[^\s.]*+(?:\.++(?!\w)[^\s.]*+)*+\.\w\S*)"
)
_BEYOND = 1 << 62  # past the end of any text
_CLOSING = ".,;:!?)]}\"'\u201d\u2019»…"

_PLAIN_NUMBER = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+")

# Spans that may hold spaces. A backtick before a space is a quotation mark of the Penn Treebank, not code.
_REGION = re.compile(
    r"```.*?```"
    r"|(?<!`)(?P<ticks>`{1,2})(?![`\s])[^`\n]*+(?P=ticks)(?!`)"
    r"|\{\{[^{}\n]{0,200}+\}\}|\{[^{}\n]{0,200}+\}"
    r"|</?[A-Za-z|][^<>\n]{0,200}+>"
    r"|\[[A-Z_][A-Z0-9_ ]{0,60}+\]",
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
    hint = _ASCII_HINT if text.isascii() else _HINT
    if hint.search(text) is None:
        return ()
    spans = [match.span() for match in _REGION.finditer(text)]
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        kept = len(match.group().rstrip(_CLOSING))
        if not numbers and _PLAIN_NUMBER.fullmatch(text, start, start + kept):
            continue
        if kept and (kept == end - start or hint.search(text, start, start + kept)):
            spans.append((start, start + kept))
    return _merged(spans)


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
    if not spans:
        return False
    at = bisect_right(spans, (start, _BEYOND)) - 1
    inside = at >= 0 and spans[at][1] > start and (end > start or spans[at][0] < start)
    following = at + 1 < len(spans) and spans[at + 1][0] < end
    return inside or following
