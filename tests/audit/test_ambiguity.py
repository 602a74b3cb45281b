"""Gold answers that several options satisfy, none satisfies, or models and raters contradict."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jostle.audit.ambiguity import AmbiguityCheck
from jostle.audit.base import Case, EvalSet, Finding
from jostle.audit.consensus import model_weights
from jostle.audit.flags import Flag
from jostle.audit.ratings import rated
from jostle.audit.suspicion import INTERCEPT, WEIGHTS, ranked
from jostle.errors import UsageError

DATA = Path(os.environ.get("JOSTLE_SHARED") or Path(__file__).resolve().parents[3] / "shared") / "data"
Write = Callable[[str, Any], Path]
FOUR = ("red", "green", "blue", "grey")


def mcq(*rows: tuple[str, Sequence[str], int | None], **more: Any) -> EvalSet:
    cases = [
        Case(f"c{k}", text, {"input": text}, choices=tuple(own), answer_index=gold, **more)
        for k, (text, own, gold) in enumerate(rows)
    ]
    return EvalSet(cases, {"input": "q", "choices": "choices", "answer": "answer"}, "set.jsonl")


def kinds(evalset: EvalSet, **given: Any) -> dict[str, Finding]:
    return {finding.kind: finding for finding in AmbiguityCheck(**given).run(evalset).findings}


def test_a_clean_set_is_quiet() -> None:
    evalset = mcq(("Which colour has grass?", FOUR, 1), ("Which of these is a number?", ("1", "x", "y", "z"), 0))
    result = AmbiguityCheck().run(evalset)
    assert list(result.findings) == []
    assert (result.stats["n_flagged"], result.stats["ranking"]) == (0, [])


def test_a_gold_that_stands_twice_warns_and_other_repeats_inform() -> None:
    found = kinds(mcq(("How much?", ("0.5", "1/2", "3"), 0), ("How many?", ("4", "4.0", "5"), 2)))
    assert {kind: (one.case_ids, one.severity) for kind, one in found.items()} == {
        "gold_option_twice": (("c0",), "warning"),
        "equal_options": (("c1",), "info"),
    }
    assert "0.5 = 1/2" in found["gold_option_twice"].message


def test_statements_that_the_question_does_not_have() -> None:
    own = ("I only", "II only", "I and II only", "III only")
    assert kinds(mcq(("Which is a drawback?", own, 0)))["statements_absent"].case_ids == ("c0",)
    for text in ("Which is a drawback? I. It is dear. II. It is slow.", "Statement 1: a. Statement 2: b. Which holds?"):
        assert not kinds(mcq((text, own, 0)))
    assert not kinds(mcq(("Which pair of roots has it?", ("1, 2", "x", "y"), 0)))
    assert not kinds(mcq(("How many legs?", ("1", "2", "3"), 0)))


@pytest.mark.parametrize(
    ("text", "own", "rule"),
    [
        ("Men drive better. They have more skill.", ("Straw man", "Ad hominem"), "no_question"),
        ("Men drive better. They have more skill. Name the fallacy.", ("Straw man", "Ad hominem"), None),
        ("The capital of France is", ("Paris", "Rome"), None),
        ("He took the tram. Where was he?", ("Here", "There"), None),
        ("The reason given in question number 4 is", ("Cost", "Time"), "refers_to_other_item"),
        ("The line in the figure shows", ("cost", "time"), "material_absent"),
        ("The figure of the emperor was", ("gold", "clay"), None),
        ("Which mass has it?", ("2.2 x 1014 kg", "3 kg"), "lost_exponent"),
        ("Which mass has it?", ("2.2 x 10^14 kg", "3 x 100 kg"), None),
        ("Islands hold coastal forms. It shows", ("0", "they moved over", "all of it drifts"), "lone_number_option"),
        ("How far is it to the coast?", ("0", "10 km or so", "20 km or so"), None),
    ],
)  # fmt: skip
def test_questions_that_lack_something(text: str, own: Sequence[str], rule: str | None) -> None:
    assert list(kinds(mcq((text, own, 0)))) == ([rule] if rule else [])


def test_gold_that_is_missing_impossible_or_a_placeholder() -> None:
    missing = mcq(("Which colour?", FOUR, 1), ("Which tint?", FOUR, None))
    assert kinds(missing)["missing_gold"].case_ids == ("c1",)
    beyond = EvalSet([Case("a", "Which?", {}, choices=FOUR, answer_index=4)], {}, "s")
    assert kinds(beyond)["impossible_gold"].case_ids == ("a",)
    other = EvalSet([Case("a", "Which?", {}, choices=FOUR, expected="pink")], {}, "s")
    assert "pink" in kinds(other)["impossible_gold"].message
    todo = EvalSet([Case("a", "Which?", {}, expected="TODO"), Case("b", "Who?", {}, expected="Ann")], {}, "s")
    assert kinds(todo)["placeholder_gold"].case_ids == ("a",)
    none = EvalSet([Case("a", "Which?", {}), Case("b", "Who?", {})], {}, "s")
    assert not kinds(none)
    assert any("No case has a gold answer" in text for text in AmbiguityCheck().run(none).limitations)


def test_several_golds() -> None:
    listed = EvalSet(
        [Case("a", "Who?", {}, answers=("Ann", "Bo")), Case("b", "Who?!", {}, answers=("Cy", "cy."))], {}, "s"
    )
    found = kinds(listed)["several_gold_answers"]
    assert (found.severity, found.values["n"]) == ("info", 1)
    options_ = EvalSet([Case("a", "Which?", {}, choices=FOUR, answers=("red", "blue"))], {}, "s")
    assert kinds(options_)["several_gold_options"].severity == "warning"
    named = EvalSet([Case("a", "Who?", {}, expected="Ann or Bo"), Case("b", "Why?", {}, expected="A horse")], {}, "s")
    assert kinds(named)["several_gold_answers"].values["n"] == 1


def test_contradicting_golds_of_the_same_input() -> None:
    turned = ("grey", "blue", "green", "red")
    same = mcq(("Which colour?", FOUR, 0), ("which COLOUR", turned, 3), ("Which colour?", ("red", "pink"), 1))
    assert not kinds(same)  # red twice; the third has other options
    other = mcq(("Which colour?", FOUR, 0), ("which COLOUR", turned, 0), ("Which tint?", FOUR, 1))
    assert kinds(other)["contradicting_gold"].case_ids == ("c0", "c1")


def test_classes_that_differ_in_spelling() -> None:
    cases = [Case(f"c{k}", f"t{k}", {}, label=label) for k, label in enumerate(["Yes", "yes ", "no"])]
    assert kinds(EvalSet(cases, {}, "s"))["label_spellings"].values["forms"] == ["Yes", "yes "]


def test_ratings_that_do_not_tell_the_gold() -> None:
    rows = [[2, 3, 2, 2], [1, -1, 1, -2], [-3, -2, -3, -2], [4, 3, 4, 4]]
    cases = [
        Case(f"c{k}", f"t{k}", {}, metadata={"ratings": row, "words": ["a", "b", "c"]}) for k, row in enumerate(rows)
    ]
    (found,) = rated(cases)
    # Mean -.25, sd 1.5, t(3) = 3.18: -.25 +- 3.18 * 1.5 / 2 holds 0. The first: 2.25 +- 3.18 * .5 / 2 does not.
    assert (found.column, found.middle, list(found.unclear)) == ("ratings", 0.0, [1])
    assert found.spread[1] == pytest.approx(1.5)
    assert kinds(EvalSet(cases, {}, "s"))["raters_disagree"].case_ids == ("c1",)


def test_classes_of_several_raters() -> None:
    votes = [["a", "a", "a"], ["a", "b", "c"], ["b", "b", "a"], ["c", "c", "c"], ["b", "b", "b"], ["a", "a", "a"]]
    cases = [Case(f"c{k}", f"t{k}", {}, metadata={"votes": row}) for k, row in enumerate(votes)]
    (found,) = rated(cases)
    assert (found.kind, list(found.unclear)) == ("classes", [1])  # 1/3 of the raters; 2/3 are a majority


def test_a_column_of_standard_deviations() -> None:
    spread = [0.4, 0.5, 0.6, 0.5, 0.4, 3.0]  # quartiles .425 and .575: beyond .575 + 1.5 * .15 = .8
    cases = [Case(f"c{k}", f"t{k}", {}, metadata={"sd": value, "n": 4}) for k, value in enumerate(spread)]
    assert [list(one.unclear) for one in rated(cases)] == [[5]]


def results(write: Write, answers: dict[str, str], golds: str) -> Path:
    rows = [
        {"item_id": f"c{k}", "gold": gold, **{model: given[k] for model, given in answers.items()}}
        for k, gold in enumerate(golds)
    ]
    return write("results.jsonl", rows)


def test_models_that_agree_against_the_gold_lead_the_ranking(write: Write) -> None:
    evalset = mcq(*((f"Which colour has thing {k}?", FOUR, 0) for k in range(8)))
    path = results(write, {"m1": "ABAAAAAC", "m2": "ABAAAABC", "m3": "ABABAAAD"}, "AAAAAAAA")
    result = AmbiguityCheck(results=[path]).run(evalset)
    found = {finding.kind: finding for finding in result.findings}
    assert found["models_agree_on_other"].case_ids == ("c1",)
    assert found["models_agree_on_other"].values["alternative"] == {"c1": "1"}
    assert found["all_models_miss"].case_ids == ("c7",)
    # m1 has 6 of 8 right, m2 and m3 five: ln(3) and ln(5/3), each minus ln(1/3).
    weights = [math.log(3) + math.log(3), math.log(5 / 3) + math.log(3), math.log(5 / 3) + math.log(3)]
    assert list(result.stats["models"]["weights"].values()) == pytest.approx(weights)
    ranking = result.stats["ranking"]
    assert [one["id"] for one in ranking] == ["c1", "c7", "c3", "c6"]  # the last two are missed by one model each
    score = INTERCEPT + WEIGHTS["miss"] + WEIGHTS["agree"] + WEIGHTS["all_miss"]
    assert ranking[0]["score"] == pytest.approx(1 / (1 + math.exp(-score)))


def test_two_models_are_too_few(write: Write) -> None:
    evalset = mcq(*((f"Which colour has thing {k}?", FOUR, 0) for k in range(4)))
    result = AmbiguityCheck(results=[results(write, {"m1": "BBAA", "m2": "BBAA"}, "AAAA")]).run(evalset)
    assert not result.findings
    assert any("takes 3 models" in text for text in result.limitations)


def test_a_strong_rule_ranks_above_models_that_miss() -> None:
    evalset = mcq(*((f"Which colour has thing {k}?", FOUR, 0) for k in range(3)))
    order = ranked(evalset.cases, [Flag("equal_options", 0), Flag("no_question", 2)], None, 0.8)
    assert [(one.case, list(one.reasons)) for one in order] == [(2, ["no_question"]), (0, ["equal_options"])]


def test_weights_of_models() -> None:
    assert model_weights(np.array([0.5, 0.25, 1.0]), 0.25) == pytest.approx([math.log(3), 0.0, 4.0])
    assert model_weights(np.array([0.1, 0.2]), 0.25).tolist() == [
        1.0,
        1.0,
    ]  # all worse than a guess: none is trusted more


def test_bad_share() -> None:
    with pytest.raises(UsageError, match="agreed"):
        AmbiguityCheck(agreed=0)


@pytest.mark.skipif(not DATA.is_dir(), reason="needs real data (JOSTLE_SHARED)")
def test_mmlu_redux_joined_ranking_finds_bad_questions() -> None:
    from jostle.audit import load

    evalset = load(DATA / "audit" / "mmlu_redux.parquet")
    bad = {case.id for case in evalset.cases if case.metadata["error_type_norm"] != "ok"}
    result = AmbiguityCheck(results=[DATA / "results" / "mmlu_redux_14models.parquet"]).run(evalset)
    listed = [one["id"] for one in result.stats["ranking"]]
    lift = len(bad.intersection(listed)) / 100 / (len(bad) / len(evalset))
    assert len(listed) == 100
    assert lift >= 4
    flagged = {i for f in result.findings if f.values.get("grade") == "strong" for i in f.case_ids}
    assert len(flagged & bad) / len(flagged) > 0.7  # 23 of 28
    json.dumps(result.stats, allow_nan=False)


@pytest.mark.skipif(not DATA.is_dir(), reason="needs real data (JOSTLE_SHARED)")
def test_vader_ratings_are_found() -> None:
    from jostle.audit import load

    result = AmbiguityCheck().run(load(DATA / "audit" / "vader_movie_snippets.parquet"))
    (one,) = result.stats["ratings"]
    assert (one["column"], one["kind"], one["n_rated"], one["middle"]) == ("ratings", "numbers", 7043, 0.0)
    assert 0.02 < one["n_unclear"] / 7043 < 0.15
