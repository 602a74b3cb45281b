"""Which items are compared, and what is left out and counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.measures.align import align
from jostle.measures.table import Rows, kind_of

Make = Callable[..., Rows]
GAPS = {"orig": [1, 0, 1, None], "p": [1, None, 0, 1], "q": [1, 1, 1, 0]}


def test_error_names_conditions_and_items(outcomes: Make) -> None:
    with pytest.raises(ValueError, match="condition 'orig' lacks items i000003; condition 'p' lacks items i000001"):
        align(outcomes(GAPS))


def test_error_shows_five_items_and_counts_the_rest(outcomes: Make) -> None:
    with pytest.raises(ValueError, match="i000004 and 3 more"):
        align(outcomes({"a": [1] * 8, "b": [None] * 8, "c": [None] * 7 + [1], "b2": [None] * 8 + [1]}), "error")


def test_intersect_keeps_what_every_condition_has(outcomes: Make) -> None:
    table = align(outcomes(GAPS), "intersect")
    assert list(table.items) == ["i000000", "i000002"]
    assert list(table.dropped) == ["i000001", "i000003"]
    assert table.complete


def test_pairwise_keeps_what_the_reference_has(outcomes: Make) -> None:
    table = align(outcomes(GAPS), "pairwise")
    assert list(table.dropped) == ["i000003"]
    x = dict(zip(table.conditions, table.x.T, strict=True))
    assert np.array_equal(x["p"], [1, np.nan, 0], equal_nan=True)
    assert not table.complete


def test_pairwise_needs_a_reference(outcomes: Make) -> None:
    renamed = {"a": GAPS["orig"], "p": GAPS["p"]}
    with pytest.raises(ValueError, match="Name the condition to compare with by `reference`"):
        align(outcomes(renamed), "pairwise")
    assert align(outcomes(renamed), "pairwise", reference="a").n_rows == 6


def test_unknown_reference_is_refused(outcomes: Make) -> None:
    with pytest.raises(ValueError, match=r"Expected `reference` to be one of .*but got 'nope'"):
        align(outcomes({"orig": [1], "p": [1]}), reference="nope")


def test_repeats_name_item_and_condition(rows: Make) -> None:
    twice = {"predictions": [1, 1], "references": [1, 1], "item_ids": ["a", "a"], "conditions": ["orig", "orig"]}
    with pytest.raises(ValueError, match="item 'a' has 2 rows in condition 'orig'"):
        align(rows(twice))
    assert align(rows(twice | {"samples": [0, 1]})).count.tolist() == [[2.0]]


def test_unlabelled_and_unparsed_are_counted(rows: Make) -> None:
    table = align(rows({
        "predictions": [None, 1, -1, 0], "references": [-1, 1, 0, 0],
        "item_ids": ["a", "b", "c", "d"], "conditions": ["orig"] * 4,
    }))  # fmt: skip
    counts = table.counts()
    # row a is unlabelled; of b, c, d one prediction is unparsed, and it is wrong
    assert (counts["n_rows"], counts["n_scored"], counts["n_unlabelled"], counts["n_unparsed"]) == (4, 3, 1, 1)
    assert table.x.ravel().tolist() == [1.0, 0.0, 1.0]


def test_no_gold_at_all_is_an_error(rows: Make) -> None:
    with pytest.raises(ValueError, match="Expected gold labels, but none of the 1 rows"):
        align(rows({"predictions": [1], "references": [None], "item_ids": ["a"], "conditions": ["orig"]}))


def test_changed_rows_belong_to_pairs(rows: Make) -> None:
    table = align(rows({
        "predictions": [1, 1, 0], "references": [1, 1, 0], "item_ids": ["a"] * 3,
        "conditions": ["orig", "p", "negation"], "relations": [None, "invariant", "changed"],
    }))  # fmt: skip
    assert sorted(table.conditions) == ["orig", "p"]


def test_one_family_per_item(outcomes: Make, rows: Make) -> None:
    table = align(outcomes({"orig": [1, 1, 0], "p": [1, 0, 0]}, families=["f", "g", "f"]))
    assert (table.families.tolist(), table.n_families, table.has_families) == ([0, 1, 0], 2, True)
    torn = {"predictions": [1, 1], "references": [1, 1], "item_ids": ["a", "a"], "conditions": ["o", "p"]}
    with pytest.raises(ValueError, match="Expected one family per item, but item 'a'"):
        align(rows(torn | {"families": ["f", "g"]}))


@given(st.integers(1, 12), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_row_order_changes_nothing(
    columns: Callable[..., dict[str, Any]], rows: Make, n: int, c: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    given_columns = columns({f"c{k}": rng.integers(0, 2, n).tolist() for k in range(c)})
    order = rng.permutation(n * c)
    shuffled = {name: [values[i] for i in order] for name, values in given_columns.items()}
    one, two = align(rows(given_columns)), align(rows(shuffled))
    assert np.array_equal(one.x, two.x)
    assert list(one.items) == list(two.items)
    assert list(one.conditions) == list(two.conditions)


def test_conditions_are_ordered_by_votes_and_counts(rows: Make) -> None:
    # "1 of 1" and "2 of 3" have the same surplus of right samples; renaming must not swap them.
    def x(one: str, three: str) -> list[float]:
        table = align(rows({
            "predictions": [1, 1, 1, 0], "references": [1] * 4, "item_ids": ["a"] * 4,
            "conditions": [one, three, three, three], "samples": [0, 0, 1, 2],
        }))  # fmt: skip
        return table.x.ravel().tolist()

    assert x("a", "b") == x("b", "a")


@pytest.mark.parametrize(
    ("name", "kind"), [("orig", "orig"), ("para/x/y", "para"), ("adv", "adv"), ("shift1", ""), ("parade", "")]
)
def test_kind_is_the_part_before_the_slash(name: str, kind: str) -> None:
    assert kind_of(name) == kind
