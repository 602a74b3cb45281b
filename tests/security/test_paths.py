"""Names in data lead to no file outside of the folder that was asked for, and keys of the environment to none."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]
AWAY = ("../away", "/tmp/jostle-away", "..\\away", "a/../../away", "~/away")
KEYS = {"HF_TOKEN": "hf_VerySecretToken", "OPENAI_API_KEY": "sk-very-secret", "HUGGING_FACE_HUB_TOKEN": "hf_Other"}


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


@pytest.mark.parametrize("name", AWAY)
def test_ids_families_and_labels_name_no_files(name: str, write: Write, jostle: Jostle, tmp_path: Path) -> None:
    rows = [{"idx": f"{name}{k}", "sentence": f"It isn't a good film, {k}.", "label": "negative", "family": name,
             "split": name, "config": name} for k in range(4)]  # fmt: skip
    data = write("in/items.jsonl", rows)
    out = tmp_path / "deep" / "er" / "out"
    assert jostle("build", "--task", "sst2", "--data", data, "--out", out).code == 0
    outside = {path for path in files(tmp_path) if not path.startswith(("in", "deep/er/out"))}
    assert outside == {"deep", "deep/er"}
    assert not Path("/tmp/jostle-away").exists()


@pytest.mark.parametrize("name", AWAY)
def test_a_split_is_no_path(name: str, write: Write, jostle: Jostle, tmp_path: Path) -> None:
    data = write("in/items.jsonl", [{"idx": 1, "sentence": "It isn't a good film.", "label": "negative"}])
    out = tmp_path / "deep" / "er" / "out"
    done = jostle("build", "--task", "sst2", "--data", data, "--split", name, "--out", out)
    assert done.code in (0, 2, 3)
    assert {path for path in files(tmp_path) if not path.startswith(("in", "deep/er/out"))} <= {"deep", "deep/er"}


def test_members_of_an_archive_are_not_unpacked(jostle: Jostle, tmp_path: Path) -> None:
    """Only a member of a known name is read, and no member is written."""
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as archive:
        archive.writestr("../away.json", "{}")
        archive.writestr("/tmp/jostle-away.json", "{}")
    done = jostle("report", tmp_path / "log.eval")
    assert done.code in (2, 3)
    assert "Traceback" not in done.err
    assert files(tmp_path) == {"log.eval"}
    assert not Path("/tmp/jostle-away.json").exists()


def test_a_link_in_the_place_of_a_report_stays_one(write: Write, jostle: Jostle, tmp_path: Path) -> None:
    target = write("elsewhere/report.json", "{}")
    (tmp_path / "report.json").symlink_to(target)
    rows = {"orig": [True] * 20, "b": [True] * 20}
    assert (
        jostle("report", write("results.json", rows), "--resamples", "200", "--out", tmp_path / "report.json").code == 0
    )
    assert (tmp_path / "report.json").is_symlink()
    assert json.loads(target.read_text("utf-8"))["tool"]["name"] == "jostle"


@pytest.mark.slow
def test_keys_of_the_environment_stand_nowhere(jostle: Jostle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)
    flags = ("--task", "sst2", "--data", "embedded", "--limit", "5", "--resamples", "200")
    said = [
        jostle("run", *flags, "--model", "embedded", "--operators", "typos", "--out", tmp_path / "run", "-vv"),
        jostle("run", *flags, "--model", "x", "--decoding", "greedy", "--base-url", "http://127.0.0.1:9/v1", "--out",
               tmp_path / "endpoint", "-vv"),
        jostle("build", *flags[:-2], "--out", tmp_path / "built", "-vv"),
        jostle("publish", "dataset", tmp_path / "built", "--to", "org", "-vv"),
    ]  # fmt: skip
    assert [done.code for done in said] == [0, 3, 0, 3]
    texts = [text.encode() for done in said for text in (done.out, done.err)]
    texts += [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(texts) > 12
    assert [key for key in KEYS.values() if any(key.encode() in text for text in texts)] == []
