"""One contract over every evaluate module in `metrics`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

Columns = dict[str, list[Any]]
Make = Callable[..., Columns]
Load = Callable[..., Any]
Same = Callable[[Any, Any], bool]
REPO = Path(__file__).resolve().parents[2]
NAMES = sorted(path.name for path in (REPO / "metrics").iterdir() if (path / f"{path.name}.py").is_file())
SINGULAR = {"predictions": "prediction", "references": "reference"}


@pytest.fixture(scope="module", params=NAMES)
def module(request: pytest.FixtureRequest, load_module: Load) -> Any:
    return load_module(request.param)


@pytest.fixture
def columns(module: Any, module_columns: Make) -> Columns:
    return module_columns(module)


def takes_texts(module: Any) -> bool:
    return "texts" in module.features


def without_order(value: Any) -> Any:
    """A result without what follows the order of cases: their numbers."""
    if isinstance(value, dict):
        return {key: without_order(child) for key, child in value.items() if key not in ("rows", "clusters")}
    return [without_order(child) for child in value] if isinstance(value, list) else value


def test_all_are_found() -> None:
    assert len(NAMES) == 7


def test_nothing_gives_a_result_or_says_what_is_missing(module: Any, columns: Columns) -> None:
    nothing: Columns = {name: [] for name in columns}
    assert json.dumps(module.compute(**nothing))
    with pytest.raises(ValueError, match=r"^(Expected|Please provide|Evaluation)"):
        module.compute()


def test_one_item_gives_a_result(module: Any, module_columns: Make) -> None:
    found = module.compute(**module_columns(module, 1))
    assert json.loads(json.dumps(found)).keys() == found.keys()
    assert "|jostle=" in found["signature"]


def test_all_ways_in_agree(module: Any, columns: Columns, same: Same) -> None:
    expected = module.compute(**columns)
    n = len(next(iter(columns.values())))
    for start in range(0, n, n // 3):
        module.add_batch(**{name: values[start : start + n // 3] for name, values in columns.items()})
    assert len(module) == n
    assert same(module.compute(), expected)
    names = {} if takes_texts(module) else SINGULAR
    for cells in zip(*columns.values(), strict=True):
        module.add(**{names.get(name, name): value for name, value in zip(columns, cells, strict=True)})
    assert len(module) == n
    assert same(module.compute(), expected)
    assert len(module) == 0


def test_the_order_of_rows_changes_nothing(module: Any, columns: Columns, same: Same) -> None:
    expected = without_order(module.compute(**columns))
    n = len(next(iter(columns.values())))
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(n)
        moved = {name: [values[k] for k in order] for name, values in columns.items()}
        found = without_order(module.compute(**moved))
        assert same(found, expected)


def test_repeated_items_are_named_or_are_cases_of_their_own(module: Any, columns: Columns) -> None:
    twice = {name: [*values, values[0]] for name, values in columns.items()}
    if takes_texts(module):
        assert module.compute(**twice)["n_cases"] == 25
        return
    with pytest.raises(ValueError, match="'i00'"):
        module.compute(**twice)
    assert len(module) == 0


@pytest.mark.parametrize("gold", [-1, None], ids=repr)
def test_unlabelled_rows_are_counted(module: Any, columns: Columns, gold: Any) -> None:
    key = "labels" if takes_texts(module) else "references"
    few = columns | {key: [gold if k < 4 else value for k, value in enumerate(columns[key])]}
    found = module.compute(**few, **({} if takes_texts(module) else {"missing": "intersect"}))
    assert json.dumps(found)
    # Of one item the four conditions; a comparison of models takes the original alone, near-duplicates need no labels.
    expected = {"comparison": 1, "metric": 4}.get(module.module_type, 4 if module.name == "class_balance" else None)
    assert found.get("n_unlabelled") == expected


def tensor(values: list[Any]) -> Any:
    torch = pytest.importorskip("torch")
    return torch.tensor(values) if all(isinstance(value, int) for value in values) else values


MAKES: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "numpy": lambda values: np.array(values, dtype=object if None in values else None),
    "pandas": lambda values: pd.Series(values, dtype=object if None in values else None),
    "torch": tensor,
}


@pytest.mark.parametrize("make", MAKES)
def test_columns_of_any_make_agree(module: Any, columns: Columns, same: Same, make: str) -> None:
    if takes_texts(module):
        columns |= {"labels": [k % 2 for k in range(24)]}
    else:
        columns |= {"predictions": [-1 if value is None else value for value in columns["predictions"]]}
    made: dict[str, Any] = {name: MAKES[make](values) for name, values in columns.items()}
    expected = module.compute(**columns)
    assert same(module.compute(**made), expected)
    module.add_batch(**made)
    assert same(module.compute(), expected)


def test_an_error_leaves_nothing_behind(module: Any, columns: Columns, same: Same) -> None:
    expected = module.compute(**columns)
    module.add_batch(**columns)
    with pytest.raises(ValueError, match="pending rows of this process were discarded"):
        module.add_batch(unknown=[1], **columns)
    assert len(module) == 0
    assert same(module.compute(**columns), expected)


def test_threads_do_not_disturb_each_other(module: Any, module_columns: Make, same: Same) -> None:
    inputs = [module_columns(module, n) for n in range(12, 18)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda columns: module.compute(**columns), inputs * 2))
    expected = [module.compute(**columns) for columns in inputs]
    assert all(same(one, two) for one, two in zip(found, expected * 2, strict=True))


WORKER = """
import json, sys
import evaluate
rank, inputs = json.loads(sys.stdin.read())
results = {}
for name, columns in inputs.items():
    module = evaluate.load(f"metrics/{name}", num_process=2, process_id=rank, experiment_id=f"contract-{name}")
    module.add_batch(**columns)
    results[name] = module.compute()
print(json.dumps(results))
"""


@pytest.mark.slow
def test_two_processes_give_the_result_of_one(load_module: Load, module_columns: Make, same: Same) -> None:
    modules = {name: load_module(name) for name in NAMES}
    inputs = {name: module_columns(module) for name, module in modules.items()}
    halves: list[dict[str, Columns]] = [{}, {}]
    for name, columns in inputs.items():
        half = len(next(iter(columns.values()))) // 2
        halves[0][name] = {key: values[:half] for key, values in columns.items()}
        halves[1][name] = {key: values[half:] for key, values in columns.items()}
    command = [sys.executable, "-c", WORKER]
    pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    started = [subprocess.Popen(command, cwd=REPO, text=True, **pipes) for _ in halves]
    for rank, process in enumerate(started):
        process.stdin.write(json.dumps([rank, halves[rank]]))
        process.stdin.close()
        process.stdin = None  # or communicate() would flush it again
    ends = [process.communicate(timeout=300) for process in started]
    assert [process.returncode for process in started] == [0, 0], ends
    assert json.loads(ends[1][0]) == dict.fromkeys(NAMES)
    found = json.loads(ends[0][0])
    assert all(same(found[name], module.compute(**inputs[name])) for name, module in modules.items())
