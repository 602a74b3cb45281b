"""The discrimination check: from a scorer, what it finds and keeps quiet about, samples, and errors."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from jostle.audit.base import Case, CheckResult, EvalSet, NotRun
from jostle.audit.discrimination import DiscriminationCheck
from jostle.errors import UsageError

A10 = {
    "c1": [[0.4], [math.nan]],
    "c2": [[1.0], [0.0]],
    "c3": [[1.0], [0.5]],
    "c4": [[1.0, 0.0], [1.0, 1.0]],
}


def evalset(ids: Sequence[str]) -> EvalSet:
    return EvalSet([Case(name, f"text of {name}", {"input": f"text of {name}"}) for name in ids], {}, "test")


def scorer(scores: Mapping[str, Sequence[Sequence[float]]], models: Sequence[str]) -> Callable[[Case, str], float]:
    """Gives the scores of a case and model in turn, and the last of them again."""
    lock, calls = threading.Lock(), {}

    def score(case: Case, model: str) -> float:
        row = scores[case.id][models.index(model)]
        with lock:
            k = calls[case.id, model] = calls.get((case.id, model), -1) + 1
        return row[min(k, len(row) - 1)]

    return score


def table(rows: Mapping[str, Sequence[Any]], models: Sequence[Any] = ("weak", "strong"), **options: Any) -> CheckResult:
    """The check on one score for each case and model."""
    score = scorer({name: [[value] for value in row] for name, row in rows.items()}, list(models))
    return DiscriminationCheck(score, models, **options).run(evalset(list(rows)))


def kinds(result: CheckResult, severity: str = "warning") -> list[str]:
    return [finding.kind for finding in result.findings if finding.severity == severity]


@pytest.mark.parametrize("ids", [["c1", "c2", "c3", "c4"], ["c4", "c2", "c1", "c3"]])
@pytest.mark.parametrize("max_workers", [1, 4])
def test_case_a10_missing_unstable_and_inverted(ids: list[str], max_workers: int) -> None:
    models = ["weak", "strong"]
    check = DiscriminationCheck(scorer(A10, models), models, repeats=2, max_workers=max_workers)
    stats = check.run(evalset(ids)).stats
    assert (stats["n_measured"], stats["n_unstable"], stats["n_missing"]) == (2, 1, 1)
    assert stats["inverted_case_ids"] == ["c2"]
    assert stats["ceiling_case_ids"] == ["c3"]  # a score of 0.5 passes
    assert stats["unstable_case_ids"] == ["c4"]
    assert stats["missing_case_ids"] == ["c1"]
    assert stats["non_discriminating_share"] == 0.5
    assert stats["failures"] == {"c1": "strong: the score is nan"}


def test_case_a10_one_model_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"two or more models, weakest first, but got 1\. One model tells"):
        DiscriminationCheck(lambda case, model: True, ["alone"])


def test_order_of_cases_and_workers_change_nothing() -> None:
    models = ["small", "middle", "large"]
    right = {f"case_{k}": [(k * (m + 3)) % 7 > 2 for m in range(3)] for k in range(40)}

    def score(case: Case, model: str) -> bool:
        return right[case.id][models.index(model)]

    check = DiscriminationCheck(score, models, sample=25)
    one = check.run(evalset(list(right))).stats
    turned = check.run(evalset(list(right)[::-1])).stats
    many = DiscriminationCheck(score, models, sample=25, max_workers=5).run(evalset(list(right))).stats
    for other in (turned, many):
        for key in one.keys() - {"max_workers"}:
            same = sorted if key.endswith("_case_ids") else lambda value: value
            assert same(one[key]) == same(other[key]), key


def test_one_worker_starts_no_thread() -> None:
    names = []
    score = lambda case, model: names.append(threading.current_thread()) is None  # noqa: E731
    DiscriminationCheck(score, ["a", "b"]).run(evalset(["x", "y"]))
    assert set(names) == {threading.current_thread()}
    DiscriminationCheck(score, ["a", "b"], max_workers=2).run(evalset(["x", "y"]))
    assert len(set(names)) > 1


def test_quiet_on_a_set_that_tells_the_models_apart() -> None:
    result = table({f"case_{k}": [False, True] for k in range(9)} | {"easy": [True, True]})
    assert result.warnings == []
    assert result.stats["discriminating_share"] == 0.9
    assert kinds(result, "info") == ["resolution", "ceiling"]
    # 9 against 0 discordant cases of 10: p = 2 / 2^9
    assert result.stats["pairs"][0]["p_value"] == pytest.approx(2 / 512)
    assert json.loads(json.dumps(result.stats, allow_nan=False)) == result.stats


def test_fires_when_most_cases_say_nothing() -> None:
    rows = {"a": [False, True], "b": [True, True], "c": [True, True], "d": [False, False]}
    result = table(rows)
    assert kinds(result) == ["non_discriminating", "floor"]
    assert result.findings[0].message.startswith("75% of 4 measured cases (95% interval 30% to 95%)")  # Wilson
    assert result.findings[0].message.endswith("the set counts 1 cases.")
    assert result.summary == "4 cases x 2 models: 1 discriminate, 3 do not (2 ceiling, 1 floor), 0 are inverted"
    assert kinds(table(rows, max_non_discriminating_share=0.75)) == ["floor"]


def test_models_in_the_wrong_order() -> None:
    # 8 against 0: p = 2 / 2^8 = .0078
    result = table({f"case_{k}": [True, False] for k in range(8)})
    assert kinds(result) == ["inverted", "order_contradicted"]
    assert "weak stands before strong, weakest first, but passes 100.0% more" in result.warnings[1].message


def test_a_scorer_that_fails_leaves_the_case_out_and_is_told() -> None:
    def score(case: Case, model: str) -> Any:
        if case.id == "case_1":
            raise TimeoutError("no answer")
        return {"case_2": "yes", "case_3": None}.get(case.id, model == "strong")

    result = DiscriminationCheck(score, ["weak", "strong"]).run(evalset([f"case_{k}" for k in range(5)]))
    assert result.stats["failures"] == {
        "case_1": "weak: TimeoutError: no answer",
        "case_2": "weak: Expected True, False or a number, but the scorer gave 'yes'",
        "case_3": "weak: the score is None",
    }
    assert (result.stats["n_measured"], result.stats["n_missing"]) == (2, 3)
    assert kinds(result) == ["not_measured"]
    assert "3 of 5 cases are not measured" in result.warnings[0].message
    assert "The scorer failed on 3: case_1: weak: TimeoutError: no answer" in result.warnings[0].message


def test_a_scorer_that_always_fails_is_no_result() -> None:
    with pytest.raises(NotRun, match="2 failed, the first is a: weak: ZeroDivisionError") as caught:
        DiscriminationCheck(lambda case, model: 1 / 0, ["weak", "strong"]).run(evalset(["a", "b"]))
    assert caught.value.incomplete


def test_no_case_has_no_result() -> None:
    with pytest.raises(NotRun, match="no case"):
        DiscriminationCheck(lambda case, model: True, ["weak", "strong"]).run(evalset([]))


def test_a_sample_says_so_first_everywhere() -> None:
    rows = {f"case_{k}": [k % 4 == 0, k % 3 == 0] for k in range(30)}
    result = table(rows, sample=12, sample_seed=7)
    assert result.summary.startswith("SAMPLE of 12 of 30 cases x 2 models:")
    assert result.limitations[0].startswith("Only a SAMPLE of 12 of 30 cases was taken (seed 7).")
    assert len(result.findings) > 2
    assert all(finding.message.startswith("In a SAMPLE of 12 of 30 cases: ") for finding in result.findings)
    stats = result.stats
    assert (stats["sampled"], stats["n_taken"], stats["n_cases"], stats["sample_seed"]) == (True, 12, 30, 7)
    whole = table(rows, sample=30)
    assert "SAMPLE" not in whole.summary + "".join(whole.limitations) + "".join(f.message for f in whole.findings)


def test_a_sample_depends_on_ids_and_seed_alone() -> None:
    def taken(ids: Sequence[str], seed: int) -> set[str]:
        seen: set[str] = set()
        score = lambda case, model: seen.add(case.id) is None  # noqa: E731
        DiscriminationCheck(score, ["a", "b"], sample=5, sample_seed=seed).run(evalset(ids))
        return seen

    ids = [f"case_{k}" for k in range(50)]
    assert len(taken(ids, 0)) == 5
    assert taken(ids, 0) == taken(ids[::-1], 0) != taken(ids, 1)


def test_repeats_and_the_bias_of_leaving_unstable_cases_out() -> None:
    models = ["weak", "strong"]
    scores = {"a": [[1, 1, 0], [1, 1, 1]], "b": [[1, 1, 1], [1, 1, 1]], "c": [[0, 0, 1], [1, 1, 1]]}
    result = DiscriminationCheck(scorer(scores, models), models, repeats=3).run(evalset(list(scores)))
    assert result.summary.startswith("3 cases x 2 models x 3 repeats: 0 discriminate, 1 do not")
    assert result.summary.endswith("; 2 unstable")
    assert result.stats["non_discriminating_share"] == 1
    # by majority a and b are at the ceiling, c tells apart
    assert result.stats["non_discriminating_share_by_majority"] == pytest.approx(2 / 3)
    assert any("grows with the repeats" in said for said in result.limitations)
    once = table({"a": [0, 1]})
    assert any("one verdict of each model" in said for said in once.limitations)


def test_many_models_say_which_rule_holds() -> None:
    models = [f"m{k:02}" for k in range(20)]
    rows: dict[str, list[bool]] = {f"case_{k}": [m >= k for m in range(20)] for k in range(1, 20)}
    result = table(rows | {"turned": [m < 10 for m in range(20)]}, models)
    assert result.stats["inverted_rule"] == "item_rest"
    assert result.stats["inverted_case_ids"] == ["turned"]
    assert "by the correlation with the score on the other cases" in result.warnings[0].message


def test_models_may_be_anything_with_a_name() -> None:
    class Model:
        def __init__(self, size: int) -> None:
            self.size = size

        def __str__(self) -> str:
            return f"model of {self.size}"

    result = DiscriminationCheck(lambda case, model: model.size > 3, [Model(1), Model(9)]).run(evalset(["a"]))
    assert result.stats["models"] == ["model of 1", "model of 9"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"models": ["a", "a"]}, "distinct names, but got 'a' more than once"),
        ({"repeats": 0}, "`repeats` to be a whole number from 1 on, but got 0"),
        ({"max_workers": 0}, "`max_workers`"),
        ({"sample": 0}, "`sample` to be a whole number from 1 on, but got 0"),
        ({"max_non_discriminating_share": 0}, "`max_non_discriminating_share` to be above 0"),
        ({"results": ["x.parquet"]}, "a scorer or results, but got both"),
        ({"models": None}, "two or more models"),
    ],
)
def test_wrong_arguments(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        DiscriminationCheck(**{"score": lambda case, model: True, "models": ["a", "b"], **options})


def test_without_anything_to_score_with_it_is_not_run() -> None:
    with pytest.raises(NotRun, match="--results FILE") as caught:
        DiscriminationCheck().run(evalset(["a"]))
    assert not caught.value.incomplete
