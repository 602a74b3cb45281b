"""Run operators: choose the fields, seed the generator, check and make the edits, name the variant."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..errors import JostleError, UsageError
from ..items import AnyItem, Item, MCQItem
from .base import Change, Edit, NotApplicable, Variant, reordered, splice
from .contract import Operator, Params, seeded
from .registry import find
from .sides import chosen_fields, side_of
from .words import Passage

NO_PARAMS: Mapping[str, Any] = {}
Made = tuple[AnyItem, tuple[Edit, ...]]


class Draw(NamedTuple):
    """What a variant depends on beside operator, item and parameters."""

    seed: int
    side: str
    rate: float


def apply(
    name: str | Operator,
    text_or_item: str | AnyItem,
    seed: int = 0,
    item_id: str = "0",
    side: str = "auto",
    rate: float | None = None,
    **params: Any,
) -> Variant | NotApplicable:
    """One variant of a text or an item, or the reason why there is none.

    The result depends on the arguments alone. Everything outside the edits is byte-identical, protected spans
    (addresses, numbers, code, placeholders) are never touched, and an item that would come out as it went in
    gives `NotApplicable("nothing to change")`.

    Args:
        name: Name of an operator, or an `Operator` (see `load_operator`).
        text_or_item: A plain text becomes an item with the one field `text`.
        seed: Seed of the run.
        item_id: Id of a plain text; items have their own.
        side: Fields to edit: `first`, `second`, `both`, or `auto` for those whose edits keep the label of the
            task.
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
    unknown = sorted(params.keys() - operator.parameters)
    if unknown:
        allowed = ", ".join(sorted(operator.parameters)) or "none"
        raise UsageError(f"Expected parameters of {operator.name} out of: {allowed}, but got {unknown[0]!r}.")
    item = Item(item_id, "custom", {"text": text_or_item}) if isinstance(text_or_item, str) else text_or_item
    return _one(operator, item, Draw(seed, side, _rate(operator, rate)), params)


def expand(
    items: Iterable[AnyItem],
    operators: Iterable[str | Operator],
    seed: int = 0,
    side: str = "auto",
    rate: float | None = None,
) -> Iterator[Variant | NotApplicable]:
    """All variants of all items, one by one: for each item each operator, for cyclic orders each shift.

    Originals are not among them. An operator that does not fit an item gives one `NotApplicable`, so reasons
    can be counted. Items are read as they are needed; memory does not grow with their number.

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
    draws = [Draw(seed, side, _rate(operator, rate)) for operator in found]
    for item in items:
        for operator, how in zip(found, draws, strict=True):
            for params in _variants(operator, item):
                yield _one(operator, item, how, params)


def _variants(operator: Operator, item: AnyItem) -> Iterable[Params]:
    if operator.variants is None or not isinstance(item, MCQItem):
        return (NO_PARAMS,)
    listed = operator.variants(item)
    return (NO_PARAMS,) if isinstance(listed, NotApplicable) else listed


def _one(operator: Operator, item: AnyItem, how: Draw, params: Params) -> Variant | NotApplicable:
    condition = operator.condition_of(params)
    label = item.label if operator.relabel is None else _relabelled(operator, item)
    if isinstance(label, NotApplicable):
        return NotApplicable(label.reason, operator.name, condition, _key(item))
    made = _made(operator, item, how, params)
    if isinstance(made, NotApplicable):
        return NotApplicable(made.reason, operator.name, condition, _key(item))
    edited, edits = made
    if label != item.label:
        edited = edited.with_label(label)
    side = side_of(item, edits) if edits else "choices"
    return Variant(edited, item, condition, operator.name, operator.kind, operator.relation, side, how.seed, edits)


def _relabelled(operator: Operator, item: AnyItem) -> str | NotApplicable:
    """The gold label after the edit, where the operator is certain of it."""
    assert operator.relabel is not None
    if item.label is None or not isinstance(item, Item):
        return NotApplicable("no gold label to change")
    return operator.relabel(item)


def _made(operator: Operator, item: AnyItem, how: Draw, params: Params) -> Made | NotApplicable:
    if operator.vary is None:
        return _with_edits(operator, item, how, params)
    if not isinstance(item, MCQItem):
        return NotApplicable("not a multiple-choice item")
    varied = operator.vary(item, seeded(how.seed, operator.name, _key(item), "choices"), **params)
    if isinstance(varied, NotApplicable):
        return varied
    back = reordered(varied, item.order)
    if (back.choices, back.question, back.answer_index) != (item.choices, item.question, item.answer_index):
        raise JostleError(
            f"Expected operator {operator.name!r} to move options only, but got {varied}. Correct the operator."
        )
    return NotApplicable("nothing to change") if varied.choices == item.choices else (varied, ())


def _with_edits(operator: Operator, item: AnyItem, how: Draw, params: Params) -> Made | NotApplicable:
    if not operator.covers(_task(item)):
        return NotApplicable("not for this task")
    fields = chosen_fields(item, how.side)
    if isinstance(fields, NotApplicable):
        return fields
    texts = dict(item.fields)
    edits: list[Edit] = []
    refusal: NotApplicable | None = None
    for passage, asked in _asked(operator, item, fields, how, params):
        if isinstance(asked, NotApplicable):
            refusal = refusal or asked
            continue
        made = _edits(operator, passage, asked)
        changed = splice(passage.text, made)
        if changed != passage.text:
            edits += made
            texts[passage.field] = changed
    if not edits:
        return refusal or NotApplicable("nothing to change")
    return item.with_fields(texts), tuple(edits)


def _asked(
    operator: Operator, item: AnyItem, fields: tuple[str, ...], how: Draw, params: Params
) -> Iterator[tuple[Passage, list[Change] | NotApplicable]]:
    """What the operator asks for in each field: one by one, or by `rewrite`, which sees the whole item."""
    task = _task(item)
    if operator.rewrite is not None:
        rng = seeded(how.seed, operator.name, _key(item), "item")
        rewritten = operator.rewrite(item, fields, rng, how.rate, **params)
        if isinstance(rewritten, NotApplicable):
            yield Passage("", task, fields[0]), rewritten
        else:
            yield from ((Passage(item.fields[name], task, name), asked) for name, asked in rewritten.items())
        return
    assert operator.edits is not None
    for name in fields:
        passage = Passage(item.fields[name], task, name)
        rng = seeded(how.seed, operator.name, _key(item), name)
        yield passage, operator.edits(passage, rng, how.rate, **params)


def _edits(operator: Operator, passage: Passage, asked: list[Change]) -> list[Edit]:
    """The changes as edits, sorted, without those that change nothing.

    Raises:
        JostleError: The operator asks for changes out of bounds, overlapping, or within a protected span.
    """
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


def _task(item: AnyItem) -> str:
    """A multiple-choice item is one for operators, whatever the name of its set."""
    return "mcq" if isinstance(item, MCQItem) else item.task


def _key(item: AnyItem) -> str:
    """What the generator is seeded with: the id, or the question of an item that has none."""
    return item.id if item.id is not None else item.fields["question"]
