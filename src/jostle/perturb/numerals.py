"""Numbers in a text, in figures or in words, as values."""

from __future__ import annotations

import re
from collections import Counter

_UNITS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_VALUES = (
    {word: value for value, word in enumerate(_UNITS)}
    | {word: 10 * (k + 2) for k, word in enumerate(_TENS)}
    | {"dozen": 12}
)
WORDS = frozenset(_VALUES)  # every number in words holds one of them
_FIGURE = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_TOKEN = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|[a-z]+")
_ALONE = ("one",)  # "one" is a pronoun as often as a number, so on its own it is not counted


def values(text: str) -> Counter[float]:
    """The numbers in a text, each with how often it stands there.

    Figures with or without thousands commas, and English number words ("twenty-one", "two hundred and five",
    "a dozen"). A lone "one" is not counted.

    >>> sorted(values("12 guests, twenty-one chairs, a dozen eggs and 1,000 pins"))
    [12.0, 21.0, 1000.0]
    >>> values("Two hundred and five of them").most_common()
    [(205.0, 1)]
    """
    found: Counter[float] = Counter()
    run: list[str] = []
    end = 0
    for match in _TOKEN.finditer(text := text.lower()):
        word = match.group()
        if text[end : match.start()].strip(" -"):
            _close(run, found)
        end = match.end()
        if word[0].isdigit():
            _close(run, found)
            found[float(word.replace(",", ""))] += 1
        elif word in _VALUES or (word in _SCALES and run) or (word == "and" and run and run[-1] in _SCALES):
            run.append(word)
        else:
            _close(run, found)
    _close(run, found)
    return found


def _close(run: list[str], found: Counter[float]) -> None:
    """Count the number that a run of number words makes."""
    while run and run[-1] == "and":
        run.pop()
    if run and tuple(run) != _ALONE:
        found[float(_value(run))] += 1
    run.clear()


def _value(run: list[str]) -> int:
    total = current = 0
    for word in run:
        if word == "and":
            continue
        if word == "hundred":
            current = max(current, 1) * _SCALES[word]
        elif word in _SCALES:
            total, current = total + max(current, 1) * _SCALES[word], 0
        elif word == "dozen":
            current = max(current, 1) * _VALUES[word]
        else:
            current += _VALUES[word]
    return total + current


def has_number(text: str) -> bool:
    """Whether a text holds a number, in figures or in words."""
    return bool(values(text))
