"""Rows of any file: jsonl, json, csv, tsv and parquet, with the place of every row kept for messages."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .csv_rows import CSV, CsvForm, csv_rows, repeated
from .errors import InputError, UsageError

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


def read_rows(path: str | Path, form: CsvForm = CSV) -> RowFile:
    """Read the rows of a file.

    A `.json` file holds a list of objects, or is JSON lines after all. Text is UTF-8, with or without a byte-order
    mark. Blank lines are passed over.

    Args:
        path: The file.
        form: Delimiter and columns of a csv file.

    Raises:
        InputError: The file is missing, empty, of another type, not UTF-8, or has a line that is no row; the message
            has the line. A csv file without a header line, or with another delimiter than the comma, where that shows.
        UsageError: The form of a csv file for a file that is none.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"Expected a file, but {path} {'is a folder' if path.is_dir() else 'does not exist'}.")
    readers: dict[str, Any] = {
        ".jsonl": _lines,
        ".ndjson": _lines,
        ".json": _json,
        ".csv": _csv,
        ".tsv": _csv,
        ".parquet": _parquet,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"Expected a file of type {', '.join(SUFFIXES)}, but got {path}.")
    if form != CSV and reader is not _csv:
        raise UsageError(f"Expected a csv or tsv file with --columns or --delimiter, but got {path}.")
    numbered = list(_csv(path, form) if reader is _csv else reader(path))
    if not numbered:
        raise InputError(f"Expected rows, but {path} has none.")
    return RowFile(str(path), [row for _, row in numbered], [place for place, _ in numbered])


def read_text(path: Path) -> str:
    """The text of a UTF-8 file without its byte-order mark.

    Raises:
        InputError: The file is not UTF-8 or cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1  # not of the file: the mark is gone by then
        raise InputError(
            f"Expected UTF-8 text, but {path}, line {line} has the byte {error.object[error.start]:#04x}. "
            "Convert the file first, for example: iconv -f ORIGINAL_ENCODING -t UTF-8."
        ) from None
    except OSError as error:
        raise InputError(f"Expected a readable file, but {path} cannot be read: {error.strerror}.") from None
    if "\0" in text:
        raise InputError(
            f"Expected UTF-8 text, but {path} has zero bytes, as UTF-16 has. "
            "Convert the file first, for example: iconv -f UTF-16LE -t UTF-8."
        )
    return text


def parse_json(text: str, place: str) -> Any:
    """Parse strict JSON.

    Raises:
        InputError: Not JSON, or NaN / Infinity, which JSON does not have, or an object that has a key twice; the
            message has the place.
    """

    def refuse(token: str) -> None:
        raise InputError(f"Expected strict JSON, but {place} holds {token}. Write null for a missing value.")

    def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            raise InputError(f"Expected distinct keys, but an object in {place} repeats {repeated(names, 'keys')}.")
        return found

    try:
        return json.loads(text, parse_constant=refuse, object_pairs_hook=distinct)
    except RecursionError:
        raise InputError(f"Expected JSON, but {place} is nested too deeply.") from None
    except json.JSONDecodeError as error:
        line = "" if ", line " in place else f"line {error.lineno}, "  # the line is known, or the text has many
        raise InputError(f"Expected JSON, but {place} is not ({error.msg}, {line}column {error.colno}).") from None
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


def _csv(path: Path, form: CsvForm = CSV) -> Iterator[tuple[str, Row]]:
    if path.suffix.lower() == ".tsv" and not form.delimiter:
        form = replace(form, delimiter="\t")
    yield from csv_rows(read_text(path), str(path), form)


def _parquet(path: Path) -> Iterator[tuple[str, Row]]:
    for number, row in enumerate(read_parquet(path).to_pylist(), start=1):
        yield f"row {number}", row


def read_parquet(path: Path, columns: Collection[str] | None = None, encoded: Sequence[str] = ()) -> Any:
    """The Arrow table of a parquet file.

    Args:
        path: The file.
        columns: Columns to read, of those that it has; all by default.
        encoded: Columns whose text is read into a dictionary of distinct texts. Numbers stay numbers.

    Raises:
        InputError: The file cannot be read, is cut off or damaged, or has text that is not UTF-8.
    """
    import pyarrow.parquet as pq

    with arrow_errors(path):
        names = None if columns is None else [name for name in pq.read_schema(path).names if name in columns]
        table = pq.read_table(path, columns=names, read_dictionary=list(encoded))
        table.validate(full=True)  # else text that is not UTF-8 is found only when it is used
    return table


def parquet_names(path: Path) -> list[str]:
    """The columns of a parquet file.

    Raises:
        InputError: The file cannot be read.
    """
    import pyarrow.parquet as pq

    with arrow_errors(path):
        names: list[str] = pq.read_schema(path).names
    return names


@contextmanager
def arrow_errors(path: Path) -> Iterator[None]:
    """What goes wrong while a parquet file is read is one line.

    Raises:
        InputError: It cannot be read.
    """
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"Expected a parquet file, but {path} cannot be read: {reason.rstrip('.')}.") from None


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


def kind_of(value: Any) -> str:
    """What a cell that should be text is instead, for a message.

    >>> kind_of(["a", "b"]), kind_of({"text": "a"}), kind_of(5), kind_of(None)
    ('a list', 'an object', 'a number', 'null')
    """
    if value is None:
        return "null"
    kinds = ((str, "text"), (bool, "true or false"), ((int, float), "a number"), (dict, "an object"), (list, "a list"))
    return next((name for kind, name in kinds if isinstance(value, kind)), type(value).__name__)
