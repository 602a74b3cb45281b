"""From outcome rows to an items x conditions table: which items are compared, and what is left out and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .options import Missing
from .resample import Ints
from .table import Rows, Table

_SHOWN = 5


def align(rows: Rows, missing: Missing = "error", reference: str | None = None) -> Table:
    """Lay outcome rows out as items x conditions.

    Args:
        rows: Outcome rows; rows marked `changed` and unlabelled rows are left out (the latter counted).
        missing: `error`: every condition must have every item. `intersect`: items missing anywhere are dropped and
            named. `pairwise`: each condition is compared with the reference on the items they share.
        reference: Name of the reference condition; `orig` where present by default.

    Raises:
        ValueError: On a repeated (item, condition) without samples, on missing items under `error`, on an unknown
            reference, and when no row has a gold label.
    """
    total = len(rows)
    if rows.relations is not None:
        rows = rows.take(rows.relations != 1)
    check_labelled(rows)
    labelled = rows.references >= 0
    n_unlabelled = int((~labelled).sum())
    rows = _compact(rows.take(labelled) if n_unlabelled else rows)
    check_repeats(rows)
    anchor = _reference(rows.condition_names, reference)
    if missing == "pairwise" and anchor is not None:
        rows, dropped = _with_anchor(rows, anchor)
    else:
        rows, dropped = _complete(rows, missing)
    table = _table(_canonical(rows), missing, reference, dropped)
    return replace(table, n_unlabelled=n_unlabelled, n_rows=total)


def _table(rows: Rows, missing: Missing, reference: str | None, dropped: list[str]) -> Table:
    shape = (len(rows.item_names), len(rows.condition_names))
    cell = rows.items * shape[1] + rows.conditions
    count = np.bincount(cell, minlength=shape[0] * shape[1])
    right = np.bincount(cell[rows.predictions == rows.references], minlength=shape[0] * shape[1])
    families, n_families = _families(rows, shape[0])
    return Table(
        rows=rows,
        items=rows.item_names,
        conditions=rows.condition_names,
        right=right.reshape(shape).astype(np.float64),
        count=count.reshape(shape).astype(np.float64),
        families=families,
        n_families=n_families,
        has_families=n_families < shape[0],
        reference=_reference(rows.condition_names, reference),
        missing=missing,
        dropped=dropped,
        n_unparsed=int((rows.predictions < 0).sum()),
    )


def _canonical(rows: Rows) -> Rows:
    """Number the conditions by their outcomes, so that renaming or reordering them changes no figure."""
    shape = (len(rows.item_names), len(rows.condition_names))
    cell = rows.conditions * shape[0] + rows.items
    right = rows.predictions == rows.references
    size = shape[0] * shape[1]
    sides = np.stack([np.bincount(cell[side], minlength=size).reshape(shape[::-1]) for side in (right, ~right)], axis=1)
    order = sorted(range(shape[1]), key=lambda c: sides[c].tobytes())
    rank = np.empty(shape[1], dtype=np.int64)
    rank[order] = np.arange(shape[1])
    return replace(rows, conditions=rank[rows.conditions], condition_names=[rows.condition_names[c] for c in order])


def _compact(rows: Rows) -> Rows:
    """Drop item and condition names that no row uses any more."""
    items, item_names = _used(rows.items, rows.item_names)
    conditions, condition_names = _used(rows.conditions, rows.condition_names)
    return replace(rows, items=items, item_names=item_names, conditions=conditions, condition_names=condition_names)


def _used(codes: Ints, names: Sequence[str]) -> tuple[Ints, Sequence[str]]:
    used = np.bincount(codes, minlength=len(names)) > 0
    if used.all():
        return codes, names
    return (np.cumsum(used) - 1)[codes], _named(names, np.flatnonzero(used))


def check_labelled(rows: Rows) -> None:
    """Refuse rows of which none has a gold label."""
    if len(rows) and not (rows.references >= 0).any():
        raise ValueError(
            f"Expected gold labels, but none of the {len(rows)} rows has one (all are missing or unlabelled). "
            "Pass the references, or `unlabelled=()` if -1 is a real label."
        )


def check_repeats(rows: Rows) -> None:
    """Refuse rows that repeat (item, condition) when no `samples` column says they are samples."""
    if rows.sampled or not len(rows):
        return
    n_conditions = len(rows.condition_names)
    seen = np.bincount(rows.items * n_conditions + rows.conditions)
    if seen.max() > 1:
        item, condition = divmod(int(seen.argmax()), n_conditions)
        raise ValueError(
            f"Expected one row per item and condition, but item {rows.item_names[item]!r} has {seen.max()} rows in "
            f"condition {rows.condition_names[condition]!r}. Pass `samples` if they are samples of one prompt, or "
            "`tasks`, `models` or `decodings` to have results per group."
        )


def _reference(names: Sequence[str], wanted: str | None) -> int | None:
    if wanted is None:
        return list(names).index("orig") if "orig" in names else None
    if len(names) and wanted not in names:
        raise ValueError(f"Expected `reference` to be one of {list(names)}, but got {wanted!r}.")
    return list(names).index(wanted) if len(names) else None


def _named(names: Sequence[str], index: Ints) -> list[str]:
    return [names[int(i)] for i in index]


def _presence(rows: Rows) -> NDArray[np.bool_]:
    shape = (len(rows.item_names), len(rows.condition_names))
    here = np.zeros(shape[0] * shape[1], dtype=bool)
    here[rows.items * shape[1] + rows.conditions] = True
    return here.reshape(shape)


def _complete(rows: Rows, missing: Missing) -> tuple[Rows, list[str]]:
    """Keep the items that every condition has; refuse or drop the others."""
    here = _presence(rows)
    whole = np.asarray(here.all(axis=1))
    if whole.all():
        return rows, []
    if missing != "intersect":
        raise ValueError(_missing_message(rows, here, missing))
    dropped = _named(rows.item_names, np.flatnonzero(~whole))
    return _compact(rows.take(whole[rows.items])), dropped


def _missing_message(rows: Rows, here: NDArray[np.bool_], missing: Missing) -> str:
    lacking = []
    for c in np.flatnonzero(~here.all(axis=0))[:_SHOWN]:
        absent = _named(rows.item_names, np.flatnonzero(~here[:, c]))
        more = f" and {len(absent) - _SHOWN} more" if len(absent) > _SHOWN else ""
        lacking.append(f"condition {rows.condition_names[c]!r} lacks items {', '.join(absent[:_SHOWN])}{more}")
    cure = (
        "Name the condition to compare with by `reference`, or pass missing='intersect'."
        if missing == "pairwise"
        else "Pass missing='intersect' to compare the shared items, or 'pairwise' to compare each with the reference."
    )
    return f"Expected every condition to have every item, but {'; '.join(lacking)}. {cure}"


def _with_anchor(rows: Rows, anchor: int) -> tuple[Rows, list[str]]:
    """Keep the items that the reference condition has: the others have nothing to be compared with."""
    anchored = _presence(rows)[:, anchor]
    dropped = _named(rows.item_names, np.flatnonzero(~anchored))
    return (_compact(rows.take(anchored[rows.items])) if dropped else rows), dropped


def _families(rows: Rows, n_items: int) -> tuple[Ints, int]:
    """Family number of every item; an item in two families is an error."""
    if rows.families is None:
        return np.arange(n_items), n_items
    family = np.full(n_items, -1, dtype=np.int64)
    family[rows.items] = rows.families
    torn = np.flatnonzero(family[rows.items] != rows.families)
    if len(torn):
        raise ValueError(
            f"Expected one family per item, but item {rows.item_names[rows.items[torn[0]]]!r} has rows in several."
        )
    _, inverse = np.unique(family, return_inverse=True)
    return inverse.astype(np.int64), int(inverse.max(initial=-1)) + 1
