"""The README does what it says: its commands and Python blocks run, and the output it shows is the output."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(os.environ.get("JOSTLE_SHARED") or ROOT.parent / "shared") / "data" / "results"
LOGS = {
    "samples_arc_challenge.jsonl.gz": "lm_eval/samples_arc_challenge_2024-06-21T15-44-04.366910.jsonl.gz",
    "samples_arc_generation.jsonl.gz": "lm_eval_unitxt/samples_arc.ARC_Challenge_0_2024-06-21T15-38-37.416524.jsonl.gz",
}
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"(<!-- needs data -->\n)?```(bash|python)\n(.*?)```", re.DOTALL)
BLOCKS = [(language, code) for needs_data, language, code in BLOCK.findall(README) if not needs_data]
BASH = [code for language, code in BLOCKS if language == "bash"]
PYTHON = [code for language, code in BLOCKS if language == "python"]


@pytest.mark.slow
@pytest.mark.parametrize("code", BASH)
def test_commands_run(code: str, tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("code", PYTHON)
def test_python_blocks_print_what_their_comments_say(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {})
    expected = [line.removeprefix("# ") for line in code.splitlines() if line.startswith("# ")]
    assert capsys.readouterr().out.splitlines() == expected


@pytest.mark.slow
def test_demo_prints_what_the_readme_shows(tmp_path: Path) -> None:
    shown = re.search(r"<!-- output of: jostle demo \(head\) -->\n```text\n(.*?)```", README, re.DOTALL)
    assert shown is not None
    done = subprocess.run(
        [sys.executable, "-m", "jostle", "demo", "--quiet"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert shown.group(1).strip() in done.stdout


@pytest.mark.skipif(not RESULTS.is_dir(), reason="needs the logs of others (JOSTLE_SHARED)")
def test_logs_give_what_the_readme_shows(tmp_path: Path) -> None:
    found = re.search(
        r"```bash\n(jostle report samples_arc.*?)```\n\n<!-- output, the head of it -->\n```text\n(.*?)```",
        README,
        re.DOTALL,
    )
    assert found is not None
    for name, log in LOGS.items():
        shutil.copy(RESULTS / log, tmp_path / name)
    command = [sys.executable, "-m", *shlex.split(found.group(1))]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert found.group(2) in done.stdout
