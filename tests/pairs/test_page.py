"""The page of a pair report: all numbers, every failing pair with its edit, and nothing from data as markup."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from jostle.pairs import PairSet, measure_pairs, pairs_from_dicts
from jostle.pairs.figures import OPERATORS_DRAWN, Rate, rate_figure, table_figure
from jostle.pairs.page import to_html
from jostle.pairs.report import ALL_LIMITATIONS, PairReport

from ..conftest import Done

EVIL = "<script>alert('x')</script>&\"$x$"
ODD = (EVIL, r"$5 or $\notacommand$", "日本語", "two\nlines", "[bold]x[/bold]", "%s {0} {{ 1 }}")


def pair(name: str, base: str, edited: str, *said: str | None, **more: Any) -> dict[str, Any]:
    """A pair with its golds and its answers."""
    return {"id": name, "base_label": base, "edited_label": edited, "base_prediction": said[0],
            "edited_prediction": said[1], **more}  # fmt: skip


PAIRS = [
    pair("both right", "yes", "no", "yes", "no", operator="negation", base_confidence=0.9, edited_confidence=0.6),
    pair("missed", "yes", "no", "yes", "yes", operator="negation", critical=True, base_confidence=0.8,
         edited_confidence=0.7, base_text="The shop refunds opened games.",
         edited_text="The shop never refunds opened games.", passages=["Opened games are final.", "Ask the desk."]),
    pair("moved", "yes", "yes", "no", "yes", operator="paraphrase", base_text="open", edited_text="open now"),
    pair("swapped", "yes", "no", "no", "yes", operator="number"),
    pair("silent", "yes", "yes", "yes", None, operator="paraphrase"),
    pair("third", "yes", "no", "yes", "maybe", operator="number"),
]  # fmt: skip


def report(pairs: list[dict[str, Any]] | PairSet, **options: Any) -> PairReport:
    made = pairs if isinstance(pairs, PairSet) else pairs_from_dicts(pairs)
    return measure_pairs(made, n_resamples=200, **options)


def plain(page: str) -> str:
    """The words of a page with one space between."""
    body = page.split("</style>", maxsplit=1)[1]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", re.sub(r"<style.*?</style>", "", body, flags=re.DOTALL))).split())


def test_the_page_has_the_numbers_first_and_all_limitations() -> None:
    words = plain(to_html(report(PAIRS)))
    # Right answers: 2 + 1 + 1 + 0 + 1 + 1 = 6 of 12; relation: both right, swapped, third = 3 of 6; pair: 1 of 6.
    assert "5 of 6 pairs fail" in words
    assert "side accuracy 0.500" in words
    assert "relation accuracy 0.500" in words
    assert "pair accuracy 0.167" in words
    assert words.index("5 of 6 pairs fail") < words.index("pair accuracy 0.167") < words.index("Sides and relation")
    assert all(" ".join(text.split()) in words for text in ALL_LIMITATIONS)


def test_failing_pairs_show_edit_answers_type_and_evidence() -> None:
    page = to_html(report(PAIRS))
    first = page[page.index('<article class="pair">') :].split("</article>")[0]
    assert "missed" in first  # the critical one comes first, although it is the second of the file
    assert '<span class="badge">critical</span>' in first
    assert "The shop<ins> never</ins> refunds opened games." in first
    assert "gold changes, answer stays" in first
    assert "<pre>Opened games are final.\n\nAsk the desk.</pre>" in first.split("<details>")[1]
    words = plain(f"</style>{first}")
    assert "base yes yes 0.800 right" in words
    assert "edited no yes 0.700 wrong" in words
    assert page.count('<article class="pair">') == 5
    assert "edited yes no answer - no answer" in plain(page)


def test_failing_pairs_beyond_the_limit_are_counted() -> None:
    page = to_html(report(PAIRS), show=2)
    assert page.count('<article class="pair">') == 2
    assert "Failing pairs (2 of 5)" in page
    assert "and 3 more" in page
    assert "more;" not in to_html(report(PAIRS), show=5)


@pytest.mark.parametrize("text", ODD)
def test_nothing_from_data_is_markup(text: str) -> None:
    row = pair(text, "yes", "no", "yes", "yes", operator=text, family=text, base_text=f"a {text}",
               edited_text=f"b {text}", critical=True, **{"passages": [text], "note": text})  # fmt: skip
    labels = pair("labels", text, "no", "no", text, operator="other", family=f"{text}2", base_text="a", edited_text="b")
    page = to_html(report([row, labels], critical=[text]), gate=[f"tripped: critical {text}: 1 of 1 pairs fail"])
    assert "<script" not in page
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", page.split("</style>", 1)[1]).replace("xlink", "")
    assert " ".join(text.split()) in plain(page)
    for svg in re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL):
        ET.fromstring(svg)


@pytest.mark.parametrize(
    ("lines", "title", "colour"),
    [
        (["passed: a", "tripped: b: 1 of 2"], "GATE: TRIPPED", "fragile"),
        (["tripped: b", "not measured: c"], "GATE: NOT MEASURED", "inconclusive"),
        (["passed: a"], "GATE: PASSED", "invariant"),
    ],
)
def test_the_gate_is_the_headline(lines: list[str], title: str, colour: str) -> None:
    page = to_html(report(PAIRS), gate=lines)
    assert f'<div class="verdict {colour}">\n<strong>{title}</strong>' in page
    assert all(f"<li>{line}</li>" in page for line in lines)


def test_what_was_not_measured_is_no_number() -> None:
    page = to_html(report([]))
    assert "<strong>NOT MEASURED</strong>" in page
    assert "<svg" not in page
    assert "nan" not in plain(page)
    assert all(limitation in plain(page) for limitation in ALL_LIMITATIONS)


def test_one_kind_of_pairs_draws_no_comparison_of_kinds() -> None:
    described = "where the gold changes and where it stays"
    assert described in to_html(report(PAIRS))
    assert described not in to_html(report(PAIRS[:2]))


def test_pictures_follow_the_colour_scheme_and_have_every_count() -> None:
    table = {
        "both_right": {"kept": 41, "failed": 0},
        "base_only_error": {"kept": 2, "failed": 13},
        "edited_only_error": {"kept": 5, "failed": 17},
        "both_wrong": {"kept": 7, "failed": 11},
    }
    svg = table_figure(table)
    shown = [text.strip() for text in ET.fromstring(svg).itertext() if text.strip()]
    for count in (41, 2, 13, 5, 17, 7, 11, 15, 22, 18, 55, 96):  # sums: 2 + 13, 5 + 17, 7 + 11, 41 + 2 + 5 + 7, all
        assert str(count) in shown
    assert "currentColor" in svg
    assert svg == table_figure(table)


def test_opacity_grows_with_the_count() -> None:
    table = {name: {"kept": n, "failed": 0} for name, n in zip(
        ("both_right", "base_only_error", "edited_only_error", "both_wrong"), (0, 10, 20, 40), strict=True
    )}  # fmt: skip
    found = [float(alpha) for alpha in re.findall(r"(?<!stroke-)opacity: ([\d.]+)", table_figure(table))]
    # The largest count has opacity 0.6, others their share of it: 0.15, 0.3, 0.6; empty cells 0.
    assert {round(alpha, 3) for alpha in found} == {0.0, 0.15, 0.3, 0.6}


def test_operators_beyond_the_limit_are_not_drawn() -> None:
    rates = [Rate(f"operator-{k}", k, 0.5, 0.4, 0.6, k == 0) for k in range(OPERATORS_DRAWN + 5)]
    svg = rate_figure(rates, 0.5, "rate", "Rates")
    assert "operator-0 (n=0, critical)" in svg
    assert f"operator-{OPERATORS_DRAWN - 1} " in svg
    assert f"operator-{OPERATORS_DRAWN} " not in svg
    many = [pair(str(k), "yes", "no", "yes", "no", operator=f"o{k}") for k in range(OPERATORS_DRAWN + 3)]
    assert "Not drawn: 3 more" in to_html(report(many))


def test_the_command_writes_the_page(
    jostle: Callable[..., Done], write: Callable[[str, Any], Path], tmp_path: Path
) -> None:
    out = tmp_path / "pairs.html"
    done = jostle("pairs", write("pairs.jsonl", PAIRS), "--format", "html", "--show", "1", "--out", out)
    assert (done.code, done.out) == (0, "")
    assert "Failing pairs (1 of 5)" in out.read_text(encoding="utf-8")
