"""Run operators: choose the fields, seed the generator, check and make the edits, name the variant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..errors import JostleError, UsageError
from ..items import AnyItem, Item, MCQItem
from .base import Change, Edit, NotApplicable, Variant, splice
from .contract import Operator, Params, seeded
from .registry import find
from .sides import chosen_fields, side_of
from .words import Passage

NO_PARAMS: Mapping[str, Any] = {}


def apply(
    name: str | Operator,
    text_or_item: str | AnyItem,
    seed: int = 0,
    item_id: str = "0",
    side: str = "auto",
    rate: float | None = None,
    **params: Any,  # noqa: ANN401  - each operator has its own
) -> Variant | NotApplicable:
    """One variant of a text or an item, or the reason why there is none.

    The result depends on the arguments alone. Everything outside the edits is byte-identical, protected spans
    (addresses, numbers, code, placeholders) are never touched, and an item that would come out as it went in gives
    `NotApplicable("nothing to change")`.

    Args:
        name: Name of an operator, or an `Operator` (see `load_operator`).
        text_or_item: A plain text becomes an item with the one field `text`.
        seed: Seed of the run.
        item_id: Id of a plain text; items have their own.
        side: Fields to edit: `first`, `second`, `both`, or `auto` for those whose edits keep the label of the task.
        rate: Share of the words to edit, in (0, 1]; the operator's own by default.
        **params: Parameters of the operator, such as `style` or `direction`.

    Raises:
        UsageError: Unknown operator, side or parameter, or a rate outside (0, 1].

    >>> apply("contractions", "it 's a  charming film . ").text
    'it is a  charming film . '
    >>> apply("typos", "12:30").reason
    'no English words'
    """
    operator = find(name)
    unknown = params.keys() - operator.parameters
    if unknown:
        allowed = ", ".join(sorted(operator.parameters)) or "none"
        raise UsageError(f"Expected parameters of {operator.name} out of: {allowed}, but got {sorted(unknown)[0]!r}.")
    item = Item(item_id, "custom", {"text": text_or_item}) if isinstance(text_or_item, str) else text_or_item
    return _one(operator, item, seed, side, _rate(operator, rate), params)


def expand(
    items: Iterable[AnyItem],
    operators: Iterable[str | Operator],
    seed: int = 0,
    side: str = "auto",
    rate: float | None = None,
) -> Iterator[Variant | NotApplicable]:
    """All variants of all items, one by one: for each item each operator, for cyclic orders each shift.

    Originals are not among them. An operator that does not fit an item gives one `NotApplicable`, so reasons can be
    counted. Items are read as they are needed; memory does not grow with their number.

    Args:
        items: Items of any task.
        operators: Names or `Operator`s.
        seed: Seed of the run.
        side: As in `apply`.
        rate: As in `apply`.

    Raises:
        UsageError: As in `apply`.
    """
    found = [find(operator) for operator in operators]
    rates = [_rate(operator, rate) for operator in found]
    for item in items:
        for operator, share in zip(found, rates, strict=True):
            for params in _variants(operator, item):
                yield _one(operator, item, seed, side, share, params)


def _variants(operator: Operator, item: AnyItem) -> Iterable[Params]:
    if operator.variants is None or not isinstance(item, MCQItem) or not operator.covers(item.task):
        return (NO_PARAMS,)
    listed = operator.variants(item)
    return (NO_PARAMS,) if isinstance(listed, NotApplicable) else listed


def _one(
    operator: Operator, item: AnyItem, seed: int, side: str, rate: float, params: Params
) -> Variant | NotApplicable:
    key = _key(item)
    condition = operator.condition_of(params)
    made = _make(operator, item, (seed, key), side, rate, params)
    if isinstance(made, NotApplicable):
        return NotApplicable(made.reason, operator.name, condition, key)
    edited, edits = made
    where = side_of(item, edits) if edits else "choices"
    return Variant(edited, item, condition, operator.name, operator.kind, operator.relation, where, seed, edits)


def _make(
    operator: Operator, item: AnyItem, draw: tuple[int, str], side: str, rate: float, params: Params
) -> tuple[AnyItem, tuple[Edit, ...]] | NotApplicable:
    if operator.vary is None:
        return _edit_fields(operator, item, draw, side, rate, params)
    if not isinstance(item, MCQItem):
        return NotApplicable("not a multiple-choice item")
    varied = operator.vary(item, seeded(draw[0], operator.name, draw[1], "choices"), **params)
    if isinstance(varied, NotApplicable):
        return varied
    if varied.choices == item.choices and varied.question == item.question:
        return NotApplicable("nothing to change")
    return varied, ()


def _edit_fields(
    operator: Operator, item: AnyItem, draw: tuple[int, str], side: str, rate: float, params: Params
) -> tuple[AnyItem, tuple[Edit, ...]] | NotApplicable:
    assert operator.edits is not None
    if item.task != "custom" and not operator.covers(item.task):
        return NotApplicable("not for this task")
    fields = chosen_fields(item, side)
    if isinstance(fields, NotApplicable):
        return fields
    texts = dict(item.fields)
    edits: list[Edit] = []
    refusal: NotApplicable | None = None
    for field in fields:
        passage = Passage(texts[field], item.task, field)
        asked = operator.edits(passage, seeded(draw[0], operator.name, draw[1], field), rate, **params)
        if isinstance(asked, NotApplicable):
            refusal = refusal or asked
            continue
        made = _edits(operator, passage, asked)
        changed = splice(passage.text, made)
        if changed != passage.text:
            edits += made
            texts[field] = changed
    if not edits:
        return refusal or NotApplicable("nothing to change")
    return item.with_fields(texts), tuple(edits)


def _edits(operator: Operator, passage: Passage, asked: list[Change]) -> list[Edit]:
    """The changes as edits, sorted, without those that change nothing; a change out of bounds is the operator's fault."""
    text, field, guarded = passage.text, passage.field, bool(passage.protected)
    edits: list[Edit] = []
    last = 0
    for start, end, replacement in sorted(asked):
        if not last <= start <= end <= len(text):
            raise JostleError(_broken(operator, "apart and within the text", (start, end, replacement)))
        if guarded and not passage.is_free(start, end):
            raise JostleError(_broken(operator, "outside protected spans", (start, end, replacement)))
        if text[start:end] != replacement:
            edits.append(Edit(field, start, end, text[start:end], replacement))
        last = end
    return edits


def _broken(operator: Operator, expected: str, change: tuple[int, int, str]) -> str:
    return f"Expected edits of operator {operator.name!r} to be {expected}, but got {change}. Correct the operator."


def _rate(operator: Operator, rate: float | None) -> float:
    if rate is None:
        return operator.rate
    if not 0 < rate <= 1:
        raise UsageError(f"Expected `rate` to be above 0 and at most 1, but got {rate}. Give a share of the words.")
    return rate


def _key(item: AnyItem) -> str:
    """What the generator is seeded with: the id, or the question of an item that has none."""
    return item.id if item.id is not None else item.fields["question"]
