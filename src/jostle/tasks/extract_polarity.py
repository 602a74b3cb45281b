"""What a text says about the labels it mentions: that one is so, that it is not so, or neither."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .extract_mentions import Mention, Vocabulary

Status = Literal["asserted", "negated", "open"]

_WINDOW = 120  # characters looked at on each side, so that time grows with the text only
_LAST_WORDS = 6  # how far a negation reaches
_OPENERS = " \"'*`_([{<$（「『【《"

_SENTENCE = re.compile(r"[.!?;](?=\s|$)|[。！？；\n]")
_CLAUSE = re.compile(
    r"[,:，：、()（）]|\b(?:but|however|rather(?! than)|instead(?! of)|although|though|because|since|so|therefore|thus"
    r"|hence|then|and (?:is|are|it|the|this|that|therefore|thus|so)|aber|sondern|mais|sino|pero"
    r"|mas|maar|а|но)\b|而|但",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\b(?:not (?:only|just|merely|surprisingly)|no (?:doubt|question)|nothing but)\b", re.IGNORECASE
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|without|cannot|hardly|non|nicht|kein\w*|weder|pas|jamais|ni|nunca|não|niet"
    r"|geen|не|нет|ни|inte|ikke)\b|n't\b|[不非没沒無]|ليس|नहीं",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"(?:\b(?:rather than|instead of|opposed to|unlike|except|excluding|statt|au lieu de|en lugar de)|而不是)"
    r"\W{1,3}(?:\w{1,15}\W{1,3}){0,2}$",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    r"[)\]}\"'*`」』]{0,3} ?(?:(?:is|are|was|were|seems|looks|would be|can be)(?: (?:clearly|definitely|obviously|also"
    r"|certainly))? (?:not|wrong|incorrect|false|out|ruled|excluded|eliminated|too|impossible|unlikely|invalid)\b"
    r"|(?:isn't|aren't|wasn't|can't|cannot|can not|doesn't|does not|won't)\b"
    r"|では?な|じゃな|[가이은는] ?아[니닙닌]|是?错|不对)",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"\b(?:whether|if|to (?:determine|classify|decide|judge)|unclear|unsure|not (?:sure|clear|certain)"
    r"|(?:do not|don't) know|(?:difficult|hard|impossible|not possible|unable|not able) to"
    r"|(?:cannot|can't|can not|could not|couldn't)(?: \w{1,15}){0,2} (?:determined?|classif\w+|tell|say|said|decided?"
    r"|answer(?:ed)?|concluded?|identif\w+|assign(?:ed)?|give|given|provided?|label(?:led|ed)?|judged?|choose|select"
    r"|pick|understand|infer(?:red)?|establish(?:ed)?|see|seen))\b|是否",
    re.IGNORECASE,
)
_SETTLED = re.compile(r"[:,，：]|\b(?:but|so|therefore|thus|hence|however|then|because|since)\b", re.IGNORECASE)
_OR_NOT = re.compile(r"[)\]\"'*`]{0,3},? or (?:not|otherwise)\b", re.IGNORECASE)
_IS_TOPIC = re.compile(
    r"[\"'*`)]{0,3} (?:(?:relation|relationship|label|status|class)\b ?|(?:between|of) [^.\n]{1,100} )?"
    r"(?:is|are|would be|should be)\b",
    re.IGNORECASE,
)
_AND_OR = (
    r"[,;/&+、，]|\b(?:and|or|nor|and/or|und|oder|noch|et|ou|ni|y|o|e|i|of|en|og|och|ve|или|и|ни)\b|[和或与與及とや]"
)
JOIN = re.compile(
    rf"[ )\]}}\"'*`.」』）]{{0,4}}(?:(?:, ?|and ?)?(?:{_AND_OR})) ?"
    r"(?:(?:and|or|nor|also|an?|the|option|choice) ?){0,2}[\"'*`(\[{「『（]{0,3}",
    re.IGNORECASE,
)
"""What stands between two members of a list."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A mention, the labels it comes to (the twin of a negated one), and what is said about them."""

    mention: Mention
    labels: tuple[str, ...]
    status: Status


def judged(text: str, mentions: list[Mention], words: Vocabulary) -> list[Judged]:
    """What the text says about each of its mentions.

    >>> from .extract_mentions import vocabulary
    >>> words = vocabulary(("negative", "positive"))
    >>> text = "This is not positive, it is negative."
    >>> [(found.labels, found.status) for found in judged(text, words.mentions(text), words)]
    [(('positive',), 'negated'), (('negative',), 'asserted')]
    """
    statuses: list[Status] = []
    for k, mention in enumerate(mentions):
        status = _status(text, mention)
        # One negation or doubt holds for a whole list: "neither positive nor negative".
        if status == "asserted" and k and JOIN.fullmatch(text[mentions[k - 1].end : mention.start][:40]):
            status = statuses[-1]
        statuses.append(status)
    found = [_with_twin(*pair, words) for pair in zip(mentions, statuses, strict=True)]
    return [_without_topic(text, found, k) for k in range(len(found))]


def _status(text: str, mention: Mention) -> Status:
    before = _SENTENCE.split(text[max(0, mention.start - _WINDOW) : mention.start].rstrip(_OPENERS))[-1]
    after = text[mention.end : mention.end + _WINDOW]
    if _UNDECIDED.search(_SETTLED.split(before)[-1]) or _OR_NOT.match(after):
        return "open"
    clause = " ".join(_HARMLESS.sub(" ", _CLAUSE.split(before)[-1]).split(" ")[-_LAST_WORDS - 1 :])
    denied = _NEGATION.search(clause) or _CONTRAST.search(before + " ") or _REJECTED.match(after)
    return "negated" if denied else "asserted"


def _with_twin(mention: Mention, status: Status, words: Vocabulary) -> Judged:
    twins = tuple(words.twins[label] for label in mention.labels if label in words.twins)
    return (
        Judged(mention, twins, "asserted") if status == "negated" and twins else Judged(mention, mention.labels, status)
    )


def _without_topic(text: str, found: list[Judged], k: int) -> Judged:
    """In "the entailment is 'not_entailment'" the first word names what the second one is said of."""
    this = found[k]
    if this.mention.kind != "word" or k + 1 == len(found) or found[k + 1].status != "asserted":
        return this
    gap = text[this.mention.end : min(found[k + 1].mention.start, this.mention.end + 2 * _WINDOW)]
    is_topic = this.mention.end + len(gap) == found[k + 1].mention.start and _IS_TOPIC.match(gap)
    return Judged(this.mention, this.labels, "open") if is_topic and not _SENTENCE.search(gap) else this
