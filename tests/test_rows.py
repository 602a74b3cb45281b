"""Rows of every format come out the same, and what is no row is refused by line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jostle.errors import InputError
from jostle.rows import SUFFIXES, read_rows

Write = Callable[[str, Any], Path]
ROWS = [{"id": "a", "text": "naïve"}, {"id": "b", "text": "x, y"}]
AS_TEXT = {
    ".jsonl": '{"id": "a", "text": "naïve"}\n\n{"id": "b", "text": "x, y"}\n',
    ".ndjson": '{"id": "a", "text": "naïve"}\r\n  \r\n{"id": "b", "text": "x, y"}',
    ".json": '[{"id": "a", "text": "naïve"},\n {"id": "b", "text": "x, y"}]',
    ".csv": 'id,text\n\na,naïve\n,\nb,"x, y"\n',
    ".tsv": "id\ttext\na\tnaïve\nb\tx, y\n",
}


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "byte-order mark"])
@pytest.mark.parametrize("suffix", AS_TEXT)
def test_text_formats(write: Write, suffix: str, mark: str) -> None:
    assert read_rows(write(f"rows{suffix}", mark + AS_TEXT[suffix])).rows == ROWS


def test_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "rows.parquet")
    file = read_rows(str(tmp_path / "rows.parquet"))
    assert file.rows == ROWS
    assert file.at(1) == f"{tmp_path / 'rows.parquet'}, row 2"


def test_every_suffix_is_tested() -> None:
    assert set(SUFFIXES) == {*AS_TEXT, ".parquet"}


@pytest.mark.parametrize("name", ["ROWS.JSONL", "rows.Csv"])
def test_suffixes_in_capitals(write: Write, name: str) -> None:
    assert read_rows(write(name, AS_TEXT[Path(name).suffix.lower()])).rows == ROWS


def test_json_lines_under_the_name_json(write: Write) -> None:
    file = read_rows(write("rows.json", AS_TEXT[".jsonl"]))
    assert file.rows == ROWS
    assert file.places == ["line 1", "line 3"]


def test_places_count_blank_lines(write: Write) -> None:
    assert read_rows(write("rows.jsonl", AS_TEXT[".jsonl"])).places == ["line 1", "line 3"]
    assert read_rows(write("rows.csv", AS_TEXT[".csv"])).places == ["line 3", "line 5"]
    assert read_rows(write("rows.json", AS_TEXT[".json"])).places == ["entry 1", "entry 2"]


def test_a_line_separator_inside_a_string_is_no_new_line(write: Write) -> None:
    assert read_rows(write("rows.jsonl", '{"text": "a\u2028b\u0085c"}\n')).rows == [{"text": "a\u2028b\u0085c"}]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("r.jsonl", '{"a": 1}\n{"a": }\n', r"r\.jsonl, line 2 is not \("),
        ("r.jsonl", '{"a": 1}\n\n{"a": NaN}\n', r"line 3 holds NaN\. Write null"),
        ("r.json", '[{"a": Infinity}]', r"r\.json holds Infinity"),
        ("r.json", '{"a": 1}\n{"a": -Infinity}', r"line 2 holds -Infinity"),
        ("r.json", '{"a": 1}\n{"a": 1', r"line 2 is not \("),
        ("r.json", '{\n"a": }', r"r\.json is not \(.*line 2, column 6\)"),
        ("r.json", '{"a": 1}', r"Expected a list of objects .* but got dict"),
        ("r.json", "[1, 2]", r"entry 1 is int 1"),
        ("r.jsonl", '{"a": 1}\n"text"\n', r"line 2 is str 'text'"),
        ("r.jsonl", "[" * 100_000, r"line 1 is nested too deeply"),
        ("r.jsonl", '{"a": ' + "1" * 5000 + "}", r"line 1 cannot be read: .*5000 digits"),
    ],
)
def test_bad_json_names_the_line(write: Write, name: str, content: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_rows(write(name, content))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte-order mark"])
def test_text_that_is_not_utf8_names_the_line(write: Write, mark: bytes) -> None:
    with pytest.raises(InputError, match=r"r\.csv, line 3 has the byte 0xe9\. Convert .* iconv"):
        read_rows(write("r.csv", mark + b"text\nok\n\xe9t\xe9\n"))


@pytest.mark.parametrize("name", ["r.jsonl", "r.json", "r.csv", "r.tsv"])
def test_an_empty_file(write: Write, name: str) -> None:
    with pytest.raises(InputError, match="Expected"):
        read_rows(write(name, ""))
    with pytest.raises(InputError, match=r"Expected rows, but .* has none|Expected JSON"):
        read_rows(write(name, "\n \n"))


def test_no_file_and_no_known_type(write: Write, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no\.csv does not exist"):
        read_rows(tmp_path / "no.csv")
    with pytest.raises(InputError, match="is a folder"):
        read_rows(tmp_path)
    with pytest.raises(InputError, match=r"Expected a file of type \.jsonl, .* but got .*r\.xlsx"):
        read_rows(write("r.xlsx", "x"))
