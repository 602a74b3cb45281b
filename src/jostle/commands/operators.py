"""Which operators a command runs."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any


def asked_operators(values: dict[str, Any]) -> list[str]:
    """Names in `--operators`."""
    return [name.strip() for name in values["operators"].split(",") if name.strip()]


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
    return of_kinds(values["task"], [kind.strip() for kind in values["variants"].split(",")])
