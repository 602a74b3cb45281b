"""A report as one self-contained page that opens offline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from .figures import ITEMS_SHOWN, accuracy_figure, flip_figure
from .model import VERDICTS, Flip, Report, ordered
from .sections import Section, overview, unparsed_section
from .table_rows import CONDITION_COLUMNS, condition_rows, number_rows


def environment(*packages: str) -> Environment:
    """Templates of these packages, the first that has one; what is put into them is escaped."""
    loader = ChoiceLoader([PackageLoader(name) for name in packages])
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)


def to_html(report: Report) -> str:
    """Render the page. Everything that comes from data or models is escaped; there is no script and no link out."""
    return environment("jostle.report").get_template("report.html").render(_context(report))


def to_fragment(report: Report) -> str:
    """What stands between the tags of the page's `main`, for a page that has its own styles."""
    template = environment("jostle.report").get_template("report.html")
    return "".join(template.blocks["body"](template.new_context(_context(report))))


def section_fragment(section: Section) -> str:
    """A table with its title and legend as HTML, escaped as in the page."""
    macros: Any = environment("jostle.report").get_template("macros.html").module
    return str(macros.tabled(section))


def _context(report: Report) -> dict[str, Any]:
    return {
        "report": report,
        "overview": overview(report),
        "groups": [_group(report, group) for group in report.groups],
        "left_out": [
            (condition, reason, n)
            for condition, reasons in ordered(report.left_out).items()
            for reason, n in sorted(reasons.items(), key=lambda item: -item[1])
        ],
    }


def _group(report: Report, group: str) -> dict[str, Any]:
    drift = report.values("invariance_drift", group)
    rows = condition_rows(report, group)
    flips = report.flips.get(group, [])
    return {
        "name": group,
        "verdict": drift["verdict"],
        "title": VERDICTS[drift["verdict"]],
        "reason": drift["verdict_reason"],
        "summary": report.line(group),
        "columns": CONDITION_COLUMNS[: len(rows[0])] if rows else (),
        "rows": rows,
        "too_few": drift["too_few_items"],
        "numbers": number_rows(report, group),
        "unparsed": unparsed_section(report, group),
        "pairs": report.values("pair_consistency", group),
        "accuracy": Markup(accuracy_figure(report, group)) if rows else "",  # noqa: S704 - drawn here, text escaped
        "heat": Markup(flip_figure(flips, group)) if flips else "",  # noqa: S704
        "flips": _shown(flips),
        "n_flips": report.values("flip_rate", group)["n_flipped"],
    }


def _shown(flips: Sequence[Flip]) -> list[dict[str, Any]]:
    return [
        {"item": flip.item, "text": flip.text, "right": _names(flip, 1), "wrong": _names(flip, 0)}
        for flip in flips[:ITEMS_SHOWN]
    ]


def _names(flip: Flip, state: int) -> list[str]:
    return [name for name, value in ordered(flip.states).items() if value == state]
