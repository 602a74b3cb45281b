"""The tasks from Inspect's own command line, found by the entry point that pyproject.toml names."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from inspect import signature as inspect_signature
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")

from inspect_ai.log import EvalLog, read_eval_log

from jostle.errors import InputError, UsageError
from jostle.importers import read_results
from jostle.integrations._inspect_metric import invariance_values
from jostle.integrations.inspect_ai import glue_robustness, invariance
from jostle.measures.options import Options
from jostle.report import build_report

from ..predict.generate_models import need_smollm
from .inspect_models import always, metrics, model, quiet, run

ROOT = Path(__file__).resolve().parents[2]
MODEL = """
from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, modelapi

@modelapi(name="always")
class Always(ModelAPI):
    async def generate(self, input, tools, tool_choice, config):
        output = ModelOutput.from_content(self.model_name, f"ANSWER: {self.model_name}")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output
"""
TASKS = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import choice
from inspect_ai.solver import multiple_choice

@task
def sums(n: int = 3):
    samples = [Sample(input=f"What is twice {k}?", choices=[f"{2 * k}", f"{2 * k + 1}"], target="A") for k in range(n)]
    return Task(dataset=samples, solver=multiple_choice(), scorer=choice())

@task
def other():
    return sums()
"""


@pytest.fixture
def inspect(tmp_path: Path) -> Path:
    """A folder with a task file, whose `site` makes the entry points of pyproject.toml and a model known."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    points = {**project["entry-points"]["inspect_ai"], "always": "always_model"}
    about = tmp_path / "site" / "jostle_points-0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: jostle-points\nVersion: 0\n")
    (about / "entry_points.txt").write_text("[inspect_ai]\n" + "".join(f"{n} = {v}\n" for n, v in points.items()))
    (tmp_path / "site" / "always_model.py").write_text(MODEL)
    (tmp_path / "sums.py").write_text(TASKS)
    return tmp_path


def evaluate(folder: Path, *arguments: str) -> EvalLog:
    env = {**os.environ, "PYTHONPATH": str(folder / "site"), "INSPECT_DISPLAY": "none", "HF_HUB_OFFLINE": "1"}
    command = [str(Path(sys.executable).parent / "inspect"), "eval", *arguments, "--log-dir", "logs"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    found = sorted((folder / "logs").glob("*.eval"), key=lambda path: path.stat().st_mtime)
    return read_eval_log(str(found[-1]))


@pytest.mark.slow
def test_invariance_by_name(inspect: Path) -> None:
    settings = ("-T", "task=sums.py@sums", "-T", "n=12", "-T", "operators=whitespace,typos", "-T", "limit=10")
    log = evaluate(inspect, "jostle/invariance", *settings, "--model", "always/A")
    found = metrics(log)
    assert log.eval.task_args == {
        "task": "sums.py@sums", "n": 12, "operators": ["whitespace", "typos"], "limit": 10, "seeds": 0, "cyclic": True,
    }  # fmt: skip
    assert (found["n_items"], found["accuracy_orig"], found["accuracy_shift1"], found["drift"]) == (10, 1, 0, 1)
    report = build_report(read_results(log.location))
    assert report.values("invariance_drift")["drift_ci_low"] == found["drift_ci_low"]


@pytest.mark.slow
def test_glue_by_name(inspect: Path) -> None:
    log = evaluate(inspect, "jostle/glue_robustness", "-T", "task=qqp", "-T", "limit=10", "--model", "always/A")
    found = metrics(log)
    assert (found["n_items"], found["drift"], found["n_no_answer"]) == (10, 0.0, 0)


@pytest.mark.slow
def test_the_embedded_model_through_the_hf_provider(inspect: Path) -> None:
    need_smollm()
    from jostle.predict.smollm import embedded_folder

    arguments = ("-T", "task=sst2", "-T", "limit=10", "-T", "operators=typos", "-T", "max_tokens=8")
    arguments += ("--model", "hf/smollm2")
    path = f"model_path={embedded_folder()}"
    log = evaluate(inspect, "jostle/glue_robustness", *arguments, "-M", path, "-M", "do_sample=false")
    found = metrics(log)
    assert found["n_items"] == 10
    assert 0 <= found["drift"] <= 1
    drift = build_report(read_results(log.location)).values("invariance_drift")
    assert [found[name] for name in ("drift", "drift_ci_high")] == [drift["max_drift"], drift["drift_ci_high"]]


def test_settings_as_the_command_line_gives_them(inspect: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(inspect)
    made = invariance("sums.py@sums", operators="whitespace, typos", seeds="0,1", limit=2, n=5)  # type: ignore[arg-type]
    ids = [str(sample.id) for sample in made.dataset]
    assert {name.partition("::")[0] for name in ids} == {"1", "2"}
    assert {"1::orig", "1::shift1", "1::pert/whitespace"} <= set(ids)
    with pytest.raises(UsageError, match=r"Expected one task in 'sums.py', but got sums, other. Name it: FILE.py@NAME"):
        invariance("sums.py")


def test_glue_items_and_their_variants(tmp_path: Path) -> None:
    own = glue_robustness("sst2", limit=12, operators="typos")
    assert {(sample.metadata or {})["jostle_condition"] for sample in own.dataset} == {
        "orig", "para/by_hand", "pert/typos",
    }  # fmt: skip
    # The variants of an item stand together, so that a limit cuts off items.
    assert [str(sample.id).partition("::")[0] for sample in own.dataset][:4] == ["sst2-001"] * 3 + ["sst2-002"]
    right = {str(sample.input): str(sample.target) for sample in own.dataset}
    assert metrics(run(own, model(right.__getitem__), tmp_path))["accuracy"] == 1.0
    in_words = glue_robustness("sst2", limit=12, operators=["typos"], symbols="words")
    assert {sample.target for sample in in_words.dataset} == {"positive", "negative"}
    found = metrics(run(in_words, always("It is positive."), tmp_path))
    golds = [sample.target for sample in in_words.dataset if str(sample.id).endswith("::orig")]
    assert found["accuracy_orig"] == golds.count("positive") / len(golds)


def test_glue_data_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.jsonl"
    path.write_text('{"question1": "Why?", "question2": "Why is that?", "label": 0, "idx": 7}\n')
    own = glue_robustness("qqp", data=str(path), operators="whitespace")
    assert {str(sample.id) for sample in own.dataset} == {"7::orig", "7::pert/whitespace"}
    with pytest.raises(UsageError, match="Expected a task of sst2, mnli, qqp, qnli, but got 'cola'"):
        glue_robustness("cola")
    with pytest.raises(InputError, match="does not exist"):
        glue_robustness("qqp", data=str(tmp_path / "none.jsonl"))
    with pytest.raises(UsageError, match="Expected operators that keep the gold label, but got 'contrast_negation'"):
        glue_robustness("sst2", operators="contrast_negation")


def test_the_page_names_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    page = (ROOT / "docs" / "inspect.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 2
    with quiet():
        for code in blocks:
            exec(compile(code, "docs/inspect.md", "exec"), {})
    for name, function in (("invariance", invariance), ("glue_robustness", glue_robustness)):
        typed = {word for line in re.findall(rf"jostle/{name} (.*)", page) for word in re.findall(r"-T (\w+)=", line)}
        assert typed
        assert typed <= set(inspect_signature(function).parameters)
    shown = {name for name in re.findall(r"`invariance_(\w+)`", page) if name not in ("scorer", "task", "metrics")}
    made = {name.removeprefix("invariance_") for name in invariance_values([], Options())} | {"accuracy_orig"}
    assert shown <= made
