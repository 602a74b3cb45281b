"""Tables that put groups, decodings and unparsed answers side by side, the same in every form of the report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .model import Comparison, Report, ordered
from .table_rows import interval, number, p_value, signed_interval

_KINDS = ("orig", "para", "pert", "adv")


@dataclass(frozen=True)
class Section:
    """A table with its title and what its columns mean; the first `left` columns are text."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    legend: str
    left: int = 1


def overview(report: Report) -> list[Section]:
    """The groups side by side where there are several, and the decodings compared."""
    found = []
    if len(report.groups) > 1:
        found += [*_robustness(report), *_answers(report)]
    if report.comparisons:
        found.append(comparison_section("Decodings compared", report.comparisons))
    return found


def _robustness(report: Report) -> list[Section]:
    """Accuracy by kind and R of every group; nothing where no condition is of a kind, as with orders alone."""
    rows = []
    for group in report.groups:
        ratio = report.values("robustness_ratio", group)
        ends = interval([ratio["robustness_ratio_ci_low"], ratio["robustness_ratio_ci_high"]], digits=2)
        accuracies = [number(ratio[f"accuracy_{kind}"], 2) for kind in _KINDS]
        above = number(ratio["robustness_ratio_above_chance"], 2)
        rows.append([_short(group), *accuracies, number(ratio["robustness_ratio"], 2), ends, above])
    if all(cell == "-" for _, *cells in rows for cell in cells):
        return []
    return [
        Section(
            "Robustness by group",
            ("", *(f"A_{kind}" for kind in _KINDS), "R", "95% CI", "above chance"),
            rows,
            "R: accuracy on variants over accuracy on originals; above chance: the same above the majority class",
        )
    ]


def _answers(report: Report) -> list[Section]:
    rows = []
    told = False
    for group in report.groups:
        ratio, drift = report.values("robustness_ratio", group), report.values("invariance_drift", group)
        share = drift["n_unparsed"] / drift["n_scored"] if drift["n_scored"] else math.nan
        counts = [str(ratio["n_matched"]), str(ratio["n_ties"]), str(drift["n_unparsed"])]
        rows.append([_short(group), *counts, number(share), number(drift["noise_floor"])])
        told |= bool(ratio["n_matched"] or drift["n_unparsed"]) or not math.isnan(drift["noise_floor"])
    if not told:
        return []
    return [
        Section(
            "Answers by group",
            ("", "matched items", "ties", "unparsed", "share", "noise floor"),
            rows,
            "matched items: those behind R; ties: between the answers with most votes; noise floor: disagreement "
            "between samples of one condition, - if not sampled",
        )
    ]


def comparison_section(title: str, comparisons: Sequence[Comparison]) -> Section:
    """Accuracy and R of both sides of every comparison, with the difference."""
    rows = []
    for made in comparisons:
        name = f"{_short(made.group) + ': ' if made.group else ''}{made.first}, {made.second}"
        rows.append([name, *_difference(made, "accuracy", "acc.", made.values["n_items"])])
        if not made.values["robustness_ratio_undefined_reason"]:
            rows.append(["", *_difference(made, "robustness_ratio", "R", made.values["n_matched"])])
    lone = sum(made.values[f"n_unmatched_{side}"] for made in comparisons for side in ("first", "second"))
    return Section(
        title,
        ("", "", "items", "first", "second", "diff.", "95% CI", "p", "Holm"),
        rows,
        "second minus first, on the same items and variants; acc.: mean of the samples, R: their majority; p: "
        "bootstrap over families, studentised; Holm: over these comparisons"
        + (f"; left out: {lone} items under a condition that only one side has" if lone else ""),
        left=2,
    )


def _difference(made: Comparison, key: str, name: str, n: int) -> list[str]:
    values = made.values
    sides = [number(values[f"{key}_{side}"]) for side in ("first", "second")]
    estimate = values[f"{key}_difference"]
    ends = signed_interval(values[f"{key}_difference_ci_low"], values[f"{key}_difference_ci_high"])
    tests = [p_value(values[f"{key}_p_value{holm}"]) for holm in ("", "_holm")]
    return [name, str(n), *sides, "-" if math.isnan(estimate) else f"{estimate:+.3f}", ends, *tests]


def unparsed_section(report: Report, group: str) -> Section | None:
    """Unparsed answers by condition, beside the reference on the same items; nothing where all were read."""
    values = report.values("unparsed_rate", group)
    if not values["n_unparsed"]:
        return None
    columns = ("condition", "answers", "unparsed", "share", "95% CI", "compared", "p")
    rows = []
    for name, share in ordered(values["unparsed_rate_by_condition"]).items():
        row = [name, *(str(values[f"{key}_by_condition"][name]) for key in ("n", "n_unparsed")), number(share)]
        row.append(interval(values["unparsed_rate_ci_by_condition"][name], digits=2))
        compared = name in values["compared_rate_by_condition"]
        row += [number(values["compared_rate_by_condition"][name])] if compared else [""]
        row += [p_value(values["p_value_holm_by_condition"][name])] if compared else [""]
        rows.append(row)
    return Section(
        "Unparsed answers by condition",
        columns,
        rows,
        f"compared: share under {values['reference'] or 'the other conditions'} on the same items; p: bootstrap over "
        "families, studentised, Holm over the conditions of all groups",
    )


def _short(group: str) -> str:
    return group.replace("task=", "").replace("decoding=", "")
