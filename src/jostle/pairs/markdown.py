"""A pair report for a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from ..report.markdown import escape, section_parts
from ..report.sections import Section
from .report import ALL_LIMITATIONS, PairReport
from .sections import failing_line, failure_rows, sections


def to_markdown(report: PairReport, show: int = 10, gate: Sequence[str] = ()) -> str:
    """Headline, gate, tables, failing pairs, notes and limitations as GitHub-flavoured Markdown."""
    parts = [f"**{escape(report.summary())}**"]
    parts += _listed("Gate", gate)
    parts += [f"**Warning**: {escape(text)}" for text in report.warnings]
    if len(report.data):
        for one in sections(report):
            parts += section_parts(one)
        kinds = Section("What fails", ("failure type", "pairs", "usually calls for"), failure_rows(report), "")
        parts += section_parts(kinds) if kinds.rows else []
        failing = [failing_line(pair) for pair in report.failing(show)]
        parts += _listed(f"Failing pairs ({len(failing)} of {report.values['n_failures']})", failing)
    parts += _listed("Notes and limitations", [*report.pairs.describe(), *report.pairs.notes, *ALL_LIMITATIONS])
    return "\n\n".join([*parts, f"<sub>{escape(report.signature)}</sub>"]) + "\n"


def _listed(title: str, texts: Sequence[str]) -> list[str]:
    return [f"**{escape(title)}**", "\n".join(f"- {escape(text)}" for text in texts)] if texts else []
