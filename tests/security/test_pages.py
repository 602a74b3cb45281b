"""What data and models say is text on every page: no element, no handler, no address of it comes to be."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]
BAD = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'><svg onload=alert(1)><a href='javascript:alert(1)'>"
PLAIN = "a plain name"
FAST = ("--resamples", "200")


class Elements(HTMLParser):
    """Counts elements and the names of their attributes, and keeps addresses."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: Counter[str] = Counter()
        self.addresses: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found[tag] += 1
        for name, value in attrs:
            if name.startswith("on"):
                self.found[f"{tag} {name}"] += 1
            if name in ("href", "src", "action", "formaction", "xlink:href"):
                self.addresses.append(value or "")


def outcomes(name: str, wrong: int = 3) -> list[dict[str, Any]]:
    """Outcome rows that have the name wherever one may stand."""
    return [
        {
            "item_ids": f"{name} {k}",
            "conditions": condition,
            "predictions": f"{name} no" if condition != "orig" and k < wrong else f"{name} yes",
            "references": f"{name} yes",
            "families": f"{name} {k // 2}",
            "operators": name,
            "tasks": name,
            "models": name,
            "decodings": name,
        }
        for k in range(12)
        for condition in ("orig", f"pert/{name}", f"edit/{name}")
    ]


def in_a_path(name: str) -> str:
    """The name without what no name of a file can hold."""
    return name.replace("/", "")


def report(write: Write, jostle: Jostle, folder: Path, name: str) -> Path:
    path = folder / "report.html"
    assert jostle("report", write("outcomes.jsonl", outcomes(name)), *FAST, "--out", path).code == 0
    return path


def compare(write: Write, jostle: Jostle, folder: Path, name: str) -> Path:
    files = [write(f"{in_a_path(name)} {k}.jsonl", outcomes(name, wrong=2 * k)) for k in range(3)]
    path = folder / "compare.html"
    assert jostle("compare", *files, *FAST, "--out", path).code == 0
    return path


def audit(write: Write, jostle: Jostle, folder: Path, name: str) -> Path:
    rows = [
        {"id": f"{name} {k}", "question": f"{name} {k % 5}?", "choices": [f"{name} {k} {c}" for c in "abcd"],
         "answer": k % 2, "label": f"{name} {k % 2}", name: f"{name} {k % 2}"} for k in range(20)
    ]  # fmt: skip
    path = folder / "audit.html"
    flags = ("--skip-duplicates", "--map", "question=question")
    assert jostle("audit", write("set.jsonl", rows), *flags[:1], "--out", path).code in (0, 1)
    return path


def history(write: Write, jostle: Jostle, folder: Path, name: str) -> Path:
    for day in (1, 2):
        rows = write("outcomes.jsonl", [*outcomes(name, wrong=day), *outcomes(f"{name} b")])
        done = jostle("report", rows, *FAST, "--out", folder / "dated" / f"2026-11-0{day} {in_a_path(name)}.json")
        assert done.code == 0, done.err
    path = folder / "history.html"
    assert jostle("history", folder / "dated", "--out", path).code == 0
    return path


def pairs(write: Write, jostle: Jostle, folder: Path, name: str) -> Path:
    rows = [
        {"id": f"{name} {k}", "operator": name, "family": f"{name} {k // 2}", "base_text": name, "edited_text": name,
         "base_label": f"{name} yes", "edited_label": f"{name} no", "base_prediction": f"{name} yes",
         "edited_prediction": f"{name} yes"} for k in range(8)
    ]  # fmt: skip
    path = folder / "pairs.html"
    assert jostle("pairs", write("pairs.jsonl", rows), *FAST, "--out", path).code == 0
    return path


@pytest.mark.parametrize("page", [report, compare, audit, history, pairs])
def test_data_make_no_elements(page: Callable[..., Path], write: Write, jostle: Jostle, tmp_path: Path) -> None:
    folders = [tmp_path / "plain", tmp_path / "bad"]
    for folder in folders:
        folder.mkdir()
    plain, bad = (
        Elements(page(write, jostle, folder, name).read_text("utf-8"))
        for folder, name in zip(folders, (PLAIN, BAD), strict=True)
    )
    for element in ("script", "img", "iframe", "object", "link", "form", "a"):
        assert bad.found[element] == plain.found[element], element
    assert {name for name in bad.found if " on" in name} == {name for name in plain.found if " on" in name}
    assert [address for address in bad.addresses if address.strip().lower().startswith("javascript:")] == []
    assert bad.found["svg"] <= plain.found["svg"]
    assert "alert(1)" in page(write, jostle, folders[1], BAD).read_text("utf-8")  # it is there, as text


def test_the_parser_would_see_them() -> None:
    seen = Elements(BAD)
    assert (seen.found["script"], seen.found["img onerror"], seen.found["svg onload"]) == (1, 1, 1)
    assert seen.addresses[-1] == "javascript:alert(1)"


def test_markdown_has_no_raw_elements(write: Write, jostle: Jostle, tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    assert jostle("report", write("outcomes.jsonl", outcomes(BAD)), *FAST, "--out", path).code == 0
    assert "<script" not in path.read_text("utf-8")


def test_junit_and_sarif_are_whole(write: Write, jostle: Jostle, tmp_path: Path) -> None:
    from xml.etree import ElementTree

    rows = write("outcomes.jsonl", outcomes(BAD))
    jostle("report", rows, *FAST, "--junit", tmp_path / "j.xml", "--sarif", tmp_path / "s.sarif")
    tree = ElementTree.parse(tmp_path / "j.xml")
    assert [element.tag for element in tree.iter() if element.tag in ("script", "img", "svg")] == []
    assert json.loads((tmp_path / "s.sarif").read_text("utf-8"))["version"] == "2.1.0"
