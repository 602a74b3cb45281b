"""American and British spelling."""

import pytest

from jostle.errors import UsageError
from jostle.perturb import NotApplicable, Variant, apply, lexicon


def respelled(text: str, direction: str = "auto") -> str:
    variant = apply("spelling", text, direction=direction)
    assert isinstance(variant, Variant), variant
    return variant.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Color and COLOR and color", "Colour and COLOUR and colour"),
        ("The theatre was grey .", "The theater was gray ."),
        ("He realized it. Neighbors saw it.", "He realised it. Neighbours saw it."),
        ("a dead-center analysis of the catalog", "a dead-centre analysis of the catalogue"),
        ("They sailed to Pearl Harbor in gray ships.", "They sailed to Pearl Harbor in grey ships."),
        ("mixed colour and center", "mixed colour and centre"),
    ],
)
def test_respells(text: str, expected: str) -> None:
    assert respelled(text) == expected


def test_direction() -> None:
    assert respelled("colour and center", "us") == "color and center"
    assert respelled("colour and center", "uk") == "colour and centre"
    with pytest.raises(UsageError, match="one of auto, uk, us, but got 'au'"):
        apply("spelling", "color", direction="au")


@pytest.mark.parametrize(
    "text",
    [
        "We meet at the Lincoln Center",
        "a program, a tire, a check, a meter, a license, a story, a practice, a curb, a disk",
        "the analyses of size and promise, a prize, exercise and surprise",
        "see color_map and https://color.org",
        "colorista and discolor",
    ],
)
def test_does_not_apply(text: str) -> None:
    result = apply("spelling", text)
    assert isinstance(result, NotApplicable)
    assert result.reason == "no word with two spellings"


def test_table_is_one_to_one_and_no_form_is_on_both_sides() -> None:
    table = lexicon.pairs("us_uk")
    assert len(table) >= 250
    assert len(set(table.values())) == len(table)
    assert not set(table) & set(table.values())
    assert all(word.isascii() and word.islower() and word.isalpha() for pair in table.items() for word in pair)


def test_words_that_go_to_american_only() -> None:
    assert respelled("2.5 metres and 5 centimetres") == "2.5 meters and 5 centimeters"
    assert respelled("the programme on tyres") == "the program on tires"
    one_way, table = lexicon.pairs("uk_us"), lexicon.pairs("us_uk")
    assert not one_way.keys() & (table.keys() | set(table.values()))
    assert not set(one_way.values()) & (table.keys() | set(table.values()))


def test_there_and_back() -> None:
    table = lexicon.pairs("us_uk")
    american, british = " ".join(table), " ".join(table.values())
    assert respelled(american, "uk") == british
    assert respelled(british, "us") == american
