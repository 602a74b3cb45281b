"""The class balance check: fires on uneven sets, is quiet on even ones."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from jostle.audit import Case, CheckResult, ClassBalanceCheck, EvalSet, load
from jostle.errors import UsageError

DATA = Path(os.environ.get("JOSTLE_SHARED") or Path(__file__).resolve().parents[3] / "shared") / "data"


def labelled(labels: Sequence[str | None], texts: Sequence[str] | None = None) -> EvalSet:
    texts = texts or [f"text number {k}" for k in range(len(labels))]
    cases = [
        Case(f"case_{k}", text, {"input": text}, label=label)
        for k, (label, text) in enumerate(zip(labels, texts, strict=True), start=1)
    ]
    return EvalSet(cases, {"input": "input", "label": "label"}, "set.csv")


def chosen(golds: Sequence[int], options: int = 4) -> EvalSet:
    texts = tuple(f"option {k}" for k in range(options))
    cases = [
        Case(f"case_{k}", f"q {k}", {"input": f"q {k}"}, label=str(gold), choices=texts, answer_index=gold)
        for k, gold in enumerate(golds)
    ]
    return EvalSet(cases, {"input": "input", "choices": "choices", "answer": "answer"}, "set.csv")


def kinds(result: CheckResult) -> list[str]:
    return [finding.kind for finding in result.findings]


def test_fires_on_an_uneven_set() -> None:
    result = ClassBalanceCheck().run(labelled(["a"] * 14 + ["b"] * 4 + ["c", "d"]))
    assert kinds(result) == ["imbalance", "small_class", "small_class", "small_class"]
    smallest = {finding.values["class"]: finding for finding in result.findings[1:]}
    assert smallest["b"].case_ids == ("case_15", "case_16", "case_17", "case_18")
    assert (smallest["b"].values["below_count"], smallest["b"].values["below_share"]) == (True, False)
    assert (smallest["c"].values["below_count"], smallest["c"].values["below_share"]) == (True, True)
    assert "one of 5 values, 0.25 apart" in smallest["b"].message
    assert "14.0 to 1" in result.findings[0].message
    assert "accuracy 0.70, where even classes would give 0.25" in result.findings[0].message
    assert len(result.warnings) == 4
    assert result.limitations


def test_is_quiet_on_an_even_set() -> None:
    result = ClassBalanceCheck().run(labelled(["a", "b", "c"] * 20))
    assert result.findings == []
    assert result.stats["imbalance_ratio"] == 1.0
    assert result.summary == "60 labelled cases in 3 classes, largest to smallest 1.0 to 1, majority 33.3%."


def test_a_property_of_most_classes_is_told_once() -> None:
    result = ClassBalanceCheck().run(labelled([f"class {k}" for k in range(12)] * 3))
    assert kinds(result) == ["small_classes"]
    assert "12 of 12 classes are small (12 below 5 cases, 0 below a share of" in result.findings[0].message


def test_the_thresholds_are_the_users() -> None:
    evalset = labelled(["a"] * 6 + ["b"] * 4)
    assert kinds(ClassBalanceCheck(min_class_count=4).run(evalset)) == []
    assert kinds(ClassBalanceCheck(min_class_count=0, min_class_share=0.45).run(evalset)) == ["small_class"]
    with pytest.raises(UsageError, match="Expected min_class_share from 0 to 1"):
        ClassBalanceCheck(min_class_share=2)


def test_one_class_no_label_and_free_text() -> None:
    assert kinds(ClassBalanceCheck().run(labelled(["a"] * 9))) == ["single_class"]
    partly = ClassBalanceCheck().run(labelled(["a", "b"] * 10 + [None]))
    assert kinds(partly) == ["unlabelled"]
    assert partly.findings[0].case_ids == ("case_21",)
    free = ClassBalanceCheck().run(labelled([f"answer {k}" for k in range(9)]))
    assert [(finding.kind, finding.severity) for finding in free.findings] == [("labels_are_no_classes", "info")]
    none = ClassBalanceCheck().run(labelled([None] * 4))
    assert (none.findings, none.summary) == ([], "4 cases without classes or options: only lengths were measured.")


def test_one_class_in_two_spellings() -> None:
    result = ClassBalanceCheck().run(labelled(["Bug report", "bug_report", "other", "other"] * 5))
    assert kinds(result) == ["label_spelling"]
    assert "'Bug report' (5), 'bug_report' (5)" in result.findings[0].message


def test_gold_positions() -> None:
    uneven = ClassBalanceCheck().run(chosen([0] * 20 + [1] * 60 + [2] * 10 + [3] * 10))
    assert kinds(uneven) == ["gold_position"]
    assert "position 2 in 60.0% of 100 cases, where an even spread gives 25.0%" in uneven.findings[0].message
    assert uneven.stats["gold_count_by_position"] == {"1": 20, "2": 60, "3": 10, "4": 10}
    assert kinds(ClassBalanceCheck().run(chosen([0, 1, 2, 3] * 25))) == []
    # Significant in a large set, but a blind answer gains less than five points.
    slight = ClassBalanceCheck().run(chosen([0] * 2800 + [1, 2, 3] * 2400))
    assert slight.stats["position_p_value"] < 0.001
    assert kinds(slight) == []
    few = ClassBalanceCheck().run(chosen([1] * 8))
    assert few.stats["position_p_value"] != few.stats["position_p_value"]
    assert kinds(few) == []


def test_length_that_tells_the_class() -> None:
    texts = ["short one", "a rather longer text of eight words altogether"] * 20
    result = ClassBalanceCheck().run(labelled(["a", "b"] * 20, texts))
    assert [(finding.kind, finding.severity) for finding in result.findings] == [("length_by_class", "info")]
    assert result.stats["words_median_by_class"] == {"a": 2.0, "b": 8.0}
    assert kinds(ClassBalanceCheck().run(labelled(["a", "b"] * 5, texts[:10]))) == []


@pytest.mark.skipif(not DATA.is_dir(), reason="the folder with public data sets is not here")
@pytest.mark.parametrize("name", ["glue/sst2_validation.parquet", "glue/mnli_matched_validation.parquet",
                                  "audit/mmlu_redux.parquet", "mcq/commonsenseqa_dev_rand_split.jsonl"])  # fmt: skip
def test_is_quiet_on_balanced_public_sets(name: str) -> None:
    assert ClassBalanceCheck().run(load(DATA / name)).findings == []
