"""Numbers written another way: case B09."""

import pytest

from jostle.items import Item, MCQItem
from jostle.perturb import NotApplicable, Variant, apply


def written(text: str) -> str:
    variant = apply("number_format", text, rate=1.0)
    assert isinstance(variant, Variant), variant
    assert variant.restore() == variant.base
    return variant.text


def refusal(item: Item | MCQItem | str, side: str = "auto") -> str:
    result = apply("number_format", item, side=side, rate=1.0)
    assert isinstance(result, NotApplicable), result
    return result.reason


def pair(premise: str, hypothesis: str) -> Item:
    return Item("1", "mnli", {"premise": premise, "hypothesis": hypothesis}, "entailment")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 guests stayed.", "Twelve guests stayed."),
        ("We saw 12 guests.", "We saw twelve guests."),
        ("the twelve guests", "the 12 guests"),
        ("some forty-two of them", "some 42 of them"),
        ("it drew 12,000 people", "it drew 12000 people"),
        ("it drew 12000 people", "it drew 12,000 people"),
        ("two dogs met three cats", "2 dogs met 3 cats"),
        ("They ate. 12 left.", "They ate. Twelve left."),
    ],
)
def test_both_ways(text: str, expected: str) -> None:
    assert written(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "in 1999 it rained", "on May 12 it rained", "12 May was wet", "Apollo 13 flew", "at 12 o'clock", "at 5 p.m.",
        "it won 3 to 2", "missions 18 and 19", "What is 7 times 8?", "2 + 2 is what", "it cost $ 12 .", "12 % of it",
        "two hundred men", "5 million", "version 2", "page 12", "a 12-year-old", "v2.10 and 3.5", "the 1990s", "No. 9",
        "one of them", "Seven is a film", "1,985 units", "5 b.c.", "\u0663 cats", "007 saw it", "12 Main Street",
        "in season 8 it fell",
    ],
)  # fmt: skip
def test_more_than_a_count_stays(text: str) -> None:
    assert refusal(text) == "number of a form that must stay" or "one" in text


@pytest.mark.parametrize(
    "text",
    [
        "two or three people",
        "two men and three women",
        "eight Main Roads and two huts",
        "45 goals (35 passing)",
        "1,500 men and 2,000 women",
    ],
)
def test_numbers_that_are_written_alike_stay_when_one_of_them_must(text: str) -> None:
    assert refusal(text) in ("number beside others that must stay", "number of a form that must stay")


def test_words_and_figures_do_not_trade_places() -> None:
    found = [apply("number_format", "two dogs met 3 cats", seed=seed, rate=1.0) for seed in range(20)]
    assert {variant.text for variant in found if isinstance(variant, Variant)} == {
        "2 dogs met 3 cats",
        "two dogs met three cats",
    }


def test_b09_linked_number_that_is_not_recognised_is_left_alone() -> None:
    item = pair("12 guests stayed.", "A dozen guests stayed.")
    for side in ("auto", "first", "second", "both"):
        assert isinstance(apply("number_format", item, side=side), NotApplicable)


def test_b09_number_on_both_sides_changes_on_both_or_not_at_all() -> None:
    item = pair("We had 12 guests.", "There were twelve guests.")
    for side in ("auto", "first", "second"):
        assert refusal(item, side) == "number that may stand on another side"
    variant = apply("number_format", item, side="both")
    assert isinstance(variant, Variant)
    assert dict(variant.item.fields) == {"premise": "We had twelve guests.", "hypothesis": "There were 12 guests."}
    assert (variant.side, variant.item.label) == ("both", "entailment")


def test_number_that_must_stay_on_one_side_stays_on_both() -> None:
    item = pair("On May 12 we had guests.", "We had 12 guests.")
    assert refusal(item, "both") == "number of a form that must stay"


def test_number_of_one_side_alone_changes() -> None:
    variant = apply("number_format", pair("Guests stayed.", "At most 12 guests stayed."))
    assert isinstance(variant, Variant)
    assert variant.item.fields["hypothesis"] == "At most twelve guests stayed."


def test_names_without_numbers_are_no_numbers() -> None:
    fields = {"question1": "How tall is Mount Elbrus?", "question2": "What is the height of Mount Elbrus?"}
    assert refusal(Item("1", "qqp", fields, "duplicate")) == "no number"


def test_option_that_quotes_a_number() -> None:
    item = MCQItem("A box holds 12 eggs. How many are in two boxes?", ("24 eggs", "12 eggs"), 0, id="1")
    assert refusal(item) == "option quotes a number"
    named = MCQItem("Which box holds 12 eggs?", ("the red box", "the blue box"), 0, id="2")
    variant = apply("number_format", named)
    assert isinstance(variant, Variant)
    assert variant.text == "Which box holds twelve eggs?"


def test_protected_numbers_stay_for_50_seeds() -> None:
    text = "Call 555-1234 or see v2.10.3, $1,250.50 at 09:30, #12, for 12 apples."
    for seed in range(50):
        variant = apply("number_format", text, seed=seed)
        assert isinstance(variant, Variant)
        assert variant.text == "Call 555-1234 or see v2.10.3, $1,250.50 at 09:30, #12, for twelve apples."


def test_other_scripts() -> None:
    assert refusal("\u8fd9\u90e8\u7535\u5f71") == "no word boundaries"
