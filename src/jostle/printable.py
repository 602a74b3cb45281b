"""Text of data and models for a terminal, which must not obey what stands in it."""

from __future__ import annotations

# C0 without tab and line feed, delete, and C1: with any of them a text can recolour, erase or retitle a terminal.
_ESCAPED = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n"}


def printable(text: str) -> str:
    r"""The text with its control characters written out; tabs and line ends stay, and Windows' are one character.

    >>> print(printable("\x1b[2Jgone\r\nnext"))
    \x1b[2Jgone
    next
    """
    return text.replace("\r\n", "\n").translate(_ESCAPED)
