"""Adverbials in another place."""

import pytest

from jostle.perturb import NotApplicable, Variant, apply


def moved(text: str) -> str:
    variant = apply("adverb_order", text)
    assert isinstance(variant, Variant), variant
    assert variant.restore().fields["text"] == text
    return variant.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Yesterday, the train was late.", "The train was late yesterday."),
        ("The train was slow last week .", "Last week , the train was slow ."),
        ("In 1905, Einstein wrote a paper.", "Einstein wrote a paper in 1905."),
        ("The fort was built in May 1701.", "In May 1701, the fort was built."),
        ("However, it was a success.", "It was, however, a success."),
        ("The Swiss cities, however, did not sign these agreements.",
         "However, the Swiss cities did not sign these agreements."),
        ("They were , of course , right .", "Of course , they were right ."),
    ],
)  # fmt: skip
def test_moves(text: str, expected: str) -> None:
    assert moved(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "He said that the train left yesterday.",  # the saying or the leaving?
        "It was a law passed in 1905.",  # the passing
        "They want to leave tomorrow.",
        "The train was not late yesterday.",
        "The show begins at nine o'clock in the evening.",
        "London was calm last night.",  # a first word that may be a name
        "Was the train late yesterday?",
        "However, it is not new.",
        "Researchers, however, agree.",
    ],
)
def test_leaves_alone(text: str) -> None:
    assert isinstance(apply("adverb_order", text), NotApplicable)


def test_the_year_stays_and_the_clause_moves() -> None:
    variant = apply("adverb_order", "In 1905, Einstein wrote a paper.")
    assert isinstance(variant, Variant)
    assert [edit[3:] for edit in variant.edits] == [
        ("I", "Einstein wrote a paper i"),
        (", Einstein wrote a paper", ""),
    ]


def test_a_move_is_two_edits() -> None:
    assert apply("adverb_order", "Yesterday, the train was late.", rate=0.1).reason == "rate too low for a move"  # type: ignore[union-attr]
