"""Imports go one way: command line -> report -> importers, perturb -> items; measures import nobody."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "jostle"
MODULES = {".".join(path.relative_to(SOURCE).with_suffix("").parts): path for path in sorted(SOURCE.rglob("*.py"))}
MEASURES = [name for name in MODULES if name.startswith("measures.")]
BEYOND_NUMPY = {
    "encode": {"pyarrow"},
    "inputs": {"pyarrow"},
    "columns": {"pyarrow", "datasets"},
    "text_columns": {"pyarrow", "datasets"},
}
# Every folder and module of jostle stands on a layer, and imports from its own layer and those below.
LAYERS = (
    ("errors", "items", "metric_page", "printable"),
    ("choices", "config", "csv_rows", "files", "measures", "modules", "network", "reviews", "rows", "tasks"),
    ("labels", "loading", "outcomes", "perturb"),
    ("embedded_items", "hub", "importers", "predict", "variant_files"),
    ("audit", "builder", "compare", "integrations", "pairs", "report", "run"),
    ("ask", "history", "publish", "review_queue"),
    ("commands", "cli", "pytest_plugin", "__init__", "__main__"),
)
LAYER = {home: k for k, homes in enumerate(LAYERS) for home in homes}
HEAVY_HOMES = {
    "torch": {"predict", "integrations"},
    "transformers": {"predict", "integrations"},
    "safetensors": {"predict"},
    "matplotlib": {"report"},
    "inspect_ai": {"integrations"},
    "ray": {"integrations"},
}


class RuntimeOnly(ast.NodeTransformer):
    """A module without what stands under `if TYPE_CHECKING:`."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
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
    assert foreign("predict.classify") >= {"torch", "transformers"}
    assert "safetensors" in foreign("predict.weights")
    assert own("measures.drift") == {"measures"}


@pytest.mark.parametrize("name", MEASURES)
def test_measures_import_numpy_and_siblings_alone(name: str) -> None:
    assert own(name) <= {"measures"}
    assert foreign(name) <= {"numpy"} | BEYOND_NUMPY.get(name.split(".")[1], set())


@pytest.mark.parametrize("name", MODULES)
def test_arrows_go_down_the_layers(name: str) -> None:
    assert name.split(".", maxsplit=1)[0] in LAYER, "a new folder or module needs a layer"
    above = {home for home in own(name) & set(LAYER) if LAYER[home] > LAYER[name.split(".", maxsplit=1)[0]]}
    assert above == set()


def test_no_two_folders_import_each_other() -> None:
    graph: dict[str, set[str]] = {}
    for name in MODULES:
        home = name.split(".")[0]
        graph.setdefault(home, set()).update(own(name) & set(LAYER) - {home})
    assert set(TopologicalSorter(graph).static_order()) >= set(graph)  # raises CycleError


@pytest.mark.parametrize("name", [name for name in MODULES if name.split(".")[0] == "perturb"])
def test_operators_know_items_and_tasks_alone(name: str) -> None:
    assert own(name) - {"perturb"} <= {"errors", "items", "tasks"}


@pytest.mark.parametrize("name", MODULES)
def test_heavy_packages_have_their_homes(name: str) -> None:
    home = name.split(".", maxsplit=1)[0]
    assert [package for package in foreign(name) & set(HEAVY_HOMES) if home not in HEAVY_HOMES[package]] == []


@pytest.mark.parametrize("name", MODULES)
def test_nothing_imports_what_lies_outside_src(name: str) -> None:
    assert foreign(name).isdisjoint({"metrics", "dataset_builders", "spaces", "tests", "benchmarks", "examples"})
    assert "commands" not in own(name) or name.startswith(("commands.", "cli"))
