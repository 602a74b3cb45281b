"""Words of a text, and hashes of runs of them."""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
# Letters of scripts without spaces between words stand for themselves.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0e7f"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_ASCII_MARKS = {code: None for code in range(128) if not chr(code).isalnum()}


def words(text: str) -> list[str]:
    """The words of a text in lower case and NFKC, without punctuation.

    >>> words("It ISN'T 3.5!"), words("什么 is it")
    (['it', 'isn', 't', '3', '5'], ['什', '么', 'is', 'it'])
    """
    return _WORD.findall((text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold())


def skim(text: str) -> str:
    """The letters and digits of a text in lower case: equal where two texts are equal when folded, and cheap.

    >>> skim("It ISN'T 3.5!")
    'itisnt35'
    """
    if text.isascii():
        return text.translate(_ASCII_MARKS).lower()
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


class WordHashes:
    """Hashes of words, the same on every machine; the most recent distinct words are kept, up to a number of them."""

    def __init__(self, most: int = 1_000_000) -> None:
        self._most = most
        self._known: dict[str, int] = {}

    def __call__(self, tokens: Sequence[str]) -> Hashes:
        """Hash of each word."""
        known = self._known
        if len(known) > self._most:
            known.clear()
        for token in tokens:
            if token not in known:
                data = token.encode("utf-8", "surrogatepass")
                known[token] = zlib.crc32(data) | zlib.adler32(data) << 32
        return _mixed(np.fromiter((known[token] for token in tokens), dtype=np.uint64, count=len(tokens)))


def _mixed(values: Hashes) -> Hashes:
    values = (values ^ (values >> _SHIFT)) * _MIX
    mixed: Hashes = values ^ (values >> _SHIFT)
    return mixed


def runs(hashes: Hashes, length: int) -> Hashes:
    """Hash of every run of `length` words, in their order; none where there are fewer words.

    >>> hash_of = WordHashes()
    >>> runs(hash_of(["a", "b", "c"]), 2).tolist()[0] == runs(hash_of(["a", "b"]), 2).tolist()[0]
    True
    """
    count = len(hashes) - length + 1
    if count < 1:
        return np.zeros(0, dtype=np.uint64)
    found = np.full(count, np.uint64(length))
    for k in range(length):
        found = _mixed(found * _MIX + hashes[k : k + count])  # wraps around, as a hash may
    return found


def flat(lists: Iterable[Sequence[str]]) -> tuple[list[str], NDArray[np.int64]]:
    """All words one after the other, and how many each list has."""
    kept = list(lists)
    return [word for one in kept for word in one], np.array([len(one) for one in kept], dtype=np.int64)
