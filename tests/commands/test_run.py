"""`jostle run` from file to exit code, with a tiny model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]
Run = Callable[..., Any]
WORDS = ["plot", "film", "cast", "story", "scene", "script", "music", "ending", "hero", "score"]
ROWS = [
    {"idx": k, "sentence": f"The {WORDS[k % 10]} isn't {'dull' if k % 2 else 'bright'} and the {WORDS[k % 7]} works .",
     "label": k % 2}
    for k in range(40)
]  # fmt: skip
FILES = ["manifest.json", "outcomes.parquet", "report.html", "report.json", "variants.parquet"]


@pytest.fixture
def run(jostle: Jostle, tiny_model: Callable[..., Path], write: Write, tmp_path: Path) -> Run:
    """`jostle run` on forty sentences, or on other rows."""

    def call(*flags: object, rows: Any = ROWS, labels: tuple[str, ...] = ("negative", "positive")) -> Any:
        data = write("data.jsonl", rows)
        task = () if "--task" in flags else ("--task", "sst2")
        where = ("--data", data, "--model", tiny_model(*labels), "--out", tmp_path / "out", "--resamples", 200)
        return jostle("run", *task, *where, *flags)

    return call


def columns(folder: Path) -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = pq.read_table(folder / "outcomes.parquet").to_pydict()
    return table


def test_all_files_are_written_and_agree(run: Run, tmp_path: Path) -> None:
    done = run("--format", "json")
    out = tmp_path / "out"
    assert done.code == 0, done.err
    assert sorted(path.name for path in out.iterdir()) == FILES
    payload = json.loads(done.out)
    assert payload == json.loads((out / "report.json").read_text(encoding="utf-8"))
    outcomes = columns(out)
    originals = [k for k, name in enumerate(outcomes["conditions"]) if name == "orig"]
    assert len(originals) == 40
    assert [outcomes["references"][k] for k in originals] == ["negative", "positive"] * 20
    drift = payload["measures"][[m["name"] for m in payload["measures"]].index("invariance_drift")]["values"]
    right = sum(outcomes["predictions"][k] == outcomes["references"][k] for k in originals)
    assert drift["accuracy_by_condition"]["orig"] == pytest.approx(right / 40)
    assert set(drift["accuracy_by_condition"]) == set(outcomes["conditions"])
    assert {"orig", "para/contractions", "pert/typos", "pert/whitespace"} <= set(outcomes["conditions"])


def test_the_field_and_label_maps_are_printed(run: Run) -> None:
    done = run("--format", "json")
    assert done.err.startswith("field map: id <- 'idx'\ncolumns used: sentence, label, idx\n")
    assert "label map: negative -> negative\n" in done.err
    json.loads(done.out)


def test_r01_mnli_labels_are_aligned_by_name_and_printed(run: Run, tmp_path: Path) -> None:
    rows = [
        {"idx": k, "premise": f"A {WORDS[k % 10]} .", "hypothesis": f"One {WORDS[k % 7]} .", "label": k % 3}
        for k in range(12)
    ]
    order = ("CONTRADICTION", "ENTAILMENT", "NEUTRAL")
    done = run("--task", "mnli", "--variants", "orig,pert", rows=rows, labels=order)
    assert done.code == 0, done.err
    assert all(f"label map: {name} -> {name.lower()}\n" in done.err for name in order)
    outcomes = columns(tmp_path / "out")
    assert set(outcomes["predictions"]) <= {name.lower() for name in order}
    assert outcomes["references"][:3] == ["entailment", "neutral", "contradiction"]
    assert "ENTAILMENT -> entailment" in done.out


def test_the_manifest_says_what_was_run(run: Run, tmp_path: Path) -> None:
    assert run("--seed", "5", "--operators", "typos").code == 0
    record = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert record["settings"]["seed"] == 5
    assert record["settings"]["operators"] == "typos"
    assert record["settings"]["task"] == "sst2"
    assert record["dtype"] == "float32"
    assert record["label_map"] == {"negative": "negative", "positive": "positive"}
    assert {"torch", "transformers"} <= set(record["versions"])
    assert record["rows"] == len(columns(tmp_path / "out")["predictions"])


def test_report_on_the_folder_gives_the_same_numbers(run: Run, jostle: Jostle, tmp_path: Path) -> None:
    first = json.loads(run("--format", "json").out)
    again = json.loads(jostle("report", tmp_path / "out", "--resamples", 200, "--format", "json").out)
    for key in ("summary", "measures", "notes", "left_out", "source", "signature"):
        assert again[key] == first[key]


def test_the_same_seed_gives_the_same_files_and_another_does_not(run: Run, tmp_path: Path) -> None:
    def texts(*flags: str) -> list[Any]:
        assert run("--operators", "typos", *flags).code == 0
        rows: list[Any] = pq.read_table(tmp_path / "out" / "variants.parquet").to_pylist()
        return rows

    first = texts()
    assert texts() == first
    assert texts("--seed", "1") != first
    assert texts("--rate", "1.0") != first


def test_the_order_of_rows_does_not_matter(run: Run) -> None:
    first, back = run("--format", "json").out, run("--format", "json", rows=ROWS[::-1]).out
    assert json.loads(first)["measures"] == json.loads(back)["measures"]


def test_the_gate_of_a_run(run: Run) -> None:
    few = ("--limit", "5", "--operators", "typos,whitespace")
    done = run(*few, "--fail-on", "inconclusive", "--format", "json")
    assert done.code == json.loads(done.out)["gate"]["exit_code"] == 1
    assert run(*few).code == 0


def test_one_condition_is_not_measured(run: Run) -> None:
    done = run("--variants", "orig", "--format", "json")
    assert done.code == json.loads(done.out)["gate"]["exit_code"] == 3


def test_quiet_leaves_stderr_empty(run: Run) -> None:
    done = run("--quiet")
    assert (done.code, done.err) == (0, "")
