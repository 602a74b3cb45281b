"""The wheel holds what it needs, and works in an environment without any extra."""

from __future__ import annotations

import json
import re
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.modules import modules_folder
from jostle.publish import space_bundle

from .conftest import REPO, Ran

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel"), pytest.mark.timeout(1800)]
Run = Callable[..., Ran]
INSTALL = (REPO / "docs" / "install.md").read_text(encoding="utf-8")
PROJECT: dict[str, Any] = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NAMES = sorted(path.name for path in modules_folder().iterdir() if (path / f"{path.name}.py").is_file())
MEASURED = """
import json
from importlib.metadata import distributions
found = {}
for distribution in distributions():
    files = [file.locate() for file in distribution.files or []]
    found[distribution.name] = sum(file.stat().st_size for file in files if file.is_file())
print(json.dumps({name: size for name, size in found.items() if name not in ("pip", "setuptools")}))
"""
LOADED = """
import sys
import jostle
columns = {"predictions": [1, 0], "references": [1, 1], "item_ids": ["a", "a"], "conditions": ["orig", "pert/x"]}
given = {"class_balance": {"labels": ["a", "b"]}, "near_duplicates": {"texts": ["one text", "One  text"]}}
given["discrimination"] = columns | {"conditions": ["orig", "orig"], "models": ["weak", "strong"]}
print(len(jostle.load(sys.argv[1]).compute(**given.get(sys.argv[1], columns))["signature"]) > 10)
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Two result files and an evaluation set, in the folder that commands run in."""
    right = {"orig": [True] * 30, "shift1": [True] * 24 + [False] * 6}
    (tmp_path / "before.json").write_text(json.dumps(right))
    (tmp_path / "after.json").write_text(json.dumps({**right, "shift1": [True] * 12 + [False] * 18}))
    rows = [{"input": f"Question number {k}?", "label": "ab"[k % 2], "expected": f"answer {k}"} for k in range(12)]
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def test_the_wheel_holds_what_is_no_python_of_the_package(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    source = REPO / "src" / "jostle"
    data = [*(source / "data").rglob("*"), *source.rglob("templates/*")]
    expected = {f"jostle/{path.relative_to(source).as_posix()}" for path in data if path.is_file()}
    for home, place in (("metrics", "jostle/_metrics"), ("spaces/jostle", "jostle/_space")):
        found = [path for path in (REPO / home).rglob("*") if path.is_file() and path.suffix != ".pyc"]
        expected |= {f"{place}/{path.relative_to(REPO / home).as_posix()}" for path in found}
    assert {f"jostle/report/templates/{name}.html" for name in ("report", "history")} <= expected
    assert {"jostle/audit/templates/audit.html", "jostle/compare/templates/comparison.html"} <= expected
    assert {"jostle/data/items/sst2.jsonl", "jostle/data/sentiment_delta.safetensors"} <= expected
    assert {name for name in expected - names if "/__pycache__/" not in name} == set()
    assert not [name for name in names if name.endswith(".pyc") or "/test_" in name]


def test_what_is_installed_is_what_the_page_says(run: Run) -> None:
    sizes: dict[str, int] = json.loads(run("-c", MEASURED).stdout)
    assert not {"torch", "transformers", "safetensors", "gradio", "inspect_ai", "ray", "scipy"} & set(sizes)
    said = re.search(r"(\d+) packages, (\d+) MB", INSTALL)
    assert said is not None
    measured = (len(sizes), sum(sizes.values()) / 1e6)
    print(f"{measured[0]} packages, {measured[1]:.0f} MB")
    assert [float(text) for text in said.groups()] == [pytest.approx(value, rel=0.1) for value in measured]


def test_the_page_names_every_dependency_and_extra() -> None:
    table = dict(re.findall(r"^\| `([\w\[\]]+)` \| (.*?) \|", INSTALL, re.MULTILINE))
    assert set(table) == {"jostle", *(f"jostle[{name}]" for name in PROJECT["optional-dependencies"])}
    listed = {"jostle": PROJECT["dependencies"]} | {
        f"jostle[{name}]": needed for name, needed in PROJECT["optional-dependencies"].items() if name != "dev"
    }
    for name, needed in listed.items():
        short = {re.split(r"[<>=]", line)[0] for line in needed}
        assert set(re.findall(r"`([^`]+)`", table[name])) == short


def test_all_has_every_extra_of_a_user() -> None:
    extras = dict(PROJECT["optional-dependencies"])
    (line,) = extras.pop("all")
    named = set(line.removeprefix("jostle[").removesuffix("]").split(","))
    assert named == set(extras) - {"dev", "backtranslation"}  # whose weights state no licence


@pytest.mark.parametrize("command", [["--help"], ["report", "before.json"], ["audit", "set.jsonl", "--skip-duplicates"],
                                     ["compare", "before.json", "after.json"]])  # fmt: skip
def test_commands_work_without_extras(run: Run, files: Path, command: list[str]) -> None:
    done = run("-m", "jostle", *command)
    assert (done.returncode, done.stdout == "") == (0, False), done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_every_module_loads_and_computes(run: Run, name: str) -> None:
    done = run("-c", LOADED, name)
    assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr


def test_the_space_is_published_from_the_wheel_as_from_the_clone(run: Run, wheel: Path, tmp_path: Path) -> None:
    assert run("-m", "jostle", "publish", "space", "--to", "./out").returncode == 0
    folder = tmp_path / "out" / "jostle"
    written = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    names = [name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("jostle/")]
    assert set(written) == {name.removeprefix("jostle/_space/") for name in names} | {"requirements.txt"}
    bundle = space_bundle(REPO)
    for name in ("requirements.txt", "LICENSE", "README.md", "app.py", "examples/flawed_set.jsonl"):
        assert written[name].read_bytes() == bundle.read(name)
