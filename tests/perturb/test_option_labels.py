"""Labels of options."""

import pytest

from jostle.errors import UsageError
from jostle.items import Item, MCQItem
from jostle.perturb import NotApplicable, Variant, apply, expand

ITEM = MCQItem("Capital of France?", ("Rome", "Paris", "Bonn"), 1, id="1")


def test_expand_gives_numbers_and_roman_numerals() -> None:
    found = [result for result in expand([ITEM], ["option_labels"]) if isinstance(result, Variant)]
    assert [variant.condition for variant in found] == ["pert/labels_numbers", "pert/labels_roman"]
    labels = [variant.item.labels for variant in found if isinstance(variant.item, MCQItem)]
    assert labels == [("1", "2", "3"), ("i", "ii", "iii")]
    for variant in found:
        assert isinstance(variant.item, MCQItem)
        assert (variant.side, variant.edits) == ("choices", ())
        assert variant.item.choices == ITEM.choices
        assert variant.item.original_index(variant.item.answer_letter or "") == 1
        assert variant.restore() == ITEM


def test_labels_that_are_there_already_change_nothing() -> None:
    result = apply("option_labels", ITEM, style="letters")
    assert isinstance(result, NotApplicable)
    assert result.reason == "nothing to change"


@pytest.mark.parametrize(
    ("choices", "style", "reason"),
    [
        (("Rome", "Paris", "A and B"), "numbers", "order-dependent options"),
        (("2", "3", "4"), "numbers", "option that reads like a label"),
        (("I.", "V.", "X."), "roman", "option that reads like a label"),
        (("(i) only", "(ii) only", "both"), "roman", "text that counts in these labels"),
        (("I only", "I and II", "both"), "roman", "text that counts in these labels"),
        (("2 only", "1 and 2 only", "both"), "numbers", "text that counts in these labels"),
        (tuple(f"town {k}" for k in range(17)), "roman", "too many options"),
    ],
)
def test_does_not_apply(choices: tuple[str, ...], style: str, reason: str) -> None:
    result = apply("option_labels", MCQItem("Which?", choices, 0, id="1"), style=style)
    assert isinstance(result, NotApplicable)
    assert result.reason == reason


def test_question_that_counts_statements_in_the_labels() -> None:
    item = MCQItem("(i) Iron melts. (ii) Tin sings. Which is true?", ("the first", "the second"), 0, id="1")
    assert isinstance(apply("option_labels", item, style="roman"), NotApplicable)
    assert isinstance(apply("option_labels", item, style="numbers"), Variant)


def test_unknown_style_and_other_items() -> None:
    with pytest.raises(UsageError, match="but got 'greek'"):
        apply("option_labels", ITEM, style="greek")
    result = apply("option_labels", Item("1", "sst2", {"sentence": "good"}))
    assert isinstance(result, NotApplicable)


def test_default_labels_move_on_to_numbers_beyond_26_options() -> None:
    many = MCQItem("Which?", tuple(f"town {k}" for k in range(27)), 26, id="1")
    assert many.answer_letter == "27"
    assert many.original_index("27") == 26
    assert MCQItem("Which?", ("x", "y"), 0).labels == ("A", "B")


def test_labels_stay_in_place_when_options_turn() -> None:
    item = MCQItem("Which?", ("x", "y", "z"), 0, labels=("i", "ii", "iii"))
    turned = item.rotate(1)
    assert (turned.labels, turned.answer_letter, turned.original_index("I")) == (("i", "ii", "iii"), "iii", 1)


@pytest.mark.parametrize("labels", [("A",), ("A", "a"), ("A", "B", "C")])
def test_labels_must_be_as_many_as_options_and_different(labels: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="Expected 2 different `labels`"):
        MCQItem("Which?", ("x", "y"), 0, labels=labels)


def test_unknown_label_is_named() -> None:
    with pytest.raises(ValueError, match="labels A, B, C, but got 'D'"):
        ITEM.original_index("D")
