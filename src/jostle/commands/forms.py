"""Flags of commands that write a report of predictions: where it goes, in what form, and how labels are read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Command = Callable[..., Any]


def report_file(function: Command) -> Command:
    """Add `--out`, for a command that writes its report there."""
    return click.option(
        "--out",
        type=click.Path(path_type=Path),
        help="Write the report to this file instead of stdout; .html, .json or .md gives its form, unless --format is "
        "typed.",
    )(function)


def label_map(function: Command) -> Command:
    """Add `--label-map`, for a command that reads predictions beside gold labels."""
    return click.option(
        "--label-map",
        multiple=True,
        metavar="PREDICTED=GOLD",
        help="Gold label that a predicted label stands for; repeatable. Labels are never taken as alike without it.",
    )(function)


def form_for(out: Path | None, typed: str | None) -> str | None:
    """Form of a report: the typed one, else that of the file's name, else none."""
    return typed or (None if out is None else _FORMS.get(out.suffix.lower()))


_FORMS = {".html": "html", ".htm": "html", ".json": "json", ".md": "markdown", ".markdown": "markdown"}
