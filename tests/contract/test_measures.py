"""One contract over every measure of a report: what is a `MEASURE` in `jostle.measures`."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from jostle.measures.inputs import normalise, to_rows
from jostle.measures.options import Options
from jostle.measures.table import Rows
from jostle.report.build import measure_modules

Columns = dict[str, list[Any]]
Make = Callable[..., Columns]
Same = Callable[[Any, Any], bool]
MODULES = list(measure_modules())
RENAMED = {"orig": "orig", "para/a": "para/z", "pert/b": "pert/a", "adv/c": "adv/q"}
FEW = {"n_resamples": 200}
every = pytest.mark.parametrize("module", MODULES, ids=lambda module: module.NAME)


def rows_of(columns: Columns, **options: Any) -> Rows:
    chosen = Options.of(FEW | options)
    return to_rows(normalise(columns, chosen), chosen)


def measured(module: ModuleType, columns: Columns, **options: Any) -> dict[str, Any]:
    found: dict[str, Any] = module.MEASURE(rows_of(columns, **options), Options.of(FEW | options))
    return found


def kinds(value: Any) -> set[type]:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {type(value)}.union(*(kinds(child) for child in children))


def first(columns: Columns, n: int) -> Columns:
    return {name: values[:n] for name, values in columns.items()}


def test_all_are_found() -> None:
    names = [module.NAME for module in MODULES]
    assert set(names) >= {"invariance_drift", "flip_rate", "robustness_ratio", "pair_consistency", "unparsed_rate"}
    assert len(names) == len(set(names))


@every
def test_it_states_its_limitations(module: ModuleType) -> None:
    assert module.LIMITATIONS
    assert all(sentence.endswith(".") and len(sentence) > 20 for sentence in module.LIMITATIONS)
    assert "Limitations:" in module.MEASURE.__doc__


@every
@pytest.mark.parametrize("n_rows", [0, 1, 4], ids=["empty", "one row", "one item"])
def test_little_gives_plain_values(module: ModuleType, outcome_columns: Make, n_rows: int) -> None:
    columns = first(outcome_columns(), n_rows)
    assert kinds(measured(module, columns)) <= {dict, list, str, bool, int, float}


@every
def test_one_condition_gives_plain_values(module: ModuleType, outcome_columns: Make) -> None:
    full = outcome_columns()
    keep = [k for k, name in enumerate(full["conditions"]) if name == "orig"]
    found = measured(module, {name: [values[k] for k in keep] for name, values in full.items()})
    assert kinds(found) <= {dict, list, str, bool, int, float}
    assert json.loads(json.dumps(found)).keys() == found.keys()


@every
def test_the_order_of_rows_changes_nothing(module: ModuleType, outcome_columns: Make, same: Same) -> None:
    full = outcome_columns()
    expected = measured(module, full)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(full["item_ids"]))
        assert same(measured(module, {name: [values[k] for k in order] for name, values in full.items()}), expected)


def by_name(value: Any, names: dict[str, str]) -> Any:
    """A result with its conditions under these names; keys and lists, whose order follows names, in one order."""
    if isinstance(value, dict):
        found = {" | ".join(names.get(k, k) for k in key.split(" | ")): by_name(v, names) for key, v in value.items()}
        return {key: found[key] for key in sorted(found)}
    if isinstance(value, list):
        return sorted((by_name(child, names) for child in value), key=repr)
    return names.get(value, value) if isinstance(value, str) else value


@every
def test_names_of_conditions_change_no_number(module: ModuleType, outcome_columns: Make, same: Same) -> None:
    full = outcome_columns()
    one = measured(module, full)
    two = measured(module, full | {"conditions": [RENAMED[name] for name in full["conditions"]]})
    if module.NAME == "pair_consistency":  # an item's pair is named by its condition, within a text
        one, two = ({k: v for k, v in found.items() if k != "failures"} for found in (one, two))
    assert same(by_name(one, RENAMED), by_name(two, {}))


@pytest.mark.parametrize(
    "module", [m for m in MODULES if m.NAME != "position_bias"], ids=lambda module: module.NAME
)  # which counts answers, whatever item they are to
def test_a_repeated_item_is_named(module: ModuleType, outcome_columns: Make) -> None:
    full = outcome_columns()
    twice = {name: [*values, values[0]] for name, values in full.items()}
    with pytest.raises(ValueError, match="'i00'"):
        measured(module, twice)
    again = twice | {"samples": [*(0 for _ in full["item_ids"]), 1]}
    assert kinds(measured(module, again)) <= {dict, list, str, bool, int, float}


@every
@pytest.mark.parametrize("gold", [-1, None], ids=repr)
def test_unlabelled_rows_are_left_out(module: ModuleType, outcome_columns: Make, same: Same, gold: Any) -> None:
    full = outcome_columns()
    n = len(full["item_ids"])
    more = {name: values + values[:4] for name, values in full.items()}
    more |= {"references": full["references"] + [gold] * 4, "item_ids": full["item_ids"] + ["zz"] * 4}
    expected, found = measured(module, full), measured(module, more)
    assert found.get("n_unlabelled", 4) == 4
    left = {"n_unlabelled", "n_rows"}
    assert same(*({k: v for k, v in one.items() if k not in left} for one in (expected, found)))
    assert expected.get("n_rows", n) == n


@every
def test_nothing_parsed_is_no_error(module: ModuleType, outcome_columns: Make) -> None:
    full = outcome_columns()
    silent = [None] * len(full["item_ids"])
    found = measured(module, full | {"predictions": silent, "answer_positions": silent})
    assert kinds(found) <= {dict, list, str, bool, int, float}
    assert found.get("n_unparsed", len(silent)) == len(silent)


def tensor(column: list[Any]) -> Any:
    torch = pytest.importorskip("torch")
    return torch.tensor(column) if all(isinstance(value, int) for value in column) else column


MAKES: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "numpy": lambda column: np.array(column, dtype=object if None in column else None),
    "pandas": lambda column: pd.Series(column, dtype=object if None in column else None),
    "arrow": pa.array,
    "torch": tensor,
}


@every
@pytest.mark.parametrize("make", MAKES)
def test_columns_of_any_make_agree(module: ModuleType, outcome_columns: Make, same: Same, make: str) -> None:
    full = outcome_columns()
    full |= {"predictions": [-1 if value is None else value for value in full["predictions"]]}
    made: dict[str, Any] = {name: MAKES[make](values) for name, values in full.items()}
    assert same(measured(module, made), measured(module, full))


@every
def test_threads_do_not_disturb_each_other(module: ModuleType, outcome_columns: Make, same: Same) -> None:
    inputs = [outcome_columns(n) for n in range(12, 20)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda columns: measured(module, columns), inputs * 3))
    expected = [measured(module, columns) for columns in inputs]
    assert all(same(one, two) for one, two in zip(found, expected * 3, strict=True))


@pytest.mark.slow
def test_another_process_gives_the_same(outcome_columns: Make, same: Same) -> None:
    """By spawning, so that nothing is inherited: rows and results cross as pickles."""
    rows = rows_of(outcome_columns())
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        found = [processes.submit(module.MEASURE, rows, Options.of(FEW)) for module in MODULES]
        assert all(
            same(one.result(timeout=120), module.MEASURE(rows, Options.of(FEW)))
            for one, module in zip(found, MODULES, strict=True)
        )
