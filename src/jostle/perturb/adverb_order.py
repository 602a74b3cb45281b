"""An adverbial of the sentence in another place: "Yesterday, he left." and "He left yesterday."."""

from __future__ import annotations

import random
import re

from ._clauses import JOINTS, NEGATIONS, Sentence, lowered, raised, sentence, words_of
from .base import Change, NotApplicable
from .words import Passage, not_english, word_set

KIND = "para"
RELATION = "invariant"
TASKS = ("*",)
PROMISE = "The same words; an adverbial that belongs to the whole sentence stands in another place of it."
LIMITATIONS = (
    "English only, and only adverbials of two lists: of time (yesterday, last year) and of comment (however, for "
    "example, unfortunately).",
    "Only in sentences of one clause without a negation, where the adverbial can belong to nothing else.",
    "The first place of a sentence stresses what stands there, so the emphasis can shift.",
)

_MONTH = "(?:(?:January|February|March|April|May|June|July|August|September|October|November|December) )"
_YEAR = rf"(?:in|since|by|during) (?:(?:early|mid|late) )?{_MONTH}?\d{{4}}"
_UNIT = "(?:week|year|month|night|day|morning|afternoon|evening|summer|winter|spring|autumn)"
_TIME = (
    rf"{_YEAR}|yesterday|today|tonight|tomorrow|nowadays|these days|at the moment|right now|at that time|at the time"
    rf"|back then|in those days|in the past|in recent years|since then|(?:last|this|next|every|each) {_UNIT}"
    r"|in the (?:summer|winter|spring|evening)|at night|on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?"
    r"|at (?:first|present)|for (?:many|several|two|three|four|five|ten|a few) (?:years|months|days|weeks)"
    r"|(?:two|three|four|five|six|ten|a few|many|several) (?:years|months|days|weeks|hours|minutes) ago"
    r"|in the (?:early |mid-|late )?(?:\d{1,2}(?:st|nd|rd|th)|nineteenth|twentieth|eighteenth) century|during the war"
)
_COMMENT = (
    r"however|of course|for example|for instance|in fact|unfortunately|fortunately|therefore|moreover|nevertheless"
    r"|nonetheless|indeed|as a result|consequently|sadly|surprisingly|luckily|in turn|in contrast|by contrast"
)
_AUXILIARY = r"(?:is|are|was|were|has|have|had|can|could|will|would|may|might|must|should)"
_FIRST_TIME = re.compile(rf"(?P<how>{_TIME})(?P<comma> ?,)? (?P<rest>[^,]+)\Z", re.IGNORECASE)
_LAST_TIME = re.compile(rf"(?P<rest>[^,]+?) (?P<how>{_TIME})\Z")
_FIRST_COMMENT = re.compile(
    rf"(?P<how>{_COMMENT})(?P<gap> ?),(?P<subject> (?:he|she|it|they|we|I|you|this|that|there|these|those"
    rf"|(?:the|a|an|his|her|its|their|our|my) [a-z]+) {_AUXILIARY})(?P<rest> (?!n['\u2019]t|not\b)[a-z].*)",
    re.IGNORECASE,
)
_MIDDLE = re.compile(
    rf"(?P<before>[^,]+?)(?P<gap> ?),(?P<how> (?:{_COMMENT}))(?P<again> ?),(?P<after> [^,].*)", re.DOTALL
)
_NO_HOST = (JOINTS | NEGATIONS) - word_set("to for")
# A word that takes the adverbial to itself: "until yesterday", "of today", "the last year", "early this morning".
_TAKES = word_set(
    "until till of from as for than by since before after the early late later only just even not like about on in at "
    "during and or over within every once twice times day days back through to with this that is are was were until"
)
# A noun with its own participle may take the adverbial to itself: "a law passed in 1905", "nine in the evening".
_POSTMODIFIED = re.compile(
    r"(?<!\bis)(?<!\bwas)(?<!\bare)(?<!\bwere)(?<!\bbeen)(?<!\bhas)(?<!\bhad)(?<!\bhave)(?<!ly)(?<!\bbe)"
    r"(?<!\bhe)(?<!\bshe)(?<!\bit)(?<!\bthey)(?<!\bwe)(?<!\bi)(?<!\byou) (?:\w{3,}ed|born|built|made|held|written|"
    r"taken|given|found|known|seen|sold|sent|won|lost|led|set)\b|o'clock|\b[ap]m\b|\bhours?\b",
    re.IGNORECASE,
)
_INFINITIVE = re.compile(r"\bto [a-z]+|\w+ing\b")
_LONGEST = 16


def edits(passage: Passage, rng: random.Random, rate: float) -> list[Change] | NotApplicable:
    """Move one adverbial: of time between the first and the last place, of comment between first and middle.

    Args:
        passage: The text.
        rng: Not needed: the first rule that fits is taken.
        rate: Has no effect: two edits make one move, and a text too short for both is left alone.
    """
    found = sentence(passage)
    if found is None:
        return not_english(passage.text) or NotApplicable("not one plain sentence")
    for rule in (_time_to_end, _time_to_front, _comment_to_middle, _comment_to_front):
        changes = rule(found)
        if changes and all(passage.is_free(*change[:2]) for change in changes):
            few = len(changes) <= passage.budget(rate)
            return changes if few else NotApplicable("rate too low for a move")
    return not_english(passage.text) or NotApplicable("no adverbial that may move")


def _time_to_end(found: Sentence) -> list[Change] | None:
    match = _FIRST_TIME.match(found.body)
    if match is None or not _is_simple(match["rest"]) or found.mark == "?":
        return None
    if match["comma"] is None and words_of(match["rest"])[0] not in _STARTS:
        return None
    rest, how = match["rest"], match["how"]
    opening = raised(rest) if found.body[0].isupper() else rest
    # The clause is moved, not the adverbial, whose number may be protected.
    first = Change(found.start, found.start + 1, f"{opening} {how[0].lower()}")
    return [first, Change(found.start + match.end("how"), found.stop, "")]


def _time_to_front(found: Sentence) -> list[Change] | None:
    match = _LAST_TIME.match(found.body)
    if match is None or not _is_simple(match["rest"]) or found.mark == "?":
        return None
    words, rest = words_of(match["rest"]), lowered(match["rest"])
    if rest is None or words[0] not in _STARTS or words[-1] in _TAKES or _INFINITIVE.search(match["rest"]):
        return None
    if _POSTMODIFIED.search(match["rest"]):
        return None
    comma = " ," if found.mark and found.text[found.stop] == " " else ","
    how, at = match["how"], found.start + match.start("how")
    opening = raised(how)[0] if found.body[0].isupper() else how[0]
    return [Change(found.start, at + 1, opening), Change(found.stop, found.stop, f"{comma} {rest}")]


_STARTS = word_set("the he she it they we i you there this these those his her its their our my a an people")


def _is_simple(text: str) -> bool:
    """Whether the text is one short affirmative clause."""
    words = words_of(text)
    return 2 <= len(words) <= _LONGEST and _NO_HOST.isdisjoint(words)  # noqa: PLR2004  - subject and verb


def _comment_to_middle(found: Sentence) -> list[Change] | None:
    match = _FIRST_COMMENT.match(found.body)
    if match is None or found.mark == "?":
        return None
    subject, gap = match["subject"], match["gap"]
    first = raised(subject[1:])[0] if found.body[0].isupper() else subject[1]
    at, end = found.start + match.start("subject") + 1, found.start + match.end("subject")
    return [Change(found.start, at + 1, first), Change(end, end, f"{gap}, {match['how'].lower()}{gap},")]


def _comment_to_front(found: Sentence) -> list[Change] | None:
    match = _MIDDLE.match(found.body)
    if match is None or found.mark == "?":
        return None
    words, before = words_of(match["before"]), lowered(match["before"])
    if before is None or len(words) > 5 or not (JOINTS - {"for", "to"}).isdisjoint(words):  # noqa: PLR2004
        return None
    if words[0] not in _STARTS and match["before"][0].isupper():
        return None
    how = raised(match["how"][1:]) if found.body[0].isupper() else match["how"][1:]
    end = found.start + match.end("before")
    cut = Change(end, found.start + match.start("after"), "")
    return [Change(found.start, found.start + 1, f"{how}{match['gap']}, {before[0]}"), cut]
