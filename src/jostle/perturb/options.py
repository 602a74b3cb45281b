"""Do the options of a multiple-choice item mean the same in every order?"""

from __future__ import annotations

import re
import unicodedata

from ..items import LETTERS, MCQItem

_NOUN = r"(?:options?|choices?|answers?|alternatives?|responses?)"
_PLACE = r"(?:above|below|preceding|foregoing|previous|following|aforementioned)"
_AMOUNT = r"(?:all|both|none|neither|either|any|each|some|most|one|two|three|four|more than one|only one)"
_ORDINAL = r"(?:first|second|third|fourth|fifth|last|previous|next)"

# "Two floors above the ground" points at the ground, not at options.
_NO_OBJECT = rf"(?=\W*\Z|\s*[,;.)]|\s+(?:{_NOUN}|statements?|are|is|apply|and|or|except|but)\b)"
# "All of the above", "none of the following answers", "the above are all true".
_BY_PLACE = re.compile(
    rf"\b{_AMOUNT}\s+(?:of\s+)?(?:the\s+|these\s+)?(?:\w+\s+)?{_PLACE}\b{_NO_OBJECT}"
    rf"|\b{_PLACE}\s+{_NOUN}\b|\b{_NOUN}\s+(?:above|below)\b"
    rf"|^\W*the\s+{_PLACE}\b|\b{_ORDINAL}\s+(?:\w+\s+)?(?:options?|choices?|answers?)\b"
    r"|\b(?:listed|mentioned|given|stated|described)\s+above\b",
    re.IGNORECASE,
)
# "options 1 and 2", "answer (b)", "same as choice C".
_NAMED = re.compile(rf"\b(?i:{_NOUN})\s+(?:\((?:[A-Za-z]|\d)\)|[A-Z]\b|\d\b)")
_IN_QUESTION = re.compile(r"\b(?i:options?|choices?)\s+(?:\([A-Za-z]\)|[B-Z]\b)")

# An option that is nothing but letters of other options: "A and B", "both (a) and (c)", "B, C and D only".
_LETTER = r"(?:\([A-Za-z]\)|[A-Za-z]\)|[A-Z]\b)"
_LETTERS_ONLY = re.compile(
    rf"(?:(?i:both|either|neither|only|all of)\s+)?{_LETTER}(?:\s*,\s*{_LETTER})*"
    rf"\s*,?\s*(?:(?i:and|or|nor|but not)\b|&)\s*{_LETTER}(?:\s+(?i:only|both|alone|are\b.*|is\b.*))?"
)
_SMALL = r"\(?(?:[a-z]|\d)\)?"
_COUNTED = re.compile(rf"(?i:both|either|neither)\s+{_SMALL}\s+(?i:and|or|nor)\s+{_SMALL}\W*")
_SMALL_ONLY = re.compile(r"[a-z](?:, [a-z])*,? (?:and|or) [a-z](?: only)?")
_POINTER = re.compile(r"\b[A-Za-z]\b")
# "All of (a), (b) and (c) will be true": two letters in brackets, whatever stands around them.
_BRACKETED = re.compile(r"\(([A-Za-z])\)")


def order_dependent(item: MCQItem) -> bool:
    """Whether an option (or the question) points at options by place or by letter.

    "All of the above", "A and B" and "both (a) and (c)" do. "None of the other answers" and "none of these"
    point at all the others wherever they stand, and do not. When in doubt (are "A and B" options, or blood
    groups?) the answer is yes: an item too few costs less than a changed meaning.

    >>> order_dependent(MCQItem("Which is a city?", ("Paris", "Lyon", "Both of the above"), 0))
    True
    >>> order_dependent(MCQItem("Which is a city?", ("Paris", "Iron", "None of the other answers"), 0))
    False
    """
    letters = set(LETTERS[: len(item.choices)].lower())
    if _IN_QUESTION.search(item.question):
        return True
    return any(_points(option.strip(), letters) for option in item.choices)


def _points(option: str, letters: set[str]) -> bool:
    if _BY_PLACE.search(option) or _NAMED.search(option) or _COUNTED.fullmatch(option):
        return True
    bracketed = [found.lower() for found in _BRACKETED.findall(option)]
    if len(bracketed) > 1 and letters.issuperset(bracketed):
        return True
    bare = option.rstrip(" .")
    if _LETTERS_ONLY.fullmatch(bare) is None and _SMALL_ONLY.fullmatch(bare) is None:
        return False
    pointers = [found.lower() for found in _POINTER.findall(option)]
    return all(pointer in letters for pointer in pointers)


def gold_is_repeated(item: MCQItem) -> bool:
    """Whether another option reads like the gold one, apart from case, Unicode form and outer spaces.

    >>> gold_is_repeated(MCQItem("Capital?", ("Paris", "Rome", "paris "), 0))
    True
    """
    if item.answer_index is None:
        return False
    read = [unicodedata.normalize("NFC", option).casefold().strip() for option in item.choices]
    return read.count(read[item.answer_index]) > 1


def why_not_rotatable(item: MCQItem) -> str | None:
    """Why the options must stay in their order, or None when they may be rotated."""
    if len(item.choices) < 2:  # noqa: PLR2004  - a turn needs two places
        return "fewer than two options"
    if order_dependent(item):
        return "order-dependent options"
    return "distractor equals gold" if gold_is_repeated(item) else None
