"""A question put in another form: "How do I ...?" and "How can I ...?"."""

from __future__ import annotations

import random
import re

from ._questions import FORMS, Form
from .base import Change, NotApplicable
from .words import Passage, draw, not_english

KIND = "para"
RELATION = "invariant"
TASKS = ("qqp", "qnli", "mcq")
FIELDS = {"qnli": ("question",)}
PROMISE = "The same question in another form, which has the same answer."
LIMITATIONS = (
    "English questions of some thirty forms; only the last sentence of a text is looked at, and it must end with a "
    "question mark.",
    "In qnli the sentence is edited by default, which is no question: use the side `first`.",
    "Some forms are more formal than the question was ('For what reason did'), or more polite ('Can you tell me').",
    "'What' and 'which' are exchanged before some thirty nouns, though 'which' suggests a smaller choice.",
)

_QUESTION = re.compile(r"(?:\A|(?<=[.!?])\s)\s*(?P<body>[^.!?\n]{4,300}?)(?P<end> ?\?\s*)\Z")


def edits(passage: Passage, rng: random.Random, rate: float) -> list[Change] | NotApplicable:
    """Put the last question of the text in another form.

    Args:
        passage: The text.
        rng: Draws the form where several fit.
        rate: A form whose edits are more than this share of the words is not taken.
    """
    question = _QUESTION.search(passage.text[-_LONGEST:])
    if question is None:
        return not_english(passage.text) or NotApplicable("no question")
    offset = max(0, len(passage.text) - _LONGEST) + question.start("body")
    for form in draw(rng, FORMS):
        changes = _put(form, question["body"], offset)
        if changes and len(changes) <= passage.budget(rate) and all(passage.is_free(*c[:2]) for c in changes):
            return changes
    return not_english(passage.text) or NotApplicable("no other form of the question")


_LONGEST = 400


def _put(form: Form, question: str, offset: int) -> list[Change]:
    """The edits that give the question this form; none where it does not fit."""
    match = form.pattern.match(question)
    if match is None:
        return []
    groups = [group or "" for group in match.groups()[1:]]
    head, tail = (_filled(part, groups) for part in (form.head, form.tail))
    first = head[0].upper() if question[0].isupper() else head[0]
    changes = [
        Change(offset, offset + match.end("head"), first + head[1:]),
        Change(offset + match.start("tail"), offset + match.end("tail"), tail),
    ]
    return [c for c in changes if question[c.start - offset : c.end - offset] != c.replacement]


def _filled(part: str, groups: list[str]) -> str:
    return part.format(*(group.lower() for group in groups))
