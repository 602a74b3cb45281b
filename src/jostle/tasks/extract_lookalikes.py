"""Letters that look like Latin ones and are not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from .extract_mentions import WORD

_CYRILLIC = dict(zip("АВСЕНІЈКМОРЅТХУасеіјорѕху", "ABCEHIJKMOPSTXYaceijopsxy", strict=True))
_GREEK = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True))
_FULLWIDTH = {chr(k + 0xFEE0): chr(k) for k in range(ord("!"), ord("~") + 1) if chr(k).isalnum()}

LOOKALIKES: Mapping[str, str] = _CYRILLIC | _GREEK | _FULLWIDTH
"""Cyrillic, Greek and fullwidth letters, and the Latin letter or digit that each looks like."""

_ALONE = re.compile(rf"(?<!{WORD})[^\x00-\x7f](?!{WORD})")


def latinised(text: str, lookalikes: Mapping[str, str] | None = None) -> str:
    """The text with look-alikes that stand alone replaced; inside words they are the letters they are.

    Without a map every look-alike known here is replaced, and every character that Unicode calls compatible with a
    Latin letter or a digit (circled, mathematical).

    >>> latinised("Ответ: В, Ⓒ"), latinised("Ответ: В", {})
    ('Ответ: B, C', 'Ответ: В')
    """
    return _ALONE.sub(lambda found: _latin(found[0], lookalikes), text)


def _latin(character: str, lookalikes: Mapping[str, str] | None) -> str:
    if lookalikes is not None:
        return lookalikes.get(character, character)
    plain = LOOKALIKES.get(character) or unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 and plain.isascii() and plain.isalnum() else character
