"""Which fields of an item an operator may edit, and how a variant names them."""

from __future__ import annotations

from functools import lru_cache

from ..errors import UsageError
from ..items import AnyItem
from .base import NotApplicable

SIDES = ("auto", "first", "second", "both")
_ORDINALS = ("first", "second")


def chosen_fields(item: AnyItem, side: str) -> tuple[str, ...] | NotApplicable:
    """The fields that `side` means for this item, in the order a model reads them.

    Raises:
        UsageError: `side` is none of auto, first, second, both.
    """
    return _chosen(item.task, tuple(item.fields), side)


@lru_cache(maxsize=256)
def _chosen(task: str, names: tuple[str, ...], side: str) -> tuple[str, ...] | NotApplicable:
    if side not in SIDES:
        raise UsageError(f"Expected `side` to be one of {', '.join(SIDES)}, but got {side!r}.")
    if side == "both" or (side == "auto" and task == "custom"):
        return names
    if side == "auto":
        # Imported late: the tasks are not needed for plain texts.
        from ..tasks import editable_fields

        allowed = editable_fields(task)
        return tuple(name for name in names if not allowed or name in allowed)
    at = _ORDINALS.index(side)
    return (names[at],) if at < len(names) else NotApplicable(f"no {side} field")


def side_of(item: AnyItem, edited: tuple[str, ...]) -> str:
    """Name of what was edited: first, second, both, the name of a later field, or choices when no field was."""
    return _named(tuple(item.fields), edited)


@lru_cache(maxsize=256)
def _named(names: tuple[str, ...], edited: tuple[str, ...]) -> str:
    if not edited:
        return "choices"
    at = names.index(edited[0])
    return "both" if len(edited) > 1 else _ORDINALS[at] if at < len(_ORDINALS) else edited[0]
