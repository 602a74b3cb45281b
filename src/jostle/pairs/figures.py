"""Pictures of a pair report, as SVG text that takes its ink from the page, light or dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..measures.pairs import SIDES
from ..report.drawing import GRID, INK, label_rows, sheet, short, svg

RELATIONS = ("kept", "failed")
OPERATORS_DRAWN = 40
_HUE, _CRITICAL = "#2f7fd0", "#d9480f"  # both readable on white and on the dark card
_DEEPEST = 0.6  # opacity of the largest count: the number on it stays readable in both schemes


@dataclass(frozen=True)
class Rate:
    """One row of the dot-and-bar picture: a rate in [0, 1], its interval, and how many pairs are behind it."""

    name: str
    n: int
    value: float
    low: float
    high: float
    critical: bool = False


def table_figure(table: Mapping[str, Mapping[str, int]]) -> str:
    """Sides x relation: the count in each of the eight cells, deeper where it is larger, and the sums.

    Both sides right with the relation failed cannot occur, and is marked so.
    """
    counts = [[table[side][relation] for relation in RELATIONS] for side in SIDES]
    most = max(max(row) for row in counts) or 1
    with sheet(5.0, 2.8) as (figure, axes):
        for y, row in enumerate(counts):
            for x, count in enumerate(row):
                _cell(axes, x, y, count / most)
                axes.text(x + 0.5, y + 0.5, str(count), ha="center", va="center", fontsize=15, fontweight="bold")
            axes.text(2.35, y + 0.5, str(sum(row)), ha="center", va="center", fontsize=12)
        axes.text(1.5, 0.84, "cannot occur", ha="center", va="center", fontsize=8)
        for x, column in enumerate(zip(*counts, strict=True)):
            axes.text(x + 0.5, 4.3, str(sum(column)), ha="center", va="center", fontsize=12)
        axes.text(2.35, 4.3, str(sum(map(sum, counts))), ha="center", va="center", fontsize=12, fontweight="bold")
        _frame(axes)
        return _themed(svg(figure, "Pairs by which sides are right and whether the relation is kept"))


def _cell(axes: Any, x: int, y: int, share: float) -> None:
    axes.fill([x, x + 1, x + 1, x], [y, y, y + 1, y + 1], color=_HUE, alpha=_DEEPEST * share, linewidth=0)
    axes.plot([x, x + 1, x + 1, x, x], [y, y, y + 1, y + 1, y], color="#9aa5b1", linewidth=1)


def _frame(axes: Any) -> None:
    label_rows(axes, [*(side.replace("_only_", "-only ").replace("_", " ") for side in SIDES), "all"], centre=0.5)
    axes.set_yticks([0.5, 1.5, 2.5, 3.5, 4.3])
    axes.set_xticks([0.5, 1.5, 2.35])
    axes.set_xticklabels(["relation kept", "relation failed", "all"])
    axes.xaxis.tick_top()
    axes.set_xlim(-0.01, 2.7)
    axes.set_ylim(4.6, -0.01)
    axes.tick_params(length=0)
    axes.spines["bottom"].set_visible(False)


def rate_figure(rates: Sequence[Rate], overall: float, axis: str, description: str) -> str:
    """A dot and a bar a row, the overall rate as a dotted line, counts beside the names, critical ones as diamonds.

    The first `OPERATORS_DRAWN` rows are drawn; the table on the page has all of them.
    """
    drawn = rates[:OPERATORS_DRAWN]
    with sheet(6.2, 0.9 + 0.34 * len(drawn)) as (figure, axes):
        for y, rate in enumerate(drawn):
            colour = _CRITICAL if rate.critical else _HUE
            axes.plot([rate.low, rate.high], [y, y], color=colour, linewidth=2.5, solid_capstyle="butt")
            axes.plot(rate.value, y, "D" if rate.critical else "o", color=colour, markersize=7)
        if not math.isnan(overall):
            axes.axvline(overall, color=INK, linewidth=1, linestyle=":")
        label_rows(axes, [_label(rate) for rate in drawn])
        axes.set_xlim(-0.02, 1.02)
        axes.set_ylim(len(drawn) - 0.5, -0.5)
        axes.set_xlabel(axis)
        axes.grid(axis="x", color=GRID)
        axes.set_axisbelow(True)
        return _themed(svg(figure, description))


def _label(rate: Rate) -> str:
    return f"{short(rate.name)} (n={rate.n}{', critical' if rate.critical else ''})"


def _themed(picture: str) -> str:
    """Ink and grid follow the colour scheme of the page."""
    return picture.replace(INK, "currentColor").replace(GRID, "var(--line)")
