"""`--engine ray`: the rows of the local engine, whatever happens to the workers."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ..predict import generate_models

Jostle = Callable[..., Any]
slow = [pytest.mark.slow, pytest.mark.xdist_group("ray"), pytest.mark.filterwarnings("default")]  # Ray warns of its own
OPERATOR = """
import os, signal
from pathlib import Path
from jostle.perturb.base import Change
KIND, RELATION, TASKS, PROMISE, LIMITATIONS = "pert", "invariant", ("*",), "An end.", ("none",)
MARK = Path({mark!r})
def bang(passage, rng, rate):
    if {fatal}:
        MARK.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return [Change(len(passage.text), len(passage.text), "!")]
"""


def need_ray() -> None:
    """Skip where Ray is not installed; never in CI, where it has to be there."""
    if importlib.util.find_spec("ray") is None and not os.environ.get("CI"):
        pytest.skip("ray is not installed")


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """A Ray with two workers, and two GPUs that nobody looks for."""
    need_ray()
    from jostle.integrations.ray_engine import import_ray

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ray = import_ray()
        ray.init("local", num_cpus=2, num_gpus=2, include_dashboard=False, log_to_driver=False, logging_level="error")
        yield ray
        ray.shutdown()


def build(jostle: Jostle, out: Path, *flags: object) -> Any:
    data = () if "--data" in flags else ("--data", "embedded", "--limit", 12)
    task = () if "--task" in flags else ("--task", "sst2")
    return jostle("build", *task, *data, "--out", out, *flags)


def tables(folder: Path) -> dict[str, pa.Table]:
    """Rows by configuration, the files in their order."""
    return {
        config.name: pa.concat_tables([pq.read_table(path) for path in sorted(config.glob("*.parquet"))])
        for config in folder.iterdir()
        if config.is_dir() and not config.name.startswith(".")
    }


def written(folder: Path) -> dict[str, int]:
    """When each partition was made, by its number."""
    return {path.parent.name: path.stat().st_mtime_ns for path in folder.glob(".partitions/*/*/record.json")}


@pytest.mark.parametrize("task", ["sst2", "mnli", "mcq"])
class TestBuild:
    pytestmark = slow

    def test_rows_are_those_of_the_local_engine(
        self, ray: Any, jostle: Jostle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, task: str
    ) -> None:
        monkeypatch.setattr("jostle.builder.make.CHUNK", 5)
        local, out = tmp_path / "local", tmp_path / "ray"
        assert build(jostle, local, "--task", task).code == 0
        assert build(jostle, out, "--task", task).code == 0  # its single files must go, or rows are there twice
        done = build(jostle, out, "--task", task, "--engine", "ray")
        assert done.code == 0, done.err
        assert tables(local) == tables(out)
        assert len(list(out.glob(f"{task}-orig/validation-*-of-00003.parquet"))) == 3  # 12 items, 5 each
        records = [json.loads((folder / "build.json").read_text())[task]["validation"] for folder in (local, out)]
        for name in ("rows", "by_operator", "dropped", "examples"):
            assert records[0][name] == records[1][name]

        before = written(out)
        next(out.glob(f"{task}-orig/validation-00001-*")).unlink()
        assert build(jostle, out, "--task", task, "--engine", "ray").code == 0
        after = written(out)
        assert [number for number in after if after[number] != before[number]] == ["00001"]
        assert tables(local) == tables(out)

        assert build(jostle, out, "--task", task).code == 0
        assert tables(local) == tables(out)


class TestWorkers:
    pytestmark = slow

    def operator(self, tmp_path: Path, fatal: str) -> str:
        code = OPERATOR.format(mark=str(tmp_path / "mark"), fatal=fatal)
        (tmp_path / "own.py").write_text(code, encoding="utf-8")
        return f"{tmp_path / 'own.py'}:bang"

    def test_a_killed_worker_costs_and_doubles_nothing(
        self, ray: Any, jostle: Jostle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("jostle.builder.make.CHUNK", 3)
        operator = self.operator(tmp_path, f"os.getpid() != {os.getpid()} and not MARK.exists()")
        for out, engine in (("local", "local"), ("ray", "ray")):
            done = build(jostle, tmp_path / out, "--operators", operator, "--engine", engine)
            assert done.code == 0, done.err
        assert (tmp_path / "mark").exists()  # one was killed
        assert tables(tmp_path / "local") == tables(tmp_path / "ray")
        assert tables(tmp_path / "ray")["sst2-pert"].num_rows == 12

    def test_a_partition_that_kills_every_worker_is_given_up(self, ray: Any, jostle: Jostle, tmp_path: Path) -> None:
        operator = self.operator(tmp_path, "True")
        done = build(jostle, tmp_path / "out", "--operators", operator, "--engine", "ray")
        assert done.code == 3
        assert "4 workers died at it" in done.err
        assert not list((tmp_path / "out").glob("sst2-*"))

    def test_an_error_in_a_worker_is_one_line(self, ray: Any, jostle: Jostle, tmp_path: Path) -> None:
        done = build(jostle, tmp_path / "out", "--operators", self.operator(tmp_path, "1 / 0"), "--engine", "ray")
        assert done.code == 3
        assert "a worker failed: ZeroDivisionError: division by zero\n" in done.err
        assert "Traceback" not in done.err

    def test_each_gpu_has_one_worker(self, ray: Any, tmp_path: Path) -> None:
        from jostle.errors import JostleError
        from jostle.integrations.partitions import Partitions
        from jostle.integrations.ray_engine import Engine

        records = Engine(gpus=2).finish(Partitions.of(tmp_path, "gpus", "0", 6), range(6), device_stage)
        devices = {(record["worker"], tuple(record["devices"])) for record in records}
        assert {len(held) for _, held in devices} == {1}
        assert len({worker for worker, _ in devices}) == len({held for _, held in devices})
        with pytest.raises(JostleError, match="Expected 3 GPUs for --num-gpus, but Ray has 2"):
            Engine(gpus=3).finish(Partitions.of(tmp_path, "gpus", "1", 1), [0], device_stage)


def device_stage() -> Callable[[Any, Path], dict[str, Any]]:
    """A stage that tells which worker and GPUs it has."""

    def stage(work: Any, folder: Path) -> dict[str, Any]:
        import ray

        return {"worker": os.getpid(), "devices": [int(one) for one in ray.get_gpu_ids()]}

    return stage


class TestRun:
    pytestmark = slow

    @pytest.fixture
    def run(self, jostle: Jostle, tmp_path: Path) -> Callable[..., Any]:
        """`jostle run` of the embedded classifier on twelve items."""

        def call(out: str, *flags: object) -> Any:
            data = ("--task", "sst2", "--data", "embedded", "--limit", 12, "--variants", "orig,para,pert")
            model = () if "--model" in flags else ("--model", "embedded")
            return jostle("run", *data, *model, "--resamples", 200, "--format", "json", "--out", tmp_path / out, *flags)

        return call

    def test_outcomes_are_those_of_the_local_engine_and_partitions_are_reused(
        self, ray: Any, run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("jostle.integrations.ray_run.BATCHES", 1)
        local, done = run("local"), run("ray", "--engine", "ray")
        assert (local.code, done.code) == (0, 0), done.err
        assert local.out == done.out
        for name in ("outcomes.parquet", "variants.parquet"):
            assert pq.read_table(tmp_path / "local" / name).equals(pq.read_table(tmp_path / "ray" / name))
        before = written(tmp_path / "ray")
        assert len(before) > 2
        (folder,) = (tmp_path / "ray" / ".partitions").iterdir()
        (folder / "00001" / "predictions.parquet").unlink()
        again = run("ray", "--engine", "ray", "--resume")
        assert (again.code, again.out) == (0, local.out)
        after = written(tmp_path / "ray")
        assert [number for number in after if after[number] != before[number]] == ["00001"]
        manifest = json.loads((tmp_path / "ray" / "manifest.json").read_text())
        assert manifest["engine"] == f"ray {ray.__version__}"

    def test_a_run_that_was_never_begun_is_not_resumed(self, ray: Any, run: Callable[..., Any]) -> None:
        done = run("nowhere", "--engine", "ray", "--resume")
        assert done.code == 2
        assert "holds no .partitions" in done.err

    @pytest.mark.parametrize("decoding", ["greedy", "sample", "score"])
    def test_completions_are_those_of_the_local_engine(
        self, ray: Any, run: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, decoding: str
    ) -> None:
        monkeypatch.setattr("jostle.integrations.ray_generate.BATCHES", 1)
        monkeypatch.setattr(generate_models, "LONGEST", 256)
        model = generate_models.save_model("llama", tmp_path / "model")
        flags = ("--model", model, "--decoding", decoding, "--token-budget", 1024, "--k", 3)
        local, done = run("local", *flags), run("ray", *flags, "--engine", "ray")
        assert local.code == done.code == (0 if decoding == "score" else 3), done.err  # its words are no labels
        for name in ("outcomes.parquet", "completions.parquet"):
            tables = [pq.read_table(tmp_path / engine / name).to_pydict() for engine in ("local", "ray")]
            assert repr(tables[0]) == repr(tables[1])  # nan, where nothing is scored, is not nan
        assert len(written(tmp_path / "ray")) > 2

    def test_a_gpu_that_torch_does_not_find_is_an_error(self, ray: Any, run: Callable[..., Any]) -> None:
        torch = pytest.importorskip("torch", reason="torch is not installed")
        if torch.cuda.is_available():
            pytest.skip("there is a GPU")
        done = run("out", "--engine", "ray", "--num-gpus", 1)
        assert done.code == 3
        assert "Expected a GPU for --num-gpus, but the torch of a worker finds none." in done.err


class TestAddress:
    pytestmark = slow

    def call(self, tmp_path: Path, *flags: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "jostle", "run", "--task", "sst2", "--data", "embedded", "--limit", "4"]
        command += ["--model", "embedded", "--operators", "typos", "--resamples", "200", "--format", "json", "--quiet"]
        environment = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
        out = ["--out", str(tmp_path / "out"), "--engine", "ray", *flags]
        how: dict[str, Any] = {"capture_output": True, "text": True, "env": environment, "timeout": 300}
        return subprocess.run([*command, *out], check=False, **how)

    def test_a_cluster_by_its_address(self, ray: Any, tmp_path: Path) -> None:
        done = self.call(tmp_path, "--ray-address", ray.get_runtime_context().gcs_address)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["tool"]["name"] == "jostle"
        assert ray.is_initialized()

    def test_a_ray_of_its_own_is_gone_afterwards(self, tmp_path: Path) -> None:
        need_ray()
        done = self.call(tmp_path, "--ray-workers", "1")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["tool"]["name"] == "jostle"

    def test_an_address_where_there_is_none(self, tmp_path: Path) -> None:
        need_ray()
        done = self.call(tmp_path, "--ray-address", "127.0.0.1:1")
        assert done.returncode == 3
        assert "Expected a Ray at 127.0.0.1:1, but it cannot be reached" in done.stderr
        assert "Traceback" not in done.stderr


def test_without_the_extra_one_line_says_what_to_install(
    jostle: Jostle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "ray" else found(name, *rest))
    done = build(jostle, tmp_path / "out", "--engine", "ray", "--quiet")
    assert done.code == 3
    assert done.err.splitlines() == [
        "Error: Expected the package ray, but it is not installed. Run: pip install 'jostle[ray]'"
    ]


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--ray-address", "auto"), "Expected --engine ray with --ray-address, but got --engine local."),
        (("--ray-workers", "2"), "Expected --engine ray with --ray-workers, but got --engine local."),
        (("--engine", "ray", "--processes", "2"), "Expected --ray-workers with --engine ray, but got --processes 2."),
    ],
)
def test_flags_that_do_not_go_together(jostle: Jostle, tmp_path: Path, flags: tuple[str, ...], message: str) -> None:
    done = build(jostle, tmp_path / "out", *flags)
    assert done.code == 2
    assert message in done.err


def test_nothing_is_told_to_the_makers_of_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    need_ray()
    from jostle.integrations.ray_engine import import_ray

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import_ray()
        from ray._common.usage.usage_lib import usage_stats_enabled

        assert usage_stats_enabled() is False
