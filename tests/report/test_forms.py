"""The report as text, Markdown, page and pictures."""

from __future__ import annotations

import io
import re
import unicodedata
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from jostle import Report, build_report
from jostle.outcomes import Outcomes
from jostle.report.figures import ITEMS_SHOWN, accuracy_figure, flip_figure
from jostle.report.markdown import escape, to_markdown
from jostle.report.model import VERDICTS, Flip
from jostle.report.page import to_html
from jostle.report.text import print_report

ODD = (
    "$x$ 5",
    r"$5 or $\notacommand$",
    "a<b>&\"'",
    "日本語",
    "emoji 😀",
    "two\nlines",
    "a\u2028b",
    "[bold]x[/bold]",
    "\\alpha_{",
    "",
    "%s {0}",
)
WORDS = "a rather long name of a condition that will not fit into one cell of the table at all"


def outcomes(condition: str, item: str = "item", text: str = "text", n: int = 40) -> Outcomes:
    """Forty items, of which half flip under a condition."""
    rows = [(f"{item} {k}", name) for k in range(n) for name in ("orig", condition)]
    made = Outcomes.from_columns(
        source="results",
        predictions=["1" if name == "orig" or int(key.split()[-1]) % 2 else "0" for key, name in rows],
        references=["1"] * len(rows),
        item_ids=[key for key, _ in rows],
        conditions=[name for _, name in rows],
    )
    counts = {condition: {"nothing to change": 3, "truncated": 12}}
    return Outcomes(made.columns, "results", ["a note " * 30], counts, {(key, "orig"): text for key, _ in rows})


def report(*args: Any, **kwargs: Any) -> Report:
    return build_report(outcomes(*args, **kwargs), n_resamples=100)


def as_text(made: Report, width: int = 80) -> str:
    buffer = io.StringIO()
    print_report(made, Console(file=buffer, width=width, no_color=True, highlight=False))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("condition", "item", "text"),
    [("pert/typos", "q", "short"), (f"pert/{WORDS}", WORDS, WORDS * 5), ("para/" + "x" * 100, "y" * 120, "z" * 300)],
    ids=["usual", "long", "unbroken"],
)
def test_text_fits_80_columns(condition: str, item: str, text: str) -> None:
    lines = as_text(report(condition, item, text)).split("\n")
    wide = [line for line in lines if len(line.rstrip()) > 80]
    assert [line for line in wide if not line.startswith(("jostle=", "jostle "))] == []


def test_text_has_verdict_notes_counts_and_all_limitations() -> None:
    made = report("pert/typos", text="a film")
    text = as_text(made)
    plain = " ".join(text.split())
    assert "[FRAGILE] drift is above 0.03 with 95 % confidence" in text
    assert "pert/typos truncated 12" in plain
    assert all(limitation in plain for limitation in made.limitations)
    assert "item 0: a film" in text
    assert "5 of 20; + right, - wrong" in text
    assert text.rstrip().endswith(made.signature)


def test_text_of_what_was_not_measured() -> None:
    text = as_text(build_report({}))
    assert "[NOT MEASURED] no items" in text
    assert "no condition was measured" in text


@pytest.mark.parametrize("name", ODD)
def test_odd_names_in_every_form(name: str) -> None:
    made = report(f"pert/{name}", item=f"{name} q", text=name)
    assert as_text(made)
    assert to_markdown(made).startswith("**FRAGILE**")
    page = to_html(made)
    assert '<b>&"' not in page
    assert page.rstrip().endswith("</html>")


@pytest.mark.parametrize("name", ODD)
def test_pictures_are_well_formed_and_keep_names(name: str) -> None:
    made = report(f"pert/{name}", item=f"{name} q")
    for svg in (accuracy_figure(made, ""), flip_figure(made.flips[""], "")):
        root = ET.fromstring(svg)
        assert root.attrib["role"] == "img"
        shown = " ".join(text.strip() for text in root.itertext())
        assert all(word in shown for word in name.split())
        assert "metadata" not in svg


@pytest.mark.slow
@pytest.mark.parametrize("letter", ["m", "W", "字"])
@pytest.mark.parametrize("n", [60, 300])
def test_long_names_are_cut_in_pictures_and_warn_of_nothing(letter: str, n: int) -> None:
    made = report(f"pert/{letter * n}", item=letter * n)  # a warning of matplotlib would be an error here
    for svg in (accuracy_figure(made, ""), flip_figure(made.flips[""], "")):
        shown = [text.strip() for text in ET.fromstring(svg).itertext()]
        assert [text for text in shown if text.startswith(f"pert/{letter * 3}") and "…" in text]
        assert letter * n not in svg
    assert "(n=" in accuracy_figure(made, "")
    assert letter * n in "".join(as_text(made).split())  # the tables have it whole


@pytest.mark.parametrize("form", [as_text, to_markdown])
def test_control_characters_and_markup_of_data_are_shown_and_not_obeyed(form: Any) -> None:
    nasty = "\x1b[2J\x9b31m\x07[bold]no[/x]"
    made = build_report(outcomes(f"pert/{nasty}", item=nasty, text=nasty), n_resamples=100)
    made = replace(made, source=nasty, notes=[nasty], warnings=[nasty], left_out={nasty: {nasty: 1}})
    printed = form(made)
    assert not [c for c in printed if unicodedata.category(c) == "Cc" and c != "\n"]
    flat = "".join(printed.split()).replace("\\\\", "\\")
    assert flat.count(r"\x1b[2J\x9b31m\x07[bold]no[/x]") >= 3


def test_pictures_are_the_same_every_time() -> None:
    made = report("pert/typos")
    assert accuracy_figure(made, "") == accuracy_figure(made, "")
    assert flip_figure(made.flips[""], "") == flip_figure(made.flips[""], "")


def test_the_flip_picture_is_limited() -> None:
    flips = [Flip(f"item-{k}", {"orig": 1, "x": 0, "y": -1}) for k in range(200)]
    svg = flip_figure(flips, "")
    assert f"item-{ITEMS_SHOWN - 1}<" in svg
    assert f"item-{ITEMS_SHOWN}<" not in svg


@pytest.mark.parametrize(
    ("results", "verdict"), [({}, "not_measured"), ({"a": [True] * 60, "b": [False] * 60}, "fragile")]
)
def test_markdown_says_the_verdict_first(results: Any, verdict: str) -> None:
    made = build_report(results, n_resamples=100)
    text = to_markdown(made)
    assert text.startswith(f"**{VERDICTS[verdict]}**: ")
    assert all(f"- {escape(limitation)}" in text for limitation in made.limitations)


def test_markdown_tables_hold_any_name() -> None:
    text = to_markdown(report("pert/a|b\n<i>"))
    row = next(line for line in text.splitlines() if line.startswith("| pert/"))
    assert row.startswith(r"| pert/a\|b &lt;i> | 40 | 0.500 |")
    cells = len(re.findall(r"(?<!\\)\|", row))
    header = next(line for line in text.splitlines() if line.startswith("| condition"))
    assert cells == header.count("|")


def test_the_page_has_a_section_for_each_group() -> None:
    table = outcomes("pert/typos")
    models = ["m1" if key.endswith(("1", "2")) else "m2" for key in table.columns["item_ids"].to_pylist()]
    columns = {name: array.to_pylist() for name, array in table.columns.items()}
    made = build_report(Outcomes.from_columns(models=models, **columns), n_resamples=100)
    page = to_html(made)
    for group in ("model=m1", "model=m2"):
        assert f"<small>{group}</small>" in page
        assert made.line(group) in page
    assert all(limitation in page for limitation in made.limitations)


def test_the_page_counts_abstentions_apart_from_failed_relations() -> None:
    # Two pairs: one whose variant has no answer, one whose variant is answered otherwise though its gold stays.
    rows = [("a", "orig", "x"), ("a", "s", None), ("b", "orig", "x"), ("b", "s", "y")]
    names = ("item_ids", "conditions", "predictions")
    columns: dict[str, Any] = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    page = to_html(build_report(Outcomes.from_columns(references=["x"] * 4, **columns), n_resamples=100))
    assert '<th scope="col">relation failed</th><th scope="col">abstained</th>' in page
    assert "<tr><td>edited only error</td><td>0</td><td>1</td><td>1</td></tr>" in page
