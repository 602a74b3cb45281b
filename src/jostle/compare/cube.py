"""Outcomes of several models as one array over what all of them have."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..measures.resample import Floats, Ints
from ..measures.table import Rows


def common_cube(sides: Sequence[Rows]) -> tuple[Floats, list[str], Ints] | None:
    """Share of right answers, shape (models, items, conditions), over items that all models have in all conditions.

    Contrast variants and unlabelled rows are left out. Conditions are those that all models have.

    Returns:
        The array, the names of the conditions, and the family number of each item; None where nothing is common.
    """
    cells = [cells_of(rows) for rows in sides]
    conditions = sorted(set.intersection(*({condition for _, condition in one} for one in cells)))
    items = sorted(
        set.intersection(*({item for item, _ in one} for one in cells)),
    )
    kept = [item for item in items if all((item, condition) in one for one in cells for condition in conditions)]
    if not conditions or not kept:
        return None
    x = np.array([[[one[item, condition] for condition in conditions] for item in kept] for one in cells])
    return x, conditions, _families(sides[0], kept)


def cells_of(rows: Rows) -> dict[tuple[str, str], float]:
    """Share of right samples by item and condition."""
    keep = rows.references >= 0
    rows = rows.take(keep if rows.relations is None else keep & (rows.relations != 1))
    cell = rows.items * len(rows.condition_names) + rows.conditions
    used, inverse = np.unique(cell, return_inverse=True)
    right = np.bincount(inverse, weights=rows.predictions == rows.references) / np.bincount(inverse)
    items, conditions = np.divmod(used, len(rows.condition_names))
    return {
        (rows.item_names[i], rows.condition_names[c]): float(value)
        for i, c, value in zip(items.tolist(), conditions.tolist(), right.tolist(), strict=True)
    }


def _families(rows: Rows, kept: Sequence[str]) -> Ints:
    if rows.families is None:
        return np.arange(len(kept))
    family_of = dict(zip(rows.items.tolist(), rows.families.tolist(), strict=True))
    number = {name: k for k, name in enumerate(rows.item_names)}
    return np.unique([family_of[number[item]] for item in kept], return_inverse=True)[1]
