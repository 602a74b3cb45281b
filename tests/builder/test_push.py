"""A built folder goes up to a Hub and comes back by name, streamed too."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ..hub_stub import HubStub, hub_env

LOAD = """
import json, sys
import datasets
rows = datasets.load_dataset("org/robust", "sst2-pert", split="validation")
stream = datasets.load_dataset("org/robust", "sst2-pert", split="validation", streaming=True)
print(json.dumps([len(rows), [row["key"] for row in stream] == list(rows["key"]), rows.features["label"].names]))
"""


@pytest.mark.slow
def test_build_push_and_load_by_name(hub_stub: HubStub, tmp_path: Path) -> None:
    data = tmp_path / "items.jsonl"
    rows = [{"idx": k, "sentence": f"It isn't a bad film, take {k}.", "label": 1} for k in range(5)]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = [sys.executable, "-m", "jostle", "build", "--task", "sst2", "--data", str(data)]
    command += ["--out", str(tmp_path / "built"), "--push", "org/robust"]
    pushed = subprocess.run(
        command, env=hub_env(hub_stub.url, tmp_path / "a"), capture_output=True, text=True, check=False
    )
    assert pushed.returncode == 0, pushed.stderr
    assert f"published {hub_stub.url}/datasets/org/robust" in pushed.stderr
    loaded = subprocess.run(
        [sys.executable, "-c", LOAD],
        env=hub_env(hub_stub.url, tmp_path / "b"),
        capture_output=True,
        text=True,
        check=True,
    )
    count, same, names = json.loads(loaded.stdout.splitlines()[-1])
    assert count > 5
    assert same
    assert names == ["negative", "positive"]


@pytest.mark.slow
def test_refused_push_is_one_line(hub_stub: HubStub, tmp_path: Path) -> None:
    data = tmp_path / "items.jsonl"
    data.write_text(json.dumps({"idx": 1, "sentence": "It isn't a bad film.", "label": 1}) + "\n")
    command = [sys.executable, "-m", "jostle", "build", "--task", "sst2", "--data", str(data)]
    command += ["--out", str(tmp_path / "built"), "--push", "org/robust"]
    env = hub_env(hub_stub.url, tmp_path / "a") | {"HF_TOKEN": ""}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "Expected to publish org/robust" in done.stderr.splitlines()[-1]
