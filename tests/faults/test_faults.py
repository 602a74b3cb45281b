"""Killed, interrupted, out of disk, on a path that cannot be written: nothing is half-written, and it can go on."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ..predict import generate_models

pytestmark = pytest.mark.slow
JOSTLE = [sys.executable, "-m", "jostle"]
BUILD = ["build", "--task", "sst2", "--data", "embedded", "--limit", "60", "--out", "out"]
RUN = ["run", "--task", "sst2", "--data", "embedded", "--limit", "10", "--operators", "typos",
       "--model", "embedded", "--resamples", "200", "--out", "out"]  # fmt: skip
AUDIT = ["audit", "set.jsonl", "--skip-duplicates", "--format", "json", "--out", "out/audit.json"]
PUBLISH = ["publish", "metrics", "--to", "out"]
COMMANDS = {"build": BUILD, "run": RUN, "audit": AUDIT, "publish": PUBLISH}
Content = Mapping[str, bytes]


def interruptible() -> None:
    """A shell has its background processes, and theirs, ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(command: Sequence[str], folder: Path, **how: Any) -> subprocess.Popen[str]:
    given: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "preexec_fn": interruptible, **how}
    return subprocess.Popen([*JOSTLE, *command], cwd=folder, text=True, **given)


def finish(command: Sequence[str], folder: Path, **how: Any) -> subprocess.CompletedProcess[str]:
    with start(command, folder, **how) as process:
        out, err = process.communicate(timeout=120)
        return subprocess.CompletedProcess(command, process.returncode, out, err)


def questions(folder: Path) -> None:
    """A set to audit."""
    rows = [{"input": f"How much is {k} and {k % 7}?", "expected": str(k + k % 7)} for k in range(3000)]
    (folder / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def ready(name: str, folder: Path) -> None:
    """`publish` wants a new folder; the others overwrite what they wrote."""
    if name == "publish":
        shutil.rmtree(folder / "out", ignore_errors=True)
        (folder / "out").mkdir()


def content(folder: Path) -> Content:
    """What lies in a folder but for hidden files; times and durations of a manifest apart."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    }


def check_whole(files: Content, folder: Path) -> None:
    """Every file can be read to its end."""
    for name, held in files.items():
        if name.endswith(".parquet"):
            pq.read_table(folder / name)
        elif name.endswith(".json"):
            json.loads(held)
        elif name.endswith(".html"):
            assert held.rstrip().endswith(b"</html>")


@pytest.mark.parametrize("name", COMMANDS)
def test_killed_at_any_moment(name: str, tmp_path: Path) -> None:
    """What was there stays whole, and the same command then gives what it gives undisturbed."""
    command, fresh, killed = COMMANDS[name], tmp_path / "fresh", tmp_path / "killed"
    for folder in (fresh, killed):
        (folder / "out").mkdir(parents=True)
        questions(folder)
    begun = time.monotonic()
    done = finish(command, fresh)
    takes = time.monotonic() - begun
    assert done.returncode in (0, 1), done.stderr
    expected = content(fresh / "out")
    n_killed = 0
    for share in (0.35, 0.55, 0.75, 0.95):  # of the time that it takes; before that it imports
        ready(name, killed)
        with start(command, killed) as process:
            time.sleep(takes * share)
            process.kill()
            process.communicate()
            n_killed += process.returncode == -signal.SIGKILL
        check_whole(content(killed / "out"), killed / "out")
    assert n_killed > 0
    ready(name, killed)
    assert finish(command, killed).returncode == done.returncode
    same = [path for path in expected if not path.endswith(("manifest.json", "report.json", "report.html"))]
    assert content(killed / "out").keys() == expected.keys()
    assert [path for path in same if content(killed / "out")[path] != expected[path]] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_one_line_and_leaves_what_was_there(name: str, tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk: writing fails in the middle in the same way."""
    questions(tmp_path)
    (tmp_path / "out").mkdir()
    first = finish(COMMANDS[name], tmp_path)
    assert first.returncode in (0, 1), first.stderr
    ready(name, tmp_path)
    before = content(tmp_path / "out")

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    done = finish(COMMANDS[name], tmp_path, preexec_fn=limited, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 3, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("Error:")]
    assert "File too large" in line
    assert "Traceback" not in done.stderr
    after = content(tmp_path / "out")
    check_whole(after, tmp_path / "out")
    assert before.keys() == after.keys()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_folder_that_cannot_be_written_is_one_line(name: str, tmp_path: Path) -> None:
    """A file in the place of the folder: root may write everywhere else."""
    questions(tmp_path)
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    done = finish(COMMANDS[name], tmp_path)
    assert done.returncode in (2, 3)
    assert len([line for line in done.stderr.splitlines() if line.startswith("Error:")]) == 1
    assert "Traceback" not in done.stderr
    assert (tmp_path / "out").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", COMMANDS)
def test_control_c_is_no_traceback(name: str, tmp_path: Path) -> None:
    questions(tmp_path)
    (tmp_path / "out").mkdir()
    begun = time.monotonic()
    finish(COMMANDS[name], tmp_path)
    takes = time.monotonic() - begun
    ready(name, tmp_path)
    with start(COMMANDS[name], tmp_path) as process:
        time.sleep(takes * 0.6)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert "Traceback" not in err
    if process.returncode not in (0, 1, -signal.SIGINT):  # it was through before, or about to end
        assert (process.returncode, err.splitlines()[-1]) == (3, "Error: interrupted: nothing was reported")
    check_whole(content(tmp_path / "out"), tmp_path / "out")


def test_two_runs_on_one_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both end with the same answers, and every one of them is stored once."""
    monkeypatch.setattr(generate_models, "LONGEST", 256)
    model = generate_models.save_model("llama", tmp_path / "model")
    command = ["run", "--task", "sst2", "--data", "embedded", "--limit", "20", "--operators", "typos", "--model",
               str(model), "--decoding", "score", "--resamples", "200", "--format", "json", "--out", "out"]  # fmt: skip
    with start(command, tmp_path) as one, start(command, tmp_path) as two:
        outs = [process.communicate(timeout=120) for process in (one, two)]
    assert [one.returncode, two.returncode] == [0, 0], outs
    measures = [json.loads(out)["measures"] for out, _ in outs]
    assert measures[0] == measures[1]
    again = finish(command, tmp_path)
    assert "reused 40 of 40 predictions" in again.stderr


def test_control_c_keeps_what_a_model_has_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate_models, "LONGEST", 256)
    model = generate_models.save_model("llama", tmp_path / "model")
    command = ["run", "--task", "all", "--data", "embedded", "--limit", "60", "--variants", "orig,para,pert",
               "--model", str(model), "--decoding", "greedy", "--resamples", "200", "--out", "out"]  # fmt: skip
    with start(command, tmp_path) as process:
        wait_for(lambda: stored(tmp_path / "out" / "predictions.sqlite") > 20, process)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err.splitlines()[-1]) == (3, "Error: interrupted: nothing was reported")
    kept = stored(tmp_path / "out" / "predictions.sqlite")
    done = finish([*command, "--resume"], tmp_path)
    reused = int(done.stderr.split("reused ")[1].split(" of ")[0])
    assert reused >= kept > 20


def stored(path: Path) -> int:
    """How many predictions a store holds."""
    import sqlite3
    from contextlib import closing, suppress

    with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as store:
        return int(store.execute("SELECT count(*) FROM predictions").fetchone()[0])
    return 0


def wait_for(true: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until something holds, while a process runs."""
    end = time.monotonic() + 120
    while not true():
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < end
        time.sleep(0.05)
