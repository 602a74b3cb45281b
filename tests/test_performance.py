"""docs/performance.md is what the generator makes, and the generator tells what is reached and what is not."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS = ROOT / "benchmarks"
GENERATOR = runpy.run_path(str(BENCHMARKS / "page.py"))
WHOLE = {"title": "Things", "machine": "a machine"}


def row(**given: Any) -> dict[str, Any]:
    fields = {"work": "w", "ours": 2.0, "unit": "s", "peers": {"slow": 8.0, "limit": 1.0}, "against": "slow"}
    return {**fields, "ratio": 4.0, "wanted": None, "note": "", **given}


def made(folder: Path, *rows: dict[str, Any]) -> str:
    (folder / "things.json").write_text(json.dumps({**WHOLE, "rows": rows}), encoding="utf-8")
    text: str = GENERATOR["page"](GENERATOR["records"](folder))
    return text


def test_the_page_is_up_to_date() -> None:
    text = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    assert text == GENERATOR["page"](GENERATOR["records"]()), "run: python benchmarks/page.py"


def test_every_result_in_the_form_has_a_section_and_a_script() -> None:
    found = GENERATOR["records"]()
    assert {"build", "drift", "growth", "startup"} <= set(found)
    assert {name for name in found if not (BENCHMARKS / f"{name}.py").is_file()} == set()
    assert set(GENERATOR["BELOW"]) <= set(found)


def test_make_bench_runs_every_script_that_keeps_results_in_the_form() -> None:
    lines = re.findall(r"^BENCH\w* := (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    scripts = {
        path.stem for path in BENCHMARKS.glob("*.py") if re.search(r"^ *keep\(", path.read_text("utf-8"), re.MULTILINE)
    }
    assert sorted(" ".join(lines).split()) == sorted(scripts)


def test_other_results_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"figures": {}}', encoding="utf-8")
    made(tmp_path, row())
    assert list(GENERATOR["records"](tmp_path)) == ["things"]


def test_the_peer_that_counts_comes_first(tmp_path: Path) -> None:
    assert "| w | 2 s | **limit: 1 s**; slow: 8 s | 0.50 |  |" in made(tmp_path, row(against="limit", ratio=0.5))


def test_a_goal_that_is_missed_is_told_twice(tmp_path: Path) -> None:
    text = made(tmp_path, row(wanted=5.0, note="the reason"), row(work="v", wanted=4.0, note="another"))
    assert "| w (1) | 2 s | **slow: 8 s**; limit: 1 s | **4.00** | 5.00 |" in text
    assert "| v (2) | 2 s | **slow: 8 s**; limit: 1 s | 4.00 | 4.00 |" in text
    assert text.endswith("## Not reached\n\n* Things: w: 4.00 times slow, wanted 5.00. the reason\n")


def test_all_goals_reached_is_said(tmp_path: Path) -> None:
    assert made(tmp_path, row(), row(wanted=4.0)).endswith("Every goal that was set is reached.\n")


def test_rows_share_the_number_of_a_note(tmp_path: Path) -> None:
    text = made(tmp_path, row(note="one"), row(work="v", note="one"), row(work="u"))
    assert ("| w (1) |" in text, "| v (1) |" in text, "| u |" in text, text.count("1. one")) == (True, True, True, 1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is read from /proc")
def test_a_report_on_a_million_rows_keeps_to_its_bytes_a_row() -> None:
    """4 GB for ten million rows, less the 0.24 GB that do not grow, are 376 bytes a row."""
    code = "from growth import points; print([(p.rows, p.peak) for p in points('report', [25_000, 250_000], None)])"
    done = subprocess.run([sys.executable, "-c", code], cwd=BENCHMARKS, stdout=subprocess.PIPE, text=True, check=True)
    (few, small), (many, large) = json.loads(done.stdout.translate(str.maketrans("()", "[]")))
    assert (few, many) == (100_000, 1_000_000)
    assert 0 < (large - small) / (many - few) * 1e9 < 376
