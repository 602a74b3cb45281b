"""`build_report`: both forms of results, families, and what decides the verdict."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pytest

from jostle import build_report
from jostle.errors import InputError
from jostle.outcomes import Outcomes
from jostle.report.build import measure_modules

FRAGILE = {"shift0": [True] * 60, "shift1": [True] * 30 + [False] * 30}
CASES: dict[str, Any] = {
    "FRAGILE": FRAGILE,
    "INCONCLUSIVE": {"orig": [True] * 40 + [False] * 20, "para/x": [True] * 41 + [False] * 19},
    "INVARIANT": {"orig": [True] * 2000, "para/x": [True] * 1999 + [False]},
}
LINE = re.compile(
    r"\[(FRAGILE|INCONCLUSIVE|INVARIANT)\] n=\d+ \| drift=\d\.\d{3} \(95% CI \d\.\d{3}-\d\.\d{3}\) \| "
    r"flip_rate=\d\.\d\d \| \S+=\d\.\d{3}(, \S+=\d\.\d{3})*"
)


@pytest.mark.parametrize("verdict", CASES)
def test_the_summary_is_one_line_to_quote(verdict: str) -> None:
    report = build_report(CASES[verdict], n_resamples=200)
    assert report.verdict == verdict.lower()
    assert LINE.fullmatch(report.summary())
    assert report.summary().startswith(f"[{verdict}] n={len(next(iter(CASES[verdict].values())))} | ")


@pytest.mark.parametrize(
    ("results", "n", "reason"),
    [
        ({}, 0, "no items"),
        ([], 0, "no items"),
        ({"orig": []}, 0, "no items"),
        ({"orig": [True] * 20}, 20, "needs at least 2 conditions, has 1"),
    ],
)
def test_nothing_measured_is_said_in_the_summary(results: Any, n: int, reason: str) -> None:
    report = build_report(results, n_resamples=200)
    assert report.summary() == f"[NOT MEASURED] n={n} | {reason}"
    assert report.verdict == "not_measured"


def test_both_forms_give_the_same_report() -> None:
    rows = [
        {"condition": name, "correct": value, "id": str(k)}
        for name, values in FRAGILE.items()
        for k, value in enumerate(values)
    ]
    first, second = (build_report(results, n_resamples=200).to_dict() for results in (FRAGILE, rows[::-1]))
    assert first["measures"] == second["measures"]
    assert first["summary"] == second["summary"]
    assert len(first["notes"]) == 1
    assert second["notes"] == []


def test_the_numbers_of_a_case_by_hand() -> None:
    report = build_report(FRAGILE, n_resamples=200)
    assert report.values("invariance_drift")["max_drift"] == pytest.approx(0.5)  # 60/60 - 30/60
    assert report.values("flip_rate")["flip_rate"] == pytest.approx(0.5)  # 30 of 60 items
    assert [flip.item for flip in report.flips[""]] == sorted(map(str, range(30, 60)))
    assert report.flips[""][0].states == {"shift0": 1, "shift1": 0}


def test_the_same_seed_gives_the_same_report_and_options_stand_in_the_signature() -> None:
    one, again = (build_report(FRAGILE, n_resamples=200, seed=3).to_dict() for _ in range(2))
    assert json.dumps(one) == json.dumps(again)
    assert "seed=3|resamples=200|tolerance=0.03|flip_tolerance=0.1|missing=error" in one["signature"]


def test_a_wider_tolerance_changes_the_verdict() -> None:
    assert build_report(FRAGILE, tolerance=0.9, n_resamples=200).verdict == "inconclusive"
    assert build_report(FRAGILE, tolerance=0.9, flip_tolerance=0.9, n_resamples=200).verdict == "invariant"


@pytest.mark.parametrize("as_mapping", [True, False])
def test_families_are_resampled_together(as_mapping: bool) -> None:
    families: Any = [f"f{k % 12}" for k in range(60)]
    if as_mapping:
        families = {str(k): family for k, family in enumerate(families)}
    report = build_report(FRAGILE, families=families, n_resamples=200)
    assert report.values("invariance_drift")["verdict_reason"] == "fewer than 30 families (12)"


@pytest.mark.parametrize(
    ("families", "message"),
    [
        ({"0": "f"}, "Expected a family for every item, but item '1' has none"),
        (["f"] * 59, "Expected one family for each of 60 items, but got 59"),
    ],
)
def test_families_that_do_not_fit(families: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        build_report(FRAGILE, families=families)


def test_missing_cells() -> None:
    rows = [{"condition": "a", "correct": True, "id": k} for k in range(20)]
    rows += [{"condition": "b", "correct": True, "id": k} for k in range(15)]
    with pytest.raises(InputError, match="missing"):
        build_report(rows)
    assert build_report(rows, missing="intersect").values("invariance_drift")["n_items"] == 15
    found = build_report(rows, reference="a").values("invariance_drift")["n_by_condition"]
    assert found == {"a": 20, "b": 15}


@pytest.mark.parametrize(
    "options", [{"tolerance": 0.0}, {"n_resamples": 10}, {"reference": "no such condition"}, {"missing": "drop"}]
)
def test_options_that_are_not_allowed(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="Expected"):
        build_report(FRAGILE, **options)


def test_groups_have_a_line_each_and_the_worst_decides() -> None:
    columns: dict[str, Any] = {"predictions": [], "item_ids": [], "conditions": [], "tasks": []}
    for name, results in (("good", {"a": [True] * 3000, "b": [True] * 3000}), ("bad", FRAGILE)):
        for condition, values in results.items():
            columns["predictions"] += values
            columns["item_ids"] += [str(k) for k in range(len(values))]
            columns["conditions"] += [condition] * len(values)
            columns["tasks"] += [name] * len(values)
    outcomes = Outcomes.from_columns(references=[True] * len(columns["tasks"]), **columns)
    report = build_report(outcomes, n_resamples=200)
    assert report.groups == ["task=bad", "task=good"]
    assert [line[:20] for line in report.summary().splitlines()] == ["[FRAGILE] task=bad |", "[INVARIANT] task=goo"]
    assert report.verdict == "fragile"
    assert report.gate("fragile").exit_code == 1


def test_every_measure_states_its_limitations() -> None:
    modules = list(measure_modules())
    assert {module.NAME for module in modules} == {
        "invariance_drift", "flip_rate", "pair_consistency", "position_bias", "robustness_ratio", "unparsed_rate"
    }  # fmt: skip
    assert all(module.LIMITATIONS for module in modules)


def test_values_are_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    def kinds(value: Any) -> set[type]:
        if isinstance(value, dict):
            return set().union(*map(kinds, value.values())) if value else set()
        if isinstance(value, list):
            return set().union(*map(kinds, value)) if value else set()
        return {type(value)}

    payload = build_report(FRAGILE, n_resamples=200).to_dict()
    assert kinds(payload) <= {str, int, float, bool, type(None)}
    assert np.float64 not in kinds(payload)
