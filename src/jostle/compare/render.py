"""A comparison as text, Markdown and a page."""

from __future__ import annotations

from rich.console import Console

from ..report.markdown import escape, section_parts
from ..report.model import Comparison
from ..report.page import environment, section_fragment
from ..report.text import bullets, print_section, section, shown
from .report import ComparisonReport, sign_of
from .sections import headline, sections

_STYLES = {1: "bold green", -1: "bold red", 0: "bold yellow"}
_COLOURS = {1: "invariant", -1: "fragile", 0: "inconclusive"}
_TITLE = "What this comparison cannot tell you"


def print_comparison(report: ComparisonReport, console: Console) -> None:
    """Print the sentences, the tables, the notes and the limitations."""
    console.print(shown(f"jostle compare: {', '.join(report.names)}", "bold"))
    for made in report.comparisons:
        console.print(shown(f"\n{headline(made)}", _STYLES[sign_of(made)]))
    for one in sections(report):
        print_section(one, console)
    if report.notes:
        console.print(section("Notes", bullets(report.notes)))
    console.print(section(_TITLE, bullets(report.limitations)))
    console.print(shown(f"\n{report.signature}", "dim"), soft_wrap=True)


def to_markdown(report: ComparisonReport) -> str:
    """The same as GitHub-flavoured Markdown, fit for a pull request."""
    parts = [f"**{escape(headline(made))}**" for made in report.comparisons]
    for one in sections(report):
        parts += section_parts(one)
    bullet_list = "\n".join(f"- {escape(text)}" for text in [*report.notes, *report.limitations])
    folded = f"<details><summary>Notes and limits</summary>\n\n{bullet_list}\n\n</details>"
    return "\n\n".join([*parts, folded, f"<sub>{report.signature}</sub>"]) + "\n"


def to_html(report: ComparisonReport) -> str:
    """The same as one self-contained page; everything that comes from data is escaped."""
    context = {
        "report": report,
        "headlines": [_boxed(made) for made in report.comparisons],
        "sections": [section_fragment(one) for one in sections(report)],
        "title": _TITLE,
    }
    return environment("jostle.compare", "jostle.report").get_template("comparison.html").render(context)


def _boxed(made: Comparison) -> tuple[str, str]:
    return _COLOURS[sign_of(made)], headline(made)
