"""Forms of questions and what may stand in their place: a head, what follows, a tail."""

from __future__ import annotations

import re
from typing import NamedTuple

_ANY = r".+"
# A noun phrase of a few words, in which no verb can hide.
_SHORT = (
    r"(?!(?:it|this|that|these|those|there|he|she|they|you|we|i|your|some|like|going|wrong|one|two|three|other"
    r"|another|in|on|at|under|inside|so)\b)"
    r"(?:(?!(?:that|who|whom|which|what|when|where|why|how|if|is|are|was|were|does|did|do|has|have|had|can|to|and"
    r"|or|as|than|like|by|not|for|about|with|between|\w+ing|\w{2,}ed|made|known|found|given|seen|held|built|written"
    r"|taken|born|left|kept|meant|sent|sold|told|worn|shown|grown|done|said|lost|bought|caught|taught|fed|cut|put"
    r"|currently|now|still|originally|usually|often|also)\b)"
    r"[\w'\u2019\-]+ ?){1,6}?"
    r"(?<! of)(?<! in)(?<! on)(?<! at)(?<! from)"
)
_PLACES = (
    "year|country|city|state|county|century|decade|month|team|company|university|college|language|river|continent"
    "|organization|book|religion|party|battle|king|province|region|street|building|newspaper|magazine|network|league"
)
_PAST = (
    r"(?:wrote|built|led|won|made|became|began|took|gave|held|drew|chose|ran|sang|\w{3,}(?<!ne)ed(?! by| to be| in "
    r"the \w+ (?:is|are|was|were)))"
)


class Form(NamedTuple):
    """One form of question and what replaces its head and its tail; `{}` in either is a group of the head."""

    pattern: re.Pattern[str]
    head: str
    tail: str


def _form(head: str, new_head: str, body: str = _ANY, tail: str = "", new_tail: str = "") -> Form:
    return Form(re.compile(rf"(?P<head>{head})(?P<body>{body})(?P<tail>{tail})\Z", re.IGNORECASE), new_head, new_tail)


_BE = "(is|are|was|were)"
# Verbs that ask for a respect; with others "how" asks for a means or an opinion ("How did the war begin?").
_WAYS = "(?:differ|change|affect|influence|help|contribute|benefit|improve|violate|limit|support|resemble)"
FORMS = (
    _form(r"how do i(?= (?!know|feel|look|get to know|even)[a-z])", "how can I"),
    _form(r"how can i(?= (?!help)[a-z])", "how do I"),
    _form(r"how (?:to|do we)(?= (?!not)[a-z]{2,} )", "how do I"),
    _form(rf"((?:in|on|at|by|for|to|from|of) )?what(?= (?:{_PLACES})\b)", "{0}which"),
    _form(rf"((?:in|on|at|by|for|to|from|of) )?which(?= (?:{_PLACES})\b)", "{0}what"),
    _form(r"what year(?= (?:did|was|were)\b)", "in what year", body=r"(?!.*\bin$).+"),
    _form(r"what type(s?) of", "what kind{0} of"),
    _form(r"what kind(s?) of", "what sort{0} of"),
    _form(r"what (is|was) the name of", "what {0}", body=rf" {_SHORT}(?<!\s)", new_tail=" called"),
    _form(r"what does", "what is the meaning of", body=rf" (?!it\b){_SHORT}(?<!\s)", tail=r" mean"),
    _form(r"what(?: is|'s) the difference(?= between)", "what difference is there"),
    _form(r"what are the differences(?= between)", "what differences are there"),
    _form(r"is there any way to", "is there a way to"),
    _form(r"is there a way to", "is there any way to"),
    _form(r"what are some(?= (?:good|great|of|interesting|examples|common|ways|tips|\w+ \w+))", "what are a few"),
    _form(r"what do you think about", "what do you think of"),
    _form(r"what do you think of", "what do you think about"),
    _form(r"which is the best", "what is the best"),
    _form(r"how much does", "what does", tail=r" cost", new_tail=" cost"),
    _form(r"what (?:is|'s) the best way to", "what would be the best way to"),
    _form(r"what (?:is|'s) the easiest way to", "what is the simplest way to"),
    _form(rf"who(?= {_PAST}\b)", "who was it that"),
    _form(r"why (did|was|were)(?= (?!n't\b|not\b)[\w'])", "for what reason {0}"),
    _form(r"how long (did|has|have)(?= )", "for how long {0}", body=r"(?!.* (?:take|taken)\b).+"),
    _form(r"where (is|are|was|were)", "where {0}", tail=" located", new_tail=" situated"),
    _form(r"which of the following(?= (?:is|was|best|would|does|has|can|will) )", "which one of the following"),
    _form(r"which one of the following", "which of the following"),
    _form(r"what percentage of", "what percent of"),
    _form(r"what percent of", "what percentage of"),
    _form(r"how (did|does)(?= (?!it\b|you\b|one\b|they\b|i\b))", "in what way {0}", body=rf".* {_WAYS}\b.*"),
    _form(rf"(who|what) {_BE}", "can you tell me {0}", body=rf" {_SHORT}(?<!\s)", new_tail=" {1}"),
)  # fmt: skip
