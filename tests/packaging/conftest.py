"""A wheel of this clone, and an environment that has it and what it needs, no extras."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
Ran = subprocess.CompletedProcess[str]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, made from the source distribution as `python -m build` makes it."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--outdir", str(folder), str(REPO)]
    done = subprocess.run(build, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a new environment with `pip install WHEEL`, versions as pinned."""
    folder = tmp_path_factory.mktemp("core") / "venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    path = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
    pip = (path, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", REPO / "constraints.txt")
    subprocess.run([*pip, wheel], check=True, env=_environment(folder))
    return path


@pytest.fixture
def run(python: Path, tmp_path: Path) -> Callable[..., Ran]:
    """A command line of `python` in an empty folder: `run("-m", "jostle", "report", "results.json")`."""

    def call(*arguments: object) -> Ran:
        command = [str(python), *map(str, arguments)]
        env = _environment(tmp_path / "cache")
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=300)

    return call


def _environment(cache: Path) -> dict[str, str]:
    """Nothing of this process's paths and settings, caches of its own, no network for the Hub."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "HF_", "JOSTLE"))}
    offline = {"HF_EVALUATE_OFFLINE": "1", "HF_HUB_OFFLINE": "1", "HF_UPDATE_DOWNLOAD_COUNTS": "0"}
    return kept | offline | {"HF_HOME": str(cache), "HF_MODULES_CACHE": str(cache / "modules")}
