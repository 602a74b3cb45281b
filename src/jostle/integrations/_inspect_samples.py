"""Samples of Inspect AI <-> multiple-choice items: what the target says, and every order or wording as a sample."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageUser

from ..importers.inspect_log import CONDITION, CONDITIONS, FAMILY, ITEM
from ..items import LETTERS, AnyItem, MCQItem
from ..perturb import NotApplicable, Variant
from ..perturb.options import why_not_rotatable

LABELS, OPTIONS, SHOWN = "jostle_labels", "jostle_options", "jostle_shown"
ORIGINAL = "orig"


def option_mark(place: int) -> str:
    """What Inspect writes before an option: A to Z, then 1, 2, ... (option 27 is 1).

    >>> option_mark(0), option_mark(26)
    ('A', '1')
    """
    return LETTERS[place] if place < len(LETTERS) else str(place - len(LETTERS) + 1)


def _place(mark: str, count: int) -> int | None:
    """Place of the option with a mark; None where no option has it."""
    marks = [option_mark(place) for place in range(count)]
    return marks.index(mark.upper()) if mark.upper() in marks else None


def _marked(value: str, choices: Sequence[str]) -> list[int]:
    """Places that a target names by marks: "B", "B,A", "AC", "10"; none where it names anything else."""
    marks = value.replace(",", " ").split()
    if len(marks) == 1 and marks[0].isupper() and marks[0].isalpha():
        marks = list(marks[0])
    places = [_place(mark, len(choices)) for mark in marks]
    return [] if None in places else [place for place in places if place is not None]


def target_places(value: str, choices: Sequence[str]) -> tuple[list[int], bool]:
    """Places of the options that one target names, and whether it names its option by its text.

    A single mark is read as Inspect's `choice()` reads it, even if an option has that text. Otherwise the text of
    exactly one option counts before several marks run together.

    >>> target_places("Paris", ["Rome", "Paris"]), target_places("B,A", ["Rome", "Paris"])
    (([1], True), ([1, 0], False))
    >>> target_places("3", ["2", "3"]), target_places("Bonn", ["Rome", "Paris"])
    (([1], True), ([], False))
    """
    single = _place(value.strip(), len(choices))
    if single is not None:
        return [single], False
    for read in (str.strip, lambda text: text.strip().casefold()):
        same = [place for place, choice in enumerate(choices) if read(choice) == read(value)]
        if len(same) == 1:
            return same, True
    return _marked(value, choices), False


@dataclass(frozen=True)
class Source:
    """A multiple-choice sample with the item it asks.

    Args:
        sample: The sample as the task has it.
        item: Its question and options; without an answer where several are right.
        golds: For each target the places it names, and whether by text.
        marks: Whether targets are to name options by marks alone, as `choice()` needs.
    """

    sample: Sample
    item: MCQItem
    golds: tuple[tuple[list[int], bool], ...]
    marks: bool

    def why_not_rotatable(self) -> str | None:
        """Why the options must stay in their order: with every right option taken as the gold one."""
        places = {place for found, _ in self.golds for place in found}
        reasons = (why_not_rotatable(replace(self.item, answer_index=place)) for place in sorted(places))
        return next((reason for reason in reasons if reason), None)

    def target(self, order: Sequence[int]) -> str | list[str]:
        """The target when the options stand in another order, in the form that the sample has it."""
        given = self.sample.target
        values = [given] if isinstance(given, str) else given
        moved = [self._moved(value, *gold, order) for value, gold in zip(values, self.golds, strict=True)]
        return moved[0] if isinstance(given, str) else moved

    def _moved(self, value: str, places: list[int], by_text: bool, order: Sequence[int]) -> str:
        if by_text and not self.marks:
            return value  # the text goes where its option goes
        if list(order) == sorted(order) and not by_text:
            return value
        marks = [option_mark(place) for place in sorted(map(order.index, places))]
        together = len(value.split()) == 1 and "," not in value and all(map(str.isalpha, marks))
        return ("" if together else ",").join(marks)


def read_sample(sample: Sample, name: str, marks: bool) -> Source | str:
    """The item of a sample, or why it has none."""
    if not sample.choices:
        return "no choices"
    given = [sample.target] if isinstance(sample.target, str) else sample.target
    golds = tuple(target_places(value, sample.choices) for value in given)
    if not golds or not all(places for places, _ in golds):
        return "target that names no option" if any(given) else "no target"
    places = {place for found, _ in golds for place in found}
    answer = next(iter(places)) if len(places) == 1 else None
    return Source(sample, MCQItem(question_of(sample), tuple(sample.choices), answer, name), golds, marks)


def question_of(sample: Sample) -> str:
    """The question as text: the input, or what the user says last; "" where that is no plain text."""
    if isinstance(sample.input, str):
        return sample.input
    said = [message.content for message in sample.input if isinstance(message, ChatMessageUser)]
    return said[-1] if said and isinstance(said[-1], str) else ""


def _asking(sample: Sample, question: str) -> Any:
    """The input of a sample with another question."""
    if isinstance(sample.input, str):
        return question
    last = max(k for k, message in enumerate(sample.input) if isinstance(message, ChatMessageUser))
    return [
        message.model_copy(update={"content": question}) if k == last else message
        for k, message in enumerate(sample.input)
    ]


def marked_sample(
    sample: Sample, item: AnyItem, condition: str, conditions: int, family: str = "", **more: Any
) -> Sample:
    """A sample that says which item and condition it is, and how many conditions the item has.

    Args:
        sample: The sample to copy.
        item: The item before any change.
        condition: Name of the condition.
        conditions: Number of conditions of the item.
        family: What is resampled together; the item's own family by default.
        more: Fields of the sample to change; `metadata` is added to its own.
    """
    name = str(item.id)
    about = {ITEM: name, CONDITION: condition, CONDITIONS: conditions, FAMILY: family or item.family}
    metadata = {**(sample.metadata or {}), **more.pop("metadata", {}), **about}
    copy = sample.model_copy(deep=True)
    return copy.model_copy(update={"id": f"{name}::{condition}", "metadata": metadata, **more})


def samples_of(source: Source, variants: Iterable[tuple[str, Variant]]) -> Iterator[Sample]:
    """The original sample and one for every variant."""
    listed = list(variants)
    count = 1 + len(listed)
    original = source.item
    yield marked_sample(source.sample, original, ORIGINAL, count, target=source.target(original.order))
    for condition, variant in listed:
        item = variant.item
        assert isinstance(item, MCQItem)
        changed: dict[str, Any] = {"choices": list(item.choices), "target": source.target(item.order)}
        if item.question != original.question:
            changed["input"] = _asking(source.sample, item.question)
        if item.labels != original.labels:
            changed["metadata"] = {LABELS: list(item.labels)}
        yield marked_sample(source.sample, original, condition, count, **changed)


def refused(variant: Variant | NotApplicable, source: Source) -> str | None:
    """Why a variant is not taken: the operator's own reason, or options that must stay for one of several golds."""
    if isinstance(variant, NotApplicable):
        return variant.reason
    item = variant.item
    assert isinstance(item, MCQItem)
    return source.why_not_rotatable() if item.order != source.item.order else None
