"""HELM, OpenAI evals, promptfoo, evallint and plain tables, each in the form that they write."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import InputError, UsageError
from jostle.importers import Reading, read_results

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]


# -- HELM


def instance(name: str, text: str, perturbation: str = "") -> dict[str, Any]:
    options = [{"output": {"text": option}, "tags": tags} for option, tags in (("Rome", ["correct"]), ("Bonn", []))]
    changed = {"perturbation": {"name": perturbation}} if perturbation else {}
    return {"id": name, "input": {"text": text}, "references": options, **changed}


def helm(folder: Path, runs: list[tuple[dict[str, Any], str, float]]) -> Path:
    """A run folder: instance, answer, exact match."""
    states = [
        {
            "instance": one,
            "train_trial_index": 0,
            "output_mapping": {"A": "Rome", "B": "Bonn"},
            "result": {"completions": [{"text": f" {answer}"}]},
        }
        for one, answer, _ in runs
    ]
    stats = [
        {
            "instance_id": one["id"],
            "train_trial_index": 0,
            "stats": [{"name": {"name": "exact_match"}, "count": 1, "mean": score},
                      {"name": {"name": "num_references"}, "count": 1, "mean": 1.0}],
            **({"perturbation": one["perturbation"]} if "perturbation" in one else {}),
        }
        for one, _, score in runs
    ]  # fmt: skip
    spec = {
        "name": "capitals,model=m",
        "adapter_spec": {"model": "org/m"},
        "metric_specs": [{"args": {"names": ["exact_match"]}}],
    }
    for name, value in (
        ("scenario_state", {"request_states": states}), ("per_instance_stats", stats), ("run_spec", spec)
    ):  # fmt: skip
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return folder


def test_helm_perturbations_are_conditions_of_one_item(tmp_path: Path) -> None:
    plain, typo = instance("id1", "Capital of Italy?"), instance("id1", "Captial of Italy?", "misspelling")
    outcomes = read_results(helm(tmp_path, [(plain, "A", 1.0), (typo, "B", 0.0)]))
    frame = outcomes.to_pandas()
    assert frame.conditions.tolist() == ["orig", "misspelling"]
    assert frame.item_ids.nunique() == 1
    assert frame.predictions.tolist() == ["A", "B"]
    assert frame.references.tolist() == ["A", "A"]
    assert outcomes.about == {"task": "capitals", "model": "org/m"}


def test_helm_without_a_score_or_a_file(tmp_path: Path) -> None:
    folder = helm(tmp_path, [(instance("id1", "Capital of Italy?"), "A", 0.4)])
    with pytest.raises(InputError, match="Expected scores of exact_match that are right or wrong"):
        read_results(folder)
    (folder / "run_spec.json").unlink()
    with pytest.raises(InputError, match=r"Expected a HELM run, but .*run_spec\.json is missing"):
        read_results(folder)


def test_a_real_helm_run(real: Path) -> None:
    folder = next((real / "helm").iterdir())
    frame = read_results(folder, Reading(metrics=("exact_match",))).to_pandas()
    stats = json.loads((folder / "stats.json").read_text("utf-8"))
    (stated,) = {stat["mean"] for stat in stats if stat["name"]["name"] == "exact_match"}
    assert (frame.predictions == frame.references).mean() == stated == 0.3


# -- OpenAI evals


def events(*answers: tuple[str, str, str]) -> list[dict[str, Any]]:
    """A recorded run: sample, expected, picked."""
    rows: list[dict[str, Any]] = [{"spec": {"eval_name": "capitals.v0", "completion_fns": ["gpt-x"]}}]
    for k, (sample, expected, picked) in enumerate(answers):
        common = {"run_id": "r", "event_id": k, "sample_id": sample}
        prompt = [{"role": "user", "content": f"Question {sample}?"}]
        rows.append({**common, "type": "sampling", "data": {"prompt": prompt, "sampled": [picked]}})
        graded = {"correct": picked == expected, "expected": expected, "picked": picked}
        rows.append({**common, "type": "match", "data": graded})
    return [*rows, {"final_report": {"accuracy": 0.5}}]


def test_openai_evals_by_hand(write: Write) -> None:
    outcomes = read_results(write("run.jsonl", events(("s.0", "Rome", "Rome"), ("s.1", "Bonn", "Oslo"))))
    frame = outcomes.to_pandas()
    assert frame.predictions.tolist() == ["Rome", "Oslo"]
    assert frame.references.tolist() == ["Rome", "Bonn"]
    assert set(frame.conditions) == {"match"}
    assert outcomes.about == {"task": "capitals.v0", "model": "gpt-x"}
    assert set(outcomes.texts.values()) == {"Question s.0?", "Question s.1?"}


def test_openai_evals_repeats_are_samples_and_ids_can_be_used(write: Write) -> None:
    path = write("run.jsonl", events(("s.0", "Rome", "Rome"), ("s.0", "Rome", "Oslo")))
    frame = read_results(path, Reading(match="id")).to_pandas()
    assert frame.item_ids.tolist() == ["s.0", "s.0"]
    assert frame.samples.tolist() == ["0", "1"]


def test_openai_evals_without_scores(write: Write) -> None:
    only = [row for row in events(("s.0", "Rome", "Rome")) if row.get("type") != "match"]
    with pytest.raises(InputError, match=r"Expected scores .* has none \(no match or metrics event\)"):
        read_results(write("run.jsonl", only))


# -- promptfoo


def foo(test: int, prompt: int, provider: str, success: bool, **more: Any) -> dict[str, Any]:
    return {
        "testIdx": test,
        "promptIdx": prompt,
        "provider": {"id": provider},
        "prompt": {"raw": "...", "label": f"prompt {'ab'[prompt]}"},
        "vars": {"question": f"Question {test}?"},
        "success": success,
        "gradingResult": {"pass": success},
        **more,
    }


def test_promptfoo_prompts_are_conditions_and_providers_models(write: Write) -> None:
    rows = [foo(t, p, m, (t + p) % 2 == 0) for t in range(2) for p in range(2) for m in ("m:x", "m:y")]
    rows.append(foo(2, 0, "m:x", False, error="timeout", gradingResult=None))
    outcomes = read_results(write("results.json", {"evalId": "e", "results": {"version": 3, "results": rows}}))
    frame = outcomes.to_pandas()
    right = frame.predictions == frame.references
    assert right.groupby([frame.models, frame.conditions]).mean().tolist() == [0.5] * 4
    assert frame.item_ids.nunique() == 2
    assert outcomes.counts == {"log": {"error": 1}}


def test_promptfoo_prompts_with_one_label_are_numbered(write: Write) -> None:
    rows = [{**foo(0, p, "m:x", True), "prompt": {"raw": "same"}} for p in range(2)]
    frame = read_results(write("results.json", {"results": {"results": rows}})).to_pandas()
    assert set(frame.conditions) == {"same (1)", "same (2)"}


# -- evallint, plain tables


def test_an_evallint_report_is_refused_with_what_to_do(write: Write) -> None:
    report = {"source": "set.jsonl", "summary": {"n_findings": 1}, "checks": [{"check": "imbalance"}]}
    with pytest.raises(InputError, match="is an evallint report: findings about a set, and no answers"):
        read_results(write("report.json", report))


def test_a_plain_table_by_a_map(write: Write) -> None:
    path = write("answers.csv", "qid,gold,guess\nq1,a,a\nq2,b,a\n")
    mapping = {"item_ids": "qid", "references": "gold", "predictions": "guess"}
    frame = read_results(path, Reading(mapping=mapping)).to_pandas()
    assert frame.predictions.tolist() == ["a", "a"]
    assert set(frame.conditions) == {"answers"}


def test_right_and_wrong_will_do(write: Write) -> None:
    path = write("answers.csv", "qid,ok\nq1,True\nq2,0\n")
    frame = read_results(path, Reading(mapping={"item_ids": "qid", "correct": "ok"})).to_pandas()
    assert (frame.predictions == frame.references).tolist() == [True, False]


@pytest.mark.parametrize(
    ("mapping", "error", "message"),
    [
        ({"ids": "qid"}, UsageError, r"Expected --map to name one of predictions, .*got 'ids'"),
        ({"item_ids": "id"}, UsageError, r"Expected a column 'id' \(--map item_ids\), but .* has qid, ok"),
        ({"item_ids": "qid"}, InputError, r"Expected predictions, references, but .* has qid, ok"),
        ({"item_ids": "qid", "correct": "ok"}, InputError, r"Expected true or false in 'ok', but .*line 2 has 'maybe'"),
    ],
)
def test_a_map_that_does_not_fit(write: Write, mapping: dict[str, str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        read_results(write("answers.csv", "qid,ok\nq1,maybe\n"), Reading(mapping=mapping))


# -- the command


def test_import_writes_what_report_reads(write: Write, sample: Any, jostle: Jostle, tmp_path: Path) -> None:
    def rows(right: float) -> list[dict[str, Any]]:
        return [sample(f"Question {k}?", 0, [-1.0, -2.0], acc=right if k % 2 else 1.0) for k in range(40)]

    first, second = write("samples_a.jsonl", rows(1.0)), write("samples_b.jsonl", rows(0.0))
    to = tmp_path / "o.parquet"
    done = jostle("import", first, "--condition", f"other={second}", "--to", to)
    assert done.code == 0
    assert done.out == ""
    assert "acc: 40 rows" in done.err
    assert "other: 40 rows" in done.err
    direct = jostle("report", first, "--condition", f"other={second}", "--format", "json")
    imported = jostle("report", to, "--format", "json")
    assert json.loads(imported.out)["measures"] == json.loads(direct.out)["measures"]


def test_import_says_what_is_wrong(write: Write, jostle: Jostle, tmp_path: Path) -> None:
    to = tmp_path / "o.parquet"
    done = jostle("import", tmp_path / "none.jsonl", "--to", to)
    assert done.code == 3
    assert "does not exist" in done.err
    assert jostle("import", "--to", to).code == 2
    assert not to.exists()
