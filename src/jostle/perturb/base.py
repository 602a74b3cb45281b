"""What an operator gives back: a variant with its edits, or the reason why there is none."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ..items import AnyItem, MCQItem

Span = tuple[int, int]


class Change(NamedTuple):
    """One replacement that an operator asks for: `text[start:end]` becomes `replacement`."""

    start: int
    end: int
    replacement: str


class Edit(NamedTuple):
    """One replacement that was made.

    Args:
        field: Name of the field that was edited.
        start: Offset of the first replaced character in the *original* text of the field.
        end: Offset after the last replaced character; equal to `start` for an insertion.
        original: The replaced text.
        replacement: The text that stands there now.
    """

    field: str
    start: int
    end: int
    original: str
    replacement: str


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """Why an operator gives no variant of an item; it is counted, never passed over.

    Args:
        reason: Short text out of a small stable set, so that reasons can be counted.
        operator: Name of the operator.
        condition: Condition the variant would have had.
        item_id: The item that was left out.
    """

    reason: str
    operator: str = ""
    condition: str = ""
    item_id: str = ""


@dataclass(frozen=True, slots=True)
class Variant:
    """An item after one operator.

    Args:
        item: The edited item.
        base: The item as it was.
        condition: Name of the condition in the outcomes table: `pert/typos`, `shift1`.
        operator: Name of the operator.
        kind: `para` (another wording), `pert` (surface noise) or `adv` (adversarial).
        relation: What the operator promises about the gold label: `invariant` or `changed`.
        side: What was edited: `first`, `second` or `both` of the fields, in the order a model reads them; the
            name of the field from the third on; `choices` where the options moved.
        seed: Seed of the run.
        edits: Replacements in the text fields, sorted and apart from each other. Empty where only the options
            moved or were relabelled: then `item.order` and `item.labels` say how.
        reviewed: Whether a person has confirmed the promise for this variant; None where nobody was asked.
    """

    item: AnyItem
    base: AnyItem
    condition: str
    operator: str
    kind: str
    relation: str
    side: str
    seed: int
    edits: tuple[Edit, ...]
    reviewed: bool | None = None

    @property
    def text(self) -> str:
        """The edited text of an item of one field (which is what a plain text becomes).

        Raises:
            AttributeError: The item has several fields, so that "the" text is not defined.
        """
        texts = tuple(self.item.fields.values())
        if len(texts) != 1:
            names = tuple(self.item.fields)
            raise AttributeError(f"Expected an item of one field, but got {names}. Read `.item.fields` instead.")
        return texts[0]

    def restore(self) -> AnyItem:
        """The original item, rebuilt from the edited texts, the edits and the order of the options.

        >>> from jostle.perturb import apply
        >>> variant = apply("spelling", "The color  of money .")
        >>> variant.text, variant.restore().fields["text"]
        ('The colour  of money .', 'The color  of money .')
        """
        item = self.item
        if isinstance(item, MCQItem) and isinstance(self.base, MCQItem):
            item = dataclasses.replace(item, labels=self.base.labels)
        if self.edits:
            item = item.with_fields({name: undo(text, name, self.edits) for name, text in item.fields.items()})
        if isinstance(item, MCQItem) and isinstance(self.base, MCQItem) and item.order != self.base.order:
            item = reordered(item, self.base.order)
        return item


_FIELDS = ("item", "base", "condition", "operator", "kind", "relation", "side", "seed", "edits", "reviewed")
(_item, _base, _condition, _operator, _kind, _relation, _side, _seed, _edits, _reviewed) = (
    getattr(Variant, name).__set__ for name in _FIELDS
)


def new_variant(
    item: AnyItem, base: AnyItem, named: tuple[str, str, str, str], side: str, seed: int, edits: tuple[Edit, ...]
) -> Variant:
    """A variant, written straight into its slots: half the time of the checks that a frozen class makes.

    Args:
        item: The edited item.
        base: The item as it was.
        named: Condition, operator, kind and relation.
        side: What was edited.
        seed: Seed of the run.
        edits: The edits.
    """
    variant = object.__new__(Variant)
    _item(variant, item)
    _base(variant, base)
    condition, operator, kind, relation = named
    _condition(variant, condition)
    _operator(variant, operator)
    _kind(variant, kind)
    _relation(variant, relation)
    _side(variant, side)
    _seed(variant, seed)
    _edits(variant, edits)
    _reviewed(variant, None)
    return variant


def reordered(item: MCQItem, order: tuple[int, ...]) -> MCQItem:
    """The item with its options in another order, given by their original places; the gold moves with its option.

    >>> reordered(MCQItem("Q?", ("a", "b", "c"), 0), (2, 0, 1)).choices
    ('c', 'a', 'b')
    """
    places = [item.order.index(original) for original in order]
    gold = None if item.answer_index is None else places.index(item.answer_index)
    choices = tuple(item.choices[place] for place in places)
    return dataclasses.replace(item, choices=choices, order=order, answer_index=gold)


def splice(text: str, changes: Iterable[Change | Edit]) -> str:
    """`text` with the changes made; they must be sorted and must not overlap."""
    parts: list[str] = []
    end = 0
    for change in changes:
        parts += text[end : change.start], change.replacement
        end = change.end
    parts.append(text[end:])
    return "".join(parts)


def undo(text: str, field: str, edits: tuple[Edit, ...]) -> str:
    """The text of `field` as it was before the edits."""
    back: list[Change] = []
    moved = 0
    for edit in edits:
        if edit.field == field:
            start = edit.start + moved
            back.append(Change(start, start + len(edit.replacement), edit.original))
            moved += len(edit.replacement) - len(edit.original)
    return splice(text, back)
