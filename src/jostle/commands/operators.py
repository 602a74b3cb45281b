"""Which operators a command runs."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from ..loading import ItemSet
    from ..perturb import NotApplicable, Variant


def asked_operators(values: dict[str, Any]) -> list[str]:
    """Names in `--operators`.

    Raises:
        UsageError: A name stands there twice: each variant would be there twice.
    """
    names = [name.strip() for name in values["operators"].split(",") if name.strip()]
    twice = [name for k, name in enumerate(names) if name in names[:k]]
    if twice:
        raise UsageError(f"Expected every name in --operators once, but got {twice[0]!r} twice.")
    return names


def chosen_operators(values: dict[str, Any], own: Collection[str] = ()) -> list[Any]:
    """Operators by `--operators` (names, or path/to/file.py:name), or all of the kinds in `--variants` for the task.

    Args:
        values: Settings of the command.
        own: Names of variants that came with the items, such as `by_hand`: nothing has to make them.

    Raises:
        UsageError: An unknown kind or operator.
    """
    from ..perturb import find, load_operator, of_kinds

    names = asked_operators(values)
    if names:
        return [load_operator(name) if ".py:" in name else find(name) for name in names if name not in own]
    of_task = of_kinds(values["task"], [kind.strip() for kind in values["variants"].split(",")])
    # Texts of a task of the user's own may be anything, but they have no options.
    return [one for one in of_task if values["task"] != "custom" or set(one.tasks) != {"mcq"}]


def variants_of(items: ItemSet, values: dict[str, Any]) -> list[Variant | NotApplicable]:
    """All variants of the labelled items by the chosen operators, and those that came with the items."""
    from ..perturb import expand

    rate = values["rate"] or None
    labelled = [item for item in items.items if item.label is not None]
    if values.get("variants_from"):
        return list(items.variants)
    asked, own = asked_operators(values), {variant.operator for variant in items.variants}
    made = list(expand(labelled, chosen_operators(values, own), values["seed"], values["side"], rate))
    return [*made, *(variant for variant in items.variants if not asked or variant.operator in asked)]
