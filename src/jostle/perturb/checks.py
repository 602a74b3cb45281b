"""The promise, checked: what an edit must have kept, word by word, whatever operator or model made it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from . import lexicon
from ._touched import WORD, Region, Touched, near, read, regions
from ._truth_words import negations, quantifiers
from .base import Variant
from .numerals import values
from .protect import protected_spans

__all__ = ["CHECKS", "Touched", "failed_checks", "near", "read", "regions"]

_SENTIMENT_TASKS = ("sst2",)
_FILLER = re.compile(r"\bwell ?,", re.IGNORECASE)  # the filler, not the praise
_LINK = re.compile(r"[^\W\d_]+|\d[\d,.]*\d|\d")
_LINKABLE = re.compile(r"[0-9A-Z]|[^\x00-\x7f]")  # without any of it there is neither a figure nor a name
_LOGIC = ("true", "false")  # words of tautologies, which say nothing of a film


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
    if variant.relation != "invariant":
        return [] if _protected(Touched(variant, ())) else ["protected"]
    touched = Touched(variant, tuple(regions(variant)))
    # The others would pass anyway, so that their counts of words can be spared.
    needed = _ON_TEXT if touched.alike else _ALL if touched.truth_words else _BUT_TRUTH_WORDS
    return [name for name, check in needed if not check(touched)]


def _same(touched: Touched, before: Counter[Any], after: Counter[Any]) -> bool:
    """Nothing lost, and nothing added unless adding is what the operator is for (a distractor)."""
    return not before - after and (touched.variant.kind == "adv" or not after - before)


def _numbers(touched: Touched) -> bool:
    return _same(touched, values(touched.before), values(touched.after))


def _negations(touched: Touched) -> bool:
    return _same(touched, negations(touched.before), negations(touched.after))


def _quantifiers(touched: Touched) -> bool:
    return _same(touched, quantifiers(touched.before), quantifiers(touched.after))


def _names(touched: Touched) -> bool:
    """Capitalised words that do not open a sentence must still be there, in any case, or readable through a slip."""
    names = {
        word.casefold()
        for region in touched.regions
        if not region.before.islower()
        for k, word in enumerate(WORD.findall(region.before))
        if word[0].isupper() and word.split("'")[0].split("\u2019")[0] != "I" and not (k == 0 and region.opening)
    }
    return not names or names.isdisjoint(touched.changed[0]) or names.isdisjoint(touched.unmatched[0])


def _both_sides(touched: Touched) -> bool:
    """A number or a name that stood on both sides of a pair must still be the same on both."""
    fields = touched.variant.base.fields
    if len(fields) < 2:  # noqa: PLR2004 - a pair
        return True
    candidates = {name for region in touched.regions for name in _linkable(region)}
    if not candidates:
        return True  # what was not touched is as it was, on both sides
    folded = [read(text).casefold() for text in fields.values()]
    candidates = {name for name in candidates if all(name in text for text in folded)}  # most stand on one side only
    if not candidates:
        return True
    shared = candidates.intersection(*(_tokens(text) for text in fields.values()))
    after = [_tokens(text) for text in touched.variant.item.fields.values()] if shared else []
    return all(len({_holds(side, token) for side in after}) == 1 for token in shared)


def _tokens(text: str) -> set[str]:
    return {token.casefold() for token in _LINK.findall(read(text))}


def _holds(tokens: set[str], token: str) -> bool:
    """Whether a token is there, maybe with a slip."""
    return token in tokens or (token.isalpha() and any(near(token, other) for other in tokens))


def _linkable(region: Region) -> Iterator[str]:
    """Figures, and capitalised words that do not open a sentence."""
    if _LINKABLE.search(region.before) is None:
        return
    for k, word in enumerate(_LINK.findall(read(region.before))):
        if word[0].isdigit() or (word[0].isupper() and word != "I" and not (k == 0 and region.opening)):
            yield word.casefold()


def _protected(touched: Touched) -> bool:
    fields = touched.variant.base.fields
    for field, text in touched.variant.item.fields.items():
        original, at = fields[field], 0
        for start, end in () if text == original else protected_spans(original):
            span = original[start:end]
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
    polar = lexicon.pairs("polarity").keys()
    if all(polar.isdisjoint(words) for words in touched.changed):
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
_ALL = tuple(CHECKS.items())
_BUT_TRUTH_WORDS = tuple((name, check) for name, check in _ALL if name not in ("numbers", "negations", "quantifiers"))
_ON_TEXT = (("protected", _protected),)  # this looks at the text as it stands, with its spaces and capitals
