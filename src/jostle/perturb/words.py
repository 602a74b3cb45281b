"""The text an operator sees, its words, and draws from them."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import TypeVar

from .base import Change, NotApplicable, Span
from .protect import protected_spans, touches

T = TypeVar("T")

# `Change(*given)` in less than half of its time, for operators that make many.
new_change: Callable[[tuple[int, int, str]], Change] = partial(tuple.__new__, Change)
_NO_BOUNDARIES = NotApplicable("no word boundaries")
_NO_ENGLISH = NotApplicable("no English words")


def word_set(text: str) -> frozenset[str]:
    """The space-separated words of `text`."""
    return frozenset(text.split())


# Letters with inner apostrophes, in any script; combining marks belong to the letter before them.
_LETTERS = r"[^\W\d_](?:[^\W\d_]|[\u0300-\u036f])*+"
_WORD = re.compile(rf"{_LETTERS}(?:['\u2019]{_LETTERS})*+")

_ASCII_WORD = re.compile(r"[A-Za-z]++(?:'[A-Za-z]++)*+")

# A word of plain A-Z that is not part of a longer word with other letters, marks or joiners ("naïve").
ENGLISH_WORD = r"(?<![\w\u00ad\u0300-\u036f\u200b-\u200d])[A-Za-z]++(?![\w\u00ad\u0300-\u036f\u200b-\u200d])"
_ENGLISH = re.compile(ENGLISH_WORD)

# Scripts written without spaces between words: Thai to Khmer, kana, ideographs.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_TOKENISED = re.compile(r" (?:[.,!?;:](?:\s|\Z)|n['\u2019]t\b|['\u2019](?:s|re|ve|ll|d|m)\b)")
_OTHER_SCRIPT = re.compile(r"[^\W\d_\u0041-\u024f\u1e00-\u1eff]")


class Passage:
    """One text with what operators ask about it, worked out when it is first asked for.

    Args:
        text: The text of one field.
        task: Task of the item it comes from.
        field: Name of the field.
        numbers: Whether the operator may edit plain numbers, which are protected from all others.
    """

    __slots__ = ("_numbers", "_protected", "field", "task", "text")

    def __init__(self, text: str, task: str = "custom", field: str = "text", numbers: bool = False) -> None:
        """Keep the text; nothing is looked for yet."""
        self.text = text
        self.task = task
        self.field = field
        self._numbers = numbers
        self._protected: tuple[Span, ...] | None = None

    @property
    def protected(self) -> tuple[Span, ...]:
        """Spans that must not be touched (see `protect`)."""
        if self._protected is None:
            self._protected = protected_spans(self.text, not self._numbers)
        return self._protected

    def is_free(self, start: int, end: int) -> bool:
        """Whether text[start:end] lies outside the protected spans."""
        spans = self._protected
        if spans is None:
            spans = self.protected
        return not spans or not touches(spans, start, end)

    @property
    def words(self) -> list[Span]:
        """Spans of the words outside protected spans, in any script.

        >>> passage = Passage("It 's v2.10, isn't it?")
        >>> [passage.text[a:b] for a, b in passage.words]
        ['It', 's', "isn't", 'it']
        """
        return self.free(_ASCII_WORD if self.text.isascii() else _WORD)

    def free(self, pattern: re.Pattern[str]) -> list[Span]:
        """Spans of all matches of `pattern` that lie outside the protected spans."""
        found = [match.span() for match in pattern.finditer(self.text)]
        if not found or not self.protected:
            return found
        return [span for span in found if self.is_free(*span)]

    def budget(self, rate: float) -> int:
        """How many edits `rate` allows: the share of the space-separated words, rounded up."""
        return math.ceil(rate * len(self.text.split()))


def unspaced(text: str) -> bool:
    """Whether the text holds letters of a script that puts no spaces between words."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def is_tokenised(text: str) -> bool:
    """Whether the text has spaces before punctuation and clitics, as in the Penn Treebank ("it 's good .").

    >>> is_tokenised("it 's a good film . "), is_tokenised("It's a good film.")
    (True, False)
    """
    return _TOKENISED.search(text) is not None


def not_english(text: str) -> NotApplicable | None:
    """Why an operator with an English word list does not apply, or None when the text has English words.

    >>> not_english("这部电影的结局让我非常失望").reason, not_english("Всё хорошо").reason
    ('no word boundaries', 'no English words')
    """
    if _ENGLISH.search(text):
        return None
    return _NO_BOUNDARIES if unspaced(text) else _NO_ENGLISH


def has_other_script(text: str) -> bool:
    """Whether the text holds letters of a script other than Latin."""
    return not text.isascii() and _OTHER_SCRIPT.search(text) is not None


_OPENING = re.compile(r"(?:\A|[.!?:]['\"\u201d\u2019)]*\s|\n)\s*[\"'\u201c\u2018(\[]*\s?\Z")
_REACH = 8
_ENDED = re.compile(r"[.!?\u2026][\"'\u201d\u2019)\s]*\Z")
_TAIL = 16


def cased_like(word: str, other: str, text: str, start: int) -> str | None:
    """`other` in the case pattern of `word` at `start`, or None where the capital may mark a name.

    >>> cased_like("Color", "colour", "Color!", 0), cased_like("Color", "colour", "The Color!", 4)
    ('Colour', None)
    """
    if word.islower():
        return other
    if word.isupper():
        return other.upper()
    if word.istitle() and _OPENING.search(text[max(0, start - _REACH) : start]):
        return other.capitalize()
    return None


def is_unfinished(text: str) -> bool:
    """Whether the text stops without a mark, so that something is to follow ("The capital of France is").

    >>> is_unfinished("The capital is"), is_unfinished("He said 'stop.' ")
    (True, False)
    """
    end = len(text.rstrip())
    return _ENDED.search(text, max(0, end - _TAIL), end) is None


def draw(rng: random.Random, values: Sequence[T]) -> Iterator[T]:
    """All values in random order, one by one, at no more cost than what is taken."""
    moved: dict[int, int] = {}
    for last in range(len(values) - 1, -1, -1):
        at = int(rng.random() * (last + 1))
        yield values[moved.get(at, at)]
        moved[at] = moved.get(last, last)


def limited(rng: random.Random, values: list[T], most: int) -> list[T]:
    """The values, or a random `most` of them in their order when there are more."""
    if len(values) <= most:
        return values
    if most == 1:
        return [values[int(rng.random() * len(values))]]
    kept = sorted(islice(draw(rng, range(len(values))), most))
    return [values[index] for index in kept]
