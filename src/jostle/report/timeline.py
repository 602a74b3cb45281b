"""Drift, flips and R over dates, as a picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .drawing import GRID, sheet, short, svg

if TYPE_CHECKING:
    from ..history import Entry

_LINES = (
    ("max_drift", "drift_ci_low", "drift_ci_high", "drift"),
    ("flip_rate", "flip_rate_ci_low", "flip_rate_ci_high", "flip rate"),
    ("robustness_ratio", "robustness_ratio_ci_low", "robustness_ratio_ci_high", "robustness ratio"),
)
_COLOURS = ("#0f5e9c", "#b42318", "#11734b", "#5b21b6", "#8a5a00", "#475569")


def timeline_figures(entries: Sequence[Entry]) -> list[str]:
    """One picture for each of drift, flip rate and R that is defined somewhere; a line for each group."""
    made = []
    for key, low, high, title in _LINES:
        known = [one for one in entries if not math.isnan(one.values.get(key, math.nan))]
        if known:
            made.append(_figure(known, (key, low, high), title))
    return made


def _figure(entries: Sequence[Entry], keys: tuple[str, str, str], title: str) -> str:
    groups = list(dict.fromkeys(one.group for one in entries))
    with sheet(7.2, 2.6) as (figure, axes):
        for k, group in enumerate(groups):
            own = [one for one in entries if one.group == group]
            _line(axes, own, keys, _COLOURS[k % len(_COLOURS)], short(group) if group else "")
        axes.set_ylabel(title)
        axes.grid(axis="y", color=GRID)
        axes.margins(x=0.05)
        figure.autofmt_xdate(rotation=30)
        if len(groups) > 1:
            axes.legend(frameon=False, fontsize=8)
        return svg(figure, f"{title} over time, with 95 % intervals")


def _line(axes: Any, own: Sequence[Entry], keys: tuple[str, str, str], colour: str, label: str) -> None:
    dates = [one.date for one in own]
    middle, low, high = ([one.values[key] for one in own] for key in keys)
    axes.plot(dates, middle, "o-", color=colour, label=label or None, markersize=5)
    axes.vlines(dates, low, high, color=colour, linewidth=1.5, alpha=0.6)
