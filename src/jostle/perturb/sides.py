"""Which fields of an item an operator may edit, and how a variant names them."""

from __future__ import annotations

from functools import cache

from ..errors import UsageError
from ..items import AnyItem
from .base import Edit, NotApplicable

SIDES = ("auto", "first", "second", "both")
_ORDINALS = ("first", "second")


def chosen_fields(item: AnyItem, side: str) -> tuple[str, ...] | NotApplicable:
    """The fields that `side` means for this item, in the order a model reads them.

    Raises:
        UsageError: `side` is none of auto, first, second, both.
    """
    if side not in SIDES:
        raise UsageError(f"Expected `side` to be one of {', '.join(SIDES)}, but got {side!r}.")
    names = tuple(item.fields)
    if side == "both" or (side == "auto" and item.task == "custom"):
        return names
    if side == "auto":
        allowed = _editable(item.task)
        return tuple(name for name in names if not allowed or name in allowed)
    at = _ORDINALS.index(side)
    return (names[at],) if at < len(names) else NotApplicable(f"no {side} field")


def side_of(item: AnyItem, edits: tuple[Edit, ...]) -> str:
    """Name of what was edited: first, second, both, or the name of a later field."""
    edited = {edit.field for edit in edits}
    if len(edited) > 1:
        return "both"
    (field,) = edited
    at = tuple(item.fields).index(field)
    return _ORDINALS[at] if at < len(_ORDINALS) else field


@cache
def _editable(task: str) -> tuple[str, ...]:
    # Imported late: the tasks are not needed for plain texts.
    from ..tasks import editable_fields

    return editable_fields(task)
