"""An audit for a pull request."""

from __future__ import annotations

from ..report.markdown import escape
from .describe import case_line, field_lines, stat_lines
from .report import AuditReport


def to_markdown(report: AuditReport) -> str:
    """Verdict, field map, findings, what did not run, and limitations as GitHub-flavoured Markdown."""
    parts = [f"**{escape(report.summary())}**", f"Audit of {escape(report.source)}"]
    parts.append(_bullets(field_lines(report.evalset)))
    for check in report.checks:
        parts.append(f"### {escape(check.name)}\n\n{escape(check.summary)}")
        lines = []
        for finding in check.findings:
            new = "new " if report.is_new(check.name, finding) else ""
            cases = f" ({escape(case_line(finding))})" if finding.case_ids else ""
            mark = "warning" if finding.severity == "warning" else "note"
            lines.append(f"- **{new}{mark}** {finding.kind}: {escape(finding.message)}{cases}")
        parts += ["\n".join(lines)] if lines else []
        parts += [f"<sub>{escape(line)}</sub>" for line in stat_lines(check.stats)]
    if report.not_run:
        parts.append("### Not run\n\n" + _bullets([f"{left.name}: {left.reason}" for left in report.not_run]))
    parts.append("### What this audit cannot tell you\n\n" + _bullets(report.limitations))
    return "\n\n".join([*parts, f"<sub>{escape(report.signature)}</sub>"]) + "\n"


def _bullets(texts: list[str]) -> str:
    return "\n".join(f"- {escape(text)}" for text in texts)
