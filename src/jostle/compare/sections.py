"""The tables of a comparison, the same in every form."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..measures.ranks import Ranks
from ..report.compare import comparison_sections
from ..report.model import Comparison
from ..report.sections import Section
from ..report.table_rows import number, p_value, signed_interval
from .changed import Changed
from .report import ComparisonReport, sign_of

ITEMS_SHOWN = 5
_STABLE = (("drift", "drift"), ("flip_rate", "flips"))
_WORDS = {1: "is right more often than", -1: "is right less often than", 0: "differs from"}


def headline(made: Comparison) -> str:
    """One comparison in a sentence, with the difference, its interval and its p-value."""
    values, sign = made.values, sign_of(made)
    name = f"{made.second}{f' ({made.group})' if made.group else ''}"
    said = f"{name} {_WORDS[sign]} {made.first}" if sign else f"No clear difference between {name} and {made.first}"
    ends = signed_interval(values["accuracy_difference_ci_low"], values["accuracy_difference_ci_high"])
    return (
        f"{said}: accuracy {number(values['accuracy_second'])} against {number(values['accuracy_first'])}, "
        f"{values['accuracy_difference']:+.3f} (95% CI {ends}, p {p_value(values['accuracy_p_value_holm'])}) on "
        f"{values['n_items']} items"
    )


def sections(report: ComparisonReport) -> list[Section]:
    """All tables: differences, stability, conditions, ranks, items that changed."""
    made = comparison_sections(report.comparisons)
    found = [made[0], *_stability(report.comparisons), *made[1:]]
    if report.ranks is not None:
        found += _ranks(report.ranks)
    return found + [_changed(name, report.names[0], items) for name, items in report.changed.items() if items]


def _stability(comparisons: Sequence[Comparison]) -> list[Section]:
    rows = []
    for made in comparisons:
        name = f"{made.group + ': ' if made.group else ''}{made.first}, {made.second}"
        for key, short in _STABLE:
            values = [made.values[f"{key}_{side}"] for side in ("first", "second", "difference")]
            if not math.isnan(values[2]):
                ends = signed_interval(
                    made.values[f"{key}_difference_ci_low"], made.values[f"{key}_difference_ci_high"]
                )
                p = p_value(made.values[f"{key}_p_value"])
                rows.append([name, short, number(values[0]), number(values[1]), f"{values[2]:+.3f}", ends, p])
                name = ""
    legend = (
        "drift: range of accuracies over the conditions; flips: items not the same in all conditions; both on the "
        "items that both sides have"
    )
    return [Section("Stability", ("", "", "first", "second", "diff.", "95% CI", "p"), rows, legend, left=2)] * bool(
        rows
    )


def _ranks(ranks: Ranks) -> list[Section]:
    order = sorted(range(len(ranks.models)), key=lambda k: (-ranks.accuracy[k], ranks.models[k]))
    rows = [
        [
            ranks.models[k],
            number(float(ranks.accuracy[k])),
            f"{ranks.rank_low[k]:g} to {ranks.rank_high[k]:g}",
            number(float(ranks.chance_best[k])),
        ]
        for k in order
    ]
    tau, one, other = ranks.tau_lowest
    legend = (
        f"on {ranks.n_items} items under {len(ranks.conditions)} conditions that all have; rank: 95 % interval under "
        "resampling; best: share of draws in which the model is best; order of a draw against the one shown: "
        f"Kendall's tau {number(ranks.tau_resampled, 2)}"
    )
    if one:
        legend += (
            f"; between conditions: tau {number(ranks.tau_between_conditions, 2)}, lowest {number(tau, 2)} ({one}, "
            f"{other}), {len(ranks.swapped)} pairs of models change places"
        )
    return [Section("Ranks", ("model", "acc.", "rank", "best"), rows, legend)]


def _changed(name: str, first: str, items: Sequence[Changed]) -> Section:
    lost = [one for one in items if one.change < 0 or (one.change == 0 and one.lost)]
    gained = [one for one in reversed(items) if one.change > 0]
    rows = [
        [way, one.item, ", ".join(conditions), _excerpt(one.text)]
        for way, group in (("lost", lost), ("won", gained))
        for one in group[:ITEMS_SHOWN]
        for conditions in [one.lost if way == "lost" else one.gained]
    ]
    with_text = any(row[3] for row in rows)
    columns = ("", "item", "conditions", "text") if with_text else ("", "item", "conditions")
    shown = rows if with_text else [row[:3] for row in rows]
    legend = f"{len(lost)} items lost, {len(gained)} won from {first} to {name}; those that changed most"
    return Section(f"Items that changed in {name}", columns, shown, legend, left=len(columns))


def _excerpt(text: str, most: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 3]}..."
