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
    "A capital stays on the first word unless it is a common function word or adverb, as it may be a name.",
)

FILLERS = ("well", "um", "uh", "er")

_OPENING = re.compile(r"\s*([A-Za-z]+(?:['\u2019][a-z]+)?)(?=[\s,])")
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
    "very about along beyond due given based similarly additionally finally generally recently initially typically "
    "unfortunately fortunately apparently obviously clearly "
    "one two three four five it's that's there's he's she's they're we're you're isn't aren't don't doesn't didn't can't"
)


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
    word = opening[1]
    begun = text[opening.start(1) :].lower()
    filler = next(filler for filler in draw(rng, FILLERS) if not begun.startswith(filler))
    if not word[0].islower():
        filler = filler.capitalize()
    comma = " ," if is_tokenised(text) else ","
    lowered = word[0].lower() if _cannot_be_a_name(word.lower().replace("\u2019", "'")) else word[0]
    start = opening.start(1)
    return [Change(start, start + 1, f"{filler}{comma} {lowered}")]


def _cannot_be_a_name(word: str) -> bool:
    """Whether a word is a common function word, or an adverb that is a common word with -ly."""
    return word in _FUNCTION_WORDS or (word.endswith("ly") and word[:-2] in lexicon.words("common"))
