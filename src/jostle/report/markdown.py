"""A report for a pull request or a README."""

from __future__ import annotations

from collections.abc import Sequence

from ..printable import printable
from .model import VERDICTS, Report
from .sections import Section, overview, unparsed_section
from .table_rows import CONDITION_COLUMNS, condition_rows, number_rows


def to_markdown(report: Report) -> str:
    """Warnings, verdict, conditions, numbers, groups, notes and limitations as GitHub-flavoured Markdown."""
    parts = [f"**Warning**: {escape(text)}" for text in report.warnings]
    for group in report.groups:
        drift = report.values("invariance_drift", group)
        name = f" {escape(group)}" if group else ""
        parts.append(f"**{VERDICTS[drift['verdict']]}**{name}: {escape(drift['verdict_reason'])}")
        rows = condition_rows(report, group)
        if rows:
            parts.append(_table(CONDITION_COLUMNS[: len(rows[0])], rows))
        parts += [_table(("measure", "value", "95% CI", "meaning"), number_rows(report, group))]
        missed = unparsed_section(report, group)
        parts += section_parts(missed) if missed else []
    for section in overview(report):
        parts += section_parts(section)
    bullets = "\n".join(f"- {escape(text)}" for text in [*report.notes, *report.limitations])
    return "\n\n".join([*parts, bullets, f"<sub>{report.signature}</sub>"]) + "\n"


def section_parts(section: Section) -> list[str]:
    """A table with its title and legend, as paragraphs."""
    legend = [escape(section.legend)] if section.legend else []
    return [f"**{escape(section.title)}**", _table(section.columns, section.rows), *legend]


def escape(text: str) -> str:
    """Text that Markdown must show as it is."""
    return printable(text).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = f"| {' | '.join(columns)} |\n|{'|'.join(' --- ' for _ in columns)}|"
    return "\n".join([head, *(f"| {' | '.join(escape(cell) for cell in row)} |" for row in rows)])
