"""A pair report for the terminal: 80 columns, counts beside every rate, limitations always."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from ..report.sections import Section
from ..report.text import add_row, bullets, section, shown, table
from .report import ALL_LIMITATIONS, PairReport
from .sections import failing_line, failure_rows, sections

_LEFT_AT_THE_END = ("meaning", "usually calls for")


def print_pairs(report: PairReport, console: Console, show: int = 10, gate: Sequence[str] = ()) -> None:
    """Print the headline, the gate's rulings, all tables, the failing pairs, the notes and the limitations."""
    console.print(Text.assemble(("jostle", "bold"), shown(f" {report.pairs.source}")))
    console.print(shown(f"\n{report.summary()}"))
    for title, texts, style in (("Gate", gate, "bold"), ("Warnings", report.warnings, "bold yellow")):
        if texts:
            console.print(section(title, bullets(texts), style=style))
    if len(report.data):
        _measured(report, console, show)
    notes = [*report.pairs.describe(), *report.pairs.notes]
    if notes:
        console.print(section("Notes", bullets(notes)))
    console.print(section("What this report cannot tell you", bullets(ALL_LIMITATIONS)))
    console.print(shown(f"\n{report.signature}", "dim"), soft_wrap=True)


def _measured(report: PairReport, console: Console, show: int) -> None:
    for one in sections(report):
        _print(one, console)
    kinds = failure_rows(report)
    if kinds:
        columns = ("failure type", "pairs", "usually calls for")
        _print(Section("What fails, and what it usually calls for", columns, kinds, ""), console)
    failing = report.failing(show)
    if failing:
        title = f"Failing pairs ({len(failing)} of {report.values['n_failures']})"
        console.print(section(title, bullets([failing_line(pair) for pair in failing])))


def _print(one: Section, console: Console) -> None:
    made = table(*one.columns, left=one.left)
    if one.columns[-1] in _LEFT_AT_THE_END:
        made.columns[-1].justify, made.columns[-1].no_wrap = "left", False
    for row in one.rows:
        add_row(made, row)
    console.print(section(one.title, made))
    if one.legend:
        console.print(shown(one.legend, "dim"))
