"""The outcomes table on disk and in memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import jostle
from jostle.errors import InputError
from jostle.measures.options import COLUMNS
from jostle.outcomes import Outcomes, read_outcomes

Write = Callable[[str, Any], Path]
ROWS: dict[str, Any] = {
    "predictions": ["pos", None, "neg"],
    "references": ["pos", "pos", None],
    "item_ids": ["a", "a", "b"],
    "conditions": ["orig", "pert/typos", "orig"],
    "families": ["f", "f", "g"],
    "confidences": [0.9, None, 0.5],
}


def lists(outcomes: Outcomes) -> dict[str, list[Any]]:
    """Columns as lists, nan as None (nan differs from itself)."""
    columns = {name: array.to_pylist() for name, array in outcomes.columns.items()}
    return {name: [None if cell != cell else cell for cell in cells] for name, cells in columns.items()}  # noqa: PLR0124


def as_rows() -> list[dict[str, Any]]:
    return [dict(zip(ROWS, cells, strict=True)) for cells in zip(*ROWS.values(), strict=True)]


def test_parquet_round_trip(tmp_path: Path) -> None:
    outcomes = Outcomes.from_columns("run 1", ["a note"], **ROWS)
    path = outcomes.write(tmp_path / "deep" / "o.parquet")
    back = read_outcomes(path)
    assert lists(back) == lists(outcomes)
    assert lists(back)["predictions"] == ROWS["predictions"]
    assert (back.source, list(back.notes), len(back)) == ("run 1", ["a note"], 3)
    assert jostle.read_outcomes is read_outcomes


def test_counts_survive_the_round_trip(tmp_path: Path) -> None:
    outcomes = Outcomes(Outcomes.from_columns(**ROWS).columns, counts={"pert/typos": {"nothing to change": 2}})
    assert read_outcomes(outcomes.write(tmp_path / "o.parquet")).counts == {"pert/typos": {"nothing to change": 2}}


def test_json_lines_and_parquet_of_other_tools_agree(write: Write, tmp_path: Path) -> None:
    pq.write_table(pa.table(ROWS), tmp_path / "o.parquet")
    from_lines, from_parquet = read_outcomes(write("o.jsonl", as_rows())), read_outcomes(tmp_path / "o.parquet")
    assert lists(from_lines) == lists(from_parquet)
    assert from_parquet.source == str(tmp_path / "o.parquet")


def test_csv_cells_are_labels_and_numbers(write: Write) -> None:
    path = write("o.csv", "predictions,references,item_ids,conditions,confidences\n1,1,a,orig,0.5\n,1,a,x,\n")
    assert lists(read_outcomes(path)) == {
        "predictions": ["1", None],
        "references": ["1", "1"],
        "item_ids": ["a", "a"],
        "conditions": ["orig", "x"],
        "confidences": [0.5, None],
    }


def test_to_pandas_and_to_arrow() -> None:
    outcomes = Outcomes.from_columns(**ROWS)
    assert outcomes.to_arrow().column_names == list(outcomes.columns)
    frame = outcomes.to_pandas()
    assert list(frame["item_ids"]) == ["a", "a", "b"]
    assert frame["predictions"].isna().tolist() == [False, True, False]


def test_other_columns_are_left_out_and_named(write: Write) -> None:
    rows = [{**row, "prompt": "...", "tokens": 3} for row in as_rows()]
    outcomes = read_outcomes(write("o.jsonl", rows))
    assert list(outcomes.notes) == ["columns left out: prompt, tokens"]
    assert set(outcomes.columns) == set(ROWS) <= set(COLUMNS)


def test_missing_columns_are_named(write: Write) -> None:
    with pytest.raises(InputError, match=r"o\.jsonl lacks references, conditions \(it has predictions, item_ids\)"):
        read_outcomes(write("o.jsonl", [{"predictions": 1, "item_ids": 2}]))


def test_empty_files(write: Write, tmp_path: Path) -> None:
    pq.write_table(pa.table({name: pa.array([], pa.string()) for name in ROWS}), tmp_path / "o.parquet")
    for path in (tmp_path / "o.parquet", write("o.csv", "predictions,references,item_ids,conditions\n")):
        with pytest.raises(InputError, match=r"Expected rows, but .* has none"):
            read_outcomes(path)


@pytest.mark.parametrize("share", [0.0, 0.5, 0.98])
def test_a_truncated_file(tmp_path: Path, share: float) -> None:
    path = Outcomes.from_columns(**ROWS).write(tmp_path / "o.parquet")
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(InputError, match=r"Expected a parquet file, but .*o\.parquet cannot be read"):
        read_outcomes(path)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"confidence": [1, 1, 1]}, "but got 'confidence'"),
        ({"families": ["f"]}, "Expected columns of one length"),
        ({"predictions": [0.5, 1, 1]}, r"Expected `predictions` to be labels, but got 0\.5 in row 0"),
        ({"predictions": [True, False, True], "references": ["true"] * 3}, r'the text "false" is not False'),
    ],
)
def test_columns_that_are_no_outcomes(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Outcomes.from_columns("my.csv", **{**ROWS, **columns})
    assert str(caught.value).startswith("my.csv: ")
