"""Which operators a command runs."""

from __future__ import annotations

from typing import Any


def chosen_operators(values: dict[str, Any]) -> list[Any]:
    """Operators by `--operators` (names, or path/to/file.py:name), or all of the kinds in `--variants` for the task.

    Raises:
        UsageError: An unknown kind or operator.
    """
    from ..perturb import find, load_operator, of_kinds

    names = [name.strip() for name in values["operators"].split(",") if name.strip()]
    if names:
        return [load_operator(name) if ".py:" in name else find(name) for name in names]
    return of_kinds(values["task"], [kind.strip() for kind in values["variants"].split(",")])
