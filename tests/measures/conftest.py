"""Short ways from outcomes to coded rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from jostle.measures.inputs import normalise, to_rows
from jostle.measures.options import Options
from jostle.measures.table import Rows


def _rows(columns: Mapping[str, Any], **options: object) -> Rows:
    chosen = Options.of(options)
    return to_rows(normalise(columns, chosen), chosen)


def _columns(outcomes: Mapping[str, Sequence[Any]], **extra: Sequence[Any]) -> dict[str, Any]:
    """Columns from {condition: outcome of each item}; None is an item that the condition lacks.

    Columns in `extra` have one value an item.
    """
    cells = [(name, i, right) for name, row in outcomes.items() for i, right in enumerate(row) if right is not None]
    return {
        "predictions": [int(right) for _, _, right in cells],
        "references": [1] * len(cells),
        "item_ids": [f"i{i:06d}" for _, i, _ in cells],
        "conditions": [name for name, _, _ in cells],
    } | {name: [values[i] for _, i, _ in cells] for name, values in extra.items()}


def _outcomes(outcomes: Mapping[str, Sequence[Any]], **extra: Sequence[Any]) -> Rows:
    return _rows(_columns(outcomes, **extra))


def _matrix(x: np.ndarray[Any, Any], families: np.ndarray[Any, Any] | None = None) -> Rows:
    """Rows of a 0/1 matrix (items, conditions), without the detour over text, for simulations."""
    n, c = x.shape
    item, condition = np.divmod(np.arange(n * c), c)
    return Rows(
        predictions=x.ravel().astype(np.int64),
        references=np.ones(n * c, dtype=np.int64),
        items=item,
        conditions=condition,
        item_names=[str(i) for i in range(n)],
        condition_names=[f"c{k:02d}" for k in range(c)],
        families=None if families is None else families[item],
        family_names=[] if families is None else [str(g) for g in np.unique(families)],
    )


@pytest.fixture(scope="session")
def rows() -> Callable[..., Rows]:
    """Columns and options -> Rows."""
    return _rows


@pytest.fixture(scope="session")
def columns() -> Callable[..., dict[str, Any]]:
    """{condition: outcome of each item} -> columns."""
    return _columns


@pytest.fixture(scope="session")
def outcomes() -> Callable[..., Rows]:
    """{condition: outcome of each item} -> Rows."""
    return _outcomes


@pytest.fixture(scope="session")
def matrix() -> Callable[..., Rows]:
    """0/1 matrix -> Rows."""
    return _matrix
