"""Which options point at others by place."""

import pytest

from jostle.items import MCQItem
from jostle.perturb import order_dependent


@pytest.mark.parametrize(
    "option",
    [
        "All of the above", "None of the above.", "none of the above answers", "Both of the above",
        "Neither of the above", "All the above are correct", "Any of the above", "None of the following",
        "A and B", "A, B and C", "both (a) and (c)", "Both A and B are correct", "(a) and (b) only", "A & B",
        "Both a and b", "Neither A nor B", "options 1 and 2", "Same as option B", "Answers (a) and (c)",
        "The above statements", "the first two options",
        "a and b",
        "a and b only",
        "All the functions listed above", "All of the preceding", "All of (a), (b) and (c) will be true.",
    ],
)  # fmt: skip
def test_points_by_place(option: str) -> None:
    assert order_dependent(MCQItem("Which?", ("Iron", "Zinc", "Tin", option), 0))


@pytest.mark.parametrize(
    "option",
    [
        "None of the other answers", "None of these", "All of these", "All the others", "Vitamins A and C",
        "I and II only", "X and Y", "Two floors above the ground", "above the line", "1 and 2",
        "a and b are primes",
        "The answer is unknown", "He followed the following day", "A", "Option pricing",
        "the next best alternative job",
        "x and y", "Neither",
    ],
)  # fmt: skip
def test_order_free(option: str) -> None:
    assert not order_dependent(MCQItem("Which?", ("Iron", "Zinc", "Tin", option), 0))


def test_letters_beyond_the_options_are_no_pointers() -> None:
    assert not order_dependent(MCQItem("Which keys?", ("E and F", "G", "H"), 0))


def test_question_that_names_an_option() -> None:
    assert order_dependent(MCQItem("Why is option B wrong?", ("heat", "light"), 0))
    assert not order_dependent(MCQItem("Which option is wrong?", ("heat", "light"), 0))
