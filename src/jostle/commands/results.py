"""Result files on the command line: jostle's own, or logs of other harnesses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .shared import pairs_of

if TYPE_CHECKING:
    from ..outcomes import Outcomes

Command = Callable[..., Any]


def result_files(function: Command) -> Command:
    """Add the result files and what says how they are read; `read_given` takes them out of the flags again."""
    for flag in reversed(_FLAGS):
        function = flag(function)
    return function


_FLAGS = (
    click.argument("files", nargs=-1, type=click.Path(path_type=Path)),
    click.option(
        "--condition",
        "named",
        multiple=True,
        metavar="NAME=FILE",
        help="A file as the condition NAME; may be repeated. The name `orig` makes it the reference.",
    ),
    click.option(
        "--metric", "metrics", multiple=True, help="Score of a log that becomes a condition.  [default: all 0/1 scores]"
    ),
    click.option(
        "--match",
        type=click.Choice(["content", "id"]),
        default="content",
        help="What names an item of a log: question and options, or the id it has there.  [default: content]",
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
    """Read the files as the flags say."""
    from ..importers import Reading, read_files

    return read_files(files, Reading(metrics=tuple(flags.pop("metrics")), match=flags.pop("match")))
