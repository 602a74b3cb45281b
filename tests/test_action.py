"""The GitHub Action: its steps run as the runner would run them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ACTION = Path(__file__).resolve().parents[1] / ".github" / "actions" / "jostle" / "action.yml"
STEPS: dict[str, Any] = {step["name"]: step for step in yaml.safe_load(ACTION.read_text("utf-8"))["runs"]["steps"]}


def step(name: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    files = {"GITHUB_STEP_SUMMARY": f"{folder}/summary.md", "GITHUB_OUTPUT": f"{folder}/output"}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", STEPS[name]["run"]],
        cwd=folder, env={**os.environ, "PATH": path, "RUNNER_TEMP": str(folder), **files, **env},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(("second", "code"), [("true", 0), ("false", 1)])
def test_the_table_is_in_the_summary_and_the_gate_has_the_exit_code(tmp_path: Path, second: str, code: int) -> None:
    (tmp_path / "a.json").write_text(f'{{"orig": [{", ".join(["true"] * 60)}]}}', encoding="utf-8")
    (tmp_path / "b $(touch hit).json").write_text(f'{{"orig": [{", ".join([second] * 60)}]}}', encoding="utf-8")
    command = "compare a.json 'b $(touch hit).json' --fail-on regression --resamples 200"
    done = step("Run", tmp_path, JOSTLE_COMMAND=command)
    assert done.returncode == 0, done.stderr
    assert "### jostle compare" in (tmp_path / "summary.md").read_text("utf-8")
    assert "| condition | diff. | p | Holm |" in (tmp_path / "summary.md").read_text("utf-8")
    outputs = dict(line.split("=", 1) for line in (tmp_path / "output").read_text("utf-8").splitlines())
    assert outputs == {"exit-code": str(code), "report": f"{tmp_path}/jostle.md"}
    assert step("Gate", tmp_path, EXIT_CODE=outputs["exit-code"]).returncode == code
    assert not (tmp_path / "hit").exists()


def test_no_input_is_pasted_into_a_script() -> None:
    assert all("${{" not in one["run"] for one in STEPS.values())
