"""Inspect AI logs: scorers as conditions, epochs as samples, what has no grade is counted."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from jostle.errors import InputError
from jostle.importers import Reading, read_results

Write = Callable[[str, Any], Path]
QUESTION = {"input": "Capital of Italy?", "choices": ["Rome", "Bonn"], "target": "A"}


def log(*samples: dict[str, Any]) -> dict[str, Any]:
    run = {"task": "capitals", "model": "mockllm/model"}
    return {"version": 2, "status": "success", "eval": run, "samples": [{"epoch": 1, **sample} for sample in samples]}


def scored(number: int, answer: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"id": number, **QUESTION, "scores": {"choice": {"value": value, "answer": answer}}, **more}


def test_grades_epochs_and_errors(write: Write) -> None:
    samples = [
        scored(1, "A", "C"),
        scored(1, "B", "I", epoch=2),
        scored(2, "", "N", input="Capital of France?"),
        scored(3, "A", "C", input="Capital of Spain?", error={"message": "timeout"}),
        scored(4, "A", 0.5, input="Capital of Peru?"),
        {"id": 5, **QUESTION, "scores": {}},
    ]
    outcomes = read_results(write("log.json", log(*samples)))
    frame = outcomes.to_pandas()
    assert frame.predictions.fillna("-").tolist() == ["A", "B", "-"]
    assert frame.samples.tolist() == ["1", "2", "1"]
    assert frame.item_ids.nunique() == 2
    assert outcomes.counts == {"log": {"choice is not right or wrong": 1, "error": 1, "not scored": 1}}
    assert outcomes.about == {"task": "capitals", "model": "mockllm/model"}


def test_the_archive_is_read_as_the_document(write: Write, tmp_path: Path) -> None:
    whole = log(scored(1, "A", "C"), scored(2, "B", "I", input="Capital of France?"))
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps({key: value for key, value in whole.items() if key != "samples"}))
        for sample in whole["samples"]:
            archive.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
    assert read_results(path).to_arrow() == read_results(write("log.json", whole)).to_arrow()


def test_messages_are_an_input_too(write: Write) -> None:
    messages = [{"role": "system", "content": "Answer."}, {"role": "user", "content": "Capital of Italy?"}]
    outcomes = read_results(write("log.json", log({**scored(1, "A", "C"), "input": messages})))
    assert list(outcomes.texts.values()) == ["Answer.\nCapital of Italy?\nRome\nBonn"]


def test_ids_and_metrics_can_be_chosen(write: Write) -> None:
    path = write("log.json", log(scored("x7", "A", "C")))
    assert read_results(path, Reading(match="id")).to_pandas().item_ids.tolist() == ["x7"]
    with pytest.raises(InputError, match="Expected scores of match, but"):
        read_results(path, Reading(metrics=("match",)))


def test_what_is_no_log_is_said(write: Write, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Expected samples, but .* has none \(status 'success'\)"):
        read_results(write("log.json", log()))
    with pytest.raises(InputError, match=r"has none \(error: 1\)"):
        read_results(write("log.json", log(scored(1, "A", "C", error={"message": "no"}))))
    broken = tmp_path / "log.eval"
    broken.write_bytes(b"PK\x03\x04 cut off")
    with pytest.raises(InputError, match=r"cannot be read: .* Was it cut off\?"):
        read_results(broken)


@pytest.mark.parametrize(
    "damage", [{"scores": [None]}, {"scores": {"choice": 1}}, {"input": True}, {"metadata": "text", "scores": 3}]
)
def test_a_damaged_sample_is_named(write: Write, damage: dict[str, Any]) -> None:
    path = write("log.json", log(scored(1, "A", "C"), {**scored(7, "A", "C"), **damage}))
    with pytest.raises(InputError, match=r"Expected what Inspect AI writes, but .*log\.json, (sample 7|one of its)"):
        read_results(path)


def test_an_archive_with_damaged_bytes(tmp_path: Path) -> None:
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"eval": {}, "status": "success", "filler": "x" * 5000}))
    content = bytearray(path.read_bytes())
    content[45:55] = b"\xff" * 10  # inside the deflated header
    path.write_bytes(content)
    with pytest.raises(InputError, match="cannot be read"):
        read_results(path)


@pytest.mark.parametrize(
    ("name", "right"),
    [("2025-05-12T20-28-13-04-00_popularity.json", None), ("data_arc_qwen.json", None), ("log_formats.eval", 0)],
)
def test_real_logs_give_the_accuracy_that_they_state(real: Path, name: str, right: int | None) -> None:
    path = real / "inspect" / name
    frame = read_results(path).to_pandas()
    found = (frame.predictions == frame.references).sum()
    if right is None:
        whole = json.loads(path.read_text("utf-8"))
        grades = [next(iter(s["scores"].values()))["value"] for s in whole["samples"]]
        right = grades.count("C")
    assert found == right


def test_an_archive_packed_with_zstandard_is_read(write: Write, tmp_path: Path) -> None:
    whole = log(scored(1, "A", "C"), scored(2, "B", "I", input="Capital of France?"))
    members = {"header.json": {key: value for key, value in whole.items() if key != "samples"}}
    members |= {f"samples/{sample['id']}_epoch_1.json": sample for sample in whole["samples"]}
    path = tmp_path / "log.eval"
    with zipfile.ZipFile(path, "w") as archive:
        for name, member in members.items():
            content = json.dumps(member).encode()
            archive.writestr(name, pa.compress(content, "zstd", asbytes=True))
            info = archive.getinfo(name)  # Python writes this into the directory when the archive is closed
            info.compress_type, info.file_size, info.CRC = 93, len(content), zlib.crc32(content)
    assert read_results(path).to_arrow() == read_results(write("log.json", whole)).to_arrow()
    damaged = path.read_bytes().replace(
        zlib.crc32(json.dumps(members["header.json"]).encode()).to_bytes(4, "little"), b"0000"
    )
    path.write_bytes(damaged)
    with pytest.raises(InputError, match=r"cannot be read: bad checksum of 'header\.json'"):
        read_results(path)


def test_samples_that_a_task_of_jostle_marked_keep_item_and_condition(write: Write) -> None:
    def marked(number: int, item: str, condition: str, value: str) -> dict[str, Any]:
        about = {"jostle_item": item, "jostle_condition": condition, "jostle_family": f"f{item}"}
        return scored(number, "A", value, metadata=about, input=f"Question {number}?")

    samples = [
        marked(1, "a", "orig", "C"),
        marked(2, "a", "shift1", "I"),
        marked(3, "b", "orig", "C"),
        scored(4, "A", "C"),
    ]
    outcomes = read_results(write("log.json", log(*samples)))
    frame = outcomes.to_pandas()
    assert frame[["item_ids", "conditions", "families"]].to_numpy().tolist() == [
        ["a", "orig", "fa"], ["a", "shift1", "fa"], ["b", "orig", "fb"],
    ]  # fmt: skip
    assert outcomes.counts == {"log": {"passed through": 1}}
    for sample in samples:
        sample["scores"]["match"] = sample["scores"]["choice"]
    both = read_results(write("log.json", log(*samples))).to_pandas()
    assert set(both.conditions) == {"choice/orig", "choice/shift1", "match/orig", "match/shift1"}
    one = read_results(write("log.json", log(*samples)), Reading(metrics=("match",))).to_pandas()
    assert set(one.conditions) == {"orig", "shift1"}
