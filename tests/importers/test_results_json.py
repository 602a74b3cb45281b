"""Both forms of results.json, and what is refused rather than guessed."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import InputError
from jostle.importers import read_results
from jostle.importers.results_json import ORDER_TRUSTED, from_results
from jostle.report import build_report

Write = Callable[[str, Any], Path]
MAPPING = {"shift0": [True, False, True], "shift1": [True, True, False]}
ROWS = [
    {"condition": condition, "correct": correct, "id": f"q{k}"}
    for condition, values in MAPPING.items()
    for k, correct in enumerate(values)
]
WITHOUT_IDS = [{"condition": row["condition"], "correct": row["correct"]} for row in ROWS]


def cells(results: Any) -> set[tuple[str, str, str]]:
    columns = from_results(results).columns
    names = ("item_ids", "conditions", "predictions")
    return set(zip(*(columns[name].to_pylist() for name in names), strict=True))


@pytest.mark.parametrize("name", ["results.json", "results.jsonl", "lines.json"])
def test_rows_from_a_file(write: Write, name: str) -> None:
    content: Any = ROWS
    if name == "lines.json":
        content = write("lines.jsonl", ROWS).read_text(encoding="utf-8")
    outcomes = read_results(write(name, content))
    assert outcomes.columns["predictions"].to_pylist() == ["1", "0", "1", "1", "1", "0"]
    assert outcomes.columns["references"].to_pylist() == ["1"] * 6
    assert list(outcomes.notes) == []
    assert outcomes.source.endswith(name)


def test_a_single_row_of_json_lines(write: Write) -> None:
    assert len(read_results(write("results.jsonl", ROWS[:1]))) == 1


def test_a_mapping_from_a_file(write: Write) -> None:
    outcomes = read_results(write("results.json", MAPPING))
    assert outcomes.columns["conditions"].to_pylist() == ["shift0"] * 3 + ["shift1"] * 3
    assert list(outcomes.notes) == [ORDER_TRUSTED]


def test_rows_are_matched_by_id_in_any_order() -> None:
    mixed = random.Random(0).sample(ROWS, len(ROWS))
    assert cells(mixed) == cells(ROWS)
    reports = [build_report(rows, n_resamples=100) for rows in (ROWS, mixed)]
    assert reports[0].summary() == reports[1].summary()
    # q1 goes from wrong to right, q2 from right to wrong: by place in `mixed` other items would flip.
    assert {flip.item for flip in reports[1].flips[""]} == {"q1", "q2"}


def test_rows_without_ids_and_a_mapping_agree() -> None:
    assert cells(WITHOUT_IDS) == cells(MAPPING)
    assert list(from_results(WITHOUT_IDS).notes) == [ORDER_TRUSTED]
    assert cells([{**row, "id": None} for row in WITHOUT_IDS]) == cells(MAPPING)


@pytest.mark.parametrize("results", [WITHOUT_IDS[:-1], {"shift0": [True, True], "shift1": [True]}])
def test_unequal_conditions_without_ids(results: Any) -> None:
    with pytest.raises(InputError, match=r"as (many|many rows|many results) in every condition, but results has "):
        from_results(results)


def test_unequal_conditions_with_ids_are_compared_where_they_meet() -> None:
    rows = [{**row, "condition": "orig" if row["condition"] == "shift0" else "shift1"} for row in ROWS]
    drift = build_report(rows[:-1], n_resamples=100).values("invariance_drift")
    assert drift["n_by_condition"] == {"orig": 3, "shift1": 2}


@pytest.mark.parametrize("value", ["true", "False", 2, -1, 0.5, 1.0, None, [True]])
def test_what_is_neither_true_nor_false_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match=r"Expected true or false, but results, shift1\[2\] is "):
        from_results({**MAPPING, "shift1": [True, True, value]})
    with pytest.raises(InputError, match="Expected true or false, but results, entry 2 is "):
        from_results([ROWS[0], {**ROWS[1], "correct": value}])


def test_text_booleans_have_a_hint() -> None:
    with pytest.raises(InputError, match='the text "false" is not false'):
        from_results({"shift0": ["false"]})


def test_zero_and_one_are_booleans() -> None:
    assert cells({"shift0": [1, 0, 1], "shift1": [1, 1, 0]}) == cells(MAPPING)


def test_ids_in_some_rows_only() -> None:
    with pytest.raises(InputError, match=r"an id in every row or in none, but results has 3 ids in 6 rows"):
        from_results(ROWS[:3] + WITHOUT_IDS[3:])


def test_an_id_that_repeats_within_a_condition() -> None:
    with pytest.raises(InputError, match="'q0'"):
        build_report([*ROWS, ROWS[0]])


@pytest.mark.parametrize("content", ["{}", "[]", "[ ]\n", '{"orig": []}', '{"orig": [], "shift1": []}'])
def test_nothing_is_not_measured(write: Write, content: str) -> None:
    report = build_report(read_results(write("results.json", content)))
    assert report.verdict == "not_measured"
    assert report.gate("never").exit_code == 3


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ({"shift0": "true"}, "Expected a list of true / false for condition 'shift0'"),
        ({"shift0": {"a": True}}, "Expected a list of true / false for condition 'shift0'"),
        ([{"condition": "x"}], "results, entry 1 is"),
        ([ROWS[0], 3], "results, entry 2 is 3"),
        ("text", "results is str"),
        (3, "results is int"),
    ],
)
def test_other_forms(results: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        from_results(results)
