"""The label that a model's completion gives, or the reason why it gives none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ..errors import UsageError
from .extract_cues import NOT_THE_ANSWER, REFUSAL, STRONG, WEAK
from .extract_lookalikes import latinised
from .extract_mentions import Vocabulary, vocabulary
from .extract_reading import Document, Named
from .extract_text import REASONING_TAGS, Tags, tidy, without_reasoning

Reason = Literal["no_answer", "ambiguous", "truncated_reasoning", "negated", "not_an_option", "lookalike_letter"]
REASONS: tuple[Reason, ...] = (
    "no_answer", "ambiguous", "truncated_reasoning", "negated", "not_an_option", "lookalike_letter",
)  # fmt: skip

_BEFORE_BARE = re.compile(
    r"(?:[ \n\"'*`_(\[{「『【《（$>#\-–—•]|\\(?:text|textbf|mathrm|mathbf|boxed)\b|(?:[Ee]ither|[Bb]oth) ){0,12}"
)
_AFTER_BARE = re.compile(r"[ \n.!。！)\]}\"'*`」』】》）$,:]{0,12}$")
_AFTER_LEADING = re.compile(r"[\"'*`]{0,3}(?:[.,:;)\]}\n—–]| [-–—(])")
_MOST_WORDS = 10  # an answer that is no option is at most this long; what is longer is prose


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a completion answers.

    Args:
        label: The label; with `multi` a tuple of labels in the order of the task; None when there is none.
        reason: Why there is none, one of `REASONS`; None when there is a label.
    """

    label: str | tuple[str, ...] | None
    reason: Reason | None = None


def extract_label(
    text: str,
    labels: Sequence[str],
    options: Mapping[str, str] | None = None,
    multi: bool = False,
    negated: Literal["unparsed", "other"] = "unparsed",
    *,
    reasoning_tags: Tags = REASONING_TAGS,
    lookalikes: Mapping[str, str] | None = None,
) -> Extraction:
    """The label that a completion gives, read by rules alone: it sees neither the gold label nor the variant.

    In this order: reasoning blocks are dropped; the last announced answer that names a label ("Answer: B",
    "答案是B", "\\boxed{B}", "actually, C"); else a sentence or line that is nothing but an answer, or the first one
    if it starts with one ("Neutral. The two..."); else the last conclusion ("therefore ..."); else what the prose
    asserts. Two different labels at one of these steps are `ambiguous`; the first is never taken in their place.

    Args:
        text: The completion. Any str; none raises.
        labels: What can be returned: names of the task's labels, or the symbols of the options. Names are compared
            without case, and space, hyphen and underscore are the same ("not duplicate" is `not_duplicate`).
        options: Symbol -> text, where the prompt showed lettered options. Symbol and text both count. Returned is
            the symbol where the symbols are the `labels`, and the label where the texts are.
        multi: Whether several labels may be right together; then `label` is a tuple.
        negated: "unparsed": "not positive" gives no label. "other": of two labels it gives the other one. Labels
            that are each other's negation by name (`duplicate`, `not_duplicate`) are read so in any case.
        reasoning_tags: Opening and closing tags of reasoning blocks.
        lookalikes: Characters to read as Latin letters, such as `LOOKALIKES`. By default none: an answer that only
            they give is `lookalike_letter`.

    Raises:
        UsageError: Labels are blank or repeated, options do not belong to labels, or `negated` is neither word.

    Limitations: rules, not understanding: irony, and an answer that is only paraphrased, are not read. A completion
    that goes on to write the next question and answers that too gives the last answer: stop generation before.

    >>> extract_label("The answer is (B), because A is too small.", ["A", "B", "C"]).label
    'B'
    >>> extract_label("A careful reading does not settle it.", ["A", "B", "C"])
    Extraction(label=None, reason='no_answer')
    >>> extract_label("new york.", ["A", "B"], {"A": "New York", "B": "New York City"}).label
    'A'
    >>> extract_label("Answer: A, B and D", ["A", "B", "C", "D"], multi=True).label
    ('A', 'B', 'D')
    """
    if negated not in ("unparsed", "other"):
        raise UsageError(f"Expected `negated` to be 'unparsed' or 'other', but got {negated!r}. Choose one of them.")
    words = vocabulary(tuple(labels), tuple((options or {}).items()))
    answer = without_reasoning(text, reasoning_tags)
    if answer is None:
        return Extraction(None, "truncated_reasoning")
    tidied = tidy(answer)
    plain = latinised(tidied, lookalikes) if lookalikes else tidied
    found = _read(plain, words, multi, negated)
    if found.reason in ("no_answer", "not_an_option") and not tidied.isascii():
        latin = latinised(plain)
        if latin != plain and _read(latin, words, multi, negated).label is not None:
            return Extraction(None, "lookalike_letter")
    return found


def _read(text: str, words: Vocabulary, multi: bool, negated: str) -> Extraction:
    document = Document(text, words)
    announced = _announced(document, multi)
    if announced is not None:
        return _result(announced, multi)
    steps = (_bare(document), _concluded(document), _prose(document))
    for named in steps:
        if named is not None and (len(named.labels) == 1 or (multi and named.labels and not named.alternatives)):
            return _result(named, multi)
    if any(named is not None and named.labels for named in steps):
        return Extraction(None, "ambiguous")
    return _without_answer(document, multi, negated)


def _result(named: Named, multi: bool) -> Extraction:
    if len(named.labels) > 1 and (named.alternatives or not multi):
        return Extraction(None, "ambiguous")
    return Extraction(named.labels if multi else named.labels[0])


def _announced(document: Document, multi: bool) -> Named | None:
    """What the last announced answer names that names anything."""
    for cue in reversed(list(STRONG.finditer(document.text))):
        if cue["answer"] and NOT_THE_ANSWER.search(document.text[max(0, cue.start() - 16) : cue.start()]):
            continue
        strict = cue["pick"] is not None or cue["correction"] is not None
        named = document.head(cue.end(), strict=strict) or _run_together(document, cue.end())
        if named is None and (cue["answer"] or cue["unspaced"]):
            colon = re.match(r"[\"'*` ]{0,4}[:：]", document.text[cue.end() : cue.end() + 6]) is not None
            named = document.tail(cue.end(), colon=colon)
        if named is not None and named.labels and not _is_question(document, cue, named):
            return named
    return None


def _is_question(document: Document, cue: re.Match[str], named: Named) -> bool:
    """ "Is the answer A?" asks; "Answer: A?" answers."""
    asked = document.text[named.end : document.unit_end(named.end - 1)].rstrip(" \n\"')*").endswith("?")
    return asked and ":" not in document.text[cue.start() : cue.end() + 4]


def _run_together(document: Document, position: int) -> Named | None:
    """Letters without spaces after a colon ("ANSWER: ABD"), where every one is a label."""
    found = re.compile(r"['\"*`]{0,3} ?[:：=] ?[\"'*`(\[]{0,3}([A-Z]{2,26})\b").match(document.text, position)
    if found is None or len(set(found[1])) < len(found[1]) or not set(found[1]) <= set(document.words.labels):
        return None
    return Named(document.words.in_order(found[1]), found.end())


def _bare(document: Document) -> Named | None:
    """What the sentences and lines name that are nothing but an answer, or with which the text starts.

    Where the first line has more than its answer, lines after it that start with a symbol count as well: "A) is
    small, B) is large" on two lines is a list of the options, and no answer.
    """
    first = _bare_at(document, *document.units[0], leading=True) if document.units else None
    listing = first is not None and _AFTER_BARE.match(document.text[first.end : document.units[0][1]][:14]) is None
    rest = [_bare_at(document, start, end, leading=listing) for start, end in document.units[1:]]
    named = [one for one in (first, *rest) if one is not None]
    labels = document.words.in_order(label for one in named for label in one.labels)
    return Named(labels, len(document.text), any(one.alternatives for one in named)) if labels else None


def _bare_at(document: Document, start: int, end: int, *, leading: bool) -> Named | None:
    members = document.within(start, end)
    if not members or _BEFORE_BARE.fullmatch(document.text[start : document.starts[members[0]]][:14]) is None:
        return None
    named, mention = document.listed(members[0]), document.found[members[0]].mention
    starts_line = start == 0 or document.text[start - 1] == "\n"
    alone = _AFTER_BARE.match(document.text[named.end : max(end, named.end)][:14]) is not None
    leads = leading and starts_line and _AFTER_LEADING.match(document.text, named.end) is not None
    if mention.kind == "symbol":
        whole = start == 0 and end == len(document.text)
        ends_line = document.text[end - 1 : end + 1].rstrip(" ").endswith("\n") or end == len(document.text)
        pronoun = document.text[mention.start : mention.end + 1] in ("I,", "i,")
        if pronoun or not (mention.exact or whole) or not (starts_line or ends_line):
            return None
    return named if alone or leads else None


def _concluded(document: Document) -> Named | None:
    """What the last conclusion names that names one label."""
    for cue in reversed(list(WEAK.finditer(document.text))):
        named = document.head(cue.end(), strict=True) or document.tail(cue.end())
        if named is not None and len(named.labels) == 1:
            return named
    return None


def _prose(document: Document) -> Named | None:
    labels = document.said(range(len(document.found)))
    return Named(labels, len(document.text)) if labels else None


def _without_answer(document: Document, multi: bool, negated: str) -> Extraction:
    denied = document.words.in_order(label for one in document.found if one.status == "negated" for label in one.labels)
    labels = document.words.labels
    if len(denied) == 1 and negated == "other" and len(labels) == 2:  # noqa: PLR2004  - "the other" of two
        other = labels[1 - labels.index(denied[0])]
        return Extraction((other,) if multi else other)
    if denied:
        return Extraction(None, "negated")
    return Extraction(None, "not_an_option" if _is_other(document) else "no_answer")


def _is_other(document: Document) -> bool:
    """Whether the text, or what follows the last cue with a colon, is a short answer that is no option."""
    places = [(0, len(document.text))]
    cues = [cue for cue in STRONG.finditer(document.text) if cue["answer"] or cue["colon"] or cue["unspaced"]]
    if cues:
        places.append((cues[-1].end(), document.unit_end(cues[-1].end())))
    return any(_is_short_other(document, start, end) for start, end in places)


def _is_short_other(document: Document, start: int, end: int) -> bool:
    value = document.text[start:end].strip(" \n:：=.\"'*`()")
    most = _MOST_WORDS if document.words.has_options else 1
    one_unit = re.search(r"[.!?]\s|\n", value) is None
    names_none = all(document.found[k].mention.kind == "symbol" for k in document.within(start, end))
    return bool(value) and one_unit and names_none and value.count(" ") < most and REFUSAL.search(value) is None
