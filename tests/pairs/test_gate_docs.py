"""docs/gate.md does what it says: its commands run with the exit codes it gives, and print what it shows."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = "pytester"

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)


def blocks(language: str) -> list[str]:
    return [code for name, code in BLOCKS if name == language]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ROOT / "examples" / "pairs", tmp_path / "examples" / "pairs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_commands_print_what_the_page_shows(folder: Path, jostle: Callable[..., Any]) -> None:
    printed = []
    for line in "".join(blocks("bash")).splitlines():
        command, _, code = line.partition("  # exit ")
        done = jostle(*shlex.split(command)[1:])
        assert done.code == int(code or 0), (command, done.err)
        printed.append(done.out)
    assert len(printed) == 5
    for shown in blocks("text"):
        assert any(shown in out for out in printed), shown


def test_the_gate_file_of_the_page_is_that_of_the_example() -> None:
    (shown,) = blocks("toml")
    assert tomllib.loads(shown) == tomllib.loads((ROOT / "examples" / "pairs" / "gate.toml").read_text("utf-8"))


def test_the_python_block_prints_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    code = blocks("python")[0]
    exec(compile(code, "gate.md", "exec"), {})
    expected = [line.removeprefix("# ") for line in code.splitlines() if line.startswith("# ")]
    assert capsys.readouterr().out.splitlines() == expected


def test_the_test_of_the_page_runs(jostle: Callable[..., Any], pytester: pytest.Pytester) -> None:
    source, out = ROOT / "examples" / "pairs" / "first.jsonl", pytester.path / "pinned.jsonl"
    assert jostle("pairs", "pin", source, "--corpus-revision", "c", "--model-revision", "m", "--out", out).code == 0
    code = blocks("python")[1]
    pytester.makepyfile(code)
    plugin = ("-p", "no:jostle", "-p", "jostle.pytest_plugin", "-p", "no:cacheprovider", "--strict-markers")
    result = pytester.runpytest(*plugin)
    result.assert_outcomes(failed=1)
    # 13 pairs were pinned as passing, three of which have no twice: whoever always says no fails the other ten.
    result.stdout.fnmatch_lines(["*Newly failing (10)*"])
    # A function that gives the golds passes.
    answers = (
        "import json\nimport pathlib\n\n"
        'ROWS = [json.loads(line) for line in pathlib.Path("pinned.jsonl").read_text().splitlines()[1:]]\n'
        'GOLD = {row[f"{side}_text"]: row[f"{side}_label"] for row in ROWS for side in ("base", "edited")}\n'
    )
    pytester.makepyfile(answers + re.sub(r"    return .*", "    return GOLD[question]", code))
    pytester.runpytest(*plugin).assert_outcomes(passed=1)
