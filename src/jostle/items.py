"""Items: evaluation cases in their original form, before any operator has touched them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def option_labels(count: int) -> tuple[str, ...]:
    """Labels of `count` options: letters, or numbers where there are more options than letters.

    >>> option_labels(3), option_labels(27)[-1]
    (('A', 'B', 'C'), '27')
    """
    return tuple(LETTERS[:count]) if count <= len(LETTERS) else tuple(str(k + 1) for k in range(count))


@dataclass(frozen=True, slots=True)
class Item:
    """One classification case: the texts a model reads and the label it should give.

    Args:
        id: Unique within its set.
        task: Name of the task (`sst2`, `mnli`, `qqp`, `qnli`, `custom`).
        fields: The texts by field name, in the order a model reads them.
        label: Gold label by name; None when there is none.
        family: What is resampled together (document, template); the id by default.
        metadata: Everything else the source row held.
    """

    id: str
    task: str
    fields: Mapping[str, str]
    label: str | None = None
    family: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.family:
            object.__setattr__(self, "family", self.id)

    def with_fields(self, fields: Mapping[str, str]) -> Self:
        """The same item with other texts."""
        twin = object.__new__(type(self))
        _set_id(twin, self.id)
        _set_task(twin, self.task)
        _set_fields(twin, dict(fields))
        _set_label(twin, self.label)
        _set_family(twin, self.family)
        _set_metadata(twin, self.metadata)
        return twin

    def with_label(self, label: str | None) -> Self:
        """The same item with another gold label."""
        return dataclasses.replace(self, label=label)


_set_id, _set_task, _set_fields, _set_label, _set_family, _set_metadata = (
    getattr(Item, name).__set__ for name in ("id", "task", "fields", "label", "family", "metadata")
)  # straight into the slots: half the time of the checks that a frozen class makes, and every variant pays it


@dataclass(frozen=True)
class MCQItem:
    """One multiple-choice case.

    `order[p]` is the original index of the option now at position p, so an answer given as a position can always
    be mapped back, however often the options were rotated. `labels[p]` is what stands before the option at position
    p: letters unless others are given, or numbers where the letters do not suffice. Labels stay when options move.

    >>> item = MCQItem("Capital of France?", ["Paris", "Rome", "Bonn"], answer_index=0)
    >>> turned = item.rotate(1)
    >>> turned.choices, turned.answer_letter, turned.original_index("C")
    (('Rome', 'Bonn', 'Paris'), 'C', 0)
    """

    question: str
    choices: tuple[str, ...]
    answer_index: int | None
    id: str | None = None
    order: tuple[int, ...] = ()
    family: str = ""
    task: str = "mcq"
    metadata: Mapping[str, Any] = field(default_factory=dict)
    labels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "choices", tuple(self.choices))
        n = len(self.choices)
        if self.answer_index is not None and not 0 <= self.answer_index < n:
            raise ValueError(
                f"Expected `answer_index` of item {self.id!r} to be in 0..{n - 1}, but got {self.answer_index}."
            )
        object.__setattr__(self, "order", tuple(self.order) or tuple(range(n)))
        if sorted(self.order) != list(range(n)):
            raise ValueError(f"Expected `order` of item {self.id!r} to permute {n} options, but got {self.order}.")
        object.__setattr__(self, "labels", tuple(self.labels) or option_labels(n))
        if len({label.casefold() for label in self.labels}) != n or len(self.labels) != n:
            raise ValueError(f"Expected {n} different `labels` for item {self.id!r}, but got {self.labels}.")
        if not self.family:
            object.__setattr__(self, "family", self.id or self.question)

    @property
    def fields(self) -> Mapping[str, str]:
        """The editable text beside the options."""
        return {"question": self.question}

    @property
    def label(self) -> str | None:
        """Gold as the *original* option index, so it is the same in every order; None when there is none."""
        return None if self.answer_index is None else str(self.order[self.answer_index])

    @property
    def answer_letter(self) -> str | None:
        """Label at which the gold option stands now: its letter, unless the item has other labels."""
        return None if self.answer_index is None else self.labels[self.answer_index]

    def with_fields(self, fields: Mapping[str, str]) -> Self:
        """The same item with another question text."""
        return dataclasses.replace(self, question=fields["question"])

    def with_label(self, label: str | None) -> Self:
        """The same item with another gold option, by its original index as in `label`."""
        return dataclasses.replace(self, answer_index=None if label is None else self.order.index(int(label)))

    def rotate(self, shift: int) -> Self:
        """Move every option `shift` places towards the front, cyclically; the gold moves with its option.

        Rotations add up: `x.rotate(1).rotate(1) == x.rotate(2)`, and a full turn gives the item back.
        """
        n = len(self.choices)
        k = shift % n if n else 0
        moved = None if self.answer_index is None else (self.answer_index - k) % n
        return dataclasses.replace(
            self, choices=self.choices[k:] + self.choices[:k], order=self.order[k:] + self.order[:k], answer_index=moved
        )

    def original_index(self, answer: str | int) -> int:
        """Original index of the option that a label or a position points at in the present order.

        Raises:
            ValueError: No option has this label.
        """
        if not isinstance(answer, str):
            return self.order[answer]
        labels = [label.casefold() for label in self.labels]
        if answer.casefold() not in labels:
            raise ValueError(f"Expected one of the labels {', '.join(self.labels)}, but got {answer!r}.")
        return self.order[labels.index(answer.casefold())]


AnyItem = Item | MCQItem
