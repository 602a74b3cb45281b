"""A pair report as one self-contained page that opens offline."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from ..report.page import environment
from ..report.sections import Section
from ..report.table_rows import interval, number
from .decide import NOT_MEASURED, TRIPPED
from .failures import CALLS_FOR, TITLES
from .figures import OPERATORS_DRAWN, Rate, rate_figure, table_figure
from .marks import CUT, marked
from .report import ALL_LIMITATIONS, FailingPair, PairReport
from .rows import PairRow
from .sections import accuracy, confidence, counters, critical_operators, failure_rows, families, operators

ACCURACIES: Mapping[str, str] = {
    "pair": "both sides right",
    "relation": "the answers change just where the gold does",
    "side": "right answers, each side by itself",
}
_KINDS: Mapping[str, str] = {"sensitivity": "gold changes", "invariance": "gold stays"}
_APART = "Relation accuracy where the gold changes and where it stays"
_AXIS = "relation accuracy, with 95 % interval"


def to_html(report: PairReport, show: int = 10, gate: Sequence[str] = ()) -> str:
    """Render the page.

    Args:
        report: What was measured.
        show: Most failing pairs shown; the rest are counted.
        gate: The gate's rulings, a line each.

    Everything that comes from data or models is escaped; there is no script and no link out.
    """
    return (
        environment("jostle.pairs", "jostle.report")
        .get_template("pairs.html")
        .render(
            report=report,
            values=report.values,
            gate=gate,
            **_headline(report, gate),
            measured=_measured(report, show) if len(report.data) else None,
            notes=[*report.pairs.describe(), *report.pairs.notes],
            limitations=ALL_LIMITATIONS,
        )
    )


def _headline(report: PairReport, gate: Sequence[str]) -> dict[str, str]:
    """Title, what is beside it, and the colour it is said in."""
    v = report.values
    n_critical = int((report.critical_pairs & report.outcomes.failing).sum())
    reason = f"{v['n_pairs']} pairs in {v['n_families']} families"
    reason += f"; {n_critical} of the failing ones are critical" if n_critical else ""
    if report.incomplete:
        return {"title": "NOT MEASURED", "reason": report.incomplete[0], "colour": "inconclusive"}
    title = f"{v['n_failures']} of {v['n_pairs']} pairs fail"
    if not gate:
        return {"title": title, "reason": reason, "colour": ""}
    for status, colour in ((NOT_MEASURED, "inconclusive"), (TRIPPED, "fragile")):
        hit = sum(line.startswith(f"{status}:") for line in gate)
        if hit:
            said = f"GATE: {status.upper()}"
            return {"title": said, "reason": f"{hit} of {len(gate)} rules; {title}; {reason}", "colour": colour}
    return {"title": "GATE: PASSED", "reason": f"{len(gate)} rules; {title}; {reason}", "colour": "invariant"}


def _measured(report: PairReport, show: int) -> dict[str, Any]:
    v = report.values
    many = report.data.has_families and v["n_families"] > 1
    columns = ("failure type", "pairs", "usually calls for")
    kinds = [_rate(v, f"{key}_accuracy", title, v[f"n_{key}"]) for key, title in _KINDS.items()]
    own = _operators(report)
    return {
        "tiles": [_tile(v, name, meaning) for name, meaning in ACCURACIES.items()],
        "table": _drawn(table_figure(v["table"])),
        "counters": counters(report),
        "kinds": _drawn(rate_figure(kinds, math.nan, _AXIS, _APART)) if all(kind.n for kind in kinds) else "",
        "accuracy": accuracy(report),
        "operator_figure": _drawn(rate_figure(own, v["relation_accuracy"], _AXIS, "Relation accuracy by operator")),
        "n_undrawn": max(0, len(own) - OPERATORS_DRAWN),
        "operators": operators(report),
        "families": families(report) if many else None,
        "confidence": confidence(report),
        "failure_types": Section("What fails, and what it usually calls for", columns, failure_rows(report), ""),
        "failing": [_card(pair) for pair in report.failing(show)],
    }


def _drawn(picture: str) -> Markup:
    return Markup(picture)  # noqa: S704 - drawn here, text escaped


def _tile(values: Mapping[str, Any], name: str, meaning: str) -> dict[str, str]:
    key = f"{name}_accuracy"
    ends = interval([values[f"{key}_ci_low"], values[f"{key}_ci_high"]])
    return {"name": f"{name} accuracy", "value": number(values[key]), "ends": ends, "meaning": meaning}


def _rate(values: Mapping[str, Any], key: str, title: str, n: int, critical: bool = False) -> Rate:
    return Rate(title, n, values[key], values[f"{key}_ci_low"], values[f"{key}_ci_high"], critical)


def _operators(report: PairReport) -> list[Rate]:
    """In the order of the table: critical ones first, then those with the lowest pair accuracy."""
    by, critical = report.values["by_operator"], critical_operators(report)
    order = sorted(by, key=lambda name: (name not in critical, by[name]["pair_accuracy"], name))
    return [
        _rate(by[name], "relation_accuracy", name or "(not stated)", by[name]["n_pairs"], name in critical)
        for name in order
    ]


def _card(pair: FailingPair) -> dict[str, Any]:
    """One failing pair: its edit, golds and answers, and what else the file says of it."""
    row = pair.row
    edit = marked(row.base_text, row.edited_text) if row.base_text and row.edited_text else []
    sides = [
        _side(name, row, getattr(row, f"{name}_prediction"), getattr(row, f"{name}_abstained"))
        for name in ("base", "edited")
    ]
    return {
        "row": row,
        "critical": pair.critical,
        "title": TITLES[pair.kind],
        "calls_for": CALLS_FOR[pair.kind],
        "relation": pair.relation,
        "edit": edit,
        "whole": any(piece.kind == CUT for piece in edit),
        "sides": sides,
        "evidence": {name: _text(value) for name, value in row.evidence.items()},
    }


def _side(name: str, row: PairRow, said: str | None, abstained: bool) -> dict[str, str]:
    gold, confidence = getattr(row, f"{name}_label"), getattr(row, f"{name}_confidence")
    silent = abstained or said is None
    answer = "no answer" if said is None else f"{said} (abstained)" if abstained else said
    return {
        "name": name,
        "gold": gold,
        "answer": answer,
        "confidence": "-" if confidence is None else number(confidence),
        "verdict": "no answer" if silent else "right" if said == gold else "wrong",
    }


def _text(value: Any) -> str:
    """A value of any make: passages one below the other, the rest as JSON."""
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return "\n\n".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1, default=str)
