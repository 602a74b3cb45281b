"""An audit as one self-contained page that opens offline."""

from __future__ import annotations

from typing import Any

from ..report.page import environment
from .base import CheckResult, Finding
from .describe import case_line, field_lines, stat_lines
from .report import VERDICTS, AuditReport

CASES_SHOWN = 5
_COLOURS = {"incomplete": "inconclusive", "warnings": "inconclusive", "no_warnings": "invariant"}
_EXCERPT = 200


def to_html(report: AuditReport) -> str:
    """Render the page. Everything that comes from data is escaped; there is no script and no link out."""
    return environment("jostle.audit", "jostle.report").get_template("audit.html").render(_context(report))


def to_fragment(report: AuditReport) -> str:
    """What stands between the tags of the page's `main`, for a page that has its own styles."""
    template = environment("jostle.audit", "jostle.report").get_template("audit.html")
    return "".join(template.blocks["body"](template.new_context(_context(report))))


def _context(report: AuditReport) -> dict[str, Any]:
    return {
        "report": report,
        "title": VERDICTS[report.verdict],
        "colour": _COLOURS[report.verdict],
        "fields": field_lines(report.evalset),
        "checks": [_check(report, check) for check in report.checks],
        "resolved": list(report.resolved()),
    }


def _check(report: AuditReport, check: CheckResult) -> dict[str, Any]:
    return {
        "name": check.name,
        "summary": check.summary,
        "findings": [_finding(report, check.name, finding) for finding in check.findings],
        "stats": stat_lines(check.stats),
        "limitations": check.limitations,
    }


def _finding(report: AuditReport, check: str, finding: Finding) -> dict[str, Any]:
    cases = [report.cases[case] for case in finding.case_ids[:CASES_SHOWN] if case in report.cases]
    return {
        "kind": finding.kind.replace("_", " "),
        "severity": finding.severity,
        "new": report.is_new(check, finding),
        "message": finding.message,
        "ids": case_line(finding, most=50),
        "cases": [
            {"id": case.id, "text": _excerpt(case.text), "gold": None if case.gold is None else _excerpt(case.gold)}
            for case in cases
        ],
    }


def _excerpt(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]} ... ({len(text)} characters)"
