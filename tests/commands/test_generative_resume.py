"""`jostle run --resume`, what is reused, `--limit` with all tasks, and what the manifest of a run records."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ..predict import generate_models
from ..predict.test_revision import change_one_weight

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")
Run = Callable[..., Any]


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(generate_models, "LONGEST", 256)
    return generate_models.save_model("llama", tmp_path / "model")


@pytest.fixture
def run(jostle: Callable[..., Any], model: Path, tmp_path: Path) -> Run:
    """`jostle run` on ten embedded items and one variant of each: twenty prompts."""

    def call(*flags: object, task: str = "sst2", decoding: str = "score", out: str = "out") -> Any:
        items = ("--task", task, "--data", "embedded", "--operators", "typos", "--rate", "0.3")
        where = ("--model", model, "--out", tmp_path / out, "--resamples", "200")
        limit = () if "--limit" in flags else ("--limit", "10")
        return jostle("run", *items, *where, *limit, "--decoding", decoding, *flags)

    return call


def manifest(tmp_path: Path, out: str = "out") -> dict[str, Any]:
    record: dict[str, Any] = json.loads((tmp_path / out / "manifest.json").read_text(encoding="utf-8"))
    return record


def test_resume_goes_on_and_says_what_it_reused(run: Run, tmp_path: Path) -> None:
    first = run("--limit", "5")
    assert first.code == 0, first.err
    assert "reused" not in first.err
    assert manifest(tmp_path)["predictions_reused"] == 0
    # 5 items and 5 variants are there, 10 and 10 are asked for.
    done = run("--resume")
    assert done.code == 0, done.err
    assert f"reused 10 of 20 predictions in {tmp_path / 'out' / 'predictions.sqlite'}\n" in done.err
    assert manifest(tmp_path)["predictions_reused"] == 10
    fresh = run("--format", "json", out="fresh")
    again = run("--resume", "--format", "json")
    assert json.loads(again.out)["measures"] == json.loads(fresh.out)["measures"]
    assert "reused" not in fresh.err


def test_without_resume_the_same_is_reused_and_said(run: Run) -> None:
    run()
    assert "reused 20 of 20 predictions" in run().err
    assert "reused 0 of 20 predictions" in run("--resume", "--symbols", "numbers").err


@pytest.mark.parametrize("flags", [(), ("--dry-run",)])
def test_resume_without_a_run_that_was_begun(run: Run, tmp_path: Path, flags: tuple[str, ...]) -> None:
    done = run("--resume", *flags)
    assert (done.code, done.out) == (2, "")
    assert f"Expected --resume with the folder of a run that was begun, but {tmp_path / 'out'} holds no" in done.err
    assert not (tmp_path / "out").exists()


def test_resume_of_a_classifier_is_refused(run: Run, tmp_path: Path) -> None:
    done = run("--resume", decoding="classify")
    assert done.code == 2
    assert "but got a local classifier, which keeps no finished predictions" in done.err
    assert not (tmp_path / "out").exists()


def test_the_help_says_what_resume_needs(jostle: Callable[..., Any]) -> None:
    text = " ".join(jostle("run", "--help").out.split())
    assert "--resume Go on with the run in --out" in text
    assert "--decoding classify keeps none otherwise and refuses it" in text


def test_a_model_that_was_trained_again_never_gets_old_answers(run: Run, model: Path, tmp_path: Path) -> None:
    run()
    before = manifest(tmp_path)["revision"]
    change_one_weight(model, by=0.5)
    assert "reused 0 of 20 predictions" in run("--resume").err
    assert manifest(tmp_path)["revision"] != before


def test_a_folder_is_the_same_model_however_it_is_named(run: Run, model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    monkeypatch.chdir(model.parent)
    (model.parent / "link").symlink_to(model)
    copy = shutil.copytree(model, model.parent / "copy")
    for name in ("./model", "model/", "link", copy):
        assert "reused 20 of 20 predictions" in run("--model", name).err


def test_limit_is_for_each_task(run: Run, tmp_path: Path) -> None:
    assert run("--limit", "4", task="all").code == 0
    rows = pq.read_table(tmp_path / "out" / "outcomes.parquet").to_pylist()
    originals = Counter(row["tasks"] for row in rows if row["conditions"] == "orig")
    assert originals == dict.fromkeys(("mnli", "qqp", "qnli", "sst2"), 4)
    first = [row["item_ids"] for row in rows if row["tasks"] == "sst2" and row["conditions"] == "orig"]
    run("--limit", "2", out="two")
    fewer = pq.read_table(tmp_path / "two" / "outcomes.parquet").to_pylist()
    assert [row["item_ids"] for row in fewer if row["conditions"] == "orig"] == first[:2]


def test_items_left_out_are_counted_once_for_all_decodings(run: Run, tmp_path: Path) -> None:
    kinds = ("--operators", "contractions")
    counts = {}
    for decoding in ("score", "score,greedy"):
        run(*kinds, "--max-new-tokens", "1", decoding=decoding)
        tally = manifest(tmp_path)["left_out_by_condition"]["para/contractions"]
        counts[decoding] = {why: n for why, n in tally.items() if "unparsed" not in why}
    assert counts["score"] == counts["score,greedy"]
    assert sum(counts["score"].values()) > 0


def test_r04_the_manifest_records_all_that_answers_depend_on(run: Run, tmp_path: Path) -> None:
    flags = ("--k", "2", "--temperature", "0.7", "--top-p", "0.9", "--max-new-tokens", "3", "--seed", "4")
    run(*flags, "--self-check", "2", decoding="greedy,sample")
    record = manifest(tmp_path)
    assert record["dtype"] == "float32"
    assert record["padding_side"] == "left"
    assert (record["batch_size"], record["token_budget"], record["max_length"]) == (None, 8192, 256)
    assert record["chat_template"] is False
    assert record["versions"].keys() >= {"torch", "transformers", "tokenizers", "numpy"}
    assert record["versions"]["transformers"] == transformers.__version__
    assert {"python", "jostle"} <= record.keys()
    assert record["revision"].startswith("sha256:")
    assert record["settings"]["seed"] == 4
    common = {"num_beams": 1, "max_new_tokens": 3, "until": ["\n"]}
    assert record["decodings"] == [
        {"mode": "greedy", "do_sample": False, **common},
        {"mode": "sample", "do_sample": True, **common, "k": 2, "temperature": 0.7, "top_p": 0.9, "seed": 4},
    ]
    assert "self-check sst2" in record["self_check"][0]


def test_the_manifest_says_whether_a_chat_template_was_used(run: Run, model: Path, tmp_path: Path) -> None:
    (model / "chat_template.jinja").write_text("{% for m in messages %}{{ m.content }} {% endfor %}yes")
    assert run().code == 0
    assert manifest(tmp_path)["chat_template"] is True


def test_choices_as_text_run(run: Run, jostle: Callable[..., Any], model: Path, tmp_path: Path) -> None:
    options = "['slow', \"it's bright\", 'dull']"
    questions = [{"question": f"Is film {k} warm?", "choices": options, "answer": str(k % 3)} for k in range(6)]
    path = tmp_path / "q.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in questions), encoding="utf-8")
    done = jostle("run", "--task", "mcq", "--data", path, "--model", model, "--out", tmp_path / "out", "--operators",
                  "cyclic_order,option_labels", "--decoding", "score", "--resamples", "200")  # fmt: skip
    assert done.code == 0, done.err
    assert "mcq: field map: choices: parsed from Python list text\n" in done.err
    rows = pq.read_table(tmp_path / "out" / "outcomes.parquet").to_pylist()
    assert {row["positions"] for row in rows} == {"A", "B", "C"}
    assert {row["conditions"] for row in rows} == {
        "orig", "shift1", "shift2", "pert/labels_numbers", "pert/labels_roman",
    }  # fmt: skip
