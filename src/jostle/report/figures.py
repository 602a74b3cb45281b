"""Pictures of a report, as SVG text."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.colors import ListedColormap

from .drawing import GRID, SLANTED, label_rows, sheet, short, svg
from .model import Flip, Report, ordered

ITEMS_SHOWN = 40
_ORIGINAL, _VARIANT = "#5b21b6", "#0f5e9c"
_STATES = ListedColormap(["#e5e7eb", "#b42318", "#9fd3b6"])  # absent, wrong, right


def accuracy_figure(report: Report, group: str) -> str:
    """Accuracy of every condition with its 95 % interval; the original as a line to compare with."""
    drift = report.values("invariance_drift", group)
    accuracy = ordered(drift["accuracy_by_condition"])
    with sheet(7.2, 0.9 + 0.34 * len(accuracy)) as (figure, axes):
        for row, (name, value) in enumerate(accuracy.items()):
            low, high = drift["accuracy_ci_by_condition"][name]
            colour = _ORIGINAL if name == "orig" else _VARIANT
            axes.plot([low, high], [row, row], color=colour, linewidth=2, solid_capstyle="butt")
            axes.plot(value, row, "o", color=colour, markersize=7)
        if "orig" in accuracy:
            axes.axvline(accuracy["orig"], color=_ORIGINAL, linewidth=1, linestyle=":")
        label_rows(axes, [f"{short(name)} (n={drift['n_by_condition'][name]})" for name in accuracy])
        axes.set_xlabel("accuracy, with 95 % interval")
        axes.grid(axis="x", color=GRID)
        return svg(figure, f"Accuracy by condition with intervals{_of(group)}")


def flip_figure(flips: Sequence[Flip], group: str) -> str:
    """Item x condition for the items that flip most: right, wrong or absent."""
    shown = flips[:ITEMS_SHOWN]
    names = list(ordered({name: 0 for flip in shown for name in flip.states}))
    cells = [[flip.states.get(name, -1) + 1 for name in names] for flip in shown]
    with sheet(7.2, 1.6 + 0.22 * len(shown)) as (figure, axes):
        axes.pcolormesh(cells, cmap=_STATES, vmin=-0.5, vmax=2.5, edgecolors="white", linewidth=1.5)
        label_rows(axes, [short(flip.item) for flip in shown], centre=0.5)
        axes.set_xticks([k + 0.5 for k in range(len(names))])
        axes.set_xticklabels([short(name, SLANTED) for name in names], rotation=35, ha="left", parse_math=False)
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        return svg(figure, f"Outcome of the items that flip most, by condition{_of(group)}")


def _of(group: str) -> str:
    return f" of {group}" if group else ""
