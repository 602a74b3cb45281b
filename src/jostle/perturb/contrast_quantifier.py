""" "All", "some", "always" turned to "no", "never": an entailment becomes a contradiction."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from ..items import Item
from ._clauses import NEGATIONS, sentence, words_of
from ._contrast import FIELDS, FIRST, is_for, rewritten
from ._tails import is_heading
from .base import Change, NotApplicable
from .words import Passage, word_set

KIND = "adv"
RELATION = "changed"
TASKS = ("mnli",)
PROMISE = "The statement about none instead of all, some or many; what followed is now contradicted."
LIMITATIONS = (
    "English; only a quantifier that opens the hypothesis, 'there is' before one, or 'always' and its like beside the "
    "main verb.",
    "Only entailments change. 'All' to 'no' takes for granted that there is something the statement is about.",
    "Left alone where another denial or a condition stands in the sentence, and where the premise is a heading or "
    "supposes something.",
)

_DEFINITE = "(?:the|these|those|them|us|his|her|their|its|our|my)"
# After a quantifier these are no noun: the quantifier stands by itself, or measures time.
_NO_NOUN = (
    "of|the|that|i|you|we|he|she|they|it|day|days|time|times|in|year|years|about|other|said|think|say|believe|was|is|over"
    "|this|these|those|one|then|are|were|have|had|has|can|will|do|did|also|now|once|went|came|to|but|and|my|his|her|its"
    "|our|their|likely|recently|important|single|there|find|consider|see|feel|agree|for|from|on|at|with|too|speculate|suggest|argue|suppose|claim|firsts|like|love|hope|want|know"
    "|people"  # "no people" is no good English for "nobody"
)
_RULES = (
    (re.compile(rf"(?:all|some|many|most|several|half) of(?= {_DEFINITE}\b)"), "none of"),
    (re.compile(r"(?:all|most|some) the(?= [a-z]+ )"), "none of the"),
    (re.compile(rf"(?:a lot of|lots of|many|several|some|most|all|every|a number of|plenty of|numerous|a few)"
                rf"(?= (?!(?:{_NO_NOUN})\b)[a-z]+ )"), "no"),
    (re.compile(r"(?:everyone|everybody|someone|somebody)(?= (?!else\b|who\b|that\b|in\b)[a-z])"), "nobody"),
    (re.compile(r"(?:everything|something)(?= (?!else\b|that\b|about\b)[a-z])"), "nothing"),
)  # fmt: skip
_IDIOM = r"(?! (?:question|doubt|way|need|wonder|point|use)\b)"  # "no question" is no denial of a question
_THERE = re.compile(
    r"(there (?:is|are|was|were|has been|have been|will be) )"
    r"((?:a lot of|lots of|many|several|some|plenty of|numerous|multiple|various|a number of)(?= (?!one\b|of\b)[a-z])"
    rf"|an?{_IDIOM}(?= (?!lot|few|little|bit|number|couple|chance|possibility)[a-z]))"
)
_OFTEN = re.compile(
    r"(?<! most)(?<! more)(?<! I)(?<! i)(?<! he)(?<! we)"
    r" (always|often|frequently|usually|sometimes|regularly)(?= [a-z])"
)
_OPEN = word_set(
    "if unless but except only because although though while whether than so even just almost nearly too possible may "
    "might could would should once rather pretty quite or least another still other others also"
)
# "No decrease in each of them" leaves open in which.
_EACH = re.compile(r" (?:each of|all of|both|all the)\b")
_PAIR = re.compile(r"there \w+ (?:\w+ )?an? .*\band an? ")  # "there was no altar and a pillar"
_SUPPOSING = word_set("if might maybe perhaps suppose supposing imagine let's would could")
_SOME = word_set("something someone somebody somewhere certain already")


def relabel(item: Item) -> str | NotApplicable:
    """contradiction for an entailment; nothing else is certain."""
    if not is_for(item, TASKS):
        return NotApplicable("not for this task")
    return "contradiction" if item.label == "entailment" else NotApplicable("only an entailment turns for certain")


def rewrite(
    item: Item, sides: Sequence[str], rng: random.Random, rate: float
) -> Mapping[str, list[Change]] | NotApplicable:
    """Replace the quantifier.

    Args:
        item: An entailment of mnli.
        sides: Fields that may be edited.
        rng: Not needed: the first rule that fits is taken.
        rate: Has no effect: one place is edited.
    """
    premise = item.fields[FIRST[item.task]]
    if is_heading(premise) or not _SUPPOSING.isdisjoint(words_of(premise)):
        return NotApplicable("a premise that states nothing for certain")
    return rewritten(item, sides, _none_instead(item.fields[FIELDS[item.task]]))


def _none_instead(text: str) -> list[Change] | NotApplicable:
    found = sentence(Passage(text))
    if found is None or found.mark == "?" or "," in found.body:
        return NotApplicable("not one plain statement")
    words = words_of(found.body)
    if not (NEGATIONS - {"few"}).isdisjoint(words) or not _OPEN.isdisjoint(words):
        return NotApplicable("another denial or condition in the sentence")
    if not _SOME.isdisjoint(words[1:]) or _EACH.search(found.body):
        return NotApplicable("a second quantifier in the sentence")
    body = found.body[:1].lower() + found.body[1:]
    for pattern, replacement in _RULES:
        match = pattern.match(body)
        if match:
            cased = replacement[0].upper() + replacement[1:] if found.body[0].isupper() else replacement
            return [Change(found.start, found.start + match.end(), cased)]
    return _inside(found.start, body)


def _inside(start: int, body: str) -> list[Change] | NotApplicable:
    there, often = _THERE.match(body), _OFTEN.findall(body)
    if there and not _PAIR.match(body):
        return [Change(start + there.start(2), start + there.end(2), "no")]
    match = _OFTEN.search(body)
    if match is None or len(often) > 1:
        return NotApplicable("no quantifier that decides")
    return [Change(start + match.start(1), start + match.end(1), "never")]
