"""Items that one model gets right and the other does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..measures.inputs import to_rows
from ..measures.options import Options
from ..outcomes import Outcomes
from .cube import cells_of


@dataclass(frozen=True)
class Changed:
    """One item whose share of right answers differs.

    Args:
        item: Its id.
        change: Mean over the shared conditions of second minus first.
        lost: Conditions under which it is right less often.
        gained: Conditions under which it is right more often.
        text: What it reads, where that is known.
    """

    item: str
    change: float
    lost: Sequence[str] = field(default_factory=list)
    gained: Sequence[str] = field(default_factory=list)
    text: str = ""


def changed_items(first: Outcomes, second: Outcomes) -> list[Changed]:
    """The items that changed, those that lost most first, then by id."""
    sides = [cells_of(to_rows(one.columns, Options())) for one in (first, second)]
    by_item: dict[str, dict[str, float]] = {}
    for (item, condition), value in sides[0].items():
        if (item, condition) in sides[1]:
            by_item.setdefault(item, {})[condition] = sides[1][item, condition] - value
    texts = {item: text for one in (first, second) for (item, _), text in reversed(list(one.texts.items()))}
    found = [
        Changed(
            item,
            sum(changes.values()) / len(changes),
            sorted(name for name, change in changes.items() if change < 0),
            sorted(name for name, change in changes.items() if change > 0),
            texts.get(item, ""),
        )
        for item, changes in by_item.items()
        if any(changes.values())
    ]
    return sorted(found, key=lambda one: (one.change, one.item))
