"""Families stay whole, and what is on both sides of a split is found."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jostle as package
from jostle.errors import InputError, UsageError
from jostle.items import Item
from jostle.pairs.check_split import check_split
from jostle.pairs.overlap import jaccard, near_matches, normalise, shingles
from jostle.pairs.split import split_families

Write = Callable[[str, Any], Path]


def rows_of(sizes: dict[str, int]) -> list[dict[str, Any]]:
    return [{"id": f"{name}{k}", "family": name} for name, size in sizes.items() for k in range(size)]


SIZES = st.dictionaries(st.text("abcdef", min_size=1, max_size=4), st.integers(1, 9), min_size=2, max_size=12)


@given(SIZES, st.floats(0.01, 0.99), st.integers(0, 5), st.randoms(use_true_random=False))
def test_no_family_is_split_whatever_the_row_order(
    sizes: dict[str, int], share: float, seed: int, rng: random.Random
) -> None:
    rows = rows_of(sizes)
    train, test = split_families(rows, share, seed)
    assert {row["family"] for row in train}.isdisjoint(row["family"] for row in test)
    assert train
    assert test
    assert sorted(row["id"] for row in train + test) == sorted(row["id"] for row in rows)
    shuffled = rng.sample(rows, len(rows))
    again, other = split_families(shuffled, share, seed)
    assert {row["id"] for row in other} == {row["id"] for row in test}
    assert [row["id"] for row in again] == [row["id"] for row in shuffled if row in train]


@given(SIZES, st.floats(0.01, 0.99), st.integers(0, 5))
def test_the_share_is_missed_by_half_of_the_smallest_family_in_train_at_most(
    sizes: dict[str, int], share: float, seed: int
) -> None:
    train, test = split_families(rows_of(sizes), share, seed)
    left = Counter(row["family"] for row in train)
    taken = Counter(row["family"] for row in test)
    # With one family on a side, that side may be as large as the family is.
    if len(left) > 1 and len(taken) > 1:
        assert abs(len(test) - share * len(train + test)) <= min(left.values()) / 2


def test_rows_of_their_own_family_meet_the_share_to_half_a_row_and_seeds_differ() -> None:
    rows = [{"id": k} for k in range(1000)]
    train, test = split_families(rows, 0.2, seed=0)
    assert (len(train), len(test)) == (800, 200)
    assert [row["id"] for row in test] == sorted(row["id"] for row in test)
    assert split_families(rows, 0.2, seed=0)[1] == test
    # Two independent draws of 200 of 1000 share 40 in expectation.
    assert len({row["id"] for row in test} & {row["id"] for row in split_families(rows, 0.2, seed=1)[1]}) < 80


def test_a_split_that_is_known_stays_as_it_is() -> None:
    # Whoever has published a split must get it back: this pins the order that seed and names give.
    _, test = split_families([{"family": name} for name in "abcdefghij"], 0.3, seed=7)
    assert "".join(row["family"] for row in test) == "bdj"


def test_items_equal_rows_and_numbers_as_families() -> None:
    items = [Item(str(k), "sst2", {"sentence": "x"}, family=f"f{k // 3}") for k in range(9)]
    train, test = package.split_families(items, 1 / 3, seed=0)
    assert (len(train), len(test)) == (6, 3)
    assert {item.family for item in train}.isdisjoint(item.family for item in test)
    same = [{"text": "one"}, {"text": "two"}, {"text": "one"}]
    assert {len(side) for side in split_families(same, 0.5)} == {1, 2}
    mixed = [{"family": 1}, {"family": "1"}, {"family": 1.0}, {"family": 2}]  # csv, json and parquet of one number
    assert {len(side) for side in split_families(mixed, 0.5)} == {1, 3}


@pytest.mark.parametrize("share", [0, 1, -0.1, 1.5, float("nan"), True])
def test_a_share_outside_of_zero_and_one(share: float) -> None:
    with pytest.raises(UsageError, match="`test_share` to be between 0 and 1"):
        split_families(rows_of({"a": 2, "b": 2}), share)


def test_what_cannot_be_split() -> None:
    with pytest.raises(InputError, match="all 3 rows are of family 'a'"):
        split_families(rows_of({"a": 3}), 0.5)
    with pytest.raises(InputError, match="there are no rows"):
        split_families([], 0.5)


def test_a_family_beyond_the_share_is_taken_only_where_there_is_no_other() -> None:
    train, test = split_families(rows_of({"big": 9, "small": 1}), 0.1)
    assert (len(train), len(test)) == (9, 1)
    train, test = split_families(rows_of({"big": 9, "small": 8}), 0.01)
    assert (len(train), len(test)) == (9, 8)
    train, test = split_families(rows_of({"big": 9, "small": 8}), 0.99)
    assert {len(train), len(test)} == {8, 9}
    train, test = split_families(rows_of({"a": 1, "b": 1}), 1 - 2**-53)  # times 2 that is 2.0
    assert (len(train), len(test)) == (1, 1)


TEXT = "A quiet film about two brothers who restore a lighthouse and stop talking to each other on the way."


def test_jaccard_of_shingles_by_hand() -> None:
    # "abcdef": abcde, bcdef; "abcdeg": abcde, bcdeg. One of three is shared.
    assert jaccard(shingles("abcdef"), shingles("abcdeg")) == pytest.approx(1 / 3)
    assert len(shingles("abcd")) == 0
    assert jaccard(shingles("abcd"), shingles("abcd")) == 0.0  # too short: compared as a whole only


@given(st.lists(st.text("abcde ", max_size=30), max_size=8), st.lists(st.text("abcde ", max_size=30), max_size=8))
def test_the_search_finds_what_comparing_every_pair_finds(first: list[str], second: list[str]) -> None:
    found = {(m.first, m.second) for m in near_matches(first, second)}
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            grams = [{text[k : k + 5] for k in range(len(text) - 4)} for text in map(normalise, (one, other))]
            near = bool(grams[0] | grams[1]) and len(grams[0] & grams[1]) / len(grams[0] | grams[1]) >= 0.5
            same = normalise(one) == normalise(other) != ""
            words = [normalise(text).split() for text in (one, other)]
            differing = sum(a != b for a, b in zip(*words, strict=False))
            one_word = len(words[0]) == len(words[1]) in range(5, 31) and differing == 1
            assert ((i, j) in found) == (near or same or one_word)


@given(st.data())
def test_a_copy_with_one_word_replaced_is_always_found(data: st.DataObject) -> None:
    words = data.draw(st.lists(st.text("abcdefgh", min_size=1, max_size=9), min_size=5, max_size=60))
    k = data.draw(st.integers(0, len(words) - 1))
    edited = [*words[:k], data.draw(st.text("stuvwxyz", min_size=1, max_size=9)), *words[k + 1 :]]
    if len(words) > 30 and sum(map(len, words)) < 120:
        return  # thirty words of one letter: the promise for longer texts is of words as people write them
    assert near_matches([" ".join(words)], [" ".join(edited)])


def test_different_texts_are_quiet() -> None:
    first = ["The soup was cold and the waiter forgot our drinks twice.", TEXT, "Screen scratches within a week."]
    second = ["A bus to the airport leaves every twenty minutes until midnight.", "The plot hides nothing.", ""]
    assert near_matches(first, second) == []


def test_check_split_lists_families_and_bases_with_their_places(write: Write) -> None:
    train = write("train.jsonl", [
        {"family": "doc1", "base_text": TEXT},
        {"family": "doc2", "base_text": "Screen scratches within a week, would not buy again."},
        {"family": "doc2", "base_text": "Screen scratches within a week, would not buy again."},
        {"family": "doc3", "base_text": "Nothing like the others."},
    ])  # fmt: skip
    test = write("test.jsonl", [
        {"family": "doc9", "base_text": TEXT.upper().replace(" ", "  ")},
        {"family": "doc2", "base_text": "Screen scratches within a month, would not buy again."},
    ])  # fmt: skip
    found = check_split(train, test)
    assert [(shared.names, shared.places) for shared in found.families] == [
        (("doc2", "doc2"), (["line 2", "line 3"], ["line 2"]))
    ]
    assert [shared.places for shared in found.bases] == [(["line 1"], ["line 1"]), (["line 2", "line 3"], ["line 2"])]
    assert found.bases[0].similarity == 1.0
    assert 0.5 <= found.bases[1].similarity < 1
    assert found.exit_code == 1


def test_check_split_of_items_and_of_files_that_lack_something(write: Write) -> None:
    train = write("train.csv", "sentence,label\nA quiet film about two brothers.,1\n")
    test = write("test.jsonl", [{"base_text": "A bus leaves every twenty minutes.", "family": "x"}])
    found = check_split(train, test)
    assert (found.exit_code, found.families, found.bases) == (0, [], [])
    assert found.notes == [f"families were not compared: {train} has none"]
    nli = write("nli.jsonl", [{"premise": "A man walks a dog.", "hypothesis": "An animal is outside."}])
    assert check_split(nli, nli).bases[0].names[0] == "A man walks a dog. An animal is outside."
    bare = write("bare.jsonl", [{"input": "A quiet film about two brothers."}])
    with pytest.raises(InputError, match="a column family or base_text in both"):
        check_split(bare, test)
    assert check_split(bare, bare, {"base_text": "input"}).exit_code == 1
    with pytest.raises(UsageError, match="a column 'inputs' in"):
        check_split(bare, bare, {"base_text": "inputs"})
