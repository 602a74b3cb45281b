"""Clauses in the other order."""

import pytest

from jostle.items import MCQItem
from jostle.perturb import NotApplicable, Variant, apply


def moved(text: str) -> str:
    variant = apply("clause_order", text)
    assert isinstance(variant, Variant), variant
    assert variant.restore().fields["text"] == text
    return variant.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("If it rains, we stay here.", "We stay here if it rains."),
        ("When Ann left the room, the noise stopped.", "The noise stopped when Ann left the room."),
        ("We stay here because the roads are closed.", "Because the roads are closed, we stay here."),
        ("He slept because he was tired .", "Because he was tired , he slept ."),
        ("Although the film is long, the story is good.", "The story is good, although the film is long."),
        ("if you like her , this is for you .", "this is for you if you like her ."),
        ("I cried when the lights went out.", "When the lights went out, I cried."),
        ("After I set off the bomb, the world exploded.", "The world exploded after I set off the bomb."),
        ("Before the work was done, many people died.", "Many people died before the work was done."),
    ],
)
def test_moves(text: str, expected: str) -> None:
    assert moved(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "When Ann left, she cried.",  # "She cried when Ann left": someone else
        "Ann cried because she was tired.",  # a name may not lose its place, nor "she" its Ann
        "He did not leave because the pay was bad.",  # the denial may reach the reason
        "I asked if the shop was open.",  # a question, no condition
        "I remember when the shop was open.",
        "When did he come, and why?",
        "He said the road is closed because it rains.",  # which of the two is because of the rain?
        "If it isn't the best, this is the largest.",  # even if
        "Paris sleeps when the lights are out.",  # a first word that may be a name
        "If it rains, we stay. If not, we go.",  # two sentences
        "When asked, the man smiled.",
        "If there is a limit, the tests should stop at those values.",  # "those" would point at nothing
        "If the first film was gold, the second is small change.",
        "The plan was to go when the gates are open.",
        "After half a century, the country is the leader.",  # no clause
    ],
)
def test_leaves_alone(text: str) -> None:
    assert isinstance(apply("clause_order", text), NotApplicable)


def test_an_open_stem_stays_open() -> None:
    stem = MCQItem("When ice is on the road, the ice may be reduced by", ("salt", "rain"), 0, id="c")
    assert isinstance(apply("clause_order", stem), NotApplicable)


def test_a_move_is_two_edits() -> None:
    assert apply("clause_order", "If it rains, we stay here.", rate=0.1).reason == "rate too low for a move"  # type: ignore[union-attr]


def test_protected_spans_do_not_move() -> None:
    assert isinstance(apply("clause_order", "We met in 1999 because the club was open at 10:30."), NotApplicable)
