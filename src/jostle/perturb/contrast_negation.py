""" "not" put in or taken out where it turns the gold label round."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

from ..items import Item
from . import lexicon
from ._append import stems
from ._clauses import JOINTS, NEGATIONS, sentence, words_of
from ._contrast import FIELDS, FIRST, OPPOSITE, agrees, is_for, only_opinion, rewritten
from ._important import FUNCTION_WORDS
from .base import Change, NotApplicable
from .words import Passage, word_set

KIND = "adv"
RELATION = "changed"
TASKS = ("sst2", "mnli")
PROMISE = "The statement with or without a denial of what it says; the gold label is the opposite one."
LIMITATIONS = (
    "English; sst2 only where a form of 'be' or the start of the text stands before the one word of opinion, mnli "
    "only where the hypothesis is one clause with a definite subject and an auxiliary, and says something of its "
    "subject in a word of the premise (where it has no word in common, the gold label is often a matter of taste).",
    "sst2: 'not' is put before praise only, as 'not bad' is no praise for certain.",
    "mnli: only entailments, which become contradictions. The denial of what is neutral or contradicted may be "
    "neutral or entailed.",
    "A denial in place of a statement shows: a model may have learned that 'not' means contradiction.",
)

_NOT = re.compile(r" (?:not|n't)(?= )|n['\u2019]t(?= )")
_COPULA = r"\b(?:is|are|was|were|(?:it|that|this|he|she) ?['\u2019]s)"
_INTENSIFIER = r"(?:(?:very|really|truly|especially|particularly|wildly|consistently|surprisingly|remarkably) )?"
_PUT = re.compile(rf"(?:{_COPULA}(?P<gap>)|\A *(?P<start>(?=an? ))) ?(?:an? )?{_INTENSIFIER}\Z", re.IGNORECASE)
# "Not superb" may still be praise.
_MILD = word_set(
    "good great funny amusing entertaining enjoyable engaging engrossing absorbing gripping riveting compelling "
    "captivating fascinating interesting exciting thrilling charming lovely elegant smart clever intelligent witty "
    "thoughtful insightful inventive imaginative inspired memorable satisfying rewarding convincing believable "
    "credible effective impressive successful likable likeable appealing pleasant stylish coherent heartfelt"
)
_TAKE = re.compile(
    r"\b(?:is|are|was|were|(?:it|that|this|he|she) ?['\u2019]s)(?P<not> not| ?n['\u2019]t)"
    r" (?:(?:very|really|especially|particularly|terribly|all that) )?\Z",
    re.IGNORECASE,
)
_DENIALS = word_set("not n't")

_AUXILIARIES = word_set("is are was were will would can should does do did has have had")
_DEFINITE = word_set("he she it they we i you this that these those the his her its my their our your")
_PRONOUNS = word_set("he she it they we i you")
# Beside these, "not" denies another part, or the sentence is no plain claim any more.
_WIDE = word_set(
    "some something someone somebody somewhere several few many most all every each both everyone everybody everything "
    "always usually often sometimes mostly mainly also still already too either or any anything anyone because unless "
    "if but although though while possibly probably perhaps maybe likely almost nearly just only even certainly "
    "definitely clearly about least than more less other others certain another pretty rather quite yet ever "
    "since due occasionally generally typically supposed used actually really currently now so once and same different "
    "differently"
)
_SUBJECT_LENGTH = 6
_SMALL = word_set(
    "the and for you she him her his its our was are has had can did not who how why any all out off get got"
)
_LEAST = 3  # letters of a content word


def relabel(item: Item) -> str | NotApplicable:
    """The label after the edit, where it is certain."""
    if not is_for(item, TASKS):
        return NotApplicable("not for this task")
    if item.task == "mnli":
        return "contradiction" if item.label == "entailment" else NotApplicable("only an entailment turns for certain")
    return OPPOSITE[item.label] if item.label in OPPOSITE else NotApplicable("unknown label")


def rewrite(
    item: Item, sides: Sequence[str], rng: random.Random, rate: float
) -> Mapping[str, list[Change]] | NotApplicable:
    """Put "not" after the verb, or take it out (sst2).

    Args:
        item: An item of sst2, or an entailment of mnli.
        sides: Fields that may be edited.
        rng: Not needed: a sentence has one main verb.
        rate: Has no effect: one word is edited.
    """
    text = item.fields[FIELDS[item.task]]
    if item.task == "mnli":
        return rewritten(item, sides, _denied(text, item.fields[FIRST["mnli"]]))
    changes = _turned(text, item.label)
    return rewritten(item, sides, changes)


def _turned(text: str, label: str | None) -> list[Change] | NotApplicable:
    """ "is good" to "is not good", or "is not bad" to "is bad"."""
    found = only_opinion(text, _DENIALS | word_set("isn't aren't wasn't weren't"))
    if found is None or found.group() not in lexicon.pairs("antonyms"):
        return NotApplicable("no single adjective decides the opinion")
    before, denials = text[: found.start()], _NOT.findall(text)
    put, take = _PUT.search(before), _TAKE.search(before)
    if put and not denials and label == "positive" and agrees(found.group(), label) and found.group() in _MILD:
        return [_with_not(text, put)]
    if take and len(denials) == 1 and label in OPPOSITE and agrees(found.group(), OPPOSITE[label]):
        return [Change(*take.span("not"), "")]
    return NotApplicable("the adjective does not follow a form of 'be'")


def _with_not(text: str, put: re.Match[str]) -> Change:
    if put["start"] is None:
        return Change(put.end("gap"), put.end("gap"), " not")
    at = put.start("start")
    return Change(at, at + 1, f"Not {text[at].lower()}" if text[at].isupper() else f"not {text[at]}")


def _denied(text: str, premise: str) -> list[Change] | NotApplicable:
    """The hypothesis with "not" after its auxiliary."""
    found = sentence(Passage(text))
    if found is None or found.mark == "?":
        return NotApplicable("not one plain statement")
    words = words_of(found.body)
    if not NEGATIONS.isdisjoint(words) or not _WIDE.isdisjoint(words):
        return NotApplicable("'not' might deny another part")
    at = next((i for i, word in enumerate(words) if word in _AUXILIARIES), 0)
    if not _has_subject(words[:at]):
        return NotApplicable("no definite subject before an auxiliary")
    if words[at] in {"has", "have", "had"} and not _is_participle(words[at + 1 : at + 2]):
        return NotApplicable("no auxiliary to deny")
    if words[at] in {"do", "does", "did"} or "," in found.body or len(words) <= at + 1:
        return NotApplicable("no auxiliary to deny")
    if _content(" ".join(words[at + 1 :])).isdisjoint(stems(premise)):
        return NotApplicable("no word of the premise is denied")
    return [_put_not(text, words[at])]


def _content(text: str) -> frozenset[str]:
    return frozenset(word for word in stems(text) if len(word) >= _LEAST) - FUNCTION_WORDS - _SMALL


def _has_subject(words: list[str]) -> bool:
    """Whether the words are a definite subject: a pronoun alone, or a few words in which no clause can hide."""
    if not 1 <= len(words) <= _SUBJECT_LENGTH or (words[0] in _PRONOUNS and len(words) > 1):
        return False
    return words[0] in _DEFINITE and JOINTS.isdisjoint(words[1:])


def _is_participle(following: list[str]) -> bool:
    return any(word.endswith("ed") or word in lexicon.words("participles") for word in following)


def _put_not(text: str, auxiliary: str) -> Change:
    match = re.search(rf"\b{auxiliary}\b", text, re.IGNORECASE)
    assert match is not None  # it is one of the words of the text
    if auxiliary == "can":
        return Change(match.end(), match.end(), "not")
    return Change(match.end(), match.end(), " not")
