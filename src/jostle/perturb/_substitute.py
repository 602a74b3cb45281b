"""Replace words by others from a table, where their neighbours allow it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from . import lexicon
from .base import Change
from .words import ENGLISH_WORD, Passage

START = "^"  # in a table: no word before it in its sentence
# In a table, after the word: what must follow.
FIGURE, PLURAL = "#", "+s"
_IRREGULAR = frozenset({"people", "men", "women", "children"})
_WORD = re.compile(ENGLISH_WORD)
_BEFORE = re.compile(r"([\w'\u2019]+|[^\s\w])\s*\Z")
_AFTER = re.compile(r"\s+([\w'\u2019]+)|\s*([,.;:!?])")
_ARTICLE = re.compile(r"(?<![\w'\u2019\-])(an?)(?= +\Z)", re.IGNORECASE)
_OPENING = re.compile(r"(?:\A|[.!?]['\"\u201d\u2019)]*\s|\n)\s*[\"'\u201c\u2018(\[]*\s?\Z")
_QUOTE = re.compile(r"[\"\u201c\u201d\u00ab\u00bb]|``|''|(?<!\w)[`\u2018]")
_I = frozenset({"I", "I'm", "I've", "I'll", "I'd"})
_JOINERS = "-\u2010\u2011/_'\u2019"
_REACH = 40
_APART = 2  # "often very" must not become "frequently really"
_SHORT_WORD = 4  # "to" and "all" may stand twice
# Letters that belie the sound a word begins with.
_AN_ANYWAY = re.compile(r"(?:hour|honest|honou?r|heir)", re.IGNORECASE)
_A_ANYWAY = re.compile(r"(?:eu|ewe|one\b|once\b|uni(?!n|m)|use|usu|util|ubiq)", re.IGNORECASE)


class Entry(NamedTuple):
    """One phrase of a table, what replaces it, and the neighbours that forbid it."""

    phrase: str
    replacement: str
    not_after: frozenset[str] = frozenset()
    not_before: frozenset[str] = frozenset()


Table = Mapping[str, tuple[Entry, ...]]  # by first word; longer phrases first


@cache
def table(*names: str) -> Table:
    """The tables of these names in `data/lexicon`, read as one."""
    return _indexed([entry for name in names for row in lexicon.rows(name) for entry in _entries(row)])


def own_table(pairs: Mapping[str, str]) -> Table:
    """A user's words and what replaces them; there are no forbidden neighbours."""
    return _indexed([Entry(phrase.lower(), replacement) for phrase, replacement in pairs.items()])


def _entries(row: tuple[str, ...]) -> Iterator[Entry]:
    left, direction, right, *context = row
    not_after, not_before = (frozenset(words.split()) for words in (*context, "", "")[:2])
    for one, other in zip(left.split("/"), right.split("/"), strict=True):
        yield Entry(one, other, not_after, not_before)
        if direction == "<>":
            yield Entry(other, one, not_after, not_before)


def _indexed(entries: list[Entry]) -> Table:
    index: dict[str, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: -len(entry.phrase)):
        first = _WORD.match(entry.phrase)
        index.setdefault(first.group() if first else entry.phrase, []).append(entry)
    return {word: tuple(found) for word, found in index.items()}


def substitutions(passage: Passage, entries: Table) -> list[Change]:
    """All replacements that the table allows in the text, with a word at least between one and the next."""
    text, changes, last, apart = passage.text, [], 0, 0
    spoken = _unquoted(text)
    for match in _WORD.finditer(text):
        if match.start() < last or match.group().lower() not in entries:
            continue
        for entry in entries[match.group().lower()]:
            change = _change(text, match.start(), entry)
            if change and change.start >= last + apart and passage.is_free(*change[:2]) and spoken(match.start()):
                changes.append(change)
                last, apart = change.end, _APART
                break
    return changes


def _change(text: str, start: int, entry: Entry) -> Change | None:
    end = start + len(entry.phrase)
    found = text[start:end]
    if found.lower() != entry.phrase or text[end : end + 1].isalnum():
        return None
    if text[start - 1 : start] in tuple(_JOINERS) or _is_joined(text, end):
        return None
    window = text[max(0, start - _REACH) : start]
    before, after = _BEFORE.search(window), _AFTER.match(text, end)
    if _forbidden(entry, window, before, after):
        return None
    if _repeats(entry.replacement, window, text[end : end + _REACH]):
        return None
    cased = _cased(found, entry.replacement, window, before, after)
    return _agreeing(start, end, window, cased) if cased else None


def _repeats(replacement: str, before: str, after: str) -> bool:
    """Whether the new word stands close by already ("dull and boring" would become "boring and boring")."""
    if len(replacement) < _SHORT_WORD:
        return False
    return re.search(rf"\b{re.escape(replacement)}\b", f"{before}\n{after}", re.IGNORECASE) is not None


def _is_joined(text: str, end: int) -> bool:
    """Whether the word goes on in a compound or a contraction; a possessive does no harm."""
    following, beyond = text[end : end + 1], text[end + 1 : end + 2]
    if following in tuple("'\u2019"):
        return beyond.isalpha() and beyond not in "sS"
    return following in tuple(_JOINERS) and beyond.isalnum()


def _forbidden(
    entry: Entry, window: str, before: re.Match[str] | None, after: re.Match[str] | None
) -> bool:  # fmt: skip
    previous = before.group(1).lower().replace("\u2019", "'") if before else START
    if previous.endswith("n't"):
        previous = "n't"
    if previous == "n't" and entry.not_after & {"not"}:
        return True
    following = (after.group(1) or after.group(2)).lower() if after else ""
    if not _follows(entry, following):
        return True
    opened = START in entry.not_after and (before is None or _OPENING.search(window) is not None)
    return opened or previous in entry.not_after or following in entry.not_before


def _follows(entry: Entry, following: str) -> bool:
    """Whether what must follow does."""
    if FIGURE in entry.not_before:
        return following[:1].isdigit()
    plural = following in _IRREGULAR or following.endswith("s")
    return plural or PLURAL not in entry.not_before


def _cased(
    found: str, replacement: str, window: str, before: re.Match[str] | None, after: re.Match[str] | None
) -> str | None:
    """The replacement in the case of what it replaces, or None where a capital may mark a name or a title."""
    following = (after.group(1) or "") if after else ""
    in_title = following[:1].isupper() and following not in _I
    if found.startswith("I ") and found[2:].islower():
        return "I" + replacement[1:]
    if found.islower():
        return None if in_title and before is not None and before.group(1)[:1].isupper() else replacement
    if found.isupper() and len(found) > 1:
        return replacement.upper()
    capitalised = found[:1].isupper() and found[1:].islower()
    if capitalised and not in_title and _OPENING.search(window):
        return replacement[:1].upper() + replacement[1:]
    return None


def _agreeing(start: int, end: int, window: str, replacement: str) -> Change:
    """The change, with "a" or "an" before it brought into line."""
    article = _ARTICLE.search(window)
    if article is None:
        return Change(start, end, replacement)
    given = article.group(1)
    wanted = indefinite(replacement)
    if given.lower() == wanted:
        return Change(start, end, replacement)
    cased = wanted.upper() if given.isupper() and len(given) > 1 else given[0] + wanted[1:]
    gap = window[article.end() :]
    return Change(start - len(gap) - len(given), end, cased + gap + replacement)


def indefinite(word: str) -> str:
    """The indefinite article before `word`.

    >>> [indefinite(word) for word in ("film", "aim", "hour", "university")]
    ['a', 'an', 'an', 'a']
    """
    if _AN_ANYWAY.match(word):
        return "an"
    if _A_ANYWAY.match(word):
        return "a"
    return "an" if word[:1].lower() in set("aeiou") else "a"


class _unquoted:  # noqa: N801  - used like a function
    """Whether a place lies outside quotation marks, within which there may be a title."""

    def __init__(self, text: str) -> None:
        self.marks = [match.start() for match in _QUOTE.finditer(text)]
        self.at = 0

    def __call__(self, place: int) -> bool:
        """Places must be asked for in their order."""
        while self.at < len(self.marks) and self.marks[self.at] < place:
            self.at += 1
        return self.at % 2 == 0
