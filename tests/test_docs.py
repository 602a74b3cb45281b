"""Generated pages are what the generator writes, and commands of pages print what the pages show."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"


def test_operator_table_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (DOCS / "operators.md").read_text(encoding="utf-8") == module.operators_page(), (
        "run: python docs/generate.py"
    )


@pytest.mark.slow
@pytest.mark.parametrize("page", ["ci", "compare", "importers", "reviews"])
def test_commands_of_a_page_print_what_it_shows(page: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    blocks = re.findall(
        r"(?<!needs data -->\n)```(bash|text)\n(.*?)```", (DOCS / f"{page}.md").read_text(encoding="utf-8"), re.DOTALL
    )
    printed = ""
    for language, code in blocks:
        if language == "bash":
            command = ["bash", "-euo", "pipefail", "-c", code]
            done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            printed = done.stdout + done.stderr
        else:
            assert [part for part in code.strip().split("\n\n") if part not in printed] == []


@pytest.mark.parametrize("page", ["training"])
def test_python_of_a_page_prints_what_its_comments_say(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="torch is not installed")
    names: dict[str, object] = {}
    for code in re.findall(r"```python\n(.*?)```", (DOCS / f"{page}.md").read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(code, f"{page}.md", "exec"), names)
        expected = [line.removeprefix("# ") for line in code.splitlines() if line.startswith("# ")]
        assert capsys.readouterr().out.splitlines() == expected
