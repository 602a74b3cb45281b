"""A report for the terminal: 80 columns, verdict first, limitations always."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .model import VERDICTS, Flip, Report, ordered

STYLES = {"fragile": "bold red", "inconclusive": "bold yellow", "invariant": "bold green", "not_measured": "bold"}
TOP_FLIPS = 5
_MARKS = {1: "+", 0: "-", -1: " "}


def print_report(report: Report, console: Console) -> None:
    """Print all groups, the left-out rows, the notes and the limitations."""
    console.print(Text.assemble(("jostle", "bold"), f" {report.source}"))
    if len(report.groups) > 1:
        console.print(_section("Robustness by group", _protocol(report)))
    for group in report.groups:
        console.print(_group(report, group))
    if report.left_out:
        console.print(_section("Left out or special, by condition", _left_out(report.left_out)))
    if report.notes:
        console.print(_section("Notes", _bullets(report.notes)))
    console.print(_section("What this report cannot tell you", _bullets(report.limitations)))
    console.print(Text(f"\n{report.signature}", style="dim"), soft_wrap=True)


def _group(report: Report, group: str) -> RenderableType:
    drift = report.values("invariance_drift", group)
    verdict = Text(f"\n[{VERDICTS[drift['verdict']]}]", style=STYLES[drift["verdict"]])
    verdict.append(f" {group + ': ' if group else ''}{drift['verdict_reason']}", style="default")
    parts: list[RenderableType] = [verdict, Text(), _conditions(report, group), Text(), _numbers(report, group)]
    pairs = report.values("pair_consistency", group)
    if pairs["n_pairs"]:
        parts.append(_section("Pairs (each variant with its original)", _pairs(pairs)))
    positions = report.values("position_bias", group)
    if positions["accuracy_by_position"]:
        parts.append(_section("Answers by position", _positions(positions)))
    flips = report.flips.get(group, [])
    if flips:
        total = report.values("flip_rate", group)["n_flipped"]
        title = f"Items that flip most ({min(TOP_FLIPS, total)} of {total}; + right, - wrong)"
        parts.append(_section(title, _top(flips)))
    return Group(*parts)


def _section(title: str, body: RenderableType) -> RenderableType:
    return Group(Text(f"\n{title}", style="bold"), body)


def table(*columns: str, left: int = 1) -> Table:
    """A plain table with the first `left` columns to the left and the rest to the right."""
    made = Table(box=None, padding=(0, 1, 0, 0), header_style="dim", show_edge=False, pad_edge=False)
    for k, name in enumerate(columns):
        made.add_column(name, justify="left" if k < left else "right", overflow="fold", no_wrap=k >= left)
    return made


def number(value: float, digits: int = 3) -> str:
    """A number, or a dash where it is undefined."""
    return "-" if isinstance(value, float) and math.isnan(value) else f"{value:.{digits}f}"


def p_value(p: float) -> str:
    """A p-value, never printed as 0."""
    return "<.001" if p < 0.001 else number(p)  # noqa: PLR2004 - the last digit shown


def interval(ends: Sequence[float], digits: int = 3) -> str:
    """Both ends of an interval."""
    return "-" if math.isnan(ends[0]) else f"{ends[0]:.{digits}f}-{ends[1]:.{digits}f}"


def condition_rows(report: Report, group: str) -> list[list[str]]:
    """One row per condition: name, items, accuracy, interval, reference on the same items, flips, lost, gained, p."""
    drift, flips = report.values("invariance_drift", group), report.values("flip_rate", group)
    before, rate = drift["reference_accuracy_by_condition"], flips["flip_rate_by_condition"]
    tested = not all(math.isnan(p) for p in flips["p_value_holm_by_condition"].values())
    rows = []
    for name, accuracy in ordered(drift["accuracy_by_condition"]).items():
        row = [name, str(drift["n_by_condition"][name]), number(accuracy)]
        row += [interval(drift["accuracy_ci_by_condition"][name], digits=2)]  # so that the table fits 80 columns
        if rate:
            compared = name in rate
            full = drift["full_set_accuracy_by_condition"][name]
            row += [number(value) if compared else "" for value in (before[name], full, rate.get(name, math.nan))]
            row += [str(flips[f"{way}_by_condition"][name]) if compared else "" for way in _WAYS]
            row += [p_value(flips["p_value_holm_by_condition"][name]) if compared else ""] if tested else []
        rows.append(row)
    return rows


_WAYS = ("right_to_wrong", "wrong_to_right")
_WITHOUT_REFERENCE = 4
_LEGEND = (
    "orig.: the original on the same items; all: over all items, those without the\n"
    "variant as in the original; lost, won: right to wrong, wrong to right"
)
CONDITION_COLUMNS = ("condition", "items", "acc.", "95% CI", "orig.", "all", "flips", "lost", "won", "p")


def _conditions(report: Report, group: str) -> RenderableType:
    rows = condition_rows(report, group)
    if not rows:
        return Text("no condition was measured")
    made = table(*CONDITION_COLUMNS[: len(rows[0])])
    for row in rows:
        made.add_row(*row)
    legend = _LEGEND if len(rows[0]) > _WITHOUT_REFERENCE else ""
    legend += "; p: exact McNemar, Holm" if len(rows[0]) == len(CONDITION_COLUMNS) else ""
    few = report.values("invariance_drift", group)["too_few_items"]
    legend += f"\nnot in the drift, for too few items have them: {', '.join(few)}" if few else ""
    return Group(made, Text(legend, style="dim")) if legend else made


def number_rows(report: Report, group: str) -> list[tuple[str, str, str, str]]:
    """Name, value, interval and meaning of the headline numbers."""
    drift, flips = report.values("invariance_drift", group), report.values("flip_rate", group)
    ratio = report.values("robustness_ratio", group)
    ends = [drift["drift_ci_low"], drift["drift_ci_high"]]
    needed = drift["items_needed"]
    matched = ratio["undefined_reason"] or f"variants / originals, {ratio['n_matched']} matched items"
    rows = [
        ("drift", number(drift["max_drift"]), interval(ends), "largest accuracy difference"),
        ("  without effect", number(drift["expected_drift_null"]), "", "what drift would be by chance alone"),
        ("  p-value", p_value(drift["p_value"]), "", "that no two conditions differ"),
        ("flip rate", number(flips["flip_rate"]), interval([flips["flip_rate_ci_low"], flips["flip_rate_ci_high"]]),
         "items not the same in all conditions"),
        ("  of answers", number(flips["answer_flip_rate"]), "", "the same, on the answer given"),
        ("  mean pairwise", number(flips["mean_pairwise_flip"]), "", "items that differ between two conditions"),
        ("  noise floor", number(drift["noise_floor"]), "", "between samples; - if not sampled"),
        ("worst case", number(flips["worst_case_accuracy"]), "", "accuracy: right in every condition"),
        ("robustness ratio", number(ratio["robustness_ratio"]),
         interval([ratio["robustness_ratio_ci_low"], ratio["robustness_ratio_ci_high"]]), matched),
        *([] if ratio["undefined_reason"] else [
            ("  above chance", number(ratio["robustness_ratio_above_chance"]), "", "the same above the majority class"),
        ]),
        ("items needed", number(needed, 0), "", "for INVARIANT, 80 % power, if drift is 0"),
    ]  # fmt: skip
    return rows


def _numbers(report: Report, group: str) -> RenderableType:
    made = table("", "value", "95% CI", "meaning")
    made.columns[-1].justify = "left"
    made.columns[-1].no_wrap = False
    for row in number_rows(report, group):
        made.add_row(*row)
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


def _protocol(report: Report) -> RenderableType:
    """The robustness ratio of every task, model and decoding, one row each."""
    made = table("", "A_orig", "A_para", "A_pert", "A_adv", "R", "95% CI", "ties", "unparsed")
    for group in report.groups:
        ratio, drift = report.values("robustness_ratio", group), report.values("invariance_drift", group)
        accuracies = [number(ratio[f"accuracy_{kind}"], 2) for kind in ("orig", "para", "pert", "adv")]
        ends = interval([ratio["robustness_ratio_ci_low"], ratio["robustness_ratio_ci_high"]], digits=2)
        name = group.replace("task=", "").replace("decoding=", "")
        made.add_row(name, *accuracies, number(ratio["robustness_ratio"], 2), ends, str(ratio["n_ties"]),
                     str(drift["n_unparsed"]))  # fmt: skip
    return made


def _positions(values: Mapping[str, Any]) -> RenderableType:
    """Accuracy where the gold option stands at each place, and how often the place is chosen."""
    made = table("position", "gold here", "accuracy", "answers here")
    for place in sorted({*values["gold_share_by_position"], *values["answer_share_by_position"]}):
        shares = [values[f"{name}_by_position"].get(place, 0.0) for name in ("gold_share", "answer_share")]
        accuracy = values["accuracy_by_position"].get(place, math.nan)
        made.add_row(place, number(shares[0]), number(accuracy), number(shares[1]))
    return made


def _top(flips: Sequence[Flip]) -> RenderableType:
    names = list(ordered({name: 0 for flip in flips for name in flip.states}))
    lines: list[RenderableType] = []
    for flip in flips[:TOP_FLIPS]:
        lines.append(Text(f"{flip.item}: {flip.text}" if flip.text else flip.item))
        for mark in (1, 0):
            hit = [name for name in names if flip.states.get(name, -1) == mark]
            lines.append(
                Padding(Text(f"{_MARKS[mark]} {', '.join(hit)}", style="green" if mark else "red"), (0, 0, 0, 2))
            )
    return Group(*lines)


def _left_out(counts: Mapping[str, Mapping[str, int]]) -> RenderableType:
    made = table("condition", "reason", "rows", left=2)
    for condition, reasons in ordered(counts).items():
        for reason, n in sorted(reasons.items(), key=lambda item: -item[1]):
            made.add_row(condition, reason, str(n))
    return made


def _bullets(texts: Sequence[str]) -> RenderableType:
    made = Table.grid(padding=(0, 1, 0, 0))
    for text in texts:
        made.add_row("-", Text(text))
    return made
