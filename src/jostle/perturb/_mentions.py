"""Numbers in a text: what they are worth, and how else they may be written where they stand."""

from __future__ import annotations

import re
from typing import NamedTuple

from .base import Change
from .protect import protected_spans, touches
from .words import word_set

_UNITS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
WORDS = {word: value for value, word in enumerate(_UNITS)} | {word: 20 + 10 * k for k, word in enumerate(_TENS)}
WORDS |= {f"{ten}-{unit}": WORDS[ten] + WORDS[unit] for ten in _TENS for unit in _UNITS[1:10]}
_IN_WORDS = {value: word for word, value in WORDS.items()}

# Words that count, but have no value here: beside them, or across from them, a number is left alone.
_COUNTS = word_set(
    "dozen dozens score scores hundred hundreds thousand thousands million millions billion billions trillion "
    "couple pair pairs half halves third thirds quarter quarters twice thrice double triple first second fourth "
    "fifth sixth seventh eighth ninth tenth decade decades century centuries ii iii iv vi vii viii"
)
# What may follow or precede a number in arithmetic, measures of time, dates, addresses, names and scores.
_NOT_AFTER = word_set(
    "am pm a.m p.m o'clock bc ad bce ce percent per cent times plus minus divided squared cubed equals mod x to by "
    "out st nd rd th point b.c a.d mph km/h kpa km kg m cm mm ft lb lbs oz hz mhz ghz mb gb kw degrees dollars "
    "cents pounds euros fund % $"
)
_NOT_BEFORE = word_set(
    "number no nos mission missions page pages chapter section part volume route highway interstate room flight act "
    "scene figure table level grade title article line lines version windows apollo channel circa since until till "
    "by to times plus minus over divided and or between from point $ # age aged verse step question option january "
    "season week day episode round phase stage type class group gate platform "
    "february march april june july august september october november december"
)
_OPENERS = word_set(
    "the these those all about only over nearly almost some for in with at of every after within my our"
)

_NUMBER = re.compile(r"(?<![^\s(])(?:\d[\d,]*|[A-Za-z]+(?:-[A-Za-z]+)?)(?![^\s.,;:!?)])")
_ANY = re.compile(r"\d+|[A-Za-z]+")
_COMMAS = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
_PLAIN = re.compile(r"[1-9]\d*")
_BEFORE = re.compile(r"(\S+)\s+\Z")
_AFTER = re.compile(r"([.,;:!?)]*)\s+(\S+)")
_NEXT = re.compile(r"\s*,?\s*(?:(?:and|or|to|&|-+)\s+)?([A-Za-z]+|\d)")
_COUNTED = re.compile(r"\s+[a-z]")
_REACH = 24
_YEARS = range(1000, 2200)


class Mention(NamedTuple):
    """A number in a text: its value (None where it is not known), how it is written, its change where certain."""

    value: int | None
    form: str
    change: Change | None


def mentions(text: str) -> list[Mention]:
    """All numbers of a text, in figures and in words.

    >>> [mention.value for mention in mentions("12 guests and a dozen eggs")]
    [12, None]
    """
    certain = {match.start(): match for match in _NUMBER.finditer(text)}
    spans = protected_spans(text, numbers=False)
    found: list[Mention] = []
    end = 0
    for match in _ANY.finditer(text):
        whole = certain.get(match.start())
        value = _value(whole.group().rstrip(",")) if whole and match.start() >= end else None
        if value is not None and whole:
            end = whole.start() + len(whole.group().rstrip(","))
            free = not touches(spans, match.start(), end)
            form = _form(text[match.start() : end], value, text[end : end + _REACH])
            found.append(Mention(value, form, _change(text, match.start(), end, value) if free else None))
        elif match.start() >= end and _counts(match.group()):
            found.append(Mention(None, "", None))
    return found


def _value(number: str) -> int | None:
    if _COMMAS.fullmatch(number) or _PLAIN.fullmatch(number):
        return int(number.replace(",", ""))
    value = WORDS.get(number.lower())
    return None if value is not None and value < 2 else value  # noqa: PLR2004  - "one" is a pronoun as often


def _form(written: str, value: int, rest: str) -> str:
    """How a count is written, where a writer keeps to one way within a text: words, figures, commas, else ""."""
    if not written[0].isdigit():
        return "words"
    if "," in written:
        return "commas"
    return "figures" if value < 1000 and _COUNTED.match(rest) else ""  # noqa: PLR2004  - others may be years


def _counts(word: str) -> bool:
    return word[0].isdigit() or word.lower() in _COUNTS


def _change(text: str, start: int, end: int, value: int) -> Change | None:
    """The number in its other form, or None where its neighbours make it more than a count."""
    written = text[start:end]
    other = other_form(written, value)
    before = _BEFORE.search(text[max(0, start - _REACH) : start])
    after = _AFTER.match(text, end)
    if other is None or _is_listed(text, end):
        return None
    if (before and not _may_precede(before[1])) or (after and not _may_follow(after[1], after[2])):
        return None
    opens = before is None or before[1][-1] in ".!?"
    return Change(start, end, other.capitalize() if opens and written[0].isdigit() else other)


def other_form(written: str, value: int) -> str | None:
    """Words for figures and the other way round up to 99; commas dropped or added above.

    >>> other_form("12", 12), other_form("twelve", 12), other_form("12,000", 12000), other_form("1999", 1999)
    ('twelve', '12', '12000', None)
    """
    if not written[0].isdigit():
        return str(value) if written.islower() else None
    if value in _IN_WORDS:
        return _IN_WORDS[value] if value > 1 else None
    if value in _YEARS or value < 1000:  # noqa: PLR2004  - nothing to put a comma into
        return None
    return str(value) if "," in written else f"{value:,}"


def _may_precede(token: str) -> bool:
    word = token.strip("(\"'\u201c").lower()
    if token[-1] in ".!?" and word[:-1] not in {"no", "nos", "p", "pp"}:
        return True
    bare = word.rstrip(",;:)\"'\u201d")
    if not bare.replace("-", "").replace("'", "").isalpha() or bare in WORDS or bare in _COUNTS or bare in _NOT_BEFORE:
        return False
    return not token[0].isupper() or bare in _OPENERS


def _may_follow(marks: str, token: str) -> bool:
    if any(mark in ".!?;:" for mark in marks):
        return True
    word = token.strip("(\"'\u201c").rstrip(".,;:!?)\"'\u201d").lower()
    if not word:
        return True
    if not word[0].isalpha() or word in WORDS or word in _COUNTS or word in _NOT_AFTER:
        return False
    return not token[0].isupper()


def _is_listed(text: str, end: int) -> bool:
    """Whether another number follows: "missions 18 and 19", "two or three"."""
    found = _NEXT.match(text, end)
    return found is not None and (found[1].isdigit() or found[1].lower() in WORDS or found[1].lower() in _COUNTS)
