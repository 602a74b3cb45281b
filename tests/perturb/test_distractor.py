"""The tautology at the end."""

import pytest

from jostle.items import Item, MCQItem
from jostle.perturb import NotApplicable, Variant, apply
from jostle.perturb.distractor import TAUTOLOGIES


def added(text: str, seed: int = 0) -> tuple[str, str]:
    """Text with the tautology written as T, and the tautology."""
    variant = apply("distractor", text, seed=seed)
    assert isinstance(variant, Variant), variant
    clause = next(c for c in TAUTOLOGIES if c[1:] in variant.text)
    return variant.text.replace(clause, "T").replace("A" + clause[1:], "T!"), clause


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He left.", "He left, and T."),
        ("a witty , seductive movie . ", "a witty , seductive movie . T . "),
        ("the movie is witty . ", "the movie is witty , and T . "),
        ("a gorgeous movie", "a gorgeous movie. T."),
        ("it 's a gorgeous movie", "it 's a gorgeous movie , and T"),
        ("What is it?", "What is it? T!."),
        ("what is it ?\n", "what is it ? T .\n"),
        ("Stop!", "Stop! T!."),
        ("He left the U.S.", "He left the U.S. T!."),
        ("\u201cGo on.\u201d", "\u201cGo on.\u201d T!."),
        ("and so on ...", "and so on ... T ."),
        ("He said (twice)", "He said (twice), and T"),
        ("keep {name}.", "keep {name}. T."),
    ],
)
def test_place_and_style(text: str, expected: str) -> None:
    assert added(text)[0] == expected


def test_noun_of_the_text_is_not_used() -> None:
    text = "a table, a spoon, a window, a pencil, a bridge, a basket, a candle, a ladder and pillows"
    assert {added(text, seed)[1] for seed in range(30)} == {"a button is a button"}
    result = apply("distractor", text + " and buttons")
    assert isinstance(result, NotApplicable)


def test_seed_draws_the_clause() -> None:
    assert len({added("He left.", seed)[1] for seed in range(60)}) == len(TAUTOLOGIES)


@pytest.mark.parametrize("text", ["The capital of France is", "He said:", "one, two,", "the best of"])
def test_unfinished_text_does_not_apply(text: str) -> None:
    result = apply("distractor", text)
    assert isinstance(result, NotApplicable)
    assert result.reason == "unfinished sentence"


def test_stem_to_be_completed_does_not_apply() -> None:
    result = apply("distractor", MCQItem("Water boils at", ("90", "100"), 1, id="1"))
    assert isinstance(result, NotApplicable)
    assert result.reason == "unfinished sentence"
    assert isinstance(apply("distractor", MCQItem("When does water boil?", ("90", "100"), 1, id="1")), Variant)


def test_hypothesis_and_second_question_by_default() -> None:
    pair = Item("1", "mnli", {"premise": "He ran.", "hypothesis": "He moved."})
    questions = Item("1", "qqp", {"question1": "Why?", "question2": "What for?"})
    for item in (pair, questions):
        variant = apply("distractor", item)
        assert isinstance(variant, Variant)
        assert variant.side == "second"


def test_other_script_does_not_apply() -> None:
    result = apply("distractor", "film \u0444\u0438\u043b\u044c\u043c.")
    assert isinstance(result, NotApplicable)
    assert result.reason == "words of another script"
