"""After any error a module has nothing pending, and the error says what was lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Columns = dict[str, list[Any]]
Same = Callable[[Any, Any], bool]
LOST = "The 240 pending rows of this process were discarded: start the round again"


def row(columns: Columns, i: int = 0) -> dict[str, Any]:
    return {name: column[i] for name, column in columns.items()}


@pytest.mark.parametrize(
    "spoil",
    [
        {"predictions": [0.5] * 240},
        {"item_ids": [1]},
        {"references": None},
        {"operators": ["x"] * 240},
    ],
    ids=["fraction", "length", "missing", "extra column"],
)
def test_a_failed_batch_discards_the_round(module: Any, columns: Columns, same: Same, spoil: dict[str, Any]) -> None:
    expected = module.compute(**columns)
    module.add_batch(**columns)
    with pytest.raises(ValueError, match=LOST):
        module.add_batch(**{**columns, **spoil})
    assert len(module) == 0
    module.add_batch(**columns)
    assert same(module.compute(), expected)


def test_a_failed_first_batch_says_nothing_of_rows(module: Any, columns: Columns) -> None:
    with pytest.raises(ValueError, match=r"got 0\.5 in row 0") as caught:
        module.add_batch(**{**columns, "predictions": [0.5] * 240})
    assert "discarded" not in str(caught.value)


def test_columns_beside_pending_rows_are_refused(module: Any, columns: Columns, same: Same) -> None:
    expected = module.compute(**columns)
    module.add_batch(**columns)
    with pytest.raises(ValueError, match=f"Expected no pending rows when columns are passed, but 240 .*{LOST}"):
        module.compute(**columns)
    assert same(module.compute(**columns), expected)


def test_a_bad_option_discards_the_round(module: Any, columns: Columns) -> None:
    module.add_batch(**columns)
    with pytest.raises(ValueError, match=f"'nope'.*{LOST}"):
        module.compute(nope=1)
    assert len(module) == 0


def test_a_bad_row_is_found_at_the_latest_in_compute(module: Any, columns: Columns, same: Same) -> None:
    expected = module.compute(**columns)
    module.add(**row(columns))
    module.add(**{**row(columns, 1), "predictions": 0.5})
    with pytest.raises(ValueError, match=r"got 0\.5"):
        module.compute()
    assert same(module.compute(**columns), expected)


def test_what_cannot_be_measured_leaves_nothing_behind(module: Any, columns: Columns, same: Same) -> None:
    expected = module.compute(**columns)
    module.add_batch(**{**columns, "references": [-1] * 240})
    with pytest.raises(ValueError, match="Expected gold labels"):
        module.compute()
    assert not list(Path(module.data_dir).glob("*.arrow"))
    module.add_batch(**columns)
    assert same(module.compute(), expected)
    assert not list(Path(module.data_dir).glob("*.arrow"))


def test_rounds_may_have_different_columns(module: Any, columns: Columns, families: list[int], same: Same) -> None:
    expected = module.compute(**columns)
    module.add_batch(**columns, families=families)
    with_families = module.compute()
    module.add_batch(**columns)
    assert same(module.compute(), expected)
    assert same(module.compute(**columns, families=families), with_families)


def test_compute_without_rows_is_an_error_and_harmless(module: Any, columns: Columns) -> None:
    with pytest.raises(ValueError, match="at least once before calling `compute`"):
        module.compute()
    assert module.compute(**columns)["n_items"] == 60
