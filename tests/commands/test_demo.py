"""`jostle demo` with the embedded model, as a first user runs it."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from jostle.predict.embedded import ENCODER_PACKAGE

PACKAGES = ("torch", "transformers", ENCODER_PACKAGE)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        any(importlib.util.find_spec(name) is None for name in PACKAGES), reason="the extra `models` is not installed"
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def done(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "jostle", "demo", "--resamples", "1000"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)


def test_it_ends_well_and_writes_the_page_alone(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    assert done.returncode == 0, done.stderr
    assert [path.name for path in folder.iterdir()] == ["jostle-report.html"]
    assert "wrote jostle-report.html" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Warning" not in done.stderr


def test_the_terminal_shows_verdict_conditions_numbers_and_limits(done: subprocess.CompletedProcess[str]) -> None:
    assert re.search(r"^\[(FRAGILE|INCONCLUSIVE|INVARIANT)\] ", done.stdout, re.MULTILINE)
    for condition in ("orig", "para/by_hand", "para/contractions", "pert/typos", "adv/distractor"):
        assert re.search(rf"^{condition} +\d+ +0\.\d{{3}} ", done.stdout, re.MULTILINE), condition
    for part in ("drift", "flip rate", "robustness ratio", "Pairs", "What this report cannot tell you", "jostle="):
        assert part in done.stdout
    assert re.search(r"^orig +240 ", done.stdout, re.MULTILINE)
    assert all(len(line) <= 80 for line in done.stdout.splitlines() if not line.startswith(("jostle=", "jostle ")))


def test_the_page_is_whole_and_links_nowhere(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    page = (folder / "jostle-report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")
    assert page.count("<svg") == 2
    assert set(re.findall(r"https?://[^\s\"'<>]+", page)) <= {
        "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
    }  # fmt: skip
