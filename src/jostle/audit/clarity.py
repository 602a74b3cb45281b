"""Questions that lack something: the question itself, what they refer to, an exponent.

Only rules whose precision was measured on expert labels stand here; see docs/ambiguity.md.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..measures.fold import fold
from ..measures.words import skim, words

_ASKED = re.compile(
    r"\?|:\s*$|_{2,}|\.{3}|…|(?:^|[.!?;,\n]\s*|\band\s+|-\s*)(?:please\s+)?"
    r"(?:calculate|choose|classify|compare|complete|compute|consider|define|derive|describe|determine|discuss|estimate|"
    r"evaluate|explain|express|fill|find|give|identify|indicate|list|match|name|predict|prove|rank|select|show|simplify|"
    r"solve|state|suppose|translate|use|write)\b|\b(?:at what|how many|how much|which of|what is)\b"
    r"|\bstatement\s+[12I]",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?]['\"”’)]*\s*$")
_LONG_OPTION = 8  # words; longer options tell what follows from a description
_OTHER_ITEM = re.compile(
    r"\b(?:previous|preceding|above|prior|last)\s+(?:question|problem|item|exercise|example)s?\b"
    r"|\b(?:question|problem|item|exercise|answer in|in)\s+(?:number|no\.?|#)\s*\d+\b"
    r"|\bthis\s+(?:chapter|section|unit|module)\b",
    re.IGNORECASE,
)
_MATERIAL = re.compile(
    r"\b(?:figure|diagram|graph|table|chart|picture|image|map|photograph|cartoon|passage|paragraph|excerpt|poem)"
    r"\s+(?:above|below|shown|provided|\d)|\b(?:shown|above|below)\s+(?:figure|diagram|graph|table|chart|picture|image|map)"
    r"|\bin\s+the\s+(?:figure|diagram|picture|image|passage)\b|\baccording\s+to\s+the\s+(?:passage|table|graph|chart)\b",
    re.IGNORECASE,
)
_SHORT_INPUT = 60  # words; a longer input may hold what it refers to
_LOST_EXPONENT = re.compile(r"\d+(?:\.\d+)?\s*[x×]\s*10(?!0+\b)\d{1,2}\b(?!\s*[x×^])")
_BARE_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_SENTENCE_WORDS = 3
_STEM = 40


def no_question(text: str, options: Sequence[str]) -> str | None:
    """A statement that has ended and asks for nothing, with short options.

    >>> no_question("Men are better drivers. They have more skill.", ["Straw man", "Ad hominem"]) is not None
    True
    >>> no_question("The capital of France is", ["Paris", "Rome"])
    """
    ended = _ENDED.search(text.rstrip())
    long = sum(len(words(option)) for option in options) > _LONG_OPTION * len(options)
    if not ended or long or _ASKED.search(text.strip()):
        return None
    sentences = re.split(r"(?<=[.!?])\s+", text.strip())
    asked = re.match(r"(?:what|which|who|whom|whose|how|why|when|where)\b", sentences[-1], re.IGNORECASE)
    return sentences[-1] if len(sentences) > 1 and not asked else None


def other_item(text: str) -> str | None:
    """Words that refer to another question or to a chapter."""
    match = _OTHER_ITEM.search(text)
    return match.group() if match else None


def absent_material(text: str) -> str | None:
    """Words that refer to a figure, table or passage in an input too short to hold it."""
    match = _MATERIAL.search(text)
    return match.group() if match and len(words(text)) <= _SHORT_INPUT else None


def lost_exponent(text: str, options: Sequence[str]) -> str | None:
    """A power of ten that was flattened: 2.2 x 1014.

    >>> lost_exponent("Which mass?", ["2.2 x 1014 kg", "3 x 10^14 kg"]), lost_exponent("Area?", ["3 x 100 m"])
    ('2.2 x 1014', None)
    """
    for part in (*options, text):
        match = _LOST_EXPONENT.search(part)
        if match:
            return match.group()
    return None


def stem_in_option(text: str, options: Sequence[str]) -> str | None:
    """An option that begins as the question does."""
    begun = skim(text[:_STEM])[: _STEM // 2]
    options = [option for option in options if len(option) > _STEM and skim(option[:_STEM]).startswith(begun)]
    stem = fold(text)[:_STEM] if options else ""
    found = (option for option in options if fold(option).startswith(stem))
    return next(found, None) if len(stem) == _STEM else None


def lone_number(options: Sequence[str]) -> str | None:
    """A bare number among options of three words and more."""
    bare = [option for option in options if _BARE_NUMBER.fullmatch(option.strip())]
    others = [option for option in options if option not in bare]
    if len(bare) != 1 or len(others) < 2 or not all(len(words(option)) >= _SENTENCE_WORDS for option in others):  # noqa: PLR2004
        return None
    return None if any(character.isdecimal() for option in others for character in option) else bare[0]
