"""Answers in inputs, cues of options, baselines from one side."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from jostle.audit.base import Case, EvalSet, Finding
from jostle.audit.leak_cues import option_cues
from jostle.audit.leakage import LeakageCheck
from jostle.audit.one_side import credit, pair_baselines, sampled
from jostle.errors import UsageError

DATA = Path(os.environ.get("JOSTLE_SHARED") or Path(__file__).resolve().parents[3] / "shared") / "data"


def texts(*pairs: tuple[str, str], **more: Any) -> EvalSet:
    cases = [Case(f"c{k}", text, {"input": text}, expected=gold, **more) for k, (text, gold) in enumerate(pairs)]
    return EvalSet(cases, {"input": "input", "expected": "expected"}, "set.jsonl")


def choices(rows: Sequence[tuple[str, Sequence[str], int]]) -> EvalSet:
    cases = [
        Case(f"c{k}", text, {"input": text}, choices=tuple(own), answer_index=gold, label=str(gold))
        for k, (text, own, gold) in enumerate(rows)
    ]
    return EvalSet(cases, {"input": "question", "choices": "choices", "answer": "answer"}, "set.jsonl")


def kinds(evalset: EvalSet, **options: Any) -> dict[str, Finding]:
    return {finding.kind: finding for finding in LeakageCheck(**options).run(evalset).findings}


QUIET = [
    ("Which river runs through Vienna?", "The Danube river"),
    ("Who painted the night watch in 1642?", "Rembrandt van Rijn"),
    ("What do bees collect from flowers?", "Nectar and pollen"),
]


def test_a_clean_set_is_quiet() -> None:
    result = LeakageCheck().run(texts(*QUIET))
    assert list(result.findings) == []
    assert result.stats["n_with_gold"] == 3


@pytest.mark.parametrize(
    ("text", "gold", "kind"),
    [
        ("The Danube river is long. Which river is it?", "The Danube river", "answer_in_input"),
        ("the   DANUBE, river is long. Which is it?", "The Danube river", "answer_in_input"),
        ("Hint: it is told. The answer is: the Danube river. Which?", "The Danube river", "answer_announced"),
        ("Which river? The correct answer is the Danube river.", "The Danube river", "answer_announced"),
        ("Which river? Answer: B", "B", "answer_announced"),
        ("What if the answer is negative? Which river?", "The Danube river", None),
        ("Answer: Ann. Then answer: Bo. Who?", "Bo", None),
        ("Say The Danube river where you can.\nQuestion: which river?", "The Danube river", "answer_in_instructions"),
    ],
)
def test_where_the_gold_answer_stands(text: str, gold: str, kind: str | None) -> None:
    found = kinds(texts(*QUIET, (text, gold)))
    if kind is None:
        assert "answer_announced" not in found
    else:
        assert list(found) == [kind]
        assert found[kind].case_ids == ("c3",)


def test_demonstrations_that_hold_the_question_or_the_answer() -> None:
    shown = "Q: Capital of Peru?\nA: Lima city centre\nQ: Capital of Chad?\nA: N'Djamena town\nQ: {}\nA:"
    own = texts(*QUIET, (shown.format("Capital of Peru?"), "It is Lima."))
    assert kinds(own)["answer_in_demonstrations"].case_ids == ("c3",)
    assert (
        kinds(texts(*QUIET, (shown.format("Which town?"), "N'Djamena town")))["answer_in_demonstrations"].values["n"]
        == 1
    )
    assert not kinds(texts(*QUIET, (shown.format("Capital of Mali?"), "It is Bamako.")))


def test_signs_tell_answers_apart() -> None:
    assert not kinds(texts(*QUIET, ("shift(a): return ord(a) + 5 - 97; undo it", "return ord(a) - 5 - 97")))


def test_short_answers_count_where_their_words_are_rare() -> None:
    filler = [(f"Is w{k} of the kind x{k} or not?", f"gold{k} text{k}") for k in range(40)]
    assert kinds(texts(*filler, ("Zugspitze is a peak. Which peak?", "Zugspitze")))["answer_in_input"].case_ids == (
        "c40",
    )
    assert not kinds(texts(*filler, ("Is it of the kind y?", "kind")))  # stands in all inputs
    assert not kinds(texts(*filler, ("Add 17 and 25. Then take 25 away.", "25")))  # numbers recur by nature


def test_what_most_inputs_hold_is_told_once() -> None:
    rows = [(f"The town of Name{k} Place{k} has a lake. Which town?", f"Name{k} Place{k}") for k in range(10)]
    found = kinds(texts(*rows))
    assert list(found) == ["answers_in_inputs_widespread"]
    assert (found["answers_in_inputs_widespread"].severity, found["answers_in_inputs_widespread"].case_ids) == (
        "info",
        (),
    )


def test_classes_are_no_leaks_but_the_only_class_named_is_told() -> None:
    labels = ("positive", "negative")
    rows = [(f"A {labels[k % 2]} view of w{k}.", labels[k % 2]) for k in range(60)]
    found = kinds(texts(*rows))
    assert list(found) == ["class_named_cue"]
    assert found["class_named_cue"].severity == "info"
    other = [(f"A {labels[k // 2 % 2]} view of w{k}.", labels[k % 2]) for k in range(60)]  # right in half of the cases
    assert not kinds(texts(*other))


def test_another_column_with_the_answer_is_information_unless_it_is_about_answers() -> None:
    leaky = texts(*QUIET, metadata={"slug": "about-the-danube-river", "best_answer": "The Danube river"})
    found = kinds(leaky)
    assert list(found) == ["answer_in_column"]
    assert (found["answer_in_column"].values["column"], found["answer_in_column"].case_ids) == ("slug", ("c0",))


def test_cues_by_hand() -> None:
    rows = [("ask red", ("red", "a blue thing", "is"), 1), ("ask", ("xx", "yy", "z"), 2), ("green", ("tea", "no"), 0)]
    cues = {cue.name: cue for cue in option_cues(choices(rows).cases)}
    # Longest: "a blue thing" is the gold; two of the second are equally long; "tea" is the gold (chances 1/3 and 1/2).
    assert cues["longest"].told == [(0, True, 1 / 3), (2, True, 1 / 2)]
    assert cues["shortest"].told == [(0, False, 1 / 3), (1, True, 1 / 3), (2, False, 1 / 2)]
    assert cues["most_overlap"].told == [(0, False, 1 / 3)]
    assert cues["only_in_input"].told == [(0, False, 1 / 3)]


def test_the_longest_option_fires_with_the_exact_test_and_stays_quiet_at_chance() -> None:
    def rows(hits: int) -> list[tuple[str, Sequence[str], int]]:
        return [(f"ask {k}", ["aa", "bb", f"c{k} longer", "dd"], 2 if k < hits else 0) for k in range(100)]

    found = kinds(choices(rows(50)), baselines=False)
    cue = found["longest_cue"]
    assert (cue.values["n"], cue.values["n_gold"], cue.values["expected_share"]) == (100, 50, 0.25)
    # Doubling the upper tail; the only cue with trials, so Holm changes nothing.
    assert cue.values["p_value_holm"] == pytest.approx(2 * binomtest(50, 100, 0.25, alternative="greater").pvalue)
    assert not kinds(choices(rows(27)), baselines=False)


def test_the_only_option_in_the_input_lists_its_cases() -> None:
    rows = [(f"{'Rome' if k < 12 else 'Bonn'} w{k} is old", ("Rome", "Bonn", "Oslo", "Kiev"), 0) for k in range(16)]
    found = kinds(choices(rows), baselines=False)["only_in_input_cue"]
    assert (found.values["n_gold"], found.case_ids[:2], len(found.case_ids)) == (12, ("c0", "c1"), 12)


def pairs(n: int, cue: float, seed: int = 0) -> EvalSet:
    """Pairs of which the hypothesis says "never" where the label is contradiction, in a share `cue` of cases."""
    rng = random.Random(seed)
    cases = []
    for k in range(n):
        label = rng.choice(["entailment", "contradiction"])
        word = {"entailment": "always", "contradiction": "never"}[label]
        word = word if rng.random() < cue else rng.choice(["always", "never"])
        sides = {
            "premise": f"p{k} w{rng.randrange(40)}",
            "hypothesis": f"{word} w{rng.randrange(40)} w{rng.randrange(40)}",
        }
        cases.append(Case(f"c{k}", "\n".join(sides.values()), sides, label=label))
    return EvalSet(cases, {"premise": "premise", "hypothesis": "hypothesis", "label": "label"}, "pairs.jsonl")


def test_a_side_that_predicts_the_label_fires_and_the_other_does_not() -> None:
    found = [one for one in LeakageCheck().run(pairs(400, 0.8)).findings if one.kind == "one_side_predicts_gold"]
    assert [one.values["baseline"] for one in found] == ["hypothesis"]
    # 80 % follow the cue, half of the others by chance: .9 is the best guess.
    assert found[0].values["accuracy_ci_low"] < 0.9 < found[0].values["accuracy_ci_high"]
    assert "95 % interval" in found[0].message
    assert found[0].severity == "warning"


def test_no_cue_no_baseline_finding() -> None:
    assert not LeakageCheck().run(pairs(400, 0.0)).findings


def test_cases_with_a_side_in_common_are_one_group_and_too_few_groups_give_no_baseline() -> None:
    one = pairs(200, 0.8)
    shared = [Case(c.id, c.text, {**c.fields, "premise": f"p{k % 20}"}, label=c.label) for k, c in enumerate(one.cases)]
    assert {b.n_groups <= 20 for b in pair_baselines(EvalSet(shared, one.field_map, "x"))} <= {True}
    same = [Case(c.id, c.text, {**c.fields, "premise": "p"}, label=c.label) for c in one.cases]
    result = LeakageCheck().run(EvalSet(same, one.field_map, "x"))
    assert result.stats["baselines"] == {}
    assert any("No baseline was trained" in text for text in result.limitations)


def test_the_baselines_do_not_depend_on_the_order_of_the_cases() -> None:
    one = pairs(300, 0.6)
    turned = EvalSet(one.cases[::-1], one.field_map, one.source)
    first, second = ([(b.name, b.accuracy, b.guess) for b in pair_baselines(e)] for e in (one, turned))
    assert first == second


def test_options_that_tell_the_gold_by_themselves() -> None:
    rng = random.Random(0)
    rows: list[tuple[str, Sequence[str], int]] = []
    for k in range(300):
        gold = rng.randrange(4)
        own = [
            f"w{rng.randrange(30)} w{rng.randrange(30)}" + (" precisely" if p == gold else " maybe") for p in range(4)
        ]
        rows.append((f"ask {k}", own, gold))
    assert kinds(choices(rows))["answer_only_predicts_gold"].values["accuracy"] > 0.95
    blind = [(text, [option.rsplit(" ", 1)[0] for option in own], gold) for text, own, gold in rows]
    assert not kinds(choices(blind))


def test_tied_options_share_the_credit() -> None:
    scores = np.array([1.0, 1.0, 0.0, 0.5, 0.2])
    assert credit(scores, np.array([0, 3]), np.array([0, 4])).tolist() == [0.5, 0.0]


def test_a_sample_is_the_same_whatever_the_order() -> None:
    cases = list(pairs(50, 0.5).cases)
    assert {c.id for c in sampled(cases, 10)} == {c.id for c in sampled(cases[::-1], 10)}


@pytest.mark.parametrize("options", [{"ngram": 1}, {"min_gain": 0.0}, {"widespread": 1.5}])
def test_bad_options(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="Expected"):
        LeakageCheck(**options)


@pytest.mark.skipif(not DATA.is_dir(), reason="needs real data (JOSTLE_SHARED)")
def test_mnli_hypotheses_alone_beat_the_majority() -> None:
    from jostle.audit import load

    result = LeakageCheck().run(load(DATA / "glue" / "mnli_matched_validation.parquet"))
    numbers = result.stats["baselines"]["hypothesis"]
    # Majority 35.5 % in these 6,577 rows; scikit-learn's ridge on hashed n-grams has 47.9 %.
    assert numbers["guess"] == pytest.approx(0.3547, abs=1e-4)
    assert numbers["accuracy_ci_low"] > 0.44
    assert numbers["gain_ci_low"] > 0.08
    assert [one.values["baseline"] for one in result.findings] == ["hypothesis"]
