"""One contract for all evaluate modules: loading, ways to hand rows in, options, and plain results."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import evaluate
import numpy as np
import pytest

Columns = dict[str, list[Any]]
Same = Callable[[Any, Any], bool]
COUNTS = {
    "n_items",
    "n_rows",
    "n_scored",
    "n_unlabelled",
    "n_unparsed",
    "dropped",
    "n_dropped",
    "degenerate",
    "signature",
}
KEYS = {
    "invariance_drift": "max_drift drift_ci_low drift_ci_high p_value expected_drift_null noise_floor worst_condition "
    "best_condition accuracy_by_condition verdict verdict_reason items_needed",
    "flip_rate": "flip_rate flip_rate_ci_low flip_rate_ci_high answer_flip_rate mean_pairwise_flip noise_flip_rate "
    "excess_flip_rate worst_case_accuracy flip_rate_by_condition n_unstable",
    "pair_consistency": "side_accuracy relation_accuracy pair_accuracy pair_accuracy_ci_low base_only_error "
    "edited_only_error both_wrong_expected_relation relation_failure failures by_operator by_family n_families "
    "family_mean_relation_accuracy mean_confidence_change n_missing_confidence n_abstained_base n_abstained_edited",
    "robustness_ratio": "robustness_ratio robustness_ratio_ci_low robustness_ratio_ci_high robustness_ratio_all_rows "
    "robustness_ratio_above_chance accuracy_orig accuracy_para accuracy_pert accuracy_adv coverage_by_kind n_ties "
    "unparsed_by_variant exceeds_one undefined_reason",
}

HEADLINE = {
    "invariance_drift": "max_drift",
    "flip_rate": "flip_rate",
    "pair_consistency": "pair_accuracy",
    "robustness_ratio": "robustness_ratio",
}


def values(result: Any) -> Iterator[Any]:
    children = result.values() if isinstance(result, dict) else result if isinstance(result, list) else None
    if children is None:
        yield result
    else:
        for child in children:
            yield from values(child)


@pytest.mark.parametrize("name", KEYS)
def test_loads_from_the_clone(name: str, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo)
    module = evaluate.load(f"metrics/{name}")
    assert module.name == name
    assert module.citation.strip().startswith("@software")
    assert "item_ids" in module.inputs_description
    assert len(module.description) > 50


def test_returns_its_keys_as_plain_values(module: Any, columns: Columns) -> None:
    result = module.compute(**columns)
    assert set(result) >= COUNTS | set(KEYS[module.name].split())
    assert {type(value) for value in values(result)} <= {int, float, str, bool}
    assert json.loads(json.dumps(result)).keys() == result.keys()


def test_signature_tells_what_was_done(module: Any, columns: Columns) -> None:
    signature = module.compute(**columns, seed=5, n_resamples=200)["signature"]
    assert signature.startswith(f"{module.name}|jostle=")
    assert "|seed=5|resamples=200|" in signature


def test_all_ways_in_agree(module: Any, columns: Columns, same: Same) -> None:
    expected = module.compute(**columns)
    n = len(columns["predictions"])
    for start in range(0, n, 100):
        module.add_batch(**{name: column[start : start + 100] for name, column in columns.items()})
    assert len(module) == n
    assert same(module.compute(), expected)
    for i in range(n):
        module.add(
            prediction=columns["predictions"][i], reference=columns["references"][i],
            item_ids=columns["item_ids"][i], conditions=columns["conditions"][i],
        )  # fmt: skip
    assert len(module) == n
    assert same(module.compute(), expected)
    assert len(module) == 0


def test_optional_columns_by_all_ways(module: Any, columns: Columns, families: list[int], same: Same) -> None:
    full = columns | {"families": families, "confidences": [0.5] * len(families)}
    expected = module.compute(**full)
    assert not same(expected, module.compute(**columns))
    module.add_batch(**full)
    assert same(module.compute(), expected)
    for row in zip(*full.values(), strict=True):
        module.add(**dict(zip(full, row, strict=True)))
    assert same(module.compute(), expected)


def test_row_order_changes_nothing(module: Any, columns: Columns, families: list[int], same: Same) -> None:
    full = columns | {"families": families}
    order = np.random.default_rng(0).permutation(len(families))
    shuffled = {name: [column[i] for i in order] for name, column in full.items()}
    assert same(module.compute(**full), module.compute(**shuffled))


def test_names_of_conditions_change_no_number(module: Any, columns: Columns) -> None:
    new = {"orig": "orig", "para/a": "para/z", "pert/b": "pert/a", "adv/c": "adv/q"}
    renamed = columns | {"conditions": [new[name] for name in columns["conditions"]]}
    one, two = module.compute(**columns), module.compute(**renamed)
    numbers = [key for key, value in one.items() if isinstance(value, (int, float))]
    assert len(numbers) > len(COUNTS)
    assert repr([one[key] for key in numbers]) == repr([two[key] for key in numbers])


def test_seed_repeats_and_the_global_generator_does_not_matter(module: Any, columns: Columns, same: Same) -> None:
    first = module.compute(**columns, seed=1)
    np.random.seed(3)  # noqa: NPY002 - the point of the test
    assert same(first, module.compute(**columns, seed=1))


def test_options_at_load_hold_in_compute(load: Callable[..., Any], columns: Columns, same: Same) -> None:
    loaded = load("invariance_drift", tolerance=0.5, n_resamples=300)
    expected = load("invariance_drift").compute(**columns, tolerance=0.5, n_resamples=300)
    assert same(loaded.compute(**columns), expected)
    assert "tolerance=0.4" in loaded.compute(**columns, tolerance=0.4)["signature"]


def test_unknown_names_are_refused(module: Any, load: Callable[..., Any], columns: Columns) -> None:
    with pytest.raises(ValueError, match=r"Expected columns .* or options .*, but got 'tolerence'"):
        module.compute(**columns, tolerence=0.1)
    with pytest.raises(ValueError, match=r"but got 'familes'"):
        module.add_batch(**columns, familes=columns["item_ids"])
    with pytest.raises(ValueError, match=r"Expected `columns` to be among .* but got 'conditions'"):
        load(module.name, columns=("conditions",))


def test_results_per_group(module: Any, columns: Columns, same: Same) -> None:
    twice = {name: column * 2 for name, column in columns.items()}
    twice["models"] = ["m"] * len(columns["predictions"]) + ["n"] * len(columns["predictions"])
    result = module.compute(**twice)
    alone = module.compute(**columns)
    assert set(result["by_group"]) == {"model=m", "model=n"}
    assert same(result["by_group"]["model=n"] | {"signature": alone["signature"]}, alone)
    del twice["models"]
    with pytest.raises(ValueError, match="`tasks`, `models` or `decodings`"):
        module.compute(**twice)


def test_names_for_integer_labels_and_conditions(module: Any, columns: Columns, same: Same) -> None:
    conditions, labels = ["orig", "para/a", "pert/b", "adv/c"], ["x", "y", "z"]
    integers = columns | {"conditions": [conditions.index(name) for name in columns["conditions"]]}
    expected = module.compute(**columns)
    assert same(module.compute(**integers, condition_names=conditions), expected)
    words = columns | {"predictions": [None if p is None else labels[p] for p in columns["predictions"]]}
    assert same(module.compute(**words, label_names=labels), expected)


def test_unlabelled_rows_are_left_out_and_counted(module: Any, columns: Columns, same: Same) -> None:
    extra: Columns = {
        "predictions": [0, 1], "references": [-100, -100], "item_ids": [999, 999], "conditions": ["orig", "adv/c"],
    }  # fmt: skip
    more = {name: column + extra[name] for name, column in columns.items()}
    result = module.compute(**more, unlabelled=(-100,))
    assert (result["n_unlabelled"], result["n_rows"]) == (2, len(columns["predictions"]) + 2)
    alone = module.compute(**columns)
    counted = {"n_unlabelled": 0, "n_rows": alone["n_rows"], "signature": alone["signature"]}
    assert same(result | counted, alone)


@pytest.mark.parametrize("rows", [0, 1])
def test_headline_values_are_numbers_even_when_undefined(module: Any, columns: Columns, rows: int) -> None:
    result = module.compute(**{name: column[:rows] for name, column in columns.items()})
    assert math.isnan(result[HEADLINE[module.name]])
    assert result["degenerate"]
    assert None not in values(result)
