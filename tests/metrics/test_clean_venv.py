"""The modules load from a clone where only `evaluate` and numpy are installed, and jostle is not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import importlib.util, json
import evaluate
assert importlib.util.find_spec("jostle") is None, "jostle is importable, so this proves nothing"
columns = {
    "predictions": [1, 0, 1, 1, 1, 1, 0, 0], "references": [1] * 8,
    "item_ids": ["a"] * 4 + ["b"] * 4, "conditions": ["orig", "para/x", "pert/y", "adv/z"] * 2,
}
names = ("invariance_drift", "flip_rate", "pair_consistency", "robustness_ratio")
print(json.dumps(evaluate.combine([evaluate.load(f"metrics/{name}") for name in names]).compute(**columns)))
"""


def environment(cache: Path) -> dict[str, str]:
    """Nothing of this process's paths, and caches of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "HF_"))}
    offline = {"HF_EVALUATE_OFFLINE": "1", "HF_UPDATE_DOWNLOAD_COUNTS": "0"}
    return kept | offline | {"HF_HOME": str(cache), "HF_MODULES_CACHE": str(cache / "modules")}


@pytest.mark.slow
def test_loads_without_jostle(repo: Path, tmp_path: Path) -> None:
    """Two items under four kinds: orig 1.0, para .5, pert .5, adv .5."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    env = environment(tmp_path / "cache")
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "evaluate", "numpy"]
    subprocess.run(install, check=True, env=env, cwd=tmp_path)
    shutil.copytree(repo / "metrics", tmp_path / "clone" / "metrics")  # symlinks become files, as in an upload
    ran = subprocess.run(
        [str(python), "-c", SCRIPT], cwd=tmp_path / "clone", env=env, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert found["accuracy_by_condition"] == {"adv/z": 0.5, "orig": 1.0, "para/x": 0.5, "pert/y": 0.5}
    assert found["max_drift"] == found["robustness_ratio"] == 0.5
    assert found["flip_rate"] == 1.0
    assert found["relation_accuracy"] == 0.5
