"""`jostle report`: files that cannot be read, files that are written, and what strangers' text may do to the page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.outcomes import Outcomes

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]
FAST = ("--resamples", "200")
RESULTS = {"shift0": [True] * 60, "shift1": [True] * 30 + [False] * 30}
SCRIPT = "<script>alert(1)</script>"


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("no.json", None, "does not exist"),
        ("r.json", '{"shift0": [true], "shift1": ["false"]}', "shift1[0] is 'false'"),
        ("r.json", '{"shift0": [NaN]}', "holds NaN"),
        ("r.json", "", "Expected JSON"),
        ("r.csv", "a,b\n1,2\n", "lacks predictions"),
        ("r.parquet", b"PAR1", "cannot be read"),
        ("r.xyz", "x", "of type .jsonl"),
        ("r.json", b"\xff\xfe", "byte 0xff"),
    ],
)
def test_what_cannot_be_read_exits_with_3(jostle: Jostle, write: Write, tmp_path: Path, name: str, content: Any,
                                          found: str) -> None:  # fmt: skip
    if content is not None:
        write(name, content)
    done = jostle("report", tmp_path / name, "--format", "json")
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("Error: Expected ")
    assert len(done.err.splitlines()) <= 2
    assert found in done.err
    assert name in done.err


@pytest.mark.parametrize("form", ["text", "json", "html", "markdown"])
def test_out_writes_what_stdout_would_show(jostle: Jostle, write: Write, tmp_path: Path, form: str) -> None:
    source = write("results.json", RESULTS)
    shown = jostle("report", source, "--format", form, *FAST)
    done = jostle("report", source, "--format", form, "--out", tmp_path / "new" / "report", *FAST)
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / "new" / "report").read_text(encoding="utf-8") == shown.out
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["report"]


def test_out_that_cannot_be_written(jostle: Jostle, write: Write, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    done = jostle("report", write("results.json", RESULTS), "--out", tmp_path / "folder", *FAST)
    assert done.code == 3
    assert "Expected to write" in done.err


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder of `run` in which ids, texts, conditions and model names are markup."""
    names = ("orig", f"pert/{SCRIPT}")
    rows = [(k, name) for k in range(40) for name in names]
    columns = {
        "predictions": [int(name == "orig" or k > 20) for k, name in rows],
        "item_ids": [f"{SCRIPT}{k}" for k, _ in rows],
        "conditions": [name for _, name in rows],
        "models": [SCRIPT if k % 2 else "b" for k, _ in rows],
    }
    outcomes = Outcomes.from_columns(source=f"x{SCRIPT}", notes=[SCRIPT], references=[1] * len(rows), **columns)
    outcomes.write(tmp_path / "outcomes.parquet")
    import pyarrow as pa
    import pyarrow.parquet as pq

    texts = [{"item_id": f"{SCRIPT}{k}", "condition": name, "sentence": f"text {SCRIPT}"} for k, name in rows]
    pq.write_table(pa.Table.from_pylist(texts), tmp_path / "variants.parquet")
    return tmp_path


def test_the_page_shows_markup_as_text(jostle: Jostle, hostile: Path) -> None:
    done = jostle("report", hostile, "--format", "html", *FAST)
    assert done.code == 0
    assert "<script" not in done.out.lower()
    assert done.out.count("&lt;script&gt;") > 40
    assert "text &lt;script&gt;" in done.out


def test_the_page_links_nowhere(jostle: Jostle, hostile: Path) -> None:
    done = jostle("report", hostile, "--format", "html", *FAST)
    found = set(re.findall(r"https?://[^\s\"'<>]+", done.out))
    assert found <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert not re.search(r"""(src|href)\s*=\s*["'](?!#)""", done.out)
    assert "@import" not in done.out


def test_markdown_shows_markup_as_text(jostle: Jostle, hostile: Path) -> None:
    done = jostle("report", hostile, "--format", "markdown", *FAST)
    assert done.code == 0
    assert "<script" not in done.out
    assert f"| pert/{SCRIPT.replace('<', '&lt;')} |" in done.out


def test_text_and_json_with_markup(jostle: Jostle, hostile: Path) -> None:
    assert jostle("report", hostile, *FAST).code == 0
    done = jostle("report", hostile, "--format", "json", *FAST)
    assert json.loads(done.out)["notes"] == [SCRIPT]
