"""`jostle report`: verdicts, exit codes, and one strict document on stdout."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from jostle.items import MCQItem
from jostle.outcomes import Outcomes
from jostle.perturb import expand
from jostle.run import plan

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]
FAST = ("--resamples", "200")
FRAGILE = {"shift0": [True] * 60, "shift1": [True] * 30 + [False] * 30}
INCONCLUSIVE = {"shift0": [True] * 40 + [False] * 20, "shift1": [True] * 41 + [False] * 19}
INVARIANT = {"shift0": [True] * 2000, "shift1": [True] * 2000}


def strict(text: str) -> dict[str, Any]:
    """One JSON document, without NaN and Infinity."""

    def refuse(token: str) -> None:
        raise AssertionError(f"{token} is no JSON")

    value: dict[str, Any] = json.loads(text, parse_constant=refuse)
    return value


def empty_set(folder: Path) -> Path:
    path = folder / "results.json"
    path.write_text("{}", encoding="utf-8")
    return path


def one_condition(folder: Path) -> Path:
    path = folder / "results.json"
    path.write_text(json.dumps({"orig": [True, False] * 30}), encoding="utf-8")
    return path


def all_unparsed(folder: Path) -> Path:
    columns: dict[str, Any] = {
        "predictions": [None] * 60,
        "references": ["a"] * 60,
        "item_ids": [k // 2 for k in range(60)],
    }
    return Outcomes.from_columns(**columns, conditions=["orig", "pert/typos"] * 30).write(folder / "o.parquet")


def all_choices_excluded(folder: Path) -> Path:
    # Options that speak of their place must not be turned: no item gets a variant, and only the originals are left.
    items = [MCQItem(f"Question {k}?", ("one", "two", "All of the above"), 0, f"q{k}") for k in range(30)]
    rows = plan(items, list(expand(items, ["cyclic_order"]))).rows
    assert {row.condition for row in rows} == {"orig"}
    columns: dict[str, Any] = {"item_ids": [row.base.id for row in rows], "conditions": [row.condition for row in rows]}
    labels = [row.item.label for row in rows]
    return Outcomes.from_columns(predictions=labels, references=labels, **columns).write(folder / "o.parquet")


NOT_MEASURED = (empty_set, one_condition, all_unparsed, all_choices_excluded)


@pytest.mark.parametrize("gate", [(), ("--fail-on-fragile",), ("--fail-on", "inconclusive")])
@pytest.mark.parametrize("make", NOT_MEASURED)
def test_c01_nothing_measured_exits_with_3(
    jostle: Jostle, tmp_path: Path, make: Callable[[Path], Path], gate: tuple[str, ...]
) -> None:
    done = jostle("report", make(tmp_path), "--format", "json", *FAST, *gate)
    payload = strict(done.out)
    assert done.code == 3
    assert payload["gate"]["exit_code"] == 3
    assert payload["gate"]["tripped"] is False
    assert payload["gate"]["incomplete"]
    assert payload["summary"]["verdict"] == "not_measured"
    assert "not measured: " in done.err


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
@pytest.mark.parametrize("make", [empty_set, one_condition])
def test_m07_cli_says_not_measured_in_every_form(
    jostle: Jostle, tmp_path: Path, make: Callable[[Path], Path], form: str
) -> None:
    done = jostle("report", make(tmp_path), "--format", form, *FAST)
    assert done.code == 3
    assert "NOT MEASURED" in done.out
    assert "INVARIANT]" not in done.out


@pytest.mark.parametrize(
    ("results", "verdict", "codes"),
    [
        (FRAGILE, "fragile", {"never": 0, "inconclusive": 1, "fragile": 1}),
        (INCONCLUSIVE, "inconclusive", {"never": 0, "inconclusive": 1, "fragile": 0}),
        (INVARIANT, "invariant", {"never": 0, "inconclusive": 0, "fragile": 0}),
    ],
)
def test_gates(jostle: Jostle, write: Write, results: Any, verdict: str, codes: Mapping[str, int]) -> None:
    path = write("results.json", results)
    for fail_on, code in codes.items():
        done = jostle("report", path, "--format", "json", "--fail-on", fail_on, *FAST)
        payload = strict(done.out)
        assert payload["summary"]["verdict"] == verdict
        assert done.code == payload["gate"]["exit_code"] == code
        assert payload["gate"] == {"fail_on": fail_on, "exit_code": code, "tripped": code == 1, "incomplete": []}
        assert ("gate tripped: --fail-on" in done.err) is (code == 1)


def test_one_group_that_was_not_measured_wins_over_a_tripped_gate(jostle: Jostle, tmp_path: Path) -> None:
    columns: dict[str, Any] = {name: [] for name in ("predictions", "item_ids", "conditions", "models")}
    for condition, values in FRAGILE.items():
        columns["predictions"] += values
        columns["item_ids"] += range(60)
        columns["conditions"] += [condition] * 60
        columns["models"] += ["a"] * 60
    columns = {
        name: [*column, value] for (name, column), value in zip(columns.items(), [True, 0, "shift0", "b"], strict=True)
    }
    path = Outcomes.from_columns(references=[True] * 121, **columns).write(tmp_path / "o.parquet")
    done = jostle("report", path, "--format", "json", "--fail-on-fragile", *FAST)
    gate = strict(done.out)["gate"]
    assert done.code == gate["exit_code"] == 3
    assert gate["tripped"] is True
    assert gate["incomplete"] == ["model=b: not measured: needs at least 2 conditions, has 1"]


@pytest.mark.parametrize("results", [{}, {"orig": [True]}, FRAGILE, {"orig": [], "x": []}])
def test_m18_json_is_one_strict_document(jostle: Jostle, write: Write, results: Any) -> None:
    done = jostle("report", write("results.json", results), "--format", "json", *FAST)
    payload = strict(done.out)
    assert done.out.endswith("}\n")
    keys = {"tool", "source", "summary", "measures", "limitations", "gate", "signature"}
    assert keys <= set(payload)
    assert payload["tool"]["name"] == "jostle"
    assert all(measure["limitations"] for measure in payload["measures"])
    assert {text for measure in payload["measures"] for text in measure["limitations"]} == set(payload["limitations"])


def test_no_message_but_errors_with_quiet(jostle: Jostle, write: Write, tmp_path: Path) -> None:
    done = jostle("report", write("r.json", FRAGILE), "--quiet", "--out", tmp_path / "r.txt", *FAST)
    assert (done.code, done.out, done.err) == (0, "", "")
