"""Columns of any make, and labels of any type, give the same result in every module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

torch = pytest.importorskip("torch")
Columns = dict[str, list[Any]]
Same = Callable[[Any, Any], bool]
MAKES: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "numpy": np.asarray,
    "objects": lambda column: np.array(column, dtype=object),
    "pandas": pd.Series,
    "arrow": pa.array,
    "generator": lambda column: (value for value in column),
    "torch": lambda column: torch.tensor(column) if isinstance(column[0], int) else column,
}


@pytest.mark.parametrize("make", MAKES)
def test_makes_agree(module: Any, columns: Columns, same: Same, make: str) -> None:
    columns["predictions"] = [-1 if p is None else p for p in columns["predictions"]]  # what integers have for None
    expected = module.compute(**columns)
    assert expected["n_unparsed"] == 2
    made = {name: MAKES[make](column) for name, column in columns.items()}
    assert same(module.compute(**made), expected)
    module.add_batch(**{name: MAKES[make](column) for name, column in columns.items()})
    assert same(module.compute(), expected)


LABELS: dict[str, Callable[[Any], Any]] = {
    "int": lambda v: v,
    "bool": bool,
    "digit": str,
    "float": float,
    "word": lambda v: ("no", "yes")[v],
    "numpy": np.int8,
    "tensor": torch.tensor,
}


@pytest.mark.parametrize("kind", LABELS)
def test_kinds_of_label_agree(module: Any, columns: Columns, same: Same, kind: str) -> None:
    two = columns | {
        "predictions": [None if p is None else p % 2 for p in columns["predictions"]],
        "references": [r % 2 for r in columns["references"]],
    }
    as_kind = LABELS[kind]
    other = two | {
        "predictions": [None if p is None else as_kind(p) for p in two["predictions"]],
        "references": [as_kind(r) for r in two["references"]],
    }
    assert same(module.compute(**two), module.compute(**other))


def test_kinds_may_differ_between_predictions_and_references(module: Any, columns: Columns, same: Same) -> None:
    digits = columns | {"references": [str(r) for r in columns["references"]]}
    assert same(module.compute(**columns), module.compute(**digits))
