"""Whatever needs an extra that is not installed says so in one line, with the command that installs it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jostle.publish import space_bundle

from .conftest import REPO, Ran

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel"), pytest.mark.timeout(1800)]
Run = Callable[..., Ran]
EMBEDDED = ("--task", "sst2", "--data", "embedded")
MODELS = [
    ("demo",),
    ("demo", "--generate"),
    ("run", *EMBEDDED, "--model", "embedded", "--out", "out"),
    ("run", *EMBEDDED, "--model", ".", "--out", "out"),
    ("run", *EMBEDDED, "--model", "org/model", "--out", "out"),
    ("run", *EMBEDDED, "--model", "embedded", "--decoding", "greedy", "--out", "out"),
    ("run", "--task", "mcq", "--data", "embedded", "--model", ".", "--decoding", "score", "--out", "out"),
    ("build", *EMBEDDED, "--limit", "4", "--adversary", "embedded", "--out", "out"),
    ("build", *EMBEDDED, "--limit", "4", "--paraphraser", "org/model", "--out", "out"),
]
IMPORTS = {
    "import jostle.integrations.inspect_ai": "inspect",
    "import jostle.integrations.trainer": "models",
    "from jostle.predict.classify import load_classifier; load_classifier('.', [])": "models",
    "from jostle.predict.embedded import load_embedded; load_embedded()": "models",
    "from jostle.predict.paraphrase import BackTranslation; BackTranslation()": "backtranslation",
    "from jostle.audit.similar import PackagedEncoder; PackagedEncoder()": "embeddings",
}


def the_line(done: Ran, extra: str) -> str:
    """The one line that tells, in which the extra stands with its command."""
    assert done.returncode != 0
    lines = [line for line in done.stderr.splitlines() if "not installed" in line]
    assert len(lines) == 1, done.stderr
    assert f"pip install 'jostle[{extra}]'" in lines[0]
    return lines[0]


@pytest.mark.parametrize("command", MODELS, ids=" ".join)
def test_commands_that_need_a_model(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    done = run("-m", "jostle", *command, "--quiet")
    assert the_line(done, "models") == done.stderr.strip()
    assert (done.returncode, done.stdout) == (3, "")
    assert not (tmp_path / "out").exists()


def test_an_engine_that_is_not_there(run: Run, tmp_path: Path) -> None:
    done = run("-m", "jostle", "build", *EMBEDDED, "--limit", "4", "--out", "out", "--engine", "ray", "--quiet")
    assert the_line(done, "ray") == done.stderr.strip()
    assert (done.returncode, done.stdout) == (3, "")
    assert not (tmp_path / "out").exists()


def test_an_audit_says_which_level_it_left_out_and_does_the_rest(run: Run, tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_text('{"input": "One?", "label": "a"}\n{"input": "one ?", "label": "b"}\n')
    done = run("-m", "jostle", "audit", "set.jsonl")
    assert done.returncode == 3
    the_line(done, "embeddings")
    assert "Class balance" in done.stdout or "class_balance" in done.stdout


@pytest.mark.parametrize("code", IMPORTS)
def test_python(run: Run, code: str) -> None:
    assert the_line(run("-c", code), IMPORTS[code]).startswith("jostle.errors.MissingExtra: Expected the package ")


def test_the_app(run: Run, tmp_path: Path) -> None:
    space_bundle(REPO).write(tmp_path / "space")
    done = run("space/app.py")
    assert done.stderr.splitlines() == [
        "Error: Expected the package gradio, but it is not installed. Run: pip install 'jostle[models,space]'"
    ]
