"""What every picture of a report shares: a sheet to draw on, its style, labelled rows, and inline SVG."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

INK = "#1f2933"
GRID = "#e5e7eb"
_RC = {
    "svg.fonttype": "none",
    "svg.hashsalt": "jostle",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.edgecolor": "#9aa5b1",
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


@contextmanager
def sheet(width: float, height: float) -> Iterator[tuple[Figure, Any]]:
    """A figure of so many inches and its axes, in the style of the report while the block lasts."""
    with mpl.rc_context(_RC):
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure, figure.add_subplot()


def label_rows(axes: Any, labels: Sequence[str], centre: float = 0.0) -> None:
    """Rows from the top down, one label each, as plain text."""
    axes.set_yticks([k + centre for k in range(len(labels))])
    axes.set_yticklabels(labels, parse_math=False)
    axes.invert_yaxis()
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)


def svg(figure: Figure, description: str) -> str:
    """Inline SVG with a description for readers that cannot see it."""
    buffer = io.StringIO()
    with warnings.catch_warnings():
        # Text stays text in the SVG, so the reader's browser has the last word on fonts.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Title": description})
    text = re.sub(r"<metadata>.*?</metadata>", "", buffer.getvalue(), count=1, flags=re.DOTALL)  # it links out
    return re.sub(r"<svg ", '<svg role="img" ', text[text.index("<svg") :], count=1)
