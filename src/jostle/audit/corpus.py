"""Texts of a file of any size, one document after the other."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..rows import arrow_errors, read_rows

_BATCH = 1000


def documents(path: str | Path) -> Iterator[list[str]]:
    """The texts of each document: all strings of a row, however deep they stand, or a line of text.

    `.jsonl`, `.ndjson`, `.csv`, `.tsv` and `.parquet` are read row by row, `.json` as a whole, and any other file as
    text, a document a line. Only a batch is in memory at a time.

    Raises:
        InputError: The file is missing, is not UTF-8, or has a row that cannot be read; with the line.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"Expected a file, but {path} {'is a folder' if path.is_dir() else 'does not exist'}.")
    readers = {".jsonl": _lines, ".ndjson": _lines, ".csv": _cells, ".tsv": _cells, ".json": _all, ".parquet": _batches}
    try:
        yield from readers.get(path.suffix.lower(), _text)(path)
    except UnicodeDecodeError as error:
        raise InputError(
            f"Expected UTF-8 text, but {path} has the byte {error.object[error.start]:#04x}. Convert the file first, "
            "for example: iconv -f ORIGINAL_ENCODING -t UTF-8."
        ) from None


def _text(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8-sig", newline="\n") as lines:
        yield from ([line.strip()] for line in lines if line.strip())


def _lines(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8-sig", newline="\n") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    yield strings(json.loads(line))
                except ValueError as error:
                    raise InputError(f"Expected JSON, but {path}, line {number} is not ({error}).") from None
                except RecursionError:
                    raise InputError(f"Expected JSON, but {path}, line {number} is nested too deeply.") from None


def _cells(path: Path) -> Iterator[list[str]]:
    csv.field_size_limit(2**31 - 1)  # the largest that every platform takes
    with path.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.reader(lines, delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
        try:
            yield from ([cell for cell in cells if cell.strip()] for cells in reader)
        except csv.Error as error:
            raise InputError(f"Expected a csv file, but {path}, line {reader.line_num} is not: {error}.") from None


def _all(path: Path) -> Iterator[list[str]]:
    return (strings(row) for row in read_rows(path).rows)


def _batches(path: Path) -> Iterator[list[str]]:
    import pyarrow.parquet as pq

    with arrow_errors(path), pq.ParquetFile(path) as file:
        for batch in file.iter_batches(_BATCH):
            yield from (strings(row) for row in batch.to_pylist())


def strings(value: Any) -> list[str]:
    """All texts within a value.

    >>> strings({"q": "a?", "choices": {"text": ["b", "c"]}, "answer": 1})
    ['a?', 'b', 'c']
    """
    if isinstance(value, str):
        return [value] if value.strip() else []
    parts: Sequence[Any] = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in strings(part)]
