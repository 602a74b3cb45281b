"""`jostle history`: reports in the order of their dates, whatever else lies in the folder."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from jostle import build_report
from jostle.errors import InputError
from jostle.history import read_history

Jostle = Callable[..., Any]


def write(path: Path, right: int, group: str = "") -> None:
    """A report on 40 items, of which so many are right under the second condition."""
    document = build_report({"orig": [True] * 40, "pert/x": [True] * right + [False] * (40 - right)}, n_resamples=200)
    report = document.to_dict()
    for measure in report["measures"]:
        measure["group"] = group
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(report), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "r-20260201.json", 20)
    write(tmp_path / "2026-01-15" / "report.json", 40)
    write(tmp_path / "late.json", 30)
    os.utime(tmp_path / "late.json", (0, datetime(2026, 3, 1, tzinfo=UTC).timestamp()))
    (tmp_path / "manifest.json").write_text('{"model": "m"}', encoding="utf-8")
    (tmp_path / "broken-2026-01-01.json").write_text("{", encoding="utf-8")
    return tmp_path


def test_dates_come_from_names_folders_and_times(folder: Path) -> None:
    entries, other = read_history(folder)
    assert [f"{one.date:%Y-%m-%d}" for one in entries] == ["2026-01-15", "2026-02-01", "2026-03-01"]
    assert [one.values["max_drift"] for one in entries] == [0.0, 0.5, 0.25]  # 0, 20 and 10 of 40 lost
    assert other == ["broken-2026-01-01.json", "manifest.json"]


def test_a_table_a_document_and_a_page_with_plots(folder: Path, jostle: Jostle) -> None:
    done = jostle("history", folder)
    assert done.code == 0
    assert max(map(len, done.out.splitlines())) <= 80
    assert done.out.index("2026-01-15") < done.out.index("2026-02-01") < done.out.index("2026-03-01")
    assert "no report, passed over: broken-2026-01-01.json, manifest.json" in done.err
    document = json.loads(jostle("history", folder, "--format", "json").out)
    assert [entry["values"]["flip_rate"] for entry in document["entries"]] == [0.0, 0.5, 0.25]
    assert document["entries"][0]["values"]["robustness_ratio"] is None
    out = folder / "history.html"
    assert jostle("history", folder, "--out", out).code == 0
    page = out.read_text("utf-8")
    assert page.count("<svg") == 2  # drift and flips; R is nowhere defined
    assert "What this history cannot tell you" in page


def test_groups_are_told_apart(tmp_path: Path, jostle: Jostle) -> None:
    write(tmp_path / "2026-01-01.json", 20, "model=<b>a</b>")
    write(tmp_path / "2026-01-02.json", 30, "model=b")
    assert "model=<b>a</b>" in jostle("history", tmp_path).out
    markdown = jostle("history", tmp_path, "--format", "markdown").out
    assert "| 2026-01-01 00:00 | model=&lt;b>a&lt;/b> |" in markdown


def test_a_folder_without_reports(tmp_path: Path, jostle: Jostle) -> None:
    with pytest.raises(InputError, match="holds none"):
        read_history(tmp_path)
    assert jostle("history", tmp_path / "none").code == 3
