"""What two sets of outcomes share: the same items under the same conditions, aligned alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from .align import align
from .options import Options
from .resample import Floats, Ints
from .table import Rows, Table


@dataclass(frozen=True)
class Shared:
    """Two tables over the same items and conditions, with what they do not share.

    Attributes:
        first, second: Aligned outcomes; the order of their conditions may differ.
        families: Family number of each item, from the side that has families.
        unmatched: Cells (item and condition) that only the first side has, and only the second.
        n_gold_differs: Shared cells whose gold label is not the same on both sides.
    """

    first: Table
    second: Table
    families: Ints
    unmatched: tuple[int, int]
    n_gold_differs: int

    @property
    def conditions(self) -> list[str]:
        """Names of the shared conditions, sorted."""
        return sorted(self.first.conditions)

    @property
    def has_families(self) -> bool:
        """Whether either side has families."""
        return self.first.has_families or self.second.has_families

    @property
    def change(self) -> Floats:
        """Share of right samples, second minus first, shape (items, conditions); nan where neither has the cell."""
        sides = [table.x[:, np.argsort(table.conditions)] for table in (self.first, self.second)]
        return sides[1] - sides[0]


def match(first: Rows, second: Rows, options: Options) -> Shared:
    """Both sides cut down to the labelled, unchanged cells that both have, and aligned."""
    sides = _recoded([_scored(first), _scored(second)])
    cells = [rows.items * len(rows.condition_names) + rows.conditions for rows in sides]
    distinct = [np.unique(cell, return_index=True) for cell in cells]
    both, at_first, at_second = np.intersect1d(distinct[0][0], distinct[1][0], assume_unique=True, return_indices=True)
    golds = [
        rows.references[index[at]] for rows, (_, index), at in zip(sides, distinct, (at_first, at_second), strict=True)
    ]
    one, two = (
        align(rows.take(np.isin(cell, both)), options.missing, options.reference)
        for rows, cell in zip(sides, cells, strict=True)
    )
    return Shared(
        first=one,
        second=two,
        families=two.families if two.has_families and not one.has_families else one.families,
        unmatched=(len(distinct[0][0]) - len(both), len(distinct[1][0]) - len(both)),
        n_gold_differs=int((golds[0] != golds[1]).sum()),
    )


def _scored(rows: Rows) -> Rows:
    keep = rows.references >= 0
    return rows.take(keep if rows.relations is None else keep & (rows.relations != 1))


def _recoded(sides: Sequence[Rows]) -> list[Rows]:
    """Both sides with items, conditions and labels numbered over the names of both."""
    items, item_names = _common([rows.item_names for rows in sides])
    conditions, condition_names = _common([rows.condition_names for rows in sides])
    labels, label_names = _common([rows.label_names for rows in sides])
    return [
        replace(
            rows,
            items=items[k][rows.items],
            item_names=item_names,
            conditions=conditions[k][rows.conditions],
            condition_names=condition_names,
            predictions=_labelled(labels[k], rows.predictions),
            references=_labelled(labels[k], rows.references),
            label_names=label_names,
        )
        for k, rows in enumerate(sides)
    ]


def _common(names: Sequence[Sequence[str]]) -> tuple[list[Ints], list[str]]:
    """Codes of both sides' names over one vocabulary, and that vocabulary."""
    union = sorted({*names[0], *names[1]})
    known = {name: k for k, name in enumerate(union)}
    return [np.array([known[name] for name in side], dtype=np.int64) for side in names], union


def _labelled(codes: Ints, values: Ints) -> Ints:
    """Labels in the common vocabulary; rows that carry no label names are compared by number."""
    return np.where(values >= 0, codes[values], -1) if len(codes) else values
