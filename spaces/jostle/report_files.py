"""The uploads of the tab Report -> outcomes: how many, how large, and what each of several is called."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from shared import checked_file

from jostle.errors import InputError
from jostle.importers import Reading, read_files
from jostle.outcomes import Outcomes

MOST_FILES = 10  # each within the limit of a file


@dataclass(frozen=True)
class Given:
    """What a visitor says of the files, as typed.

    Args:
        names: Conditions that the files are, in their order, apart by commas; empty where the files tell.
        metrics: Scores of a log that become conditions, apart by commas; empty for all that are right or wrong.
        match: What names an item of a log, its `content` or its `id`.
    """

    names: str = ""
    metrics: str = ""
    match: str = "content"

    def reading(self) -> Reading:
        """How logs are read."""
        return Reading(metrics=tuple(_parts(self.metrics, ";")), match=self.match)


def read_uploads(paths: list[str] | None, given: Given) -> Outcomes:
    """The files as one table, under the names that the visitor knows them by.

    Raises:
        InputError: No file, too many, one that is too large or cannot be read, or not one name a file.
    """
    files = _checked(paths)
    outcomes = read_files(list(zip(_names(given.names, files), files, strict=True)), given.reading())
    notes = [_without_folders(note, files) for note in outcomes.notes]
    return replace(outcomes, source=_without_folders(outcomes.source, files), notes=notes)


def _checked(paths: list[str] | None) -> list[Path]:
    if not paths:
        return [checked_file(None, "results")]
    if len(paths) > MOST_FILES:
        raise InputError(f"Expected at most {MOST_FILES} files, but got {len(paths)}. Run `jostle report` on them.")
    return [checked_file(path, "results") for path in paths]


def _names(typed: str, files: list[Path]) -> list[str | None]:
    names: list[str | None] = [*_parts(typed, ",")]
    if names and len(names) != len(files):
        raise InputError(
            f"Expected a condition name for each of {len(files)} files ({', '.join(file.name for file in files)}), "
            f"but got {len(names)}. Type them in the order of the files, with commas between them."
        )
    return names or [None] * len(files)


def _parts(typed: str, between: str) -> list[str]:
    return [part.strip() for part in (typed or "").split(between) if part.strip()]


def _without_folders(text: str, files: list[Path]) -> str:
    """A text that may name the files, without the folders of this server."""
    for file in files:
        text = text.replace(str(file), file.name)
    return text
