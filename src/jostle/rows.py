"""Rows of any file: jsonl, json, csv, tsv and parquet, with the place of every row kept for messages."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import InputError

SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet")
Row = dict[str, Any]


@dataclass(frozen=True)
class RowFile:
    """The rows of one file, and where each stands in it ("line 7", "row 3")."""

    source: str
    rows: list[Row]
    places: list[str]

    def at(self, index: int) -> str:
        """The place of a row, for a message."""
        return f"{self.source}, {self.places[index]}"


def read_rows(path: str | Path) -> RowFile:
    """Read the rows of a file.

    A `.json` file holds a list of objects, or is JSON lines after all. Text is UTF-8, with or without a byte-order
    mark. Blank lines are passed over.

    Raises:
        InputError: The file is missing, empty, of another type, not UTF-8, or has a line that is no row; the message
            has the line.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"Expected a file, but {path} {'is a folder' if path.is_dir() else 'does not exist'}.")
    readers = {".jsonl": _lines, ".ndjson": _lines, ".json": _json, ".csv": _csv, ".tsv": _csv, ".parquet": _parquet}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"Expected a file of type {', '.join(SUFFIXES)}, but got {path}.")
    numbered = list(reader(path))
    if not numbered:
        raise InputError(f"Expected rows, but {path} has none.")
    return RowFile(str(path), [row for _, row in numbered], [place for place, _ in numbered])


def read_text(path: Path) -> str:
    """The text of a UTF-8 file without its byte-order mark.

    Raises:
        InputError: The file is not UTF-8 or cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1  # not of the file: the mark is gone by then
        raise InputError(
            f"Expected UTF-8 text, but {path}, line {line} has the byte {error.object[error.start]:#04x}. "
            "Convert the file first, for example: iconv -f ORIGINAL_ENCODING -t UTF-8."
        ) from None
    except OSError as error:
        raise InputError(f"Expected a readable file, but {path} cannot be read: {error.strerror}.") from None


def parse_json(text: str, place: str) -> Any:
    """Parse strict JSON.

    Raises:
        InputError: Not JSON, or NaN / Infinity, which JSON does not have; the message has the place.
    """

    def refuse(token: str) -> None:
        raise InputError(f"Expected strict JSON, but {place} holds {token}. Write null for a missing value.")

    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise InputError(f"Expected JSON, but {place} is nested too deeply.") from None
    except json.JSONDecodeError as error:
        raise InputError(f"Expected JSON, but {place} is not ({error.msg}, line {error.lineno}).") from None
    except InputError:
        raise
    except ValueError as error:  # Python reads no whole number of more than 4,300 digits
        raise InputError(f"Expected JSON, but {place} cannot be read: {error}.") from None


def _lines(path: Path) -> Iterator[tuple[str, Row]]:
    # str.splitlines would also break at characters that may stand inside a JSON string.
    yield from _numbered(path, read_text(path).split("\n"))


def _numbered(path: Path, lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            place = f"line {number}"
            yield place, _row(parse_json(line, f"{path}, {place}"), f"{path}, {place}")


def _row(value: Any, place: str) -> Row:
    if not isinstance(value, dict):
        raise InputError(f"Expected an object with named fields, but {place} is {type(value).__name__} {value!r:.60}.")
    return value


def _json(path: Path) -> Iterator[tuple[str, Row]]:
    text = read_text(path)
    try:
        value = parse_json(text, str(path))
    except InputError:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) < 2 or not all(line.lstrip().startswith("{") for line in lines):  # noqa: PLR2004
            raise
        yield from _numbered(path, text.split("\n"))
        return
    if not isinstance(value, list):
        raise InputError(f"Expected a list of objects in {path}, but got {type(value).__name__}.")
    for number, row in enumerate(value, start=1):
        yield f"entry {number}", _row(row, f"{path}, entry {number}")


def _csv(path: Path) -> Iterator[tuple[str, Row]]:
    csv.field_size_limit(2**31 - 1)  # the largest that every platform takes
    delimiter = "\t" if path.suffix.lower() == ".tsv" else ","
    reader = csv.reader(io.StringIO(read_text(path), newline=""), delimiter=delimiter, strict=True)
    try:
        header = next((cells for cells in reader if any(cells)), [])
        repeated = sorted({name for name in header if header.count(name) > 1})
        if repeated:
            raise InputError(f"Expected distinct column names, but {path} repeats {', '.join(repeated)}.")
        for cells in reader:
            if not any(cells):
                continue
            if len(cells) != len(header):
                raise InputError(f"Expected {len(header)} cells, but {path}, line {reader.line_num} has {len(cells)}.")
            yield f"line {reader.line_num}", {k: v or None for k, v in zip(header, cells, strict=True)}
    except csv.Error as error:
        raise InputError(f"Expected a csv file, but {path}, line {reader.line_num} is not: {error}.") from None


def _parquet(path: Path) -> Iterator[tuple[str, Row]]:
    for number, row in enumerate(read_parquet(path).to_pylist(), start=1):
        yield f"row {number}", row


def read_parquet(path: Path) -> Any:
    """The Arrow table of a parquet file.

    Raises:
        InputError: The file cannot be read, is cut off or damaged, or has text that is not UTF-8.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path)
        table.validate(full=True)  # else text that is not UTF-8 is found only when it is used
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"Expected a parquet file, but {path} cannot be read: {reason.rstrip('.')}.") from None
    return table


def whole(value: Any) -> Any:
    """A class index that a column with gaps holds as a float, as a whole number; nan is no label."""
    if not isinstance(value, float):
        return value
    if math.isnan(value):
        return None
    return int(value) if value.is_integer() else value


def is_unlabelled(value: Any) -> bool:
    """Whether a cell says that a row has no gold label: -1, or nothing."""
    return value in (-1, "-1", None)
