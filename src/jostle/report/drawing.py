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
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

INK = "#1f2933"
GRID = "#e5e7eb"
LABEL = 2.6  # inches of a name beside a row
SLANTED = 1.6  # inches of a name above a column
_SIZE, _POINTS = 10, 72  # of the labels, and points an inch
_LONGEST = 120  # characters of a name that are looked at
_NO_GLYPH = "Glyph .* missing from font"
_RC = {
    "svg.fonttype": "none",
    "svg.hashsalt": "jostle",
    "font.family": "sans-serif",
    "font.size": _SIZE,
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


def short(name: str, most: float = LABEL) -> str:
    """A name that leaves room for the picture: cut to so many inches; the tables have it whole.

    >>> short("pert/typos"), short("m" * 60, most=0.5)
    ('pert/typos', 'mm…')
    """
    name = " ".join(name.split())
    if _width(name[:_LONGEST]) <= most and len(name) <= _LONGEST:
        return name
    kept = next(k for k in range(min(len(name), _LONGEST), -1, -1) if not k or _width(f"{name[:k]}…") <= most)
    return f"{name[:kept]}…"


def _width(text: str) -> float:
    """Inches that a text takes in the font of the labels."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=_NO_GLYPH)
        points: float = text_to_path.get_text_width_height_descent(text, FontProperties(size=_SIZE), ismath=False)[0]
    return points / _POINTS


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
        warnings.filterwarnings("ignore", message=_NO_GLYPH)
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Title": description})
    text = re.sub(r"<metadata>.*?</metadata>", "", buffer.getvalue(), count=1, flags=re.DOTALL)  # it links out
    return re.sub(r"<svg ", '<svg role="img" ', text[text.index("<svg") :], count=1)
