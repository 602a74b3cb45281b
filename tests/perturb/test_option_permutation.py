"""Random orders of the options."""

from collections import Counter

import pytest

from jostle.errors import UsageError
from jostle.items import MCQItem
from jostle.perturb import NotApplicable, Variant, apply, expand

ITEM = MCQItem("Where?", ("north", "east", "south", "west"), 3, id="4")


def orders(item: MCQItem, seed: int = 0) -> list[tuple[int, ...]]:
    found = [result for result in expand([item], ["option_permutation"], seed=seed) if isinstance(result, Variant)]
    assert [variant.condition for variant in found] == [f"permutation{k + 1}" for k in range(len(found))]
    for variant in found:
        assert isinstance(variant.item, MCQItem)
        assert variant.item.answer_index is not None
        assert variant.item.choices[variant.item.answer_index] == item.choices[item.answer_index or 0]
        assert variant.restore() == item
    return [variant.item.order for variant in found if isinstance(variant.item, MCQItem)]


def test_three_different_orders_none_of_them_the_present_one() -> None:
    for seed in range(30):
        found = orders(ITEM, seed)
        assert len({*found, ITEM.order}) == 4


def test_seed_decides() -> None:
    assert orders(ITEM, 1) == orders(ITEM, 1)
    assert len({tuple(orders(ITEM, seed)) for seed in range(20)}) > 10


def test_all_orders_come_up_equally_often() -> None:
    counts = Counter(orders(ITEM, seed)[0] for seed in range(2300))
    # 4! - 1 = 23 orders, 100 of each expected; the standard deviation is sqrt(2300 x 1/23 x 22/23) = 9.8.
    assert len(counts) == 23
    assert all(abs(count - 100) < 5 * 9.8 for count in counts.values())


def test_few_options_have_few_orders() -> None:
    assert orders(MCQItem("Q?", ("a", "b"), 0, id="2")) == [(1, 0)]
    result = apply("option_permutation", MCQItem("Q?", ("a", "b"), 0, id="2"), number=2)
    assert isinstance(result, NotApplicable)
    assert result.reason == "no further permutation"


def test_item_that_was_turned_before() -> None:
    assert len(orders(ITEM.rotate(2))) == 3


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        (("Paris", "Lyon", "Both of the above"), "order-dependent options"),
        (("4", "5", "4"), "distractor equals gold"),
        (("4",), "fewer than two options"),
    ],
)
def test_does_not_apply(choices: tuple[str, ...], reason: str) -> None:
    (result,) = expand([MCQItem("Q?", choices, 0, id="1")], ["option_permutation"])
    assert result == NotApplicable(reason, "option_permutation", "pert/option_permutation", "1")


def test_numbers_count_from_one() -> None:
    with pytest.raises(UsageError, match="but got 0"):
        apply("option_permutation", ITEM, number=0)
