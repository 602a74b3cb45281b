"""A report for the terminal: 80 columns, verdict first, limitations always."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ..printable import printable
from .model import VERDICTS, Flip, Report, ordered
from .sections import Section, overview, unparsed_section
from .table_rows import CONDITION_COLUMNS, condition_rows, interval, number, number_rows

STYLES = {"fragile": "bold red", "inconclusive": "bold yellow", "invariant": "bold green", "not_measured": "bold"}
TOP_FLIPS = 5
_MARKS = {1: "+", 0: "-", -1: " "}


def shown(text: str, style: str = "") -> Text:
    """Text of data as it is: no markup is read in it, and control characters are written out."""
    return Text(printable(text), style=style)


def print_report(report: Report, console: Console, brief: bool = False) -> None:
    """Print all groups (`brief`: one line each), the left-out rows, the notes and the limitations."""
    console.print(Text.assemble(("jostle", "bold"), shown(f" {report.source}")))
    if report.warnings:
        console.print(section("Warnings", bullets(report.warnings), style="bold yellow"))
    for one in overview(report):
        print_section(one, console)
    for group in () if brief else report.groups:
        console.print(_group(report, group))
    if brief:
        console.print(section("Verdicts", Group(*(_verdict(report, group) for group in report.groups))))
    if report.left_out:
        console.print(section("Left out or special, by condition", _left_out(report.left_out)))
    if report.notes:
        console.print(section("Notes", bullets(report.notes)))
    console.print(section("What this report cannot tell you", bullets(report.limitations)))
    console.print(shown(f"\n{report.signature}", "dim"), soft_wrap=True)


def print_section(one: Section, console: Console) -> None:
    """Print one table with its title and its legend."""
    console.print(section(one.title, _tabled(one)))


def _verdict(report: Report, group: str) -> Text:
    drift = report.values("invariance_drift", group)
    verdict = Text(f"[{VERDICTS[drift['verdict']]}]", style=STYLES[drift["verdict"]])
    return verdict.append_text(shown(f" {group + ': ' if group else ''}{drift['verdict_reason']}", "default"))


def _group(report: Report, group: str) -> RenderableType:
    parts: list[RenderableType] = [
        Text(),
        _verdict(report, group),
        Text(),
        _conditions(report, group),
        Text(),
        _numbers(report, group),
    ]
    missed = unparsed_section(report, group)
    if missed:
        parts.append(section(missed.title, _tabled(missed)))
    pairs = report.values("pair_consistency", group)
    if pairs["n_pairs"]:
        parts.append(section("Pairs (each variant with its original)", _pairs(pairs)))
    positions = report.values("position_bias", group)
    if positions["accuracy_by_position"]:
        parts.append(section("Answers by position", _positions(positions)))
    flips = report.flips.get(group, [])
    if flips:
        total = report.values("flip_rate", group)["n_flipped"]
        title = f"Items that flip most ({min(TOP_FLIPS, total)} of {total}; + right, - wrong)"
        parts.append(section(title, _top(flips)))
    return Group(*parts)


def section(title: str, body: RenderableType, style: str = "bold") -> RenderableType:
    """A part of a report under its title."""
    return Group(shown(f"\n{title}", style), body)


def table(*columns: str, left: int = 1) -> Table:
    """A plain table with the first `left` columns to the left and the rest to the right."""
    made = Table(box=None, padding=(0, 1, 0, 0), header_style="dim", show_edge=False, pad_edge=False)
    for k, name in enumerate(columns):
        made.add_column(name, justify="left" if k < left else "right", overflow="fold", no_wrap=k >= left)
    return made


def _filled(rows: Sequence[Sequence[str]], *columns: str, left: int = 1) -> Table:
    made = table(*columns, left=left)
    for row in rows:
        add_row(made, row)
    return made


def add_row(made: Table, cells: Sequence[str]) -> None:
    """A row of texts as they are."""
    made.add_row(*(shown(cell) for cell in cells))


def _tabled(one: Section) -> RenderableType:
    return Group(_filled(one.rows, *one.columns, left=one.left), shown(one.legend, "dim"))


_WITHOUT_REFERENCE = 4
_LEGEND = (
    "orig.: the original on the same items; all: over all items, those without the\n"
    "variant as in the original; lost, won: right to wrong, wrong to right"
)


def _conditions(report: Report, group: str) -> RenderableType:
    rows = condition_rows(report, group)
    if not rows:
        return Text("no condition was measured")
    made = _filled(rows, *CONDITION_COLUMNS[: len(rows[0])])
    legend = _LEGEND if len(rows[0]) > _WITHOUT_REFERENCE else ""
    legend += "; p: exact McNemar, Holm" if len(rows[0]) == len(CONDITION_COLUMNS) else ""
    few = report.values("invariance_drift", group)["too_few_items"]
    legend += f"\nnot in the drift, for too few items have them: {', '.join(few)}" if few else ""
    return Group(made, shown(legend, "dim")) if legend else made


def _numbers(report: Report, group: str) -> RenderableType:
    made = _filled(number_rows(report, group), "", "value", "95% CI", "meaning")
    made.columns[-1].justify = "left"
    made.columns[-1].no_wrap = False
    return made


def _pairs(pairs: Mapping[str, Any]) -> RenderableType:
    made = table("", "pairs", "kept", "both right", "95% CI", "one side wrong", "both wrong")
    ends = interval([pairs["pair_accuracy_ci_low"], pairs["pair_accuracy_ci_high"]])
    sides = pairs["table"]
    one = sum(sum(sides[name].values()) for name in ("base_only_error", "edited_only_error"))
    both = sum(sides["both_wrong"].values())
    made.add_row(
        "all", str(pairs["n_pairs"]), number(pairs["relation_accuracy"]), number(pairs["pair_accuracy"]), ends,
        str(one), str(both),
    )  # fmt: skip
    made.add_row("gold changes", str(pairs["n_sensitivity"]), number(pairs["sensitivity_accuracy"]))
    made.add_row("gold stays", str(pairs["n_invariance"]), number(pairs["invariance_accuracy"]))
    return made


def _positions(values: Mapping[str, Any]) -> RenderableType:
    """Accuracy where the gold option stands at each place, and how often the place is chosen."""
    made = table("position", "gold here", "accuracy", "answers here")
    for place in sorted({*values["gold_share_by_position"], *values["answer_share_by_position"]}):
        shares = [values[f"{name}_by_position"].get(place, 0.0) for name in ("gold_share", "answer_share")]
        accuracy = values["accuracy_by_position"].get(place, math.nan)
        add_row(made, [place, number(shares[0]), number(accuracy), number(shares[1])])
    return made


def _top(flips: Sequence[Flip]) -> RenderableType:
    names = list(ordered({name: 0 for flip in flips for name in flip.states}))
    lines: list[RenderableType] = []
    for flip in flips[:TOP_FLIPS]:
        lines.append(shown(f"{flip.item}: {flip.text}" if flip.text else flip.item))
        for mark in (1, 0):
            hit = [name for name in names if flip.states.get(name, -1) == mark]
            line = shown(f"{_MARKS[mark]} {', '.join(hit)}", "green" if mark else "red")
            lines.append(Padding(line, (0, 0, 0, 2)))
    return Group(*lines)


def _left_out(counts: Mapping[str, Mapping[str, int]]) -> RenderableType:
    made = table("condition", "reason", "rows", left=2)
    for condition, reasons in ordered(counts).items():
        for reason, n in sorted(reasons.items(), key=lambda item: -item[1]):
            add_row(made, [condition, reason, str(n)])
    return made


def bullets(texts: Sequence[str]) -> RenderableType:
    """Texts as a list."""
    made = Table.grid(padding=(0, 1, 0, 0))
    for text in texts:
        made.add_row("-", shown(text))
    return made
