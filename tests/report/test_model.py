"""What a report is made of: limitations always, strict JSON, the gate and the order of conditions."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from jostle.report import Gate, Measure, Report
from jostle.report.model import Comparison, Flip, ordered, strict

VERDICTS = ("fragile", "inconclusive", "not_measured", "invariant")


def report(*verdicts: str, contrasts: int = 0) -> Report:
    """A report with a group for each verdict."""
    measures = []
    for k, verdict in enumerate(verdicts):
        group = f"task={k}" if len(verdicts) > 1 else ""
        drift = {"verdict": verdict, "verdict_reason": "because", "n_items": 3, "max_drift": math.nan}
        drift |= {"drift_ci_low": math.nan, "drift_ci_high": math.inf, "accuracy_by_condition": {"x": 0.5, "orig": 1.0}}
        measures.append(Measure("invariance_drift", drift, ["It cannot tell a thing.", "Nor another."], group))
        pairs = {"n_sensitivity": contrasts, "n_pairs": contrasts, "n_abstained_base": 0}
        measures.append(Measure("pair_consistency", pairs, ["It cannot tell a thing."], group))
        measures.append(Measure("flip_rate", {"flip_rate": 0.25}, ["It cannot tell a thing."], group))
    return Report("here", measures, ["a note"], {"pert/typos": {"truncated": 2}}, {}, "jostle=0")


@pytest.mark.parametrize("limitations", [(), []])
def test_no_measure_without_limitations(limitations: Any) -> None:
    with pytest.raises(ValueError, match=r"`limitations` of measure 'x' to say what it cannot tell, but got none"):
        Measure("x", {"value": 1.0}, limitations)


@pytest.mark.parametrize("limitations", [(), []])
def test_no_comparison_without_limitations(limitations: Any) -> None:
    with pytest.raises(ValueError, match="`limitations` of comparison of 'greedy' and 'sample' to say what it cannot"):
        Comparison("task=sst2", "greedy", "sample", {}, limitations)


def test_keys_of_the_payload() -> None:
    payload = report("fragile").to_dict("fragile")
    assert list(payload) == [
        "tool", "source", "summary", "measures", "comparisons", "warnings", "limitations", "notes", "left_out", "gate",
        "signature",
    ]  # fmt: skip
    assert set(payload["tool"]) == {"name", "version"}
    assert set(payload["summary"]) == {"verdict", "reason", "text"}
    assert set(payload["measures"][0]) == {"name", "group", "values", "limitations"}
    assert payload["gate"] == {"fail_on": "fragile", "exit_code": 1, "tripped": True, "incomplete": []}
    assert payload["left_out"] == {"pert/typos": {"truncated": 2}}


def test_undefined_numbers_are_null() -> None:
    values = report("inconclusive").to_dict()["measures"][0]["values"]
    assert (values["max_drift"], values["drift_ci_high"]) == (None, None)
    assert "NaN" not in json.dumps(report("inconclusive").to_dict(), allow_nan=False)
    assert strict({1: (math.nan, [math.inf, "nan", 1.5])}) == {"1": [None, [None, "nan", 1.5]]}


def test_limitations_are_listed_once() -> None:
    assert report("fragile", "fragile").limitations == ["It cannot tell a thing.", "Nor another."]


@pytest.mark.parametrize(
    ("verdicts", "fail_on", "gate"),
    [
        (["fragile"], "never", Gate("never", 0, False, [])),
        (["fragile"], "fragile", Gate("fragile", 1, True, [])),
        (["fragile"], "inconclusive", Gate("inconclusive", 1, True, [])),
        (["inconclusive"], "fragile", Gate("fragile", 0, False, [])),
        (["inconclusive"], "inconclusive", Gate("inconclusive", 1, True, [])),
        (["invariant"], "inconclusive", Gate("inconclusive", 0, False, [])),
        (["not_measured"], "never", Gate("never", 3, False, ["not measured: because"])),
        (["not_measured"], "fragile", Gate("fragile", 3, False, ["not measured: because"])),
        (["fragile", "not_measured"], "fragile", Gate("fragile", 3, True, ["task=1: not measured: because"])),
        (["invariant", "fragile"], "fragile", Gate("fragile", 1, True, [])),
    ],
)
def test_the_gate(verdicts: list[str], fail_on: str, gate: Gate) -> None:
    assert report(*verdicts).gate(fail_on) == gate


def test_contrast_pairs_are_something_measured() -> None:
    assert report("not_measured", contrasts=5).gate("fragile") == Gate("fragile", 0, False, [])


@pytest.mark.parametrize("k", range(len(VERDICTS)))
def test_the_worst_group_decides(k: int) -> None:
    assert report(*VERDICTS[k:][::-1]).verdict == VERDICTS[k]


def test_values_of_a_group() -> None:
    made = report("fragile", "invariant")
    assert made.values("invariance_drift")["verdict"] == "fragile"
    assert made.values("invariance_drift", "task=1")["verdict"] == "invariant"


def test_conditions_come_in_the_order_people_expect() -> None:
    names = ["adv/x", "shift10", "b", "pert/b", "shift2", "para/z", "pert/a", "orig", "shift1", "7"]
    assert list(ordered(dict.fromkeys(names))) == [
        "orig", "para/z", "pert/a", "pert/b", "adv/x", "7", "b", "shift1", "shift2", "shift10"
    ]  # fmt: skip
    assert ordered({}) == {}


def test_changes_of_an_item_count_the_minority() -> None:
    assert Flip("a", {"x": 1, "y": 0, "z": 0, "w": -1}).changed == 1
    assert Flip("a", {"x": 1, "y": 1}).changed == 0
