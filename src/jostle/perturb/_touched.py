"""What the edits of a variant touched: the whole words around them, before and after."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ._truth_words import has_truth_words
from .base import Edit, Variant
from .homoglyphs import SCRIPTS

WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_ASCII_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")  # the same for lower-case ASCII, in half of its time
_SPACES = re.compile(r"\s+")
_TO_SPACE = re.compile(r"\S*")
_LOOK_ALIKES = {look: plain for table in SCRIPTS.values() for plain, look in table.items()}
_OPENS = "\"'\u201c\u2018(`[ \n\t"
_SENTENCE_ENDS = ".!?:\u2026"
_NEAR = 2  # letters by which a word may differ and still be read as the same word
_LONG = 4  # shorter words are not read through a slip so safely
Words = tuple[list[str], list[str]]


class Region(NamedTuple):
    """Whole words around edits that stand close together: before and after, and where they stand in the original."""

    before: str
    after: str
    text: str
    start: int

    @property
    def opening(self) -> bool:
        """Whether a sentence begins there."""
        lead = self.text[: self.start].rstrip(_OPENS)
        return not lead or lead[-1] in _SENTENCE_ENDS


class Touched:
    """What the edits of a variant touched.

    Args:
        variant: The variant.
        regions: The words around its edits (`regions`).
    """

    __slots__ = ("_changed", "_unmatched", "after", "before", "regions", "variant")

    def __init__(self, variant: Variant, regions: Sequence[Region]) -> None:
        """Read all touched words of the original, one region a line, and those that stand there in the variant."""
        self.variant = variant
        self.regions = regions
        self.before = "\n".join([read(region.before) for region in regions])
        self.after = "\n".join([read(region.after) for region in regions])
        self._changed: Words | None = None
        self._unmatched: Words | None = None

    @property
    def alike(self) -> bool:
        """Whether both read the same, but for capitals: other spaces, look-alike letters, another case."""
        before, after = self.before, self.after
        return before == after or (before.isascii() and after.isascii() and before.lower() == after.lower())

    @property
    def truth_words(self) -> bool:
        """Whether a negation, quantifier or number may have been lost, or added where nothing of it may be."""
        return has_truth_words(self.before) or (self.variant.kind != "adv" and has_truth_words(self.after))

    @property
    def changed(self) -> Words:
        """Words lost and words added, in lower case."""
        if self._changed is None:
            self._changed = _difference(_words(self.before), _words(self.after))
        return self._changed

    @property
    def unmatched(self) -> Words:
        """Words lost and words added, without those that are slips of one another."""
        if self._unmatched is None:
            self._unmatched = _without_slips(*self.changed)
        return self._unmatched


def regions(variant: Variant) -> Iterator[Region]:
    """The words around the edits, field by field."""
    for field, text in variant.base.fields.items():
        group: list[Edit] = []
        end = 0
        for edit in variant.edits:
            if edit.field != field:
                continue
            if group and edit.start > end:
                yield _region(text, group, end)
                group = []
            group.append(edit)
            end = _TO_SPACE.match(text, edit.end).end()  # type: ignore[union-attr]  # matches anywhere
        if group:
            yield _region(text, group, end)


def _region(text: str, edits: list[Edit], end: int) -> Region:
    start = last = _word_start(text, edits[0].start)
    after = ""
    for _, begin, stop, _, replacement in edits:
        after += text[last:begin] + replacement
        last = stop
    return Region(text[start:end], after + text[last:end], text, start)


def _word_start(text: str, at: int) -> int:
    piece = text[text.rfind(" ", 0, at) + 1 : at]  # other white space than the space may stand in it
    return at if not piece or piece[-1].isspace() else at - len(piece.split()[-1])


def read(text: str) -> str:
    """A text as a reader takes it: look-alike letters as the letters they look like, and single spaces.

    >>> read("a  m\u043evie")
    'a movie'
    """
    if not text.isascii():
        text = text.translate(_LOOK_ALIKES)
    elif "  " not in text and text.isprintable():
        return text  # the space is the only white space that can be printed
    return _SPACES.sub(" ", text)


def _words(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_WORD.findall(text.lower())
    return [word.casefold().replace("\u2019", "'") for word in WORD.findall(text)]


def _difference(before: list[str], after: list[str]) -> Words:
    """Words lost and added, each as often as it is missing on the other side."""
    old, new = set(before), set(after)
    if len(old) == len(before) and len(new) == len(after):
        return [word for word in before if word not in new], [word for word in after if word not in old]
    lost, added = Counter(before), Counter(after)
    return list((lost - added).elements()), list((added - lost).elements())


def _without_slips(lost: list[str], added: list[str]) -> Words:
    lost, added = list(lost), list(added)
    for word in list(lost):
        twin = next((other for other in added if near(word, other)), None)
        if twin is not None:
            lost.remove(word)
            added.remove(twin)
    return lost, added


def near(word: str, other: str) -> bool:
    """Whether two words are read as one: a slip of one or two letters, or look-alike letters.

    >>> near("charming", "chramnig"), near("good", "bad"), near("movie", "m\u043evie")
    (True, False, True)
    """
    if word == other or (not (word + other).isascii() and _look_alike(word, other)):
        return True
    if min(len(word), len(other)) < _LONG or word[0] != other[0] or abs(len(word) - len(other)) > _NEAR:
        return False
    common, added = 0, other
    for letter in word:
        left = added.replace(letter, "", 1)
        common += len(left) < len(added)
        added = left
    return max(len(word) - common, len(added)) <= _NEAR


def _look_alike(word: str, other: str) -> bool:
    return len(word) == len(other) and all(a == b or not (a + b).isascii() for a, b in zip(word, other, strict=True))
