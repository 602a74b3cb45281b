"""A report as HTML inside the app: the same parts, figures and numbers as the page of `jostle report`."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from jostle.report import Report
from jostle.report.compare import comparison_sections
from jostle.report.model import Comparison
from jostle.report.page import section_fragment, to_fragment
from jostle.report.table_rows import p_value, signed_interval

_SIGNIFICANT = 0.05


def report_html(report: Report, before: str = "") -> str:
    """The report, after other parts; what comes from data is escaped where the parts are made."""
    return f'<div class="report">{before}{to_fragment(report)}</div>'


def comparison_html(comparisons: Sequence[Comparison]) -> str:
    """The comparison in a sentence a group, its tables, and what it cannot tell."""
    said = "".join(_sentence(made) for made in comparisons)
    tables = "".join(section_fragment(section) for section in comparison_sections(comparisons))
    limits = "".join(f"<li>{escape(text)}</li>" for text in comparisons[0].limitations)
    return f"{said}{tables}<h2>What this comparison cannot tell you</h2><section><ul>{limits}</ul></section>"


def _sentence(made: Comparison) -> str:
    """Which file is right more often, as the box that the eye finds first."""
    values = made.values
    change, p = values["accuracy_difference"], values["accuracy_p_value_holm"]
    clear = p < _SIGNIFICANT  # nan, where nothing can be tested, is not clear
    better = made.second if change > 0 else made.first
    title = f"{better} is right more often" if clear else "No clear difference"
    ends = signed_interval(values["accuracy_difference_ci_low"], values["accuracy_difference_ci_high"])
    group = f"<small>{escape(made.group)}</small>" if made.group else ""
    return (
        f'<div class="verdict {"invariant" if clear else "inconclusive"}">{group}<strong>{escape(title)}</strong>'
        f"accuracy {values['accuracy_first']:.3f} in {escape(made.first)}, {values['accuracy_second']:.3f} in "
        f"{escape(made.second)}: {change:+.3f} (95% CI {ends}, p {p_value(p)}) on {values['n_items']} items</div>"
    )
