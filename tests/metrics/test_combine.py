"""All modules under `evaluate.combine`, which hands every column and option to each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import evaluate
import pytest

Columns = dict[str, list[Any]]
Same = Callable[[Any, Any], bool]


@pytest.fixture
def combined(load: Callable[..., Any], names: tuple[str, ...]) -> Callable[..., Any]:
    return lambda **kwargs: evaluate.combine([load(name, **kwargs) for name in names])


def prefixed(modules: dict[str, Any], columns: Columns, **options: object) -> dict[str, Any]:
    """What `combine` makes of the single results: keys that several have get the module's name in front."""
    results = {name: module.compute(**columns, **options) for name, module in modules.items()}
    keys = [key for result in results.values() for key in result]
    return {
        key if keys.count(key) == 1 else f"{name}_{key}": value
        for name, result in results.items()
        for key, value in result.items()
    }


def test_one_call_gives_all_keys(
    combined: Callable[..., Any], modules: dict[str, Any], columns: Columns, same: Same
) -> None:
    result = combined().compute(**columns, tolerance=0.1, n_resamples=500, max_failures=3)
    assert same(result, prefixed(modules, columns, tolerance=0.1, n_resamples=500, max_failures=3))
    assert {"max_drift", "flip_rate", "pair_accuracy", "robustness_ratio"} <= set(result)
    assert "invariance_drift_signature" in result


def test_optional_columns_in_compute(
    combined: Callable[..., Any], modules: dict[str, Any], columns: Columns, families: list[int], same: Same
) -> None:
    full = columns | {"families": families}
    assert same(combined().compute(**full), prefixed(modules, full))


def test_optional_columns_in_batches_are_declared_at_load(
    combined: Callable[..., Any], modules: dict[str, Any], columns: Columns, families: list[int], same: Same
) -> None:
    full = columns | {"families": families}
    several = combined(columns=("families",))
    for _ in range(2):  # a second round works like the first
        several.add_batch(**{name: column[:100] for name, column in full.items()})
        several.add_batch(**{name: column[100:] for name, column in full.items()})
        assert same(several.compute(), prefixed(modules, full))


def test_rows_one_by_one(combined: Callable[..., Any], modules: dict[str, Any], columns: Columns, same: Same) -> None:
    several = combined()
    for row in zip(*columns.values(), strict=True):
        values = dict(zip(columns, row, strict=True))
        several.add(values.pop("predictions"), values.pop("references"), **values)
    assert same(several.compute(), prefixed(modules, columns))
