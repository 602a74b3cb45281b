"""Gold answers that stand in the input itself, in its instructions or demonstrations, or in other columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..items import LETTERS
from ..measures.fold import fold
from ..measures.words import words
from .base import Case

MIN_CHARACTERS = 12  # a shorter answer counts where its rarest word is rare in the inputs
COMMON = 0.05  # of the other inputs; a word in more of them stands in an input by chance
CLOSED = 20  # cases for each distinct gold answer, and at least so many cases, make a closed vocabulary
_FEW_GOLDS, _MOST_CLASSES = 10, 200
_AFTER = 80  # characters after the announcement that may hold the gold answer
_REVEAL = re.compile(
    r"\b(?:(?:correct|right|true|expected|gold|reference)\s+)?(?:answer|label|solution)\b\s*(?:is|[:=])"
    r"|\bground[ _-]?truth\b\s*(?:is|[:=])|\bhint\s*[:=]",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(?:^|\n)\s*(?:question|input|prompt|q|task|item|text|user)\s*[:.)]", re.IGNORECASE)
_REPLY = re.compile(r"(?:^|\n)\s*(?:answer|output|a|label|assistant)\s*[:.)]", re.IGNORECASE)
_DEMONSTRATIONS = 2
_ANSWER_COLUMNS = (
    "answer", "correct", "expected", "gold", "ground", "label", "output", "rationale", "reference", "response",
    "solution", "target", "truth", "explanation", "test",
)  # fmt: skip


@dataclass(frozen=True)
class Place:
    """Where the gold answer of a case stands.

    Args:
        case: Number of the case.
        where: `input`, `announced`, `instructions`, `demonstrations`, or the name of a column.
        level: `verbatim` or `normalised`.
        evidence: The words around it.
    """

    case: int
    where: str
    level: str
    evidence: str


class Golds:
    """Gold answers of the cases, and which of them can be looked for in a text.

    Args:
        cases: The cases of the set.

    >>> Golds([Case("a", "It is Zugspitze.", {}, expected="Zugspitze")]).closed
    False
    """

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = cases
        self.texts = [_golds(case) for case in cases]
        self.inputs = [padded(words(case.text)) for case in cases]

    @cached_property
    def closed(self) -> bool:
        """Whether the gold answers are classes: of 20 cases and more at most 10, or one in 20 and at most 200."""
        golds = [texts[0].casefold() for texts in self.texts if texts]
        return len(golds) >= CLOSED and len(set(golds)) <= min(_MOST_CLASSES, max(_FEW_GOLDS, len(golds) // CLOSED))

    @cached_property
    def frequency(self) -> Counter[str]:
        """In how many inputs each word stands."""
        return Counter(word for text in self.inputs for word in set(text.split()))

    def telling(self, k: int, gold: str) -> bool:
        """Whether the gold answer would not stand in the input of its case by chance."""
        tokens = words(gold)
        if not tokens or all(token.isdecimal() for token in tokens):
            return False  # numbers of a problem recur in its answer
        if len(" ".join(tokens)) >= MIN_CHARACTERS:
            return True
        own = set(self.inputs[k].split())
        rarest = min(self.frequency[token] - (token in own) for token in tokens)
        return (rarest + 1) / len(self.cases) <= COMMON


def _golds(case: Case) -> tuple[str, ...]:
    gold = case.gold
    found = [gold] if gold is not None and gold.strip() else []
    return (*found, *(answer for answer in case.answers if answer.strip() and answer != gold))


def padded(tokens: Sequence[str]) -> str:
    """Words with a space around each, so that a run of whole words is found as a part of the text."""
    return f" {' '.join(tokens)} "


def contained(golds: Golds) -> Iterator[Place]:
    """Cases whose input holds a gold answer that would not stand there by chance, and in which part of the input.

    Not for multiple choice, whose cue is told apart, nor for a closed vocabulary of golds.
    """
    if golds.closed:
        return
    for k, case in enumerate(golds.cases):
        if case.choices is not None:
            continue
        for gold in golds.texts[k]:
            found = padded(words(gold)) in golds.inputs[k] and fold(gold) in fold(
                case.text
            )  # signs count: a + 5, a - 5
            if found and golds.telling(k, gold):
                yield Place(k, part_of(case.text, gold), *_evidence(case.text, gold))
                break


def part_of(text: str, gold: str) -> str:
    """The part of an input that a gold answer stands in: `demonstrations`, `instructions` or `input`."""
    needle = padded(words(gold))
    items = [match.start() for match in _ITEM.finditer(text)]
    if items and items[0] > 0 and needle in padded(words(text[: items[0]])):
        return "instructions"
    if len(items) > _DEMONSTRATIONS and len(_REPLY.findall(text[: items[-1]])) >= _DEMONSTRATIONS:
        return "demonstrations" if needle in padded(words(text[: items[-1]])) else "input"
    return "input"


def own_demonstration(golds: Golds) -> Iterator[Place]:
    """Cases whose demonstrations hold the question itself."""
    for k, case in enumerate(golds.cases):
        parts = _ITEM.split(case.text) if "\n" in case.text else []
        if len(parts) <= _DEMONSTRATIONS + 1 or len(_REPLY.findall(case.text)) < _DEMONSTRATIONS:
            continue
        asked, *shown = [words(_REPLY.split(part)[0]) for part in reversed(parts[1:])]
        if asked and asked in shown:
            yield Place(k, "demonstrations", "normalised", " ".join(asked))


def announced(golds: Golds) -> Iterator[Place]:
    """Cases whose input has its gold answer after words such as "the answer is".

    A gold answer of one word must follow at once, others within 80 characters. Where the input announces several
    answers (demonstrations), none counts.
    """
    for k, case in enumerate(golds.cases):
        if not golds.texts[k]:
            continue
        matches = list(_REVEAL.finditer(case.text))
        if sum(not match.group().lower().startswith("hint") for match in matches) > 1:
            continue
        yield from (
            Place(k, "announced", "normalised", shown) for shown in _announcement(case, golds.texts[k], matches)
        )


def _announcement(case: Case, golds: Sequence[str], matches: Sequence[re.Match[str]]) -> Sequence[str]:
    """The first words that announce a gold answer, and the answer; none where no gold answer follows."""
    for match in matches:
        after = case.text[match.end() : match.end() + _AFTER]
        tokens = words(after)
        for gold in (*golds, *_letter(case)):
            wanted = words(gold)
            first = tokens[: len(wanted)] == wanted
            if wanted and (first or (len(wanted) > 1 and padded(wanted) in padded(tokens))):
                return [" ".join((match.group() + after).split())]
    return []


def _letter(case: Case) -> tuple[str, ...]:
    known = case.choices is not None and case.answer_index is not None and case.answer_index < len(LETTERS)
    return (LETTERS[case.answer_index],) if known and case.answer_index is not None else ()


def in_columns(golds: Golds) -> Iterator[Place]:
    """Gold answers that another column of their case holds, unless the column's name says that it is about answers."""
    names = sorted({name for case in golds.cases for name in case.metadata})
    names = [name for name in names if not any(mark in name.casefold() for mark in _ANSWER_COLUMNS)]
    for k, case in enumerate(golds.cases):
        if not golds.texts[k]:
            continue
        needle = padded(words(golds.texts[k][0]))
        for name in names:
            value = case.metadata.get(name)
            held = isinstance(value, str) and needle.strip() and needle in padded(words(value))
            if held and not golds.closed and golds.telling(k, golds.texts[k][0]):
                yield Place(k, name, *_evidence(str(value), golds.texts[k][0]))


def _evidence(text: str, gold: str) -> tuple[str, str]:
    place = text.find(gold)
    if place < 0:
        return "normalised", " ".join(words(gold))
    return "verbatim", " ".join(text[max(0, place - 20) : place + len(gold) + 20].split())
