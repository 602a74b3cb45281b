"""Rotations: cases Q01, Q03, Q04, Q05."""

import pytest

from jostle.errors import InputError
from jostle.items import MCQItem
from jostle.perturb import NotApplicable, Variant, all_cyclic_variants, apply, expand

Q03_ITEMS = [
    MCQItem("2 + 2?", ("4", "5", "4", "6"), 2, id="same"),
    MCQItem("Capital of France?", ("Paris", "Rome", "paris ", "Oslo"), 0, id="near"),
]


@pytest.mark.parametrize(
    "item",
    [
        MCQItem("Which?", ("Paris", "Lyon", "Both of the above", "None of the above"), 0, id="1"),
        MCQItem("Which?", ("All of the above", "Iron", "Zinc", "Tin"), 0, id="2"),
    ],
)
def test_q01_options_that_point_by_place_are_left_out(item: MCQItem) -> None:
    (result,) = expand([item], ["cyclic_order"], seed=0)
    assert result == NotApplicable("order-dependent options", "cyclic_order", "pert/cyclic_order", item.id or "")
    with pytest.raises(InputError, match=f"got order-dependent options in item '{item.id}'"):
        all_cyclic_variants(item)


def test_q01_none_of_the_other_answers_is_rotated() -> None:
    item = MCQItem("Which?", ("Iron", "Zinc", "Tin", "None of the other answers"), 1, id="3")
    results = list(expand([item], ["cyclic_order"], seed=0))
    assert [result.condition for result in results] == ["shift1", "shift2", "shift3"]
    assert all(isinstance(result, Variant) for result in results)


@pytest.mark.parametrize("item", Q03_ITEMS, ids=lambda item: str(item.id))
def test_q03_distractor_equal_to_gold_is_left_out(item: MCQItem) -> None:
    result = apply("cyclic_order", item)
    assert isinstance(result, NotApplicable)
    assert result.reason == "distractor equals gold"


@pytest.mark.parametrize("item", Q03_ITEMS, ids=lambda item: str(item.id))
def test_q03_gold_is_tracked_by_original_position(item: MCQItem) -> None:
    for shift in range(4):
        turned = item.rotate(shift)
        assert turned.answer_letter is not None
        assert turned.original_index(turned.answer_letter) == item.answer_index


def test_q03_repeated_distractors_do_not_matter() -> None:
    assert isinstance(apply("cyclic_order", MCQItem("Q?", ("a", "b", "b"), 0)), Variant)


def test_q04_rotations_add_up_and_map_back() -> None:
    item = MCQItem("Where?", ("north", "east", "south", "west"), 3, id="4", metadata={"source": "x"})
    variants = all_cyclic_variants(item)
    assert variants[0] == item == item.rotate(4)
    assert item.rotate(1).rotate(1) == item.rotate(2)
    for place in range(4):
        assert {variant.choices[place] for variant in variants} == set(item.choices)
    for variant in variants:
        assert variant.answer_index is not None
        assert variant.choices[variant.answer_index] == "west"
        assert (variant.question, variant.metadata) == (item.question, item.metadata)
        for place, letter in enumerate("ABCD"):
            assert item.choices[variant.original_index(letter)] == variant.choices[place]


def test_q05_sets_with_different_numbers_of_options() -> None:
    sizes, gold = [10, 4, 3, 2, 1], [7, 3, 2, 1, 0]
    items = [
        MCQItem("Q?", tuple(f"option text {k}" for k in range(n)), g, id=str(n))
        for n, g in zip(sizes, gold, strict=True)
    ]
    assert [len(all_cyclic_variants(item)) for item in items[:-1]] == [10, 4, 3, 2]
    for item in items[:-1]:
        assert all(set(variant.choices) == set(item.choices) for variant in all_cyclic_variants(item))
    results = list(expand(items, ["cyclic_order"], seed=0))
    assert [r.item_id for r in results if isinstance(r, NotApplicable)] == ["1"]
    assert [r.reason for r in results if isinstance(r, NotApplicable)] == ["fewer than two options"]
    third = [r.base.id for r in results if isinstance(r, Variant) and r.condition == "shift3"]
    assert third == ["10", "4"]
    with pytest.raises(InputError, match="fewer than two options"):
        all_cyclic_variants(items[-1])


def test_variant_restores_an_item_that_was_already_turned() -> None:
    base = MCQItem("Q?", ("a", "b", "c"), 1, id="1").rotate(2)
    variant = apply("cyclic_order", base, shift=2)
    assert isinstance(variant, Variant)
    assert (variant.side, variant.edits, variant.condition) == ("choices", (), "shift2")
    assert variant.restore() == base


def test_full_turn_changes_nothing() -> None:
    result = apply("cyclic_order", MCQItem("Q?", ("a", "b"), 0, id="1"), shift=2)
    assert isinstance(result, NotApplicable)
    assert result.reason == "nothing to change"


def test_set_name_as_task_does_not_matter() -> None:
    item = MCQItem("Q?", ("a", "b"), 0, id="1", task="mmlu")
    assert isinstance(apply("cyclic_order", item), Variant)
