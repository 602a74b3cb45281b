"""The two clauses of a sentence in the other order: "If A, B." and "B if A."."""

from __future__ import annotations

import random
import re
from itertools import pairwise

from . import lexicon
from ._clauses import JOINTS, NEGATIONS, Sentence, lowered, pronouns, raised, sentence, words_of
from .base import Change, NotApplicable
from .words import Passage, not_english, word_set

KIND = "para"
RELATION = "invariant"
TASKS = ("*",)
PROMISE = "The same two clauses, joined by the same conjunction, in the other order."
LIMITATIONS = (
    "English sentences of two short clauses only, joined by if, when, because, although, while, after, before, "
    "since, unless or as soon as; a stem of multiple choice that its options complete is left alone.",
    "Left alone where a pronoun might lose what it points at, where a negation might reach further, where a part "
    "could belong to an inner clause, and where the first word may be a name whose capital would be lost.",
    "What comes last in a sentence carries its news: the order can shift the emphasis.",
)

_FRONTED = "if|when|because|although|even though|though|while|after|before|since|unless|as soon as|whenever|once"
_FRONT = re.compile(rf"(?P<how>{_FRONTED}) (?P<side>[^,]+?) ?, (?P<main>[^,]+)\Z", re.IGNORECASE)
_BACK = re.compile(
    r"(?P<main>[^,]+?)(?P<comma> ?,)? (?P<how>even though|although|because|if|when|unless|whenever|as soon as)"
    r" (?P<side>[^,]+)\Z"
)
_AUXILIARIES = word_set("is are was were do does did can could will would should has have had may might must am")
_FORMS_OF_BE = word_set("is are was were")
_SUBJECTS = word_set("i you he she it we they there this that these those the a an my your his her its our their")
# After these, "if" and "when" open a question, or what is known, rather than a condition.
_ASKING = word_set(
    "know knows knew known ask asks asked asking wonder wonders wondered wondering see sees check decide decides "
    "determine sure unsure care cares cared tell doubt remember remembers remembered matter matters certain clear "
    "even only just especially except simply mainly partly as than like hate love enjoy mind is was are were be "
    "time times day days year years moment case cases period point explain show say learn idea find out"
)
_SOFT = JOINTS - word_set("to for as")  # a purpose or a prepositional phrase moves along with its clause
_HEARSAY = word_set(
    "say says said think thinks thought know knows knew believe believes believed claim claims claimed tell told "
    "feel feels felt hope hoped want wants wanted that who which whom whose"
)
_CONTRAST = word_set("although though while")
_NO_OPENING = word_set("then and so please neither nor thereby thus hence or but yet")
# They point back at what the first clause named: "If there is a limit, keep to those values."
_POINTING = word_set("those these such same latter former second other others another both too also instead")
_PREPOSITIONS = ("after", "before", "since", "once")  # as well: "after half a century" is no clause
_PERSONS = word_set("i you he she it we they there")
_LONGEST = 16
_SHORTEST = 2


def edits(passage: Passage, rng: random.Random, rate: float) -> list[Change] | NotApplicable:
    """Move the subordinate clause to the other end of the sentence.

    Args:
        passage: The text.
        rng: Not needed: a sentence has one other order.
        rate: Has no effect: two edits make one move, and a text too short for both is left alone.
    """
    found = sentence(passage)
    if found is None:
        return not_english(passage.text) or NotApplicable("not one plain sentence")
    changes = _to_back(found) or _to_front(found)
    if not changes or not all(passage.is_free(*change[:2]) for change in changes):
        return not_english(passage.text) or NotApplicable("no clause that may move")
    return changes if len(changes) <= passage.budget(rate) else NotApplicable("rate too low for a move")


def _to_back(found: Sentence) -> list[Change] | None:
    match = _FRONT.match(found.body)
    if match is None:
        return None
    how, side, main = match["how"].lower(), match["side"], match["main"]
    side_words, main_words = words_of(side), words_of(main)
    if not _fits(side_words, main_words) or not _is_clause(side_words) or not _can_open(main):
        return None
    if not _POINTING.isdisjoint(main_words) or (how in _PREPOSITIONS and not _has_verb(side_words)):
        return None
    if (how == "if" and _is_concession(side_words)) or (how == "while" and _negated(main_words)):
        return None
    if pronouns(main_words) - _subject(side_words) or (how in {"because", "since"} and _negated(main_words)):
        return None
    at = found.start + match.start("main")
    comma = _comma(found, match) if how in _CONTRAST or how == "even though" else ""
    cut = Change(found.start, at + 1, main[0].upper() if found.body[0].isupper() else main[0])
    return [cut, Change(found.stop, found.stop, f"{comma} {how} {side}")]


def _to_front(found: Sentence) -> list[Change] | None:
    match = _BACK.match(found.body)
    if match is None or found.mark == "?" or (found.body[0].islower() and match["main"].split()[0] not in _SUBJECTS):
        return None
    how, side, main = match["how"], match["side"], lowered(match["main"])
    if main is None or (match["comma"] and how in {"if", "when"}):
        return None
    side_words, main_words = words_of(side), words_of(main)
    if not _fits(side_words, main_words) or not _is_clause(side_words) or not _is_main(main_words):
        return None
    if pronouns(side_words) - _subject(main_words) or _negated(main_words):
        return None
    comma = " ," if found.text[found.stop : found.stop + 1] == " " and found.mark else ","
    opening = raised(how) if found.body[0].isupper() else how
    start = found.start + match.end("main")
    return [
        Change(found.start, found.start + 1, f"{opening} {side}{comma} {main[0]}"),
        Change(start, found.stop, ""),
    ]


def _fits(side: list[str], main: list[str]) -> bool:
    """Whether both clauses are short and hold no other clause."""
    lengths_fit = all(_SHORTEST <= len(words) <= _LONGEST for words in (side, main))
    return lengths_fit and _SOFT.isdisjoint(main) and _HEARSAY.isdisjoint(side) and not {"if", "when"} & {*side}


def _is_clause(words: list[str]) -> bool:
    """Whether the words can be subject and verb: no question ("When did"), no bare participle ("When asked")."""
    return words[0] not in _AUXILIARIES and not words[0].endswith(("ing", "ed")) and len(words) > 1


def _has_verb(words: list[str]) -> bool:
    """Whether a verb is to be seen: a subject pronoun first, an auxiliary, or a past form."""
    if words[0] in _PERSONS or not _AUXILIARIES.isdisjoint(words):
        return True
    return any(word.endswith("ed") or word in lexicon.words("participles") for word in words)


def _can_open(main: str) -> bool:
    first = main.split(" ", 1)[0]
    return first.lower() not in _NO_OPENING and not first.endswith("ing")


def _is_concession(words: list[str]) -> bool:
    """Whether "if" may mean "even if": "if it isn't the best, it is the largest"."""
    return any(first in _AUXILIARIES and second in {"not", "n't"} for first, second in pairwise(words[:4]))


def _is_main(words: list[str]) -> bool:
    """Whether the words are a main clause that does not take what follows to itself ("the plan was to go when")."""
    planned = any(first in _FORMS_OF_BE and second == "to" for first, second in pairwise(words))
    return words[0] not in _AUXILIARIES and not _ASKING & {*words[-2:]} and not planned


def _subject(words: list[str]) -> set[str]:
    """The third person of a clause that opens with a pronoun: it may go on being meant when that clause comes first."""
    return pronouns(words[:1])


def _negated(words: list[str]) -> bool:
    return not NEGATIONS.isdisjoint(words)


def _comma(found: Sentence, match: re.Match[str]) -> str:
    return " ," if found.body[match.end("side") :].startswith(" ,") else ","
