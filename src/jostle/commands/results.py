"""Result files on the command line: jostle's own, or logs of other harnesses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .forms import label_map
from .pipes import read_through
from .shared import pairs_of

if TYPE_CHECKING:
    from ..outcomes import Outcomes

Command = Callable[..., Any]


def result_files(function: Command) -> Command:
    """Add the result files and what says how they are read; `read_given` takes them out of the flags again."""
    function = label_map(reading_flags(function))
    for flag in reversed(_FILES):
        function = flag(function)
    return function


def reading_flags(function: Command) -> Command:
    """Add what says how result files are read, for a command that takes the files itself."""
    for flag in reversed(_READING):
        function = flag(function)
    return function


_FILES = (
    click.argument("files", nargs=-1, type=click.Path(path_type=Path)),
    click.option(
        "--condition",
        "named",
        multiple=True,
        metavar="NAME=FILE",
        help="A file as the condition NAME; may be repeated. The name `orig` makes it the reference.",
    ),
)
_READING = (
    click.option(
        "--metric", "metrics", multiple=True, help="Score of a log that becomes a condition.  [default: all 0/1 scores]"
    ),
    click.option(
        "--match",
        type=click.Choice(["content", "id"]),
        default="content",
        help="What names an item of a log: question and options, or the id it has there.  [default: content]",
    ),
    click.option(
        "--map",
        "maps",
        multiple=True,
        metavar="FIELD=COLUMN",
        help="Read plain tables: column of predictions, references, item_ids, correct ...; repeatable.",
    ),
)


def given_files(flags: dict[str, Any]) -> list[tuple[str | None, Path]]:
    """Name and path of every result file.

    Raises:
        click.UsageError: None is given.
    """
    named = pairs_of("--condition", flags.pop("named"))
    files: list[tuple[str | None, Path]] = [(None, path) for path in flags.pop("files")]
    files += [(name, Path(path)) for name, path in named.items()]
    if not files:
        raise click.UsageError("Expected a result file, but got none. Give FILE, or --condition NAME=FILE.")
    return files


def read_given(files: list[tuple[str | None, Path]], flags: dict[str, Any]) -> Outcomes:
    """Read the files, or pipes, as the flags say."""
    from ..importers import Reading, read_files

    mapping = pairs_of("--map", flags.pop("maps"))
    reading = Reading(tuple(flags.pop("metrics")), flags.pop("match"), mapping)
    names = [name for name, _ in files]
    outcomes: Outcomes = read_through(
        [path for _, path in files], lambda paths: read_files(list(zip(names, paths, strict=True)), reading)
    )
    return outcomes.relabelled(pairs_of("--label-map", flags.pop("label_map", ())))
