"""What a train and a test file share: families, and bases that are the same text or nearly so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, UsageError
from ..rows import RowFile, read_rows, whole
from ..tasks import TASKS
from .overlap import THRESHOLD, near_matches, normalise

# Columns that hold the base of a row, joined where there are several; the first that a file has.
TEXTS = (
    ("base_text",),
    ("text",),
    *(task.fields for task in TASKS.values()),
    ("sentence1", "sentence2"),
    ("question",),
)
LIMITATIONS = (
    "Bases are compared by their characters: a paraphrase or a translation on the other side is not found.",
    f"Near means a Jaccard similarity of 5-character shingles of {THRESHOLD:g} or more, or one word replaced in a text "
    "of 5 to 30 words: short texts of one template are near too.",
)


@dataclass(frozen=True)
class Shared:
    """One family or text that stands on both sides.

    Args:
        names: The family, or the text, as it stands in the train and in the test file.
        places: For train and test, the places of all its rows.
        similarity: Of the two texts; 1 when they are the same but for case, punctuation and spacing.
    """

    names: tuple[str, str]
    places: tuple[list[str], list[str]]
    similarity: float = 1.0


@dataclass(frozen=True)
class SplitCheck:
    """What two files share.

    Args:
        sources: The train and the test file.
        rows: Number of rows in each.
        families: Families with rows on both sides.
        bases: Pairs of bases that are the same text, or nearly.
        notes: What could not be compared.
    """

    sources: tuple[str, str]
    rows: tuple[int, int]
    families: Sequence[Shared]
    bases: Sequence[Shared]
    notes: Sequence[str] = ()

    @property
    def exit_code(self) -> int:
        """1 when anything is on both sides."""
        return 1 if self.families or self.bases else 0


def check_split(train: str | Path, test: str | Path, text: Mapping[str, str] | None = None) -> SplitCheck:
    """Find what a train and a test file share.

    Args:
        train: A file of pairs or of items, with a column `family`, or `base_text` (or the text columns of a task).
        test: The same.
        text: `{"base_text": COLUMN, "family": COLUMN}` for files with other names.

    Raises:
        InputError: A file cannot be read, or there is nothing that both files have and that could be compared.
        UsageError: A column that is named and not there, or another field.
    """
    mapping = text or {}
    unknown = mapping.keys() - {"base_text", "family"}
    if unknown:
        raise UsageError(f"Expected --map to name base_text or family, but got {min(unknown)!r}.")
    files = read_rows(train), read_rows(test)
    families = [_by_family(file, mapping.get("family")) for file in files]
    bases = [_by_text(file, mapping.get("base_text")) for file in files]
    lacking = {"families": _lacking(files, families), "bases": _lacking(files, bases)}
    missing = [f"{what} were not compared: {' and '.join(names)} has none" for what, names in lacking.items() if names]
    if not (all(families) or all(bases)):
        raise InputError(
            f"Expected a column family or base_text in both {files[0].source} and {files[1].source}, but "
            f"{'; '.join(missing)}. Name them: --map base_text=COLUMN --map family=COLUMN."
        )
    return SplitCheck(
        (files[0].source, files[1].source),
        (len(files[0].rows), len(files[1].rows)),
        [Shared((name, name), (families[0][name], families[1][name])) for name in families[0] if name in families[1]],
        _shared_texts(bases[0], bases[1]),
        missing,
    )


def _lacking(files: Sequence[RowFile], found: Sequence[Mapping[str, Any]]) -> list[str]:
    return [file.source for file, own in zip(files, found, strict=True) if not own]


def _by_family(file: RowFile, column: str | None) -> dict[str, list[str]]:
    """Places of the rows of each family."""
    _check(file, column)
    places: dict[str, list[str]] = {}
    for row, place in zip(file.rows, file.places, strict=True):
        family = whole(row.get(column or "family"))
        if family not in (None, ""):
            places.setdefault(str(family), []).append(place)
    return places


def _by_text(file: RowFile, column: str | None) -> dict[str, tuple[str, list[str]]]:
    """Each base as it stands, with the places of its rows, by its normalised form: many edits may have one base."""
    _check(file, column)
    present = {name for row in file.rows for name in row}
    columns = (column,) if column else next((names for names in TEXTS if present.issuperset(names)), ())
    texts: dict[str, tuple[str, list[str]]] = {}
    for row, place in zip(file.rows, file.places, strict=True):
        text = " ".join(str(row[name]) for name in columns if row.get(name) is not None)
        if text.strip():
            texts.setdefault(normalise(text), (text, []))[1].append(place)
    return texts


def _check(file: RowFile, column: str | None) -> None:
    present = {name: None for row in file.rows for name in row}
    if column is not None and column not in present:
        raise UsageError(f"Expected a column {column!r} in {file.source}, but it has {', '.join(present)}.")


def _shared_texts(train: Mapping[str, Any], test: Mapping[str, Any]) -> list[Shared]:
    left, right = list(train.values()), list(test.values())
    return [
        Shared((left[i.first][0], right[i.second][0]), (left[i.first][1], right[i.second][1]), i.similarity)
        for i in near_matches(list(train), list(test))
    ]
