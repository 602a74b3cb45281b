"""Between the text of a data set and that of a model: spacing, case, and which regions differ."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from ..perturb import Change
from ..perturb.words import is_tokenised

_PIECE = re.compile(r"\s+|\w+|[^\w\s]")
_WORD = re.compile(r"\w+")
_SPACE_BEFORE = re.compile(r" (?=[.,!?;:%)\]]|n['\u2019]t\b|['\u2019](?:s|re|ve|ll|d|m)\b)", re.IGNORECASE)
_SPACE_AFTER = re.compile(r"(?<=[(\[]) ")
_CLITIC = re.compile(r"(?<=\w)(?=n['\u2019]t\b|['\u2019](?:s|re|ve|ll|d|m)\b)", re.IGNORECASE)
_MARK = re.compile(r"(?<=[^\s.])(?=\.+(?:[\s?!]|\Z))|(?<=\S)(?=[,!?;:)\]])|(?<=[(\[])(?=\S)")


def as_prose(text: str) -> str:
    """The text without the extra spaces of the Penn Treebank, and without outer spaces.

    >>> as_prose("it 's a film ( a long one ) that does n't end . ")
    "it's a film (a long one) that doesn't end."
    """
    if is_tokenised(text):
        text = _SPACE_AFTER.sub("", _SPACE_BEFORE.sub("", text))
    return text.strip()


def in_style_of(original: str, output: str) -> str:
    """The output of a model in the spacing, case and outer spaces of the original.

    >>> in_style_of("it 's a film . ", "It's a movie.")
    "it 's a movie . "
    >>> in_style_of("what now ... ? ", "And now (yes)...?")
    'and now ( yes ) ... ? '
    """
    output = output.strip()
    if is_tokenised(original):
        output = _MARK.sub(" ", _CLITIC.sub(" ", output))
    if original.islower():
        output = output.lower()
    body = original.strip()
    start = original.find(body)
    return original[:start] + output + original[start + len(body) :] if output else ""


def same_words(text: str, other: str) -> bool:
    """Whether two texts differ in case, spacing and punctuation at most.

    >>> same_words("It's fine.", "it 's fine !"), same_words("It's fine.", "It is fine.")
    (True, False)
    """
    return _WORD.findall(text.casefold()) == _WORD.findall(other.casefold())


def regions(text: str, other: str) -> list[Change]:
    """The changes that make `text` into `other`, one for each run of words that differs.

    Runs of white space count as equal, so those of `text` stay between words that stay.

    >>> regions("a slow, long film", "a slow and dull movie")
    [Change(start=6, end=17, replacement=' and dull movie')]
    """
    left, right = _PIECE.findall(text), _PIECE.findall(other)
    matcher = SequenceMatcher(None, _keys(left), _keys(right), autojunk=False)
    found: list[tuple[int, int, int, int]] = []
    for tag, *span in matcher.get_opcodes():
        if tag == "equal":
            continue
        joined = found and "".join(left[found[-1][1] : span[0]]).isspace()
        first = found.pop() if joined else span
        found.append((first[0], span[1], first[2], span[3]))
    at = [0]
    for piece in left:
        at.append(at[-1] + len(piece))
    return [Change(at[a], at[b], "".join(right[c:d])) for a, b, c, d in found]


def _keys(pieces: list[str]) -> list[str]:
    return [" " if piece.isspace() else piece for piece in pieces]
