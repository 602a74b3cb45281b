"""lm-evaluation-harness logs: scores as conditions, items by content, what cannot be read is said with its line."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from jostle.errors import InputError
from jostle.importers import Reading, read_files, read_results
from jostle.importers._scored import RIGHT_OR_WRONG

Write = Callable[[str, Any], Path]
Sample = Callable[..., dict[str, Any]]
SEVERAL_SCORES = (
    "Several scores of the same answers stand as conditions (acc, acc_norm): drift and flips include what lies between "
    "the scores. Choose one metric to leave that out."
)
NAME = "samples_quiz_2026-01-02T03-04-05.678.jsonl"


def accuracies(frame: pd.DataFrame) -> dict[str, float]:
    right = frame.predictions == frame.references
    return {str(name): float(value) for name, value in right.groupby(frame.conditions).mean().items()}


def test_likelihoods_by_hand(write: Write, sample: Sample) -> None:
    rows = [
        sample("Is it?", 0, [-1.0, -2.0], acc=1.0, acc_norm=0.0),  # A; -1/3 < -2/9, so B by length
        sample("Was it?", 1, [-1.0, -2.0], acc=0.0, acc_norm=1.0),
    ]
    outcomes = read_results(write(NAME, rows))
    frame = outcomes.to_pandas()
    assert frame.conditions.tolist() == ["acc", "acc_norm"] * 2
    assert frame.predictions.tolist() == ["A", "B", "A", "B"]
    assert frame.references.tolist() == ["A", "A", "B", "B"]
    assert outcomes.about["task"] == "quiz"
    assert set(outcomes.texts.values()) == {"Is it?\nyes\nno, never", "Was it?\nyes\nno, never"}


def test_a_score_that_is_not_equality_leaves_right_and_wrong(write: Write, sample: Sample) -> None:
    outcomes = read_results(write(NAME, [sample("2 + 2?", "4", ["It is 4."], exact_match=1.0)]))
    assert outcomes.to_pandas().predictions.tolist() == ["1"]
    assert RIGHT_OR_WRONG in outcomes.notes


def test_filters_are_conditions(write: Write, sample: Sample) -> None:
    strict, flexible = (
        sample("2 + 2?", "4", [answer], exact_match=score, filter=name)
        for answer, score, name in (("It is 4", 0.0, "strict-match"), ("4", 1.0, "flexible-extract"))
    )
    found = accuracies(read_results(write(NAME, [strict, flexible])).to_pandas())
    assert found == {"exact_match,strict-match": 0.0, "exact_match,flexible-extract": 1.0}


def test_a_metric_can_be_chosen_and_partial_credit_is_counted(write: Write, sample: Sample) -> None:
    path = write(NAME, [sample("Is it?", 0, [-1.0, -2.0], acc=1.0, acc_norm=1.0, f1=0.5)])
    assert read_results(path).counts == {"log": {"f1 is not right or wrong": 1}}
    assert set(read_results(path, Reading(metrics=("acc_norm",))).to_pandas().conditions) == {"acc_norm"}
    with pytest.raises(InputError, match=r"Expected the metric bleu, but .* has acc, acc_norm, f1\."):
        read_results(path, Reading(metrics=("bleu",)))


def test_files_are_joined_by_content_in_any_order(write: Write, sample: Sample) -> None:
    questions = [f"Question {k}?" for k in range(4)]
    first = [sample(q, 0, [-1.0, -2.0], acc=1.0) for q in questions]
    second = [sample(q, "A", ["B" if k else "A"], accuracy=float(not k)) for k, q in enumerate(questions)]
    a, b = write("samples_a.jsonl", first), write("samples_b.jsonl", [*reversed(second[:3])])
    outcomes = read_files([("orig", a), ("para/other", b)])
    wide = outcomes.to_pandas().pivot_table(
        index="item_ids", columns="conditions", values="predictions", aggfunc="first"
    )
    assert sorted(wide.fillna("-").itertuples(index=False, name=None)) == [
        ("A", "-"),
        ("A", "A"),
        ("A", "B"),
        ("A", "B"),
    ]
    assert outcomes.notes == [f"3 items are in all files; {a} has 1 more."]


def test_without_names_tasks_tell_files_apart_or_it_is_refused(write: Write, sample: Sample) -> None:
    rows = [sample("Is it?", 0, [-1.0, -2.0], acc=1.0)]
    a, b = write("samples_a.jsonl", rows), write("samples_b.jsonl", rows)
    assert set(read_files([(None, a), (None, b)]).to_pandas().conditions) == {"a", "b"}
    with pytest.raises(InputError, match=r"both have 'acc'. Name each as a condition"):
        read_files([(None, a), (None, a)])


def test_files_on_other_items_are_refused(write: Write, sample: Sample) -> None:
    a = write("samples_a.jsonl", [sample("Is it?", 0, [-1.0, -2.0], acc=1.0)])
    b = write("samples_b.jsonl", [sample("Is it, then?", 0, [-1.0, -2.0], acc=1.0)])
    with pytest.raises(InputError, match="Expected the same items, but no item is in two of"):
        read_files([(None, a), (None, b)])
    by_id = read_files([(None, a), (None, b)], Reading(match="id"))
    assert by_id.to_pandas().item_ids.tolist() == ["Is i", "Is i"]


def test_an_item_that_stands_twice_is_two_items(write: Write, sample: Sample) -> None:
    row = sample("Is it?", 0, [-1.0, -2.0], acc=1.0)
    frame = read_results(write(NAME, [row, row])).to_pandas()
    assert frame.item_ids.nunique() == 2


@pytest.mark.parametrize(
    "damage",
    [
        {"filtered_resps": [["x", "False"], ["-2.0", "False"]]},
        {"filtered_resps": True},
        {"arguments": {"gen_args_0": {}, "gen_args_1": {}}},
        {"arguments": []},
    ],
)
def test_a_damaged_sample_is_named(write: Write, sample: Sample, damage: dict[str, Any]) -> None:
    whole = sample("Is it?", 0, [-1.0, -2.0], acc=1.0, acc_norm=1.0)
    path = write(NAME, [whole, {**whole, **damage}])
    with pytest.raises(InputError, match=r"Expected what lm-evaluation-harness writes, but .*line 2 is not that"):
        read_results(path)


def test_filters_that_only_some_rows_have(write: Write, sample: Sample) -> None:
    rows = [sample("2 + 2?", "4", ["4"], exact_match=1.0, filter="none"), sample("1 + 1?", "2", ["2"], exact_match=1.0)]
    with pytest.raises(InputError, match=r"line 2 is not that .*filter"):
        read_results(write(NAME, rows))


def test_items_that_differ_in_their_options_alone(write: Write, sample: Sample) -> None:
    """As in PIQA: one goal, two pairs of solutions; in reverse order they are the same two items."""
    rows = [
        {**sample("?", 0, [-1.0, -2.0], acc=1.0), "doc": {"goal": "Open a jar", "sol1": one, "sol2": "Sing"}}
        for one in ("Twist", "Pull")
    ]
    ahead, back = (read_results(write(f"samples_{k}.jsonl", r)) for k, r in enumerate((rows, rows[::-1])))
    names = ahead.columns["item_ids"].to_pylist()
    assert len(set(names)) == 2
    assert back.columns["item_ids"].to_pylist() == names[::-1]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"doc": {}, "filtered_resps": [1]}\n', r"line 1 has no doc_id"),
        ("{row}\nnot json\n", r"Expected JSON, but .*line 2 is not"),
        ("{row}\n\n[]\n", r"Expected a sample .*line 3 has no doc_id"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, sample: Sample, lines: str, message: str) -> None:
    row = json.dumps(sample("Is it?", 0, [-1.0, -2.0], acc=1.0))
    path = tmp_path / NAME
    path.write_text(lines.replace("{row}", row), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_results(path)


def test_a_log_that_is_cut_off(tmp_path: Path, sample: Sample) -> None:
    rows = "".join(json.dumps(sample(f"Is it {k * 7919}?", 0, [-1.0, -2.0], acc=1.0)) + "\n" for k in range(200))
    path = tmp_path / f"{NAME}.gz"
    path.write_bytes(gzip.compress(rows.encode())[:-200])
    with pytest.raises(InputError, match=r"Expected a whole log, but .* cannot be read"):
        read_results(path)


def test_one_model_scored_three_ways(real: Path) -> None:
    """Llama-3-8B on ARC-C: acc, acc_norm and generation of the same 1,172 questions, as the results files have them."""
    logs = [next((real / folder).glob("samples_*.gz")) for folder in ("lm_eval", "lm_eval_unitxt")]
    outcomes = read_files([(None, logs[0]), ("generation", logs[1])])
    published = {}
    for folder in ("lm_eval", "lm_eval_unitxt"):
        results = json.loads(next((real / folder).glob("results_*.json")).read_text("utf-8"))["results"]
        published |= results.get("arc_challenge", {}) | results.get("arc.ARC_Challenge_0", {})
    found = accuracies(outcomes.to_pandas())
    assert found == {
        "acc": pytest.approx(published["acc,none"]),
        "acc_norm": pytest.approx(published["acc_norm,none"]),
        "generation": pytest.approx(published["unitxt_accuracy,none"]),
    }
    assert [round(value, 3) for value in found.values()] == [0.530, 0.567, 0.770]
    assert outcomes.to_pandas().groupby("conditions").item_ids.nunique().tolist() == [1172] * 3
    assert outcomes.notes == [SEVERAL_SCORES]  # and no item is in one of the logs alone


def test_a_real_generative_log(real: Path) -> None:
    outcomes = read_results(next((real / "lm_eval_generative").glob("samples_*.jsonl")))
    assert (len(outcomes), set(outcomes.to_pandas().conditions)) == (10, {"exact_match"})
