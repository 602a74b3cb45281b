"""The text in lower case, upper case, title case, or with words in random case."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from ..errors import UsageError
from .base import Change, NotApplicable, Span
from .words import Passage, limited, unspaced

KIND = "pert"
RELATION = "invariant"
TASKS = ("*",)
PROMISE = "The same letters; only their case differs."
LIMITATIONS = (
    "A model that lower-cases its input cannot see the edit.",
    "Case can carry meaning ('US' and 'us', 'Polish' and 'polish'): words of two to five capitals are left "
    "alone, "
    "but in an upper-case text the reader cannot tell them from the rest.",
    "Letters whose other case has another length (such as the German sharp s) stay as they are.",
)

_ACRONYM = re.compile(r"[A-Z]{2,5}s?")
_CAPITALS = re.compile(r"[A-Z][A-Z]")
_ACRONYMS = re.compile(r"(?<![A-Za-z])(?<![A-Za-z]')[A-Z]{2,5}s?(?![A-Za-z]|'[A-Za-z])")
# The first letter of a word, in ASCII; not of what follows an apostrophe, nor of n't.
_FIRST_LETTER = re.compile(r"(?<![A-Za-z'])(?!n't(?![A-Za-z]))[a-z]")
_INNER = re.compile(r"[A-Za-z][A-Z]")
# Pieces of words in Penn Treebank tokens: "it 's", "does n't".
_CLITICS = frozenset({"n't", "n\u2019t"})
_APOSTROPHES = frozenset({"'", "\u2019"})
Recase = Callable[[str], str]


def _title(word: str) -> str:
    return word[:1].upper() + word[1:]


CASES: dict[str, Recase] = {"lower": str.lower, "upper": str.upper, "title": _title}
_AUTO = tuple(CASES)
STYLES = (*CASES, "random")


def edits(passage: Passage, rng: random.Random, rate: float, *, style: str = "auto") -> list[Change] | NotApplicable:
    """Change the case of words.

    Where all words are to change, one edit holds all words between what must stay (addresses, acronyms).

    Args:
        passage: The text.
        rng: Draws the style, and the case of each word for `random`.
        rate: At most this share of the words is edited.
        style: `lower`, `upper`, `title` (first letter of every word), `random` (each word in one of these),
            or `auto`: lower, upper or title by draw, out of those that change the text.

    Raises:
        UsageError: Unknown style.
    """
    if style != "auto" and style not in STYLES:
        raise UsageError(f"Expected `style` to be one of auto, {', '.join(STYLES)}, but got {style!r}.")
    text = passage.text
    if text.lower() == text.upper():
        return NotApplicable("no word boundaries" if unspaced(text) else "no cased letters")
    if style != "upper" and text == text.upper():
        # Lower-casing would hide which words were acronyms.
        return NotApplicable("upper-case text")
    at = int(rng.random() * len(CASES)) if style == "auto" else 0
    names = (*_AUTO[at:], *_AUTO[:at]) if style == "auto" else (style,)
    if rate >= 1 and style != "random" and text.isascii():
        segments = _segments(passage)
        found = (_whole(text, segments, name) for name in names)
    else:
        words = [span for span in passage.words if _ACRONYM.fullmatch(text, *span) is None]
        found = (_recased(text, words, name, rng) for name in names)
    changes = next(filter(None, found), [])
    return limited(rng, changes, passage.budget(rate)) if len(changes) > 1 else changes


def _segments(passage: Passage) -> list[Span]:
    """The text without its protected spans and its acronyms."""
    text = passage.text
    acronyms = tuple(match.span() for match in _ACRONYMS.finditer(text)) if _CAPITALS.search(text) else ()
    segments, end = [], 0
    for start, stop in sorted((*passage.protected, *acronyms, (len(text), len(text)))):
        if start > end:
            segments.append((end, start))
        end = max(end, stop)
    return segments


def _whole(text: str, segments: list[Span], style: str) -> list[Change]:
    """Each segment in that case, as one change."""
    recase = _titled if style == "title" else CASES[style]
    changes = [Change(start, end, recase(text[start:end])) for start, end in segments]
    return [change for change in changes if text[change.start : change.end] != change.replacement]


def _titled(text: str) -> str:
    if "'" in text or _INNER.search(text):
        return _FIRST_LETTER.sub(lambda match: match[0].upper(), text)
    return text.title()


def _recased(text: str, words: list[Span], style: str, rng: random.Random) -> list[Change]:
    choices = tuple(CASES.values())
    ascii_only = text.isascii()
    changes = []
    for start, end in words:
        word = text[start:end]
        recase = choices[int(rng.random() * 3)] if style == "random" else CASES[style]
        if recase is _title and (word in _CLITICS or text[start - 1 : start] in _APOSTROPHES):
            continue
        changed = recase(word) if ascii_only else _same_length(word, recase)
        if changed != word:
            changes.append(Change(start, end, changed))
    return changes


def _same_length(word: str, recase: Recase) -> str:
    changed = recase(word)
    if len(changed) == len(word):
        return changed
    if recase is _title:
        return word
    return "".join(new if len(new) == 1 else old for old in word for new in (recase(old),))
