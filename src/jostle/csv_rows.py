"""Rows of a csv text, and what its form must be told."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .errors import InputError, UsageError

OPTION_LETTERS = "ABCDEFGHIJ"


@dataclass(frozen=True)
class CsvForm:
    """How a csv file is written, where it is not as the others are.

    Args:
        columns: Names of the columns of a file without a header line.
        delimiter: What separates cells; the comma by default, a tab in `.tsv`.

    Raises:
        UsageError: A repeated name, or a delimiter of several characters.
    """

    columns: Sequence[str] = ()
    delimiter: str = ""

    def __post_init__(self) -> None:
        if len(set(self.columns)) < len(self.columns):
            raise UsageError(f"Expected distinct names of columns, but got {', '.join(self.columns)}.")
        if len(self.delimiter) > 1 or self.delimiter in ('"', "\n", "\r"):
            raise UsageError(f"Expected a delimiter of one character, such as ';', but got {self.delimiter!r}.")


CSV = CsvForm()


def csv_rows(text: str, source: str, form: CsvForm = CSV) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows of a csv text, each with its place.

    Args:
        text: The text.
        source: What it is called in messages.
        form: Its delimiter and columns.

    Raises:
        InputError: A row of another length, a repeated column, no csv, or what `CsvForm` should have told.

    >>> list(csv_rows("a;b\\n1;\\n", "t.csv", CsvForm(delimiter=";")))
    [('line 2', {'a': '1', 'b': None})]
    """
    csv.field_size_limit(2**31 - 1)  # the largest that every platform takes
    delimiter = form.delimiter or ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        header = list(form.columns) or _header(reader, source, delimiter)
        for cells in reader:
            if not any(cells):
                continue
            if len(cells) != len(header):
                raise InputError(
                    f"Expected {len(header)} cells, but {source}, line {reader.line_num} has {len(cells)}."
                )
            yield f"line {reader.line_num}", {k: v or None for k, v in zip(header, cells, strict=True)}
    except csv.Error as error:
        raise InputError(f"Expected a csv file, but {source}, line {reader.line_num} is not: {error}.") from None


def _header(reader: Iterator[list[str]], source: str, delimiter: str) -> list[str]:
    header = next((cells for cells in reader if any(cells)), [])
    others = [other for other in ";\t|," if other != delimiter and len(header) == 1 and other in header[0]]
    if others:
        flag = "tab" if others[0] == "\t" else f"'{others[0]}'"
        raise InputError(
            f"Expected a header line with {delimiter!r} between the columns, but {source} has {header[0]!r:.80}. "
            f"If {others[0]!r} separates them: --delimiter {flag}."
        )
    if _is_choice_row(header):
        names = ",".join(["question", *OPTION_LETTERS[: len(header) - 2], "answer"])
        raise InputError(
            f"Expected a header line, but {source} begins with a question, options and an answer: {header[0]!r:.60}. "
            f"Name its columns: --columns {names}."
        )
    twice = repeated(header, "columns")
    if twice:
        raise InputError(f"Expected distinct column names, but {source} repeats {twice}.")
    return header


def _is_choice_row(cells: Sequence[str]) -> bool:
    """Whether cells are a question in several words, at least two options, and the letter of one."""
    *others, last = cells or [""]
    letters = OPTION_LETTERS[: max(len(others) - 1, 0)]
    return len(letters) > 1 and last in tuple(letters) and len(others[0].split()) > 2  # noqa: PLR2004


def repeated(names: Sequence[str], what: str) -> str:
    """The names that stand more than once, each with its places.

    >>> repeated(["a", "b", "a"], "columns")
    'a (columns 1 and 3)'
    """
    places: dict[str, list[str]] = {}
    for k, name in enumerate(names, start=1):
        places.setdefault(name, []).append(str(k))
    several = {name: found for name, found in places.items() if len(found) > 1}
    return ", ".join(f"{name} ({what} {' and '.join(found)})" for name, found in sorted(several.items()))
