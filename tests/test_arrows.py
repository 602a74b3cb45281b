"""Imports go one way: command line -> report -> importers, perturb -> items; measures import nobody."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "jostle"
MODULES = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in sorted(SOURCE.rglob("*.py"))}
MEASURES = [name for name in MODULES if name.startswith("measures.")]
BEYOND_NUMPY = {"encode": {"pyarrow"}, "inputs": {"pyarrow"}, "columns": {"pyarrow", "datasets"}}
# What each folder may import of jostle: packages and modules by the first part of their name.
ALLOWED = {
    "errors": set(),
    "items": set(),
    "tasks": set(),
    "files": {"errors"},
    "rows": {"errors"},
    "config": {"errors"},
    "loading": {"errors", "items", "rows", "tasks"},
    "hub": {"errors", "loading", "rows", "tasks"},
    "outcomes": {"errors", "files", "measures", "rows"},
    "modules": {"errors"},
    "perturb": {"errors", "items", "tasks"},
    "predict": {"errors"},
    "importers": {"errors", "outcomes", "rows"},
    "report": {"errors", "importers", "measures", "outcomes"},
    "run": {"errors", "files", "items", "measures", "outcomes", "perturb", "predict"},
    "embedded_items": {"items", "loading", "perturb", "rows"},
}
HEAVY_HOME = {"torch": "predict", "transformers": "predict", "safetensors": "predict", "matplotlib": "report"}


class RuntimeOnly(ast.NodeTransformer):
    """A module without what stands under `if TYPE_CHECKING:`."""

    def visit_If(self, node: ast.If) -> ast.AST | None:  # noqa: N802 - the name is that of ast
        """Drop the block."""
        return None if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else node


def imports(name: str) -> Iterator[str]:
    """Absolute names of all that a module imports when it runs, wherever in it; types alone do not count."""
    package = ["jostle", *name.split(".")][:-1]
    for node in ast.walk(RuntimeOnly().visit(ast.parse(MODULES[name].read_text(encoding="utf-8")))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            # `from .. import measures` names a module, `from ..items import Item` does not.
            yield from ([module] if node.module else [f"{module}.{alias.name}" for alias in node.names])


def own(name: str) -> set[str]:
    """First parts of what a module imports of jostle."""
    return {full.split(".")[1] for full in imports(name) if full.startswith("jostle.")}


def foreign(name: str) -> set[str]:
    """Packages a module imports beside the standard library and jostle."""
    return {full.split(".")[0] for full in imports(name)} - set(sys.stdlib_module_names) - {"jostle", "__future__"}


def test_the_reader_of_imports_sees_them() -> None:
    assert {"errors", "items"} <= own("perturb.engine")
    assert "measures" in own("report.build")
    assert foreign("predict.classify") == {"torch", "transformers", "safetensors"}
    assert own("measures.drift") == {"measures"}


@pytest.mark.parametrize("name", MEASURES)
def test_measures_import_numpy_and_siblings_alone(name: str) -> None:
    assert own(name) <= {"measures"}
    assert foreign(name) <= {"numpy"} | BEYOND_NUMPY.get(name.split(".")[1], set())


@pytest.mark.parametrize("name", [name for name in MODULES if name.split(".")[0] in ALLOWED])
def test_arrows_inside_jostle(name: str) -> None:
    home = name.split(".")[0]
    assert own(name) - {home} <= ALLOWED[home]


def test_every_module_has_arrows() -> None:
    known = {*ALLOWED, "measures", "commands", "cli", "__init__", "__main__"}
    assert {name.split(".")[0] for name in MODULES} <= known


@pytest.mark.parametrize("name", MODULES)
def test_heavy_packages_have_one_home(name: str) -> None:
    homes = {HEAVY_HOME[package] for package in foreign(name) & set(HEAVY_HOME)}
    assert homes <= {name.split(".")[0]}


@pytest.mark.parametrize("name", MODULES)
def test_nothing_imports_what_lies_outside_src(name: str) -> None:
    assert foreign(name).isdisjoint({"metrics", "dataset_builders", "spaces", "tests", "benchmarks", "examples"})
    assert "commands" not in own(name) or name.startswith(("commands.", "cli"))
