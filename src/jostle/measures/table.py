"""Outcome rows as codes, and outcomes laid out as items x conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .options import Missing
from .resample import Floats, Ints

KINDS = ("para", "pert", "adv")


@dataclass(frozen=True)
class Rows:
    """Outcome rows as numbers: one row per item x condition (x sample).

    Codes index the name lists, which are sorted, so that nothing depends on the order of the rows. -1 in
    `predictions` is unparsed, -1 in `references` unlabelled. `changed` marks rows whose gold differs from the base
    on purpose; they belong to pairs.
    """

    predictions: Ints
    references: Ints
    items: Ints
    conditions: Ints
    item_names: Sequence[str]
    condition_names: Sequence[str]
    families: Ints | None = None
    family_names: Sequence[str] = ()
    label_names: Sequence[str] = ()
    operators: Ints | None = None
    operator_names: Sequence[str] = ()
    positions: Ints | None = None
    position_names: Sequence[str] = ()
    answer_positions: Ints | None = None
    answer_position_names: Sequence[str] = ()
    confidences: Floats | None = None
    weights: Floats | None = None
    relations: Ints | None = None  # 1 changed, 0 invariant, -1 not stated
    sampled: bool = False

    def __len__(self) -> int:
        return len(self.items)

    def take(self, keep: NDArray[np.bool_]) -> Rows:
        """The rows where `keep` is true; names stay as they are."""
        if keep.all():
            return self  # ten million rows are most of a gigabyte
        arrays = ("predictions", "references", "items", "conditions")
        optional = ("families", "operators", "positions", "answer_positions", "confidences", "weights", "relations")
        picked = {name: getattr(self, name)[keep] for name in arrays}
        picked |= {name: None if getattr(self, name) is None else getattr(self, name)[keep] for name in optional}
        return replace(self, **picked)


@dataclass(frozen=True)
class Table:
    """Aligned outcomes: `right[i, c]` of `count[i, c]` samples of item i are right under condition c."""

    rows: Rows
    items: Sequence[str]
    conditions: Sequence[str]
    right: Floats
    count: Floats
    families: Ints
    n_families: int
    has_families: bool
    reference: int | None
    missing: Missing
    dropped: Sequence[str]
    n_unparsed: int
    n_unlabelled: int = 0
    n_rows: int = 0

    @property
    def x(self) -> Floats:
        """Share of samples that are right, shape (items, conditions); nan where an item lacks a condition."""
        shares: Floats = np.full(self.right.shape, np.nan)
        np.divide(self.right, self.count, out=shares, where=self.count > 0)
        return shares

    @property
    def cell(self) -> Ints:
        """Flat index item * C + condition of every row."""
        return self.rows.items * len(self.conditions) + self.rows.conditions

    @property
    def complete(self) -> bool:
        """Whether every item has every condition."""
        return bool((self.count > 0).all())

    def counts(self) -> dict[str, object]:
        """The keys every module returns: how much was measured and how much was left out."""
        return {
            "n_items": len(self.items),
            "n_rows": self.n_rows,
            "n_scored": len(self.rows),
            "n_unlabelled": self.n_unlabelled,
            "n_unparsed": self.n_unparsed,
            "dropped": list(self.dropped),
            "n_dropped": len(self.dropped),
        }


def kind_of(condition: str) -> str:
    """Kind of a condition by its name: `orig`, `para`, `pert`, `adv`, or '' where the name does not say.

    >>> kind_of("pert/typos"), kind_of("adv"), kind_of("shift1")
    ('pert', 'adv', '')
    """
    kind = condition.split("/", 1)[0]
    return kind if kind in ("orig", *KINDS) else ""
