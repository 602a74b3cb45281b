"""The verdict's own tables as rows of text, the same for the terminal, Markdown and the page."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .model import Report, ordered

CONDITION_COLUMNS = ("condition", "items", "acc.", "95% CI", "orig.", "all", "flips", "lost", "won", "p")
_WAYS = ("right_to_wrong", "wrong_to_right")


def number(value: float, digits: int = 3) -> str:
    """A number, or a dash where it is undefined."""
    return "-" if isinstance(value, float) and math.isnan(value) else f"{value:.{digits}f}"


def p_value(p: float) -> str:
    """A p-value, never printed as 0."""
    return "<.001" if p < 0.001 else number(p)  # noqa: PLR2004 - the last digit shown


def interval(ends: Sequence[float], digits: int = 3) -> str:
    """Both ends of an interval."""
    return "-" if math.isnan(ends[0]) else f"{ends[0]:.{digits}f}-{ends[1]:.{digits}f}"


def signed_interval(low: float, high: float) -> str:
    """Both ends of the interval of a difference."""
    return "-" if math.isnan(low) else f"{low:+.2f} to {high:+.2f}"


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
