"""Variants that a model fails on, as training data: with their originals, family by family."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import InputError
from ..importers import read_results

Failing = frozenset[tuple[str, str]]


def read_failing(path: Path) -> Failing:
    """Item and condition of every wrong or unparsed prediction in a results file.

    Raises:
        InputError: The model fails on nothing, so there is nothing to export.
    """
    columns = read_results(path).columns
    rows = zip(
        *(columns[name].to_pylist() for name in ("item_ids", "conditions", "predictions", "references")), strict=True
    )
    failing = frozenset((item, condition) for item, condition, predicted, gold in rows if predicted != gold)
    if not failing:
        raise InputError(f"Expected failures in {path}, but every prediction is right.")
    return failing


def keep_failing(rows: list[dict[str, Any]], failing: Failing) -> list[dict[str, Any]]:
    """The variants the model fails on, and the originals of their items.

    All rows of a family stand together, so that a later split can keep families whole (column `family`).
    """
    kept = {row["item_id"] for row in rows if row["kind"] != "orig" and (row["item_id"], row["variant"]) in failing}
    return [
        row
        for row in rows
        if row["item_id"] in kept and (row["kind"] == "orig" or (row["item_id"], row["variant"]) in failing)
    ]
