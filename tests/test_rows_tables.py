"""Tables: csv with its quoting and its faults, and parquet files that are cut off or damaged."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jostle.errors import InputError
from jostle.rows import read_rows

Write = Callable[[str, Any], Path]


def test_quoted_cells_hold_commas_quotes_and_line_breaks(write: Write) -> None:
    file = read_rows(write("r.csv", 'a,b\n"x, ""y""\nz",1\n2,3\n'))
    assert file.rows == [{"a": 'x, "y"\nz', "b": "1"}, {"a": "2", "b": "3"}]
    assert file.places == ["line 3", "line 4"]


def test_an_empty_cell_is_missing(write: Write) -> None:
    assert read_rows(write("r.csv", "a,b\n1,\n")).rows == [{"a": "1", "b": None}]


def test_a_huge_cell(write: Write) -> None:
    huge = "x" * 1_000_000
    assert read_rows(write("r.csv", f"a\n{huge}\n")).rows == [{"a": huge}]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b,a\n1,2,3\n", r"distinct column names, but .*r\.csv repeats a"),
        ("a,b\n1,2\n1,2,3\n", r"Expected 2 cells, but .*r\.csv, line 3 has 3"),
        ("a,b\n1\n", r"Expected 2 cells, but .*r\.csv, line 2 has 1"),
        ('a,b\n"1"x,2\n', r"Expected a csv file, but .*r\.csv, line 2 is not"),
        ('a,b\n"1,2\n', r"Expected a csv file, but .*r\.csv, line 2 is not"),
        ("a,b\n", r"Expected rows, but .*r\.csv has none"),
    ],
    ids=["repeated", "long", "short", "quote", "open", "header alone"],
)
def test_faults_name_the_line(write: Write, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_rows(write("r.csv", content))


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    path = tmp_path / "r.parquet"
    pq.write_table(pa.table({"text": [f"row {k}" for k in range(50)], "label": [0, 1] * 25}), path)
    return path


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_truncated_parquet_file(parquet: Path, share: float) -> None:
    content = parquet.read_bytes()
    parquet.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(InputError, match=r"Expected a parquet file, but .*r\.parquet cannot be read: .*[^.]\.$"):
        read_rows(parquet)


def test_damaged_parquet_files_are_read_or_refused(parquet: Path) -> None:
    content, rng = parquet.read_bytes(), random.Random(0)
    refused = 0
    for _ in range(200):
        damaged = bytearray(content)
        for _ in range(3):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        parquet.write_bytes(damaged)
        try:
            read_rows(parquet)
        except InputError:
            refused += 1
    assert refused > 50


def test_parquet_text_that_is_not_utf8(tmp_path: Path) -> None:
    raw = pa.array([b"\xff\xfe"], pa.binary()).cast(pa.string(), safe=False)
    pq.write_table(pa.table({"text": raw}), tmp_path / "r.parquet")
    with pytest.raises(InputError, match="Expected a parquet file"):
        read_rows(tmp_path / "r.parquet")


def test_parquet_without_rows(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), tmp_path / "r.parquet")
    with pytest.raises(InputError, match="Expected rows"):
        read_rows(tmp_path / "r.parquet")
