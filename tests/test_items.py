"""Items: families, edits and options that know their original places."""

from __future__ import annotations

import pytest

from jostle.items import Item, MCQItem

QUESTION = MCQItem("Capital of France?", ["Paris", "Rome", "Bonn"], 0, "q1")  # type: ignore[arg-type]  # a list is taken


def test_the_family_is_the_id_by_default() -> None:
    assert Item("a", "sst2", {"sentence": "x"}).family == "a"
    assert Item("a", "sst2", {"sentence": "x"}, family="doc").family == "doc"
    assert QUESTION.family == "q1"
    assert MCQItem("Q?", ("a", "b"), 0).family == "Q?"


def test_edits_make_new_items() -> None:
    item = Item("a", "sst2", {"sentence": "x"}, "positive")
    assert item.with_fields({"sentence": "y"}).fields == {"sentence": "y"}
    assert item.with_label("negative").label == "negative"
    assert (item.fields, item.label) == ({"sentence": "x"}, "positive")
    assert QUESTION.with_fields({"question": "Q?"}).question == "Q?"


def test_rotation_moves_the_gold_with_its_option() -> None:
    turned = QUESTION.rotate(1)
    assert turned.choices == ("Rome", "Bonn", "Paris")
    assert (turned.answer_index, turned.answer_letter, turned.label) == (2, "C", "0")
    assert [turned.original_index(letter) for letter in "ABc"] == [1, 2, 0]
    assert turned.original_index(2) == 0


@pytest.mark.parametrize("shift", range(-4, 8))
def test_rotations_add_up_and_a_full_turn_gives_the_item_back(shift: int) -> None:
    assert QUESTION.rotate(shift).rotate(3 - shift) == QUESTION
    assert QUESTION.rotate(shift) == QUESTION.rotate(shift % 3)
    assert QUESTION.rotate(shift).label == QUESTION.label


def test_another_gold_is_given_by_its_original_place() -> None:
    turned = QUESTION.rotate(1).with_label("1")
    assert (turned.answer_index, turned.label) == (0, "1")
    assert turned.with_label(None).label is None


def test_an_item_without_gold() -> None:
    item = MCQItem("Q?", ("a", "b"), None)
    assert (item.label, item.answer_letter) == (None, None)
    assert item.rotate(1).label is None


@pytest.mark.parametrize("index", [-1, 3])
def test_an_answer_outside_the_options(index: int) -> None:
    with pytest.raises(ValueError, match=rf"`answer_index` of item 'q' to be in 0\.\.2, but got {index}"):
        MCQItem("Q?", ("a", "b", "c"), index, "q")


def test_an_order_that_is_no_permutation() -> None:
    with pytest.raises(ValueError, match=r"`order` of item 'q' to permute 2 options, but got \(0, 0\)"):
        MCQItem("Q?", ("a", "b"), 0, "q", order=(0, 0))
