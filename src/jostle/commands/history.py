"""`jostle history`: drift, flips and R over dated reports."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .forms import report_file
from .shared import draw_on, resolve, say, settings

if TYPE_CHECKING:
    from rich.console import Console

    from ..history import Entry


@click.command("history")
@click.argument("folder", type=click.Path(path_type=Path))
@report_file
@settings("history")
def command(folder: Path, out: Path | None, **flags: Any) -> int:
    """Tabulate and plot drift, flips and R over the reports below FOLDER.

    Reports are what `jostle report --format json` and `jostle run` write. Dates come from the names of files or folders
    (2026-01-31), else from the time of the file. `--out history.html` has the plots.
    """
    values = resolve("history", flags, folder if folder.exists() else Path.cwd(), out)
    from ..history import read_history

    entries, other = read_history(folder)
    if other:
        say(f"no report, passed over: {', '.join(other)}", values["quiet"])
    draw_on(lambda to: _draw(entries, values["format"], str(folder), to), values, out)
    return 0


def _draw(entries: Sequence[Entry], form: str, source: str, to: Console) -> None:
    """The history in the form of `--format`."""
    from ..history import LIMITATIONS, history_section
    from ..measures.version import __version__

    section = history_section(entries)
    if form == "json":
        from ..report.model import strict

        rows = [
            {"date": one.date.isoformat(), "file": one.file, "group": one.group, "values": dict(one.values)}
            for one in entries
        ]
        tool = {"name": "jostle", "version": __version__}
        document = strict({"tool": tool, "source": source, "entries": rows, "limitations": list(LIMITATIONS)})
        to.file.write(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    elif form == "markdown":
        from ..report.markdown import escape, section_parts

        bullets = "\n".join(f"- {escape(text)}" for text in LIMITATIONS)
        to.file.write("\n\n".join([*section_parts(section), bullets]) + "\n")
    elif form == "html":
        from markupsafe import Markup

        from ..report.page import environment, section_fragment
        from ..report.timeline import timeline_figures

        context = {
            "source": source,
            "table": Markup(section_fragment(section)),  # noqa: S704 - escaped where it is made
            "figures": [Markup(figure) for figure in timeline_figures(entries)],  # noqa: S704 - drawn here
            "limitations": LIMITATIONS,
        }
        to.file.write(environment("jostle.report").get_template("history.html").render(context))
    else:
        from ..report import text

        text.print_section(section, to)
        to.print(text.section("What this history cannot tell you", text.bullets(LIMITATIONS)))
