"""Contractions: what is expanded, made, and left alone (case B03)."""

import pytest

from jostle.errors import UsageError
from jostle.perturb import NotApplicable, Variant, apply

B03 = "Ravi's sister says it's late, the dog's bowl isn't full, let's go, and its lid is open."
B03_EXPANDED = "Ravi's sister says it is late, the dog's bowl is not full, let us go, and its lid is open."
CURLY = "\u2019"


def rewritten(text: str, direction: str = "auto") -> str:
    variant = apply("contractions", text, direction=direction)
    return variant.text if isinstance(variant, Variant) else text


def test_b03_possessives_stay() -> None:
    assert rewritten(B03) == B03_EXPANDED


def test_b03_curly_apostrophe_is_the_same() -> None:
    assert rewritten(B03.replace("'", CURLY)) == B03_EXPANDED.replace("'", CURLY)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm sure you're right.", "I am sure you are right."),
        ("We've seen it and they'll come.", "We have seen it and they will come."),
        ("I can't, won't and shan't go.", "I cannot, will not and shall not go."),
        ("Don't go there.", "Do not go there."),
        ("It's been a year.", "It has been a year."),
        ("That's never been easy.", "That has never been easy."),
        ("There's a chance.", "There is a chance."),
        ("He's a doctor and she's late.", "He is a doctor and she is late."),
        ("I'd like it.", "I would like it."),
        ("He'd asked twice and I'd be glad.", "He had asked twice and I would be glad."),
        ("You could've said so.", "You could have said so."),
        ("IT'S NOT GOOD AND I DON'T CARE", "IT IS NOT GOOD AND I DO NOT CARE"),
        ("he said he didn't.", "he said he did not."),
        ("The film, though short, doesn't bore.", "The film, though short, does not bore."),
    ],
)
def test_expands(text: str, expected: str) -> None:
    assert rewritten(text, "expand") == expected


@pytest.mark.parametrize(
    "text",
    [
        "Isn't it good?",
        "Why don't people like it?",
        "Didn't the dog bark?",
        "Don't people like it?",
        "It works, doesn't it?",
        "Couldn't you stay?",
        "He's tired of it.",  # is tired, or has tired
        "She's run the shop.",
        "Who's gone home?",
        "What's he want?",
        "There's many of them.",
        "There's a few of them.",
        "The film's plot and everyone's taste.",
        "He'd put it there.",  # had put, or would put
        "the river encounters it's main tributaries",  # a slip for its
        "rock 'n' roll in the '90s",
        "Ain't so.",
        "let's not",
    ],
)
def test_left_alone_when_expanding(text: str) -> None:
    assert rewritten(text, "expand") == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it 's a charming film . ", "it is a charming film . "),
        ("it does n't work , and i ca n't stand it .", "it does not work , and i can not stand it ."),
        ("you wo n't care , but they 've tried", "you will not care , but they have tried"),
        ("kurosawa 's film and one 's taste", "kurosawa 's film and one 's taste"),
    ],
)
def test_tokenised_text_expands(text: str, expected: str) -> None:
    assert rewritten(text, "expand") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is a good day.", "It's a good day."),
        ("It is not good.", "It isn't good."),
        ("They do not care and I will stay.", "They don't care and I'll stay."),
        ("You will not like it.", "You won't like it."),
        ("We cannot go.", "We can't go."),
        ("I have seen it.", "I've seen it."),
        ("Do not go there.", "Don't go there."),
        ("What is the capital of France?", "What's the capital of France?"),
        ("it does not work , and it is dull .", "it does n't work , and it 's dull ."),
        ("we cannot deny it .", "we ca n't deny it ."),
        (f"It is Ann{CURLY}s hat.", f"It{CURLY}s Ann{CURLY}s hat."),
    ],
)
def test_contracts(text: str, expected: str) -> None:
    assert rewritten(text, "contract") == expected


@pytest.mark.parametrize(
    "text",
    [
        "Yes, it is.",
        "She knows what it is about.",
        "It was taller than it is now.",
        "How good it is the first time!",
        "Is it not good?",
        "Is not this good?",
        "people like you are great",
        "Do they have broken windows?",
        "I have a car.",
        "That is, he left.",
        "That is to say, he left.",
        "It cannot only be seen.",
        "I know who they are",
        "it is ... odd",
    ],
)
def test_left_alone_when_contracting(text: str) -> None:
    assert rewritten(text, "contract") == text


def test_auto_expands_where_it_can_and_contracts_elsewhere() -> None:
    assert rewritten("It's late and it is dark.") == "It is late and it is dark."
    assert rewritten("Ann's hat is not here.") == "Ann's hat isn't here."


def test_reason_and_unknown_direction() -> None:
    result = apply("contractions", "A plain text.")
    assert isinstance(result, NotApplicable)
    assert result.reason == "no contraction to expand or make"
    with pytest.raises(UsageError, match="one of auto, expand, contract, but got 'shorten'"):
        apply("contractions", "It is late.", direction="shorten")
