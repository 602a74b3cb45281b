"""What was published works where jostle is not installed: modules by name, and the apps from their requirements."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from jostle.measures.version import __version__

from ..gradio_api import call, shown_inputs
from ..hub_stub import HubStub, hub_env

Publish = Callable[..., subprocess.CompletedProcess[str]]
REPO = Path(__file__).resolve().parents[2]
PIP = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
COMPUTE = """
import importlib.util, json, sys
import evaluate
assert importlib.util.find_spec("jostle") is None, "jostle is importable, so this proves nothing"
columns = {
    "predictions": [1, 0, 1, 1, 1, 1, 0, 0], "references": [1] * 8,
    "item_ids": ["a"] * 4 + ["b"] * 4, "conditions": ["orig", "para/x", "pert/y", "adv/z"] * 2,
}
names = ("invariance_drift", "flip_rate", "pair_consistency", "robustness_ratio")
modules = [evaluate.load(f"org/{name}", revision=sys.argv[1] or None) for name in names]
found = {name: module.compute(**columns) for name, module in zip(names, modules)}
of_sets = {
    "class_balance": {"labels": ["a", "a", "a", "b"]},
    "near_duplicates": {"texts": ["one text", "One  text", "something else"]},
    "discrimination": {
        "predictions": [1, 1, 0, 1], "references": [1] * 4, "item_ids": ["a", "b"] * 2, "conditions": ["orig"] * 4,
        "models": ["weak", "weak", "strong", "strong"],
    },
}
for name, given in of_sets.items():
    found[name] = evaluate.load(f"org/{name}", revision=sys.argv[1] or None).compute(**given)
print(json.dumps(found, default=float))
"""
EXPECTED = """
import json, app
from metric_page import strict
print(json.dumps([app.page.example, strict(app.page.numbers(app.page.example))]))
"""


def without_paths(env: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if not name.startswith("PYTHON")}


def new_environment(folder: Path, *packages: object) -> Path:
    """The Python of a new virtual environment with these packages alone."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    env = without_paths(dict(os.environ))
    subprocess.run([python, *PIP, *map(str, packages)], check=True, env=env, cwd=folder)
    return python


def check(found: dict[str, Any]) -> None:
    """Two items under four kinds: a falls in para, b in pert and adv, so accuracies are 1, .5, .5 and .5."""
    assert found["invariance_drift"]["max_drift"] == 0.5
    assert found["flip_rate"]["flip_rate"] == 1.0
    assert found["pair_consistency"]["relation_accuracy"] == 0.5
    assert found["robustness_ratio"]["robustness_ratio"] == 0.5
    assert all(f"|jostle={__version__}|" in result["signature"] for result in found.values())


@pytest.mark.slow
def test_published_modules_load_by_name_at_a_revision_and_offline(
    hub_stub: HubStub, publish: Publish, tmp_path: Path
) -> None:
    publish("metrics", "--to", "org", "--public")
    python = new_environment(tmp_path / "venv", "evaluate", "numpy")

    def compute(revision: str, cache: str, **env: str) -> dict[str, Any]:
        ran = subprocess.run(
            [python, "-c", COMPUTE, revision],
            env=without_paths(hub_env(hub_stub.url, tmp_path / cache)) | {"HF_TOKEN": ""} | env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return dict(json.loads(ran.stdout.splitlines()[-1]))

    check(compute("", "first"))
    for name in ("invariance_drift", "flip_rate", "pair_consistency", "robustness_ratio"):
        hub_stub.add_file("space", f"org/{name}", f"{name}.py", b"raise SystemExit('a later version')\n")
    check(compute(f"v{__version__}", "second"))
    asked = len(hub_stub.requests)
    check(compute("", "first", HF_EVALUATE_OFFLINE="1"))
    assert len(hub_stub.requests) == asked


@contextmanager
def running(python: Path, folder: Path, env: dict[str, str]) -> Iterator[str]:
    """Address of the app of a folder, started as the Hub starts it, and stopped at the end."""
    with subprocess.Popen(
        [python, "app.py"], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        assert server.stdout
        try:
            lines = []
            for line in server.stdout:
                lines.append(line)
                if found := re.search(r"http://127\S+", line):
                    yield found.group()
                    break
            else:
                pytest.fail("".join(lines))
        finally:
            server.terminate()


def served(url: str) -> dict[str, Any]:
    """The configuration that a page asks for, from a server that may not answer yet."""
    for _ in range(20):
        try:
            with urlopen(f"{url.rstrip('/')}/config", timeout=30) as answer:
                return dict(json.load(answer))
        except OSError:
            time.sleep(0.5)
    raise AssertionError(f"{url} does not answer")


def check_numbers(url: str, config: dict[str, Any], folder: Path) -> None:
    """The page's API gives the numbers for its example that the folder gives in the environment of the tests."""
    ran = subprocess.run([sys.executable, "-B", "-c", EXPECTED], cwd=folder, check=True, capture_output=True)
    table, expected = json.loads(ran.stdout)
    _, *options = shown_inputs(config, "compute")
    kind, found = call(url, "compute", table, *options)
    assert (kind, found[1]) == ("complete", expected)
    assert expected["signature"]


@pytest.mark.slow
@pytest.mark.timeout(1800)  # pip downloads torch
@pytest.mark.parametrize("what", ["metrics", "space"])
def test_published_apps_start_from_their_own_requirements(publish: Publish, tmp_path: Path, what: str) -> None:
    publish(what, "--to", f"{tmp_path}/out")
    folders = sorted(app.parent for app in (tmp_path / "out").glob("*/app.py"))
    (lines,) = {(folder / "requirements.txt").read_bytes() for folder in folders}  # the same, so one environment does
    needed = tmp_path / "requirements.txt"  # alone, as the Hub installs it: none of the other files is there yet
    needed.write_bytes(lines)
    python = new_environment(tmp_path / "venv", "-r", needed, "-c", REPO / "constraints.txt")
    env = without_paths(dict(os.environ)) | {"HF_HOME": str(tmp_path / "hf"), "PYTHONUNBUFFERED": "1"}
    ours = sorted(app.parent.name for app in (REPO / "metrics").glob("*/app.py"))
    assert [folder.name for folder in folders] == (ours if what == "metrics" else ["jostle"])
    for folder in folders:
        with running(python, folder, env) as url:
            config = served(url)
            if what == "metrics":
                check_numbers(url, config, REPO / "metrics" / folder.name)
        assert config["title"] == folder.name.replace("_", " ").capitalize().replace("Jostle", "jostle")
        assert len(config["components"]) > 5
