"""What no file of jostle does: load code from data, trust a model's own code, go through a shell, write a csv file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    path
    for folder in ("src", "spaces", "metrics", "dataset_builders")
    for path in (ROOT / folder).rglob("*.py")
    if not path.is_symlink()
)
# Formats whose reading can run code, or that a spreadsheet would take for formulas: nobody writes csv, so there is no
# cell to neutralise.
MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "joblib", "yaml", "ruamel"}
CALLS = {"eval", "exec", "os.system", "os.popen", "torch.load", "pandas.read_pickle", "csv.writer", "csv.DictWriter"}
METHODS = {"to_csv", "to_pickle", "read_pickle", "to_excel", "unpickle"}
FLAGS = {"trust_remote_code", "allow_pickle", "shell"}


def dotted(node: ast.expr) -> str:
    """`a.b.c` of such an expression."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def found_in(code: str) -> Iterator[str]:
    """What is forbidden, by line."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [name.name for name in node.names]
            yield from (f"{node.lineno}: import {name}" for name in names if name.split(".")[0] in MODULES)
        elif isinstance(node, ast.Call):
            name = dotted(node.func)
            if name in CALLS or name.rpartition(".")[2] in METHODS:
                yield f"{node.lineno}: {name}()"
            for flag in node.keywords:
                if flag.arg in FLAGS and not (isinstance(flag.value, ast.Constant) and flag.value.value is False):
                    yield f"{node.lineno}: {flag.arg}"
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value in FLAGS and ast.unparse(value) != "False":
                    yield f"{node.lineno}: {key.value}"


def test_there_are_files() -> None:
    assert len(FILES) > 300


@pytest.mark.parametrize("folder", ["src", "spaces", "metrics", "dataset_builders"])
def test_nothing_forbidden_is_done(folder: str) -> None:
    own = [path for path in FILES if path.is_relative_to(ROOT / folder)]
    assert [f"{path.relative_to(ROOT)}:{text}" for path in own for text in found_in(path.read_text("utf-8"))] == []


@pytest.mark.parametrize(
    "code",
    [
        "import pickle",
        "from yaml import load",
        "torch.load('x')",
        "eval('1')",
        "frame.to_csv('x')",
        "load(trust_remote_code=True)",
        "safe = {'trust_remote_code': given}",
        "run('ls', shell=True)",
        "import csv\ncsv.writer(file)",
    ],
)
def test_it_would_be_found(code: str) -> None:
    assert list(found_in(code))
