"""Every exception that pyproject.toml makes for bandit still excuses something, and has its reason beside it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
SKIPS = tomllib.loads(PROJECT)["tool"]["bandit"]["skips"]


def test_every_exception_has_its_reason() -> None:
    assert re.findall(r'^    "(B\d+)",  # \w.{20,}$', PROJECT, re.MULTILINE) == SKIPS


@pytest.mark.slow
def test_what_bandit_finds_is_what_is_excused() -> None:
    command = ["-m", "bandit", "--quiet", "--recursive", "--format", "json", "src", "spaces", "metrics"]
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    assert report["errors"] == []
    assert sorted({issue["test_id"] for issue in report["results"]}) == SKIPS
