"""The promise, checked: what an edit must have kept, word by word, whatever operator or model made it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import lexicon
from ._truth_words import has_truth_words, negations, quantifiers
from .base import Change, Edit, Variant, splice
from .homoglyphs import SCRIPTS
from .numerals import values
from .protect import protected_spans

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
_SENTIMENT_TASKS = ("sst2",)
_FILLER = re.compile(r"\bwell ?,", re.IGNORECASE)  # the filler, not the praise
_SPACES = re.compile(r"\s+")
_LOOK_ALIKES = {look: plain for table in SCRIPTS.values() for plain, look in table.items()}
_LINK = re.compile(r"[^\W\d_]+|\d[\d,.]*\d|\d")
_SENTENCE_ENDS = ".!?:\u2026"
_ON_TEXTS = ("both sides", "protected")  # these look at the whole texts, and at their capitals
_ON_TRUTH_WORDS = ("numbers", "negations", "quantifiers")
_LOGIC = ("true", "false")  # words of tautologies, which say nothing of a film
_NEAR = 2  # letters by which a word may differ and still be read as the same word
_LONG = 4  # shorter words are not read through a slip so safely


@dataclass(frozen=True, slots=True)
class Region:
    """Whole words around edits that stand close together: before and after, and whether a sentence begins there."""

    before: str
    after: str
    opening: bool


@dataclass(frozen=True)
class Touched:
    """What the edits of a variant touched."""

    variant: Variant
    regions: tuple[Region, ...]

    @cached_property
    def before(self) -> str:
        """All touched words of the original, one region a line."""
        return "\n".join(read(region.before) for region in self.regions)

    @cached_property
    def after(self) -> str:
        """The words that stand there in the variant."""
        return "\n".join(read(region.after) for region in self.regions)

    @cached_property
    def alike(self) -> bool:
        """Whether both read the same, but for capitals: other spaces, look-alike letters, another case."""
        before, after = self.before, self.after
        return before == after or (before.isascii() and after.isascii() and before.lower() == after.lower())

    @cached_property
    def truth_words(self) -> bool:
        """Whether a negation, quantifier or number may stand among the words, before or after."""
        return has_truth_words(self.before) or has_truth_words(self.after)

    @cached_property
    def unmatched(self) -> tuple[list[str], list[str]]:
        """Words lost and words added, in lower case, without those that are slips of one another."""
        before, after = _words(self.before), _words(self.after)
        lost, added = list((before - after).elements()), list((after - before).elements())
        for word in list(lost):
            twin = next((other for other in added if near(word, other)), None)
            if twin is not None:
                lost.remove(word)
                added.remove(twin)
        return lost, added


def failed_checks(variant: Variant) -> list[str]:
    """Names of the checks that a variant fails; empty when it keeps what its relation promises.

    Looked at are the words that the edits touch: numbers, negations, quantifiers, names, protected spans, words that
    stood on both sides of a pair, and for sentiment tasks the polarity words. A variant of the relation `changed` is
    held to its protected spans alone: the rest is what it changes.

    Limitations: rules on words. They see neither roles ("he beat her" / "she beat him") nor irony, and know English
    number words, negations and polarity words only.

    >>> from jostle.perturb import apply
    >>> failed_checks(apply("typos", "A charming film about three sisters."))
    []
    """
    if not variant.edits:
        return []
    touched = Touched(variant, tuple(_regions(variant)))
    if variant.relation != "invariant":
        return [] if _protected(touched) else ["protected"]
    return [name for name, check in CHECKS.items() if not (_needless(name, touched) or check(touched))]


def _needless(name: str, touched: Touched) -> bool:
    """Whether a check on words would pass anyway, so that its count of them can be spared."""
    return (touched.alike and name not in _ON_TEXTS) or (name in _ON_TRUTH_WORDS and not touched.truth_words)


def _regions(variant: Variant) -> Iterator[Region]:
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
            end = _word_end(text, edit.end)
        if group:
            yield _region(text, group, end)


def _region(text: str, edits: list[Edit], end: int) -> Region:
    start = _word_start(text, edits[0].start)
    moved = [Change(edit.start - start, edit.end - start, edit.replacement) for edit in edits]
    before = text[start:end]
    lead = text[:start].rstrip("\"'\u201c\u2018(`[ \n\t")
    return Region(before, splice(before, moved), not lead or lead[-1] in _SENTENCE_ENDS)


def _word_start(text: str, at: int) -> int:
    while at > 0 and not text[at - 1].isspace():
        at -= 1
    return at


def _word_end(text: str, at: int) -> int:
    while at < len(text) and not text[at].isspace():
        at += 1
    return at


def _words(text: str) -> Counter[str]:
    return Counter(word.casefold().replace("\u2019", "'") for word in _WORD.findall(text))


def near(word: str, other: str) -> bool:
    """Whether two words are read as one: a slip of one or two letters, or look-alike letters.

    >>> near("charming", "chramnig"), near("good", "bad"), near("movie", "m\u043evie")
    (True, False, True)
    """
    if len(word) == len(other) and all(a == b or not (a + b).isascii() for a, b in zip(word, other, strict=True)):
        return True
    if min(len(word), len(other)) < _LONG or word[0] != other[0]:
        return False
    lost, added = Counter(word) - Counter(other), Counter(other) - Counter(word)
    return max(lost.total(), added.total()) <= _NEAR and abs(len(word) - len(other)) <= _NEAR


def _same(touched: Touched, before: Counter[Any], after: Counter[Any]) -> bool:
    """Nothing lost, and nothing added unless adding is what the operator is for (a distractor)."""
    return not before - after and (touched.variant.kind == "adv" or not after - before)


def read(text: str) -> str:
    """A text as a reader takes it: look-alike letters as the letters they look like, and single spaces.

    >>> read("a  m\u043evie")
    'a movie'
    """
    if not text.isascii():
        text = text.translate(_LOOK_ALIKES)
    return _SPACES.sub(" ", text)


def _numbers(touched: Touched) -> bool:
    return _same(touched, values(touched.before), values(touched.after))


def _negations(touched: Touched) -> bool:
    return _same(touched, negations(touched.before), negations(touched.after))


def _quantifiers(touched: Touched) -> bool:
    return _same(touched, quantifiers(touched.before), quantifiers(touched.after))


def _names(touched: Touched) -> bool:
    """Capitalised words that do not open a sentence must still be there, in any case, or readable through a slip."""
    lost, _ = touched.unmatched
    if not lost:
        return True
    names = {
        word.casefold()
        for region in touched.regions
        for k, word in enumerate(_WORD.findall(region.before))
        if word[0].isupper() and word.split("'")[0].split("\u2019")[0] != "I" and not (region.opening and k == 0)
    }
    return not names.intersection(lost)


def _both_sides(touched: Touched) -> bool:
    """A number or a name that stood on both sides of a pair must still be the same on both."""
    fields = touched.variant.base.fields
    if len(fields) < 2:  # noqa: PLR2004 - a pair
        return True
    candidates = {name for region in touched.regions for name in _linkable(region)}
    if not candidates:
        return True  # what was not touched is as it was, on both sides
    before = [_tokens(text) for text in fields.values()]
    after = [_tokens(text) for text in touched.variant.item.fields.values()]
    shared = set.intersection(*before) & candidates
    return all(len({_holds(side, token) for side in after}) == 1 for token in shared)


def _tokens(text: str) -> set[str]:
    return {token.casefold() for token in _LINK.findall(read(text))}


def _holds(tokens: set[str], token: str) -> bool:
    """Whether a token is there, maybe with a slip."""
    return token in tokens or (token.isalpha() and any(near(token, other) for other in tokens))


def _linkable(region: Region) -> Iterator[str]:
    """Figures, and capitalised words that do not open a sentence."""
    for k, word in enumerate(_LINK.findall(read(region.before))):
        if word[0].isdigit() or (word[0].isupper() and word != "I" and not (region.opening and k == 0)):
            yield word.casefold()


def _protected(touched: Touched) -> bool:
    fields = touched.variant.base.fields
    for field, text in touched.variant.item.fields.items():
        at = 0
        for start, end in protected_spans(fields[field]):
            span = fields[field][start:end]
            if span.isdigit() or span.replace(",", "").isdigit():
                continue  # a plain number may be written in another way: the check on numbers sees to it
            at = text.find(span, at)
            if at < 0:
                return False
            at += len(span)
    return True


def _polarity(touched: Touched) -> bool:
    """For sentiment: no polarity word lost, added, or traded for one of the other sign."""
    if touched.variant.base.task not in _SENTIMENT_TASKS:
        return True
    lost, added = touched.unmatched
    if _FILLER.search(touched.after) and not _FILLER.search(touched.before) and "well" in added:
        added = [word for word in added if word != "well"] + ["well"] * (added.count("well") - 1)
    return _signs(lost) == _signs(added)


def _signs(words: list[str]) -> Counter[int]:
    return Counter(sign for word in words if word not in _LOGIC and (sign := lexicon.polarity(word)))


CHECKS: Mapping[str, Callable[[Touched], bool]] = {
    "numbers": _numbers,
    "negations": _negations,
    "quantifiers": _quantifiers,
    "names": _names,
    "both sides": _both_sides,
    "protected": _protected,
    "polarity": _polarity,
}
