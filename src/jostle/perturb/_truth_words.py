"""Words that carry the truth of a sentence beside its content: negations, quantifiers, numbers."""

from __future__ import annotations

import re
from collections import Counter

from .numerals import WORDS
from .words import word_set

_NEGATIVE = re.compile(
    r"\b(?:can)?not\b|\w+n['\u2019]t\b|\bn['\u2019]t\b"
    r"|\b(?:no one|no|never|none|nobody|nothing|neither|nor|nowhere|without|unable)\b",
    re.IGNORECASE,
)
_QUANTIFIER = re.compile(r"\b(?:all|every|each|some|any|few|both|half|only|most of|most)\b", re.IGNORECASE)
_NO_QUANTIFIER = re.compile(r"\b(?:each other|one another|most likely|at most|after all|at all)\b", re.IGNORECASE)
_SAME_QUANTIFIER = {"each": "every", "most of": "most"}
_SAME_NEGATION = {"no one": "nobody", "unable": "not", "cannot": "not"}

# Some token of this kind is in all that the patterns above and `numerals.values` find in ASCII (emoji, dashes and other
# signs that are no part of words change nothing); "t" is what n't leaves.
_FOREIGN = re.compile(r"[^\W\x00-\x7f]")
_TOKEN = re.compile(r"[a-z]+|\d")
_TOKENS = WORDS | word_set(
    "t not cannot no never none nobody nothing neither nor nowhere without unable "
    "all every each some any few both half only most 0 1 2 3 4 5 6 7 8 9"
)


def has_truth_words(text: str) -> bool:
    """False where a text certainly holds no negation, quantifier or number, after a look that takes a third of the time
    of counting them.

    >>> has_truth_words("a dull film"), has_truth_words("it's not dull"), has_truth_words("12 films")
    (False, True, True)
    """
    if not text.isascii() and _FOREIGN.search(text):
        return True  # it may be read as one of the others: a long s, another script's digit
    return not _TOKENS.isdisjoint(_TOKEN.findall(text.lower()))


def negations(text: str) -> Counter[str]:
    """Negations with every form of "not" as one; `without` and the like stay words of their own."""
    found = (match.group().lower() for match in _NEGATIVE.finditer(text))
    return Counter("not" if word.endswith(("n't", "n\u2019t")) else _SAME_NEGATION.get(word, word) for word in found)


def quantifiers(text: str) -> Counter[str]:
    """Quantifiers, without those of set phrases such as "after all"."""
    found = (match.group().lower() for match in _QUANTIFIER.finditer(_NO_QUANTIFIER.sub(" ", text)))
    return Counter(_SAME_QUANTIFIER.get(word, word) for word in found)
