"""A filler before the first word, as in speech: "Well, ...", "Um, ..."."""

from __future__ import annotations

import random
import re

from . import lexicon
from .base import Change, NotApplicable
from .words import Passage, draw, is_tokenised, not_english, word_set

KIND = "pert"
RELATION = "invariant"
TASKS = ("*",)
PROMISE = "The same text after one filler that says nothing about its truth and shows no feeling."
LIMITATIONS = (
    "English only; in writing a filler sounds informal, and a reader of tone may notice.",
    "Left out are texts whose first word has a capital and may be a name or not: lower-cased are function words and "
    "adverbs, and names are known by a second capital word.",
)

FILLERS = ("well", "um", "uh", "er")

_OPENING = re.compile(r"\s*([A-Za-z]+(?:['\u2019][a-z]+)?)(?=[\s,])")
_ATTACHED = re.compile(r"\w,\s")  # a stray space before one mark does not make tokens of a text
_NAME_GOES_ON = re.compile(" [A-Z][a-z]")  # "Southern California"
_CAPITALS = re.compile("[A-Z]{2,}")  # shouted, so that a filler in small letters would stand out
# Words that cannot be names, so that they lose their capital behind the filler.
_FUNCTION_WORDS = word_set(
    "the a an this that these those it he she they we you there his her its their our my your what which who whom "
    "whose when where why how is are was were do does did can could will would should has have had if in on at of "
    "for from with by to as and but or so not no some any all most many both each every after before because since "
    "although while then everything everyone everybody nothing something someone somebody nobody people though "
    "despite during until eventually however today later once over under between through within without even such "
    "other another several sometimes usually often perhaps maybe here now still yet let go get be also only just "
    "according among around instead like more much few less unless unlike whether yes pretty please never ever always "
    "very about along beyond due given based additionally similarly recently unfortunately fortunately obviously "
    "one two three four five it's that's there's he's she's they're we're you're isn't aren't don't doesn't didn't "
    "can't"
)

_ADVERB_ENDINGS = ("ally", "fully", "ously", "ately", "ively", "antly", "ently")
_LONG = 6  # "Sally" is a name


def edits(passage: Passage, rng: random.Random, rate: float) -> list[Change] | NotApplicable:
    """Put a filler and a comma in front.

    Args:
        passage: The text.
        rng: Draws the filler, out of those that the text does not begin with.
        rate: Has no effect: one filler is added.
    """
    text = passage.text
    opening = _OPENING.match(text)
    if opening is None or _CAPITALS.fullmatch(opening[1]) or not passage.is_free(*opening.span(1)):
        return not_english(text) or NotApplicable("no word at the start")
    word, start = opening[1], opening.start(1)
    first = _first_letter(word, text[opening.end(1) :])
    if first is None:
        return NotApplicable("first word that may be a name or not")
    begun = text[start:].lower()
    filler = next(filler for filler in draw(rng, FILLERS) if not begun.startswith(filler))
    if not word[0].islower():
        filler = filler.capitalize()
    comma = " ," if is_tokenised(text) and not _ATTACHED.search(text) else ","
    return [Change(start, start + 1, f"{filler}{comma} {first}")]


def _first_letter(word: str, rest: str) -> str | None:
    """The first letter of the word as it stands behind a filler; None where its capital may mark a name or not."""
    if _cannot_be_a_name(word.lower().replace("\u2019", "'")):
        return word[0].lower()
    keeps = word[0].islower() or word == "I" or word.startswith(("I'", "I\u2019")) or _NAME_GOES_ON.match(rest)
    return word[0] if keeps else None


def _cannot_be_a_name(word: str) -> bool:
    """Whether a word is a common function word, or by its ending an adverb ("Traditionally", not "Kelly")."""
    adverb = word.endswith("ly") and word[:-2] in lexicon.words("common")
    return word in _FUNCTION_WORDS or adverb or (len(word) > _LONG and word.endswith(_ADVERB_ENDINGS))
