"""Faults reported for other evaluation tools, as tests of ours; each carries the id of its case."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Modules = dict[str, Any]


def outcomes(results: Mapping[str, Sequence[Any]]) -> dict[str, list[Any]]:
    """Columns from {condition: correct or not of each item}."""
    cells = [(name, i, bool(right)) for name, row in results.items() for i, right in enumerate(row)]
    return {
        "predictions": [right for _, _, right in cells],
        "references": [True] * len(cells),
        "item_ids": [i for _, i, _ in cells],
        "conditions": [name for name, _, _ in cells],
    }


def labels(predictions: Any, references: Any) -> dict[str, Any]:
    """Columns of one condition."""
    n = len(references)
    return {"predictions": predictions, "references": references, "item_ids": range(n), "conditions": ["orig"] * n}


def both(modules: Modules, columns: dict[str, Any], **options: object) -> dict[str, Any]:
    """Drift and flips of the same columns."""
    parts = (modules[name].compute(**columns, **options) for name in ("flip_rate", "invariance_drift"))
    return {key: value for part in parts for key, value in part.items()}


def test_m02_probabilities_are_not_cut_to_labels(module: Any) -> None:
    with pytest.raises(ValueError, match=r"`predictions` to be labels, but got 0\.9 in row 0"):
        module.compute(**labels([0.9, 1.7, 1.0], [1, 1, 1]))
    with pytest.raises(ValueError, match="argmax"):
        module.compute(**labels(np.zeros((3, 2)), [1, 1, 1]))
    assert module.compute(**labels([1.0, 1, 0], [1, 1, 1]))["n_scored"] == 3


def test_m03_unlabelled_rows_are_not_scored(modules: Modules, module: Any) -> None:
    found = modules["invariance_drift"].compute(**labels([-1, -1, 0, 1], [-1, -1, 0, 0]))
    assert (found["n_scored"], found["n_unlabelled"]) == (2, 2)
    assert found["accuracy_by_condition"] == {"orig": 0.5}
    found = modules["invariance_drift"].compute(**labels([-1, None, 0], [0, 0, 0]))
    assert found["n_unparsed"] == 2
    assert found["accuracy_by_condition"]["orig"] == pytest.approx(1 / 3)
    with pytest.raises(ValueError, match="Expected gold labels, but none of the 2 rows has one"):
        module.compute(**labels([0, 1], [-1, -1]))


def test_m05_missing_items_are_not_drift(modules: Modules) -> None:
    cells = [("s0", "a", 1), ("s0", "b", 1), ("s0", "c", 0), ("s0", "d", 0), ("s1", "a", 1), ("s1", "b", 1)]
    columns = {
        "predictions": [right for *_, right in cells], "references": [1] * 6,
        "item_ids": [item for _, item, _ in cells], "conditions": [name for name, *_ in cells],
    }  # fmt: skip
    for name in ("invariance_drift", "flip_rate", "robustness_ratio"):
        with pytest.raises(ValueError, match="condition 's1' lacks items c, d"):
            modules[name].compute(**columns)
    found = both(modules, columns, missing="intersect")
    assert (found["n_items"], found["dropped"]) == (2, ["c", "d"])
    assert found["accuracy_by_condition"] == {"s0": 1.0, "s1": 1.0}
    assert (found["max_drift"], found["flip_rate"]) == (0.0, 0.0)


@pytest.mark.parametrize("results", [{"s0": [True, False, True]}, {}])
def test_m07_nothing_compared_is_not_measured(modules: Modules, results: dict[str, list[bool]]) -> None:
    found = both(modules, outcomes(results))
    assert math.isnan(found["max_drift"])
    assert math.isnan(found["flip_rate"])
    assert found["verdict"] == "not_measured"
    assert found["verdict_reason"] == ("needs at least 2 conditions, has 1" if results else "no items")


def test_m08_agreement_on_few_items_proves_nothing(modules: Modules) -> None:
    found = both(modules, outcomes({"s0": [True] * 5, "s1": [True] * 5}))
    assert (found["max_drift"], found["drift_ci_low"]) == (0.0, 0.0)
    assert 0 < found["drift_ci_high"] < 1
    assert found["degenerate"]
    assert (found["verdict"], found["verdict_reason"]) == ("inconclusive", "fewer than 10 items (5)")


def test_m08_one_item_is_inconclusive(modules: Modules) -> None:
    found = both(modules, outcomes({"s0": [True], "s1": [False]}))
    assert (found["max_drift"], found["flip_rate"]) == (1.0, 1.0)
    assert found["degenerate"]
    assert (found["verdict"], found["verdict_reason"]) == ("inconclusive", "fewer than 10 items (1)")
    ends = ("drift_ci_low", "drift_ci_high", "flip_rate_ci_low", "flip_rate_ci_high", "p_value")
    assert all(math.isfinite(found[key]) for key in ends)


@pytest.mark.parametrize("times", [1, 500])
def test_m09_equal_accuracy_does_not_hide_flips(modules: Modules, times: int) -> None:
    found = both(modules, outcomes({"s0": [True, False] * 2 * times, "s1": [False, True] * 2 * times}))
    assert (found["max_drift"], found["flip_rate"], found["worst_case_accuracy"]) == (0.0, 1.0, 0.0)
    assert found["verdict"] == "inconclusive"


def test_m11_one_draw_serves_all_conditions(modules: Modules) -> None:
    found = both(modules, outcomes({"s0": [True, False] * 10, "s1": [True, False] * 10}), seed=0, n_resamples=500)
    assert (found["max_drift"], found["drift_ci_low"], found["expected_drift_null"]) == (0.0, 0.0, 0.0)
    # Only the pseudo-discordant items: se = sqrt(2) / 22, times t(.975, 19) = 2.093
    assert found["drift_ci_high"] == pytest.approx(2.093 * math.sqrt(2) / 22, rel=1e-3)


def test_m11_order_names_and_process_change_nothing(modules: Modules, repo: Path) -> None:
    rng = np.random.default_rng(0)
    columns = outcomes({name: rng.integers(0, 2, 50).tolist() for name in ("s0", "s1", "s2")})
    order = rng.permutation(150)
    shuffled = {name: [column[i] for i in order] for name, column in columns.items()}
    names = {"s0": "z", "s1": "y", "s2": "x"}
    renamed = columns | {"conditions": [names[name] for name in columns["conditions"]]}
    keys = ("max_drift", "drift_ci_low", "drift_ci_high", "p_value", "flip_rate", "mean_pairwise_flip")
    expected = [both(modules, columns)[key] for key in keys]
    assert [both(modules, shuffled)[key] for key in keys] == expected
    assert [both(modules, renamed)[key] for key in keys] == expected
    code = (
        "import jostle.measures.drift as d, jostle.measures.inputs as i, jostle.measures.options as o\n"
        f"p = o.Options()\nprint(d.drift(i.to_rows(i.normalise({shuffled!r}, p), p), p)['drift_ci_high'])"
    )
    fresh = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(repo / "src"), "PYTHONHASHSEED": "77"},
    )  # fmt: skip
    assert float(fresh.stdout) == both(modules, columns)["drift_ci_high"]


M12 = [
    ("pos", "neg", "pos", "pos"), ("pos", "neg", "neg", "pos"), ("pos", "pos", "neg", "neg"),
    ("pos", "pos", "pos", "neg"), ("ent", "contra", "neutral", "contra"), ("ent", "contra", "neutral", "neutral"),
]  # fmt: skip


def pair_columns(pairs: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    """Columns from (base label, edited label, base prediction, edited prediction)."""
    return {
        "references": [label for pair in pairs for label in pair[:2]],
        "predictions": [prediction for pair in pairs for prediction in pair[2:]],
        "item_ids": [i for i in range(len(pairs)) for _ in range(2)],
        "conditions": ["orig", "edited"] * len(pairs),
    }


def test_m12_side_errors_and_relation_failures_are_counted_apart(modules: Modules, repo: Path) -> None:
    found = modules["pair_consistency"].compute(**pair_columns(M12))
    assert (found["side_accuracy"], found["relation_accuracy"]) == (0.25, 0.5)
    counters = ("base_only_error", "edited_only_error", "both_wrong_expected_relation", "relation_failure")
    assert [found[key] for key in counters] == [1, 2, 2, 3]
    assert "overlap" in (repo / "metrics" / "pair_consistency" / "README.md").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="pair '1 / edited' has no base gold"):
        modules["pair_consistency"].compute(**pair_columns([M12[0], (None, *M12[1][1:])]))
    assert math.isnan(modules["pair_consistency"].compute(**pair_columns([]))["relation_accuracy"])


def votes(modules: Modules, cast: Sequence[str | None], gold: str) -> dict[str, Any]:
    """The ratio of one item whose adversarial variant got these votes."""
    conditions = ["orig", "para/x", "pert/x", *["adv/x"] * len(cast)]
    found: dict[str, Any] = modules["robustness_ratio"].compute(
        predictions=[gold] * 3 + list(cast), references=[gold] * len(conditions), item_ids=["i"] * len(conditions),
        conditions=conditions, samples=[0, 0, 0, *range(len(cast))], n_resamples=100,
    )  # fmt: skip
    return found


@pytest.mark.parametrize("gold", ["pos", "neg"])
def test_m15_a_tied_vote_does_not_depend_on_the_order(modules: Modules, gold: str) -> None:
    orders = list(itertools.combinations(range(10), 5))[::25]
    for order in orders:
        found = votes(modules, ["pos" if k in order else "neg" for k in range(10)], gold)
        assert (found["n_ties"], found["accuracy_adv"]) == (1, 0.5)


def test_m15_none_is_never_elected(modules: Modules) -> None:
    found = votes(modules, [None] * 6 + ["pos"] * 4, "pos")
    assert (found["accuracy_adv"], found["n_unparsed"], found["n_ties"]) == (1.0, 6, 0)
    assert votes(modules, [None] * 10, "pos")["accuracy_adv"] == 0.0
    silent = pair_columns([("pos", "pos", "pos", None)] * 3) | {"item_ids": [0] * 6, "samples": [0, 0, 1, 1, 2, 2]}
    assert modules["pair_consistency"].compute(**silent)["n_abstained_edited"] == 1


HEADLINES = {
    "invariance_drift": ("max_drift", "drift_ci_low", "drift_ci_high", "p_value", "items_needed"),
    "flip_rate": ("flip_rate", "flip_rate_ci_low", "flip_rate_ci_high", "worst_case_accuracy", "excess_flip_rate"),
    "pair_consistency": ("side_accuracy", "relation_accuracy", "pair_accuracy", "mean_confidence_change"),
    "robustness_ratio": ("robustness_ratio", "robustness_ratio_ci_low", "accuracy_orig"),
}


def kinds(value: Any) -> set[type]:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return {type(value)}.union(*(kinds(child) for child in children))


def test_m17_undefined_is_nan_never_none(module: Any) -> None:
    defined = outcomes({name: [1, 0, 1, 1] for name in ("orig", "para/x", "pert/x", "adv/x")})
    rounds = [outcomes({}), defined, outcomes({"orig": [1]}), outcomes({"orig": [0], "para/x": [0]}), defined]
    for columns in rounds:  # undefined and defined epochs alternate
        result = module.compute(**columns)
        assert kinds(result) <= {int, float, str, bool, dict, list}
        assert {type(result[key]) for key in HEADLINES[module.name]} <= {int, float}


def test_m18_missing_confidences_are_left_out_and_counted(modules: Modules) -> None:
    base, edited = [0.9, math.nan, 0.8], [0.7, 0.6, None]
    columns = pair_columns([("a", "a", "a", "a")] * 3)
    columns["confidences"] = [value for pair in zip(base, edited, strict=True) for value in pair]
    for order in ([0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 1, 0, 5, 2, 4]):
        found = modules["pair_consistency"].compute(**{k: [column[i] for i in order] for k, column in columns.items()})
        assert found["mean_confidence_change"] == pytest.approx(-0.2)
        assert found["n_missing_confidence"] == 2


def test_m19_labels_of_several_types(modules: Modules, module: Any) -> None:
    columns = labels(["1", 1, "not_entailment", "entailment", None], [1, "1", 1, 0, 0])
    found = modules["invariance_drift"].compute(**columns, label_names=["entailment", "not_entailment"])
    assert found["accuracy_by_condition"]["orig"] == pytest.approx(4 / 5)
    assert found["n_unparsed"] == 1
    with pytest.raises(ValueError, match=r"number and text together .*`label_names"):
        module.compute(**columns)
    assert modules["invariance_drift"].compute(**labels(["1", "x"], ["1", "x"]))["accuracy_by_condition"]["orig"] == 1
