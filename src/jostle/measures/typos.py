"""Whether two texts are the same but for typing errors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from .fold import NEGATIONS

# Words that differ from another of them in a letter or two, so that neither is a slip of the other.
FUNCTION_WORDS = frozenset(
    re.findall(
        "[a-z]+",
        """a all an and any are as at be been being both but by can could did do does done each for from had has have he
        her here him his hot how i if in into is it its may me might mine more most much must my new now of off old on
        once one only or other our out over own same shall she should so some such than that the thee their them then
        there these they this those though through to too two three four under until up us was we were what when where
        which while who whom whose why will with would you your""",
    )
)
MOST_SPACES = 3  # that slipped in or out
SHORTEST = 3  # letters; another letter in a shorter word is another word
_ROMAN = re.compile("[ivxlcdm]+")


def same_but_for_typos(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether words differ by slips alone: each run of words that differs has another spelling of the same length.

    Two spellings are alike within one edit for every five letters, and one for shorter words; an edit is a letter
    more, less, other, or two that changed places (in words of one or two letters that alone). Up to three spaces are
    more or less. No word is added or left out, no number (Roman ones too) and no negation differs, and the two
    spellings are not both function words ("in" and "on").

    Args:
        first: Words of a folded text.
        second: Words of another.

    Limitations: another word that is spelled alike ("saved" and "served") passes for a slip.

    >>> same_but_for_typos("the quick fox".split(), "teh quikc fox".split())
    True
    >>> same_but_for_typos("is it hot".split(), "is it cold".split())
    False
    """
    if len(first) == len(second):
        return all(map(_slip, first, second))
    if abs(len(first) - len(second)) > MOST_SPACES:
        return False
    for kind, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if kind != "equal" and not (kind == "replace" and _alike(first[a:b], second[c:d])):
            return False
    return True


def _alike(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether one run of words is the other with slips: word by word, or as a whole where a space slipped."""
    if len(first) == len(second):
        return all(map(_slip, first, second))
    return not NEGATIONS & {*first, *second} and _slip("".join(first), "".join(second))


def _slip(one: str, other: str) -> bool:
    if one == other:
        return True
    if {one, other} & NEGATIONS or {one, other} <= FUNCTION_WORDS or any(map(str.isdigit, one + other)):
        return False
    if _ROMAN.fullmatch(one) and _ROMAN.fullmatch(other):
        return False
    if max(len(one), len(other)) < SHORTEST and sorted(one) != sorted(other):
        return False  # x and y, * and +
    most = max(1, max(len(one), len(other)) // 5)
    # an edit changes the length by one at most, and by two at most the letters that only one of the words has
    if abs(len(one) - len(other)) > most or len({*one} ^ {*other}) > 2 * most:
        return False
    return edits(one, other) <= most


def edits(first: str, second: str) -> int:
    """Fewest insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.

    The optimal string alignment distance: no part of a word is edited twice.

    >>> edits("recieve", "receive"), edits("cat", "cats"), edits("love", "hate")
    (1, 1, 3)
    """
    before: list[int] = []
    last = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        row = [i]
        for j, b in enumerate(second, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == second[j - 2] and first[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]
