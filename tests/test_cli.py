"""The command line as a process: speed of the help page, exit codes and what errors look like."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle import cli
from jostle.config import SECTIONS
from jostle.errors import InputError, JostleError, MissingExtra, ModelError, UsageError

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]
HEAVY = ("numpy", "rich", "torch", "pyarrow", "transformers", "datasets", "evaluate", "matplotlib", "jinja2")


def run(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "jostle", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, timeout=120)


def test_help_answers_at_once() -> None:
    seconds = []
    for _ in range(9):
        start = time.perf_counter()
        done = run("--help")
        seconds.append(time.perf_counter() - start)
        assert done.returncode == 0
    assert min(seconds) <= 0.2, seconds  # the least of them: other tests run on the same machine


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["report", "--help"], ["run", "--help"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        "sys.argv = ['jostle', *sys.argv[1:]]\n"
        "from jostle.cli import main\n"
        "try:\n    main()\n"
        f"except SystemExit:\n    print([m for m in {HEAVY} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_the_help_page_lists_commands_and_exit_codes() -> None:
    text = run("--help").stdout
    for name, line in cli.COMMANDS.items():
        assert f"{name} " in text
        assert line[:40] in text
    assert all(f"  {code}  " in text for code in range(4))


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help_the_shared_flags_and_those_of_its_settings(jostle: Jostle, name: str) -> None:
    done = jostle(name, "--help")
    assert done.code == 0
    flags = ["--config", "--no-config", "--verbose", "--quiet", "--no-color"]
    flags += ["--to" if name in ("publish", "import") else "--out"]
    flags += [f"--{setting.name.replace('_', '-')}" for setting in SECTIONS[name]]
    choices = [choice for setting in SECTIONS[name] if setting.name == "fail_on" for choice in setting.choices]
    flags += ["--fail-on-fragile"] if "fragile" in choices else []
    assert [flag for flag in flags if f"{flag} " not in done.out and f"{flag}\n" not in done.out] == []


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["unknown"],
        ["report"],
        ["report", "r.json", "--unknown"],
        ["report", "r.json", "--fail-on", "always"],
        ["report", "r.json", "--resamples", "many"],
        ["run", "--task", "sst2"],
        ["run", "--task", "rte", "--data", "x", "--model", "y"],
    ],
)
def test_usage_errors_exit_with_2(jostle: Jostle, arguments: list[str]) -> None:
    done = jostle(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "Usage: " in done.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("Expected x."), 2),
        (InputError("Expected x."), 3),
        (ModelError("Expected x."), 3),
        (MissingExtra("torch", extra="models"), 3),
        (JostleError("Expected x."), 3),
        (RuntimeError("no such thing"), 3),
        (KeyboardInterrupt(), 3),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_have_exit_codes_and_one_line(
    jostle: Jostle, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(cli.cli, "main", fail)
    done = jostle("report", "r.json")
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith("Error: ")
    assert len(done.err.splitlines()) == 1
    assert str(error) in done.err


def test_a_missing_file_and_a_traceback_on_request(tmp_path: Path) -> None:
    done = run("report", "no.json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "Error: Expected a result file, but no.json does not exist.\n"
    verbose = run("report", "no.json", "-vv", cwd=tmp_path)
    assert verbose.returncode == 3
    assert "Traceback (most recent call last)" in verbose.stderr
    assert verbose.stderr.endswith(done.stderr)


def test_the_module_is_the_command_line_too() -> None:
    command = [sys.executable, "-W", "error", "-m", "jostle.cli"]
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, run("--version").stdout, "")
    done = subprocess.run([*command, "report", "no.json"], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (3, run("report", "no.json").stderr)


def test_a_bad_setting_exits_with_2_and_a_traceback_on_request(write: Write, tmp_path: Path) -> None:
    write("jostle.toml", "[report]\nnonsense = 1\n")
    assert run("report", "no.json", "-vv", cwd=tmp_path).returncode == 2


def test_a_reader_that_stops_reading_sees_no_traceback(write: Write, tmp_path: Path) -> None:
    rows = [{"condition": f"c{c}", "correct": (k + c) % 3 > 0, "id": k} for c in range(12) for k in range(60)]
    write("results.json", json.dumps(rows))
    line = f"{sys.executable} -m jostle report results.json --format html --resamples 200 | head -c 20"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.startswith("<!doctype")
    assert "Traceback" not in done.stderr
