"""The page of an evaluate module as a Hub Space: a table in, the numbers out, and the metric card below.

Each folder of `metrics/` holds a link to this file, and a published folder a copy, where jostle is not installed: so
it imports nothing of jostle, and its errors are those of the modules.
"""

from __future__ import annotations

import csv
import io
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"  # read when gradio is imported

import evaluate
import gradio as gr

ROWS = 20_000
VALUES = 100  # a comparison of every pair of conditions takes memory with the square of their number
CHARACTERS = 5_000_000
GROUPS = ("tasks", "models", "decodings")
ELSEWHERE = "Load the module with evaluate on your own machine: it has no such limit."
EXAMPLE = """item_ids,conditions,references,predictions,relations
film,orig,positive,positive,
film,para/contractions,positive,positive,invariant
film,pert/typos,positive,negative,invariant
film,adv/distractor,positive,negative,invariant
film,edit/negation,negative,negative,changed
plot,orig,negative,negative,
plot,para/contractions,negative,negative,invariant
plot,pert/typos,negative,negative,invariant
plot,adv/distractor,negative,negative,invariant
plot,edit/negation,positive,negative,changed
cast,orig,positive,positive,
cast,para/contractions,positive,negative,invariant
cast,pert/typos,positive,positive,invariant
cast,adv/distractor,positive,,invariant
"""
ABOUT = """One row per item and condition, with the columns `predictions`, `references`, `item_ids` and `conditions` \
(`orig`, `para/...`, `pert/...`, `adv/...`) and any of the optional columns of the card below. The first line names \
the columns; cells are separated by commas or tabs; an empty cell is no value. Messages count rows from 0."""
EMPTY = "<p>The numbers will stand here.</p>"
CSS = """
#numbers table { width: 100%; }
#numbers th, #numbers td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; }
#numbers table, #numbers tr, #numbers th, #numbers td { border-inline: 0; border-color: var(--border-color-primary); }
#numbers td { min-width: 5rem; overflow-wrap: anywhere; }
#numbers th { font: 500 .85rem var(--font-mono); }
#numbers tr.first td { font-weight: 700; font-size: 1.25rem; }
#numbers .scroll { overflow-x: auto; }
#card .token { color: var(--body-text-color) !important; }
#card pre, #card pre code { white-space: pre-wrap !important; overflow-wrap: anywhere; }
#card th, #card td { padding: .3rem; vertical-align: top; word-break: normal; overflow-wrap: break-word; }
"""
MISSING = "Items that lack a condition: refuse them, drop them, or compare each condition with the reference"
SETTINGS: Mapping[str, tuple[Callable[..., Any], Mapping[str, Any]]] = {  # options that a page may offer
    "missing": (gr.Radio, {"value": "error", "choices": ["error", "intersect", "pairwise"], "info": MISSING}),
    "reference": (gr.Textbox, {"max_lines": 1, "info": "Condition that others are compared with; empty: orig"}),
    "tolerance": (gr.Number, {"value": 0.03, "info": "Accuracy difference that would matter"}),
    "seed": (gr.Number, {"value": 0, "precision": 0, "minimum": 0, "info": "Seed of the bootstrap"}),
}


def read_table(text: str) -> dict[str, list[str | None]]:
    """The columns of a csv or tsv table as text, empty cells as None.

    Args:
        text: A line of column names and a line for each row; tabs separate cells where the first line has one.

    Raises:
        ValueError: Nothing to read, a repeated column, too many rows, or a line that does not fit the first.

    >>> read_table("item_ids,predictions\\n1,yes\\n2,\\n")
    {'item_ids': ['1', '2'], 'predictions': ['yes', None]}
    """
    if len(text) > CHARACTERS:
        raise ValueError(f"Expected at most {CHARACTERS:,} characters, but got {len(text):,}. {ELSEWHERE}")
    csv.field_size_limit(CHARACTERS)
    text = text.lstrip("\r\n")
    delimiter = "\t" if "\t" in text.split("\n", 1)[0] else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        names = _names(next(reader, []))
        rows = [_cells(cells, names, reader.line_num) for cells in reader if any(cells)]
    except csv.Error as error:
        raise ValueError(f"Expected a csv or tsv table, but line {reader.line_num} is not: {error}.") from None
    columns = {name: [row[k] for row in rows] for k, name in enumerate(names)}
    groups = zip(*(columns[name] for name in GROUPS if name in columns), strict=True)
    for what, count, most in (
        ("rows", len(rows), ROWS),
        ("conditions", len(set(columns.get("conditions", ()))), VALUES),
        ("combinations of task, model and decoding", len(set(groups)), VALUES),
    ):
        if count > most:
            raise ValueError(f"Expected at most {most:,} {what}, but got {count:,}. {ELSEWHERE}")
    return columns


def _names(header: list[str]) -> list[str]:
    if not any(header):
        raise ValueError("Expected a table, but got nothing. Paste one, upload a file, or press Example.")
    repeated = sorted({name for name in header if header.count(name) > 1})
    if repeated:
        raise ValueError(f"Expected distinct column names, but got {repeated[0]!r} more than once. Rename one.")
    return header


def _cells(cells: list[str], names: list[str], line: int) -> list[str | None]:
    if len(cells) != len(names):
        raise ValueError(
            f"Expected {len(names)} cells, but line {line} has {len(cells)}. Quote cells that hold commas."
        )
    return [cell or None for cell in cells]


def typed(columns: Mapping[str, list[str | None]]) -> dict[str, Any]:
    """The columns with labels that are numbers as numbers, which text does not tell: 1.0 is 1, and 0.5 is refused.

    Where a reference is a fraction, the labels are answers and stay text.

    >>> typed({"references": ["1", "0"], "predictions": ["1.0", None]})
    {'references': [1, 0], 'predictions': [1.0, None]}
    """
    labels = {name: columns[name] for name in ("references", "predictions") if name in columns}
    if any(re.fullmatch(r"-?\d+\.\d*[1-9]\d*", cell) for cell in labels.get("references", ()) if cell):
        return dict(columns)
    return dict(columns) | {name: _numbers(cells) for name, cells in labels.items()}


def _numbers(cells: list[str | None]) -> list[Any]:
    if not all(re.fullmatch(r"-?\d+(\.\d+)?", cell) for cell in cells if cell):
        return list(cells)
    return [None if cell is None else float(cell) if "." in cell else int(cell) for cell in cells]


def read_file(path: str | Path) -> str:
    """The text of an uploaded file.

    Raises:
        ValueError: It is not UTF-8.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ValueError(
            f"Expected UTF-8 text, but {Path(path).name}, line {line} has the byte {error.object[error.start]:#04x}. "
            "Save it as UTF-8."
        ) from None


def to_html(result: Mapping[str, Any], first: Sequence[str] = ()) -> str:
    """The result as a table with a row for each key, and a column for each group where there are groups.

    Args:
        result: What a module's `compute` returned.
        first: Keys that stand on top.
    """
    groups: Mapping[str, Mapping[str, Any]] = result.get("by_group", {"": result})
    shared = {key: value for key, value in result.items() if key != "by_group"} if "by_group" in result else {}
    keys = dict.fromkeys([*first, *(key for group in groups.values() for key in group)])
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in groups if name)
    body = [_line(key, [group.get(key, "") for group in groups.values()], key in first) for key in keys]
    body += [_line(key, [value, *[""] * (len(groups) - 1)], False) for key, value in shared.items()]
    top = f'<thead><tr><th scope="col">key</th>{head}</tr></thead>' if head else ""
    table = f"<table>{top}<tbody>{''.join(body)}</tbody></table>"
    return f'<div class="scroll" role="region" aria-label="Numbers" tabindex="0">{table}</div>'


def _line(key: str, values: Sequence[Any], first: bool) -> str:
    cells = "".join(f"<td>{escape(shown(value))}</td>" for value in values)
    return f'<tr{" class=first" if first else ""}><th scope="row">{escape(key).replace("_", "_<wbr>")}</th>{cells}</tr>'


def shown(value: Any) -> str:
    """A value for people: rates with four digits, mappings as `name: value`.

    >>> shown({"para/x": 1 / 3, "pert/y": 2})
    'para/x: 0.3333, pert/y: 2'
    """
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {shown(item)}" for key, item in value.items()) or "none"
    if isinstance(value, list):
        return "; ".join(shown(item) for item in value) or "none"
    return str(value)


def strict(value: Any) -> Any:
    """A result with null for nan, which JSON does not have.

    >>> strict({"n": 0, "rates": [float("nan"), 0.5]})
    {'n': 0, 'rates': [None, 0.5]}
    """
    if isinstance(value, Mapping):
        return {key: strict(item) for key, item in value.items()}
    if isinstance(value, list):
        return [strict(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@dataclass(frozen=True)
class MetricPage:
    """The page of one evaluate module.

    Args:
        folder: Where the module's script and card are.
        name: Name of the module and of its script.
        first: Keys of the result that stand on top.
        settings: Options of the module that the page offers, out of `SETTINGS`.
        about: What the table must hold.
        example: A table that the page offers.
    """

    folder: Path
    name: str
    first: tuple[str, ...]
    settings: tuple[str, ...]
    about: str = ABOUT
    example: str = EXAMPLE

    @cached_property
    def module(self) -> Any:
        """The evaluate module out of the folder; `compute` with columns keeps nothing, so visitors may share it."""
        return evaluate.load(str(self.folder / f"{self.name}.py"))

    @property
    def card(self) -> str:
        """The metric card without its front matter and first heading, which the page has already."""
        text = (self.folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)[2]
        return text[text.index("\n## ") + 1 :].rstrip()

    def numbers(self, text: str, path: str | None = None, **options: Any) -> dict[str, Any]:
        """What the module computes from a pasted table or an uploaded file.

        Args:
            text: The table, where no file is given.
            path: The file, where no text is given.
            **options: Options of the module; empty ones keep their default.

        Raises:
            ValueError: The table cannot be read or measured; or there are two.
        """
        if path is not None and text.strip():
            raise ValueError("Expected one table, but got a text and a file. Clear one of them.")
        columns = typed(read_table(text if path is None else read_file(path)))
        kept = {name: value for name, value in options.items() if value is not None and value != ""}
        result: dict[str, Any] = self.module.compute(**columns, **kept)
        return result

    def handle(self, text: str, path: str | None, *settings: Any) -> tuple[str, dict[str, Any]]:
        """`numbers` for the page: as a table and as JSON; errors become messages."""
        try:
            result = self.numbers(text, path, **dict(zip(self.settings, settings, strict=True)))
        except ValueError as error:  # the message is shown as HTML
            raise gr.Error(escape(str(error)), duration=None, title="Check the table", print_exception=False) from None
        return to_html(result, self.first), strict(result)

    def build(self) -> gr.Blocks:
        """The app."""
        title = self.name.replace("_", " ").capitalize()
        app: gr.Blocks = gr.Blocks(title=title, analytics_enabled=False, delete_cache=(3600, 3600))
        with app:
            gr.Markdown(f"# {title}\n{self.module.description}")
            with gr.Row():
                with gr.Column(min_width=300):
                    given, run = self._form()
                with gr.Column(min_width=300):
                    table = gr.HTML(EMPTY, elem_id="numbers", min_height=120)
                    with gr.Accordion("JSON (null is nan)", open=False):
                        data = gr.JSON(show_label=False)
            run.click(self.handle, given, [table, data], api_name="compute", show_progress_on=table)
            gr.Markdown(self.card, elem_id="card")
        app.queue(max_size=32, default_concurrency_limit=2)
        return app

    def _form(self) -> tuple[list[Any], gr.Button]:
        gr.Markdown(self.about)
        text = gr.Textbox(label="Table", lines=8, max_lines=20, elem_id="table")
        file = gr.File(label="or a csv or tsv file", file_types=[".csv", ".tsv"], height=120)
        with gr.Accordion("Options", open=False):
            offered = {name: SETTINGS[name] for name in self.settings}
            settings = [make(label=name, **arguments) for name, (make, arguments) in offered.items()]
        with gr.Row():
            run = gr.Button("Compute", variant="primary", elem_id="compute")
            example = gr.Button("Example", elem_id="example")
        given = [text, file, *settings]
        example.click(lambda: (self.example, None), None, [text, file], api_visibility="private")
        return given, run

    def launch(self) -> None:
        """Serve the app; gradio reads GRADIO_SERVER_NAME and GRADIO_SERVER_PORT."""
        self.build().launch(
            theme=theme(),
            css=CSS,
            max_file_size=CHARACTERS,
            footer_links=["api", "gradio"],
            share=False,
            ssr_mode=False,  # the server-side renderer is a second process, and fetches fonts
            enable_monitoring=False,
        )


def theme() -> gr.themes.Base:
    """Gradio's default theme with fonts that every machine has and text that stands out."""
    fonts = ("system-ui", "sans-serif")
    return gr.themes.Default(primary_hue="indigo", neutral_hue="slate", font=fonts, font_mono=("monospace",)).set(
        button_primary_background_fill="*primary_700",
        button_primary_background_fill_hover="*primary_800",
        button_primary_background_fill_dark="*primary_700",
        button_primary_text_color="white",
        body_text_color_subdued="*neutral_600",
        body_text_color_subdued_dark="*neutral_300",
        block_info_text_color="*neutral_600",
        block_info_text_color_dark="*neutral_300",
    )
