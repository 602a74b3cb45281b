"""Run operators: prepare each one, make its variants, name them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..errors import UsageError
from ..items import AnyItem, Item, MCQItem
from .base import NotApplicable, Variant, new_variant
from .contract import Operator, Params
from .making import Job, key_of, make
from .registry import find
from .sides import side_of

NO_PARAMS: Mapping[str, Any] = {}
_ONE_VARIANT = (NO_PARAMS,)


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
    operator = checked_operator(name, params)
    item = Item(item_id, "custom", {"text": text_or_item}) if isinstance(text_or_item, str) else text_or_item
    return one(prepared(operator, seed, side, rate), item, params)


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
    jobs = [prepared(find(operator), seed, side, rate) for operator in operators]
    for item in items:
        for job in jobs:
            for params in _variants(job.operator, item):
                yield one(job, item, params)


def checked_operator(name: str | Operator, params: Params) -> Operator:
    """The operator of that name, when it takes these parameters.

    Raises:
        UsageError: There is none, or it has no parameter of one of these names.
    """
    operator = find(name)
    unknown = sorted(params.keys() - operator.parameters)
    if unknown:
        allowed = ", ".join(sorted(operator.parameters)) or "none"
        raise UsageError(f"Expected parameters of {operator.name} out of: {allowed}, but got {unknown[0]!r}.")
    return operator


def prepared(operator: Operator, seed: int, side: str, rate: float | None) -> Job:
    """The operator with its settings.

    Raises:
        UsageError: A rate outside (0, 1].
    """
    if rate is not None and not 0 < rate <= 1:
        raise UsageError(f"Expected `rate` to be above 0 and at most 1, but got {rate}. Give a share of the words.")
    return Job(operator, seed, side, operator.rate if rate is None else rate)


def _variants(operator: Operator, item: AnyItem) -> Iterable[Params]:
    if operator.variants is None or not isinstance(item, MCQItem):
        return _ONE_VARIANT
    listed = operator.variants(item)
    return _ONE_VARIANT if isinstance(listed, NotApplicable) else listed


def one(job: Job, item: AnyItem, params: Params) -> Variant | NotApplicable:
    """One variant of an item by a prepared operator, or the reason why there is none."""
    operator = job.operator
    condition = operator.condition_of(params) if params else job.condition
    label = item.label if operator.relabel is None else _relabelled(operator, item)
    if isinstance(label, NotApplicable):
        return NotApplicable(label.reason, operator.name, condition, key_of(item))
    made = make(job, item, params)
    if isinstance(made, NotApplicable):
        return NotApplicable(made.reason, operator.name, condition, key_of(item))
    edited, edits, fields = made
    if operator.relabel is not None:
        edited = edited.with_label(label)
    named = (condition, operator.name, operator.kind, operator.relation)
    return new_variant(edited, item, named, side_of(item, fields), job.seed, edits)


def _relabelled(operator: Operator, item: AnyItem) -> str | NotApplicable:
    """The gold label after the edit, where the operator is certain of it."""
    assert operator.relabel is not None
    if item.label is None or not isinstance(item, Item):
        return NotApplicable("no gold label to change")
    return operator.relabel(item)
