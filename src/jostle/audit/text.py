"""An audit for the terminal: 80 columns, verdict first, limitations always."""

from __future__ import annotations

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ..report.text import bullets, section, shown
from .base import CheckResult, Finding
from .describe import case_line, field_lines, stat_lines
from .report import AuditReport

_STYLES = {"incomplete": "bold yellow", "warnings": "bold yellow", "no_warnings": "bold green"}
_MARKS = {"warning": "WARN", "info": "note"}


def print_audit(report: AuditReport, console: Console) -> None:
    """Print the verdict, how the set was read, every check, what did not run, and the limitations."""
    console.print(Text.assemble(("jostle audit", "bold"), shown(f" {report.source}")), soft_wrap=True)
    console.print(shown(f"\n{report.summary()}", _STYLES[report.verdict]))
    resolved = list(report.resolved())
    if resolved:
        console.print(shown(f"no longer found: {', '.join(resolved)}"))
    console.print(section("Field map", bullets(field_lines(report.evalset))))
    for check in report.checks:
        console.print(section(check.name, _check(report, check)))
    if report.not_run:
        reasons = [f"{left.name}{' (incomplete)' if left.incomplete else ''}: {left.reason}" for left in report.not_run]
        console.print(section("Not run", bullets(reasons)))
    console.print(section("What this audit cannot tell you", _limitations(report)))
    console.print(shown(f"\n{report.signature}", "dim"), soft_wrap=True)


def _check(report: AuditReport, check: CheckResult) -> RenderableType:
    parts: list[RenderableType] = [shown(check.summary)]
    parts += [_finding(report, check.name, finding) for finding in check.findings]
    parts += [shown(line, "dim") for line in stat_lines(check.stats)]
    return Padding(Group(*parts), (0, 0, 0, 2))


def _finding(report: AuditReport, check: str, finding: Finding) -> RenderableType:
    new = "new " if report.is_new(check, finding) else ""
    style = "yellow" if finding.severity == "warning" else ""
    line = Text.assemble((f"{_MARKS[finding.severity]} {new}", style), shown(f"{finding.kind}: {finding.message}"))
    parts: list[RenderableType] = [line]
    if finding.case_ids:
        parts.append(Padding(shown(case_line(finding), "dim"), (0, 0, 0, 5)))
    return Group(*parts)


def _limitations(report: AuditReport) -> RenderableType:
    parts: list[RenderableType] = []
    for check in report.checks:
        parts += [shown(f"  {check.name}"), Padding(bullets(list(check.limitations)), (0, 0, 0, 2))]
    return Group(*parts)
