"""Trigrams, MinHash and slips, against sets and dynamic programming in plain Python."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.measures import char_pairs as module
from jostle.measures.char_pairs import gram_sets, jaccard, link_alike, signatures
from jostle.measures.typos import edits, same_but_for_typos

TEXTS = st.lists(st.text(alphabet="ab é😀", max_size=12), min_size=2, max_size=12)


def grams(text: str) -> set[str]:
    padded = f" {text} "
    return {padded[k : k + 3] for k in range(len(padded) - 2)} if text else set()


def overlap(one: str, other: str) -> float:
    a, b = grams(one), grams(other)
    return len(a & b) / len(a | b) if a | b else 1.0


@given(TEXTS)
def test_jaccard_is_that_of_the_sets(texts: list[str]) -> None:
    sets = gram_sets(texts)
    assert sets.sizes.tolist() == [len(grams(text)) for text in texts]
    first, second = np.triu_indices(len(texts), 1)
    expected = [overlap(texts[i], texts[j]) for i, j in zip(first, second, strict=True)]
    assert jaccard(sets, first, second).tolist() == pytest.approx(expected)


def test_texts_are_read_in_chunks_without_a_seam(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"text number {k} of these" for k in range(50)] + ["", "x" * 500, "end"]
    whole = gram_sets(texts)
    hashes = signatures(whole)
    monkeypatch.setattr(module, "_CHUNK", 100)
    assert np.array_equal(gram_sets(texts).keys, whole.keys)
    assert np.array_equal(signatures(whole), hashes)


def test_signatures_estimate_jaccard() -> None:
    texts = ["the quick brown fox jumps over the lazy dog", "the quick brown fox leaps over a lazy dog", "none"]
    found = signatures(gram_sets(texts))
    for i, j in ((0, 1), (0, 2)):
        # standard error of a share out of 124: at most sqrt(.25 / 124) = 0.045
        assert (found[:, i] == found[:, j]).mean() == pytest.approx(overlap(texts[i], texts[j]), abs=4 * 0.045)


def alike(texts: list[str], apart: list[int] | None = None) -> list[list[int]]:
    kinds = np.array(apart if apart is not None else [0] * len(texts))
    links, left_out = link_alike([gram_sets(texts)], kinds, lambda i, j: True)
    assert left_out == 0
    return links.groups()


BASE = "a man walks his brown dog along the river every morning"


def test_what_is_alike_is_linked_and_nothing_else() -> None:
    texts = [BASE, "an entirely different sentence about the weather", BASE.replace("river", "rivre"), "x", ""]
    assert alike(texts) == [[0, 2]]
    assert alike(texts, apart=[0, 0, 1, 0, 0]) == []


def test_confirmation_decides() -> None:
    sets = gram_sets([BASE, BASE + "s"])
    asked = []
    links, _ = link_alike([sets], np.zeros(2, dtype=int), lambda i, j: bool(asked.append((i, j))))
    assert (links.groups(), set(map(frozenset, asked))) == ([], {frozenset((0, 1))})


def test_every_side_must_be_alike() -> None:
    left = gram_sets([BASE, BASE + "s", BASE])
    right = gram_sets(["what does the man walk", "what does teh man walk", "where is the zoo of the town"])
    links, _ = link_alike([left, right], np.zeros(3, dtype=int), lambda i, j: True)
    assert links.groups() == [[0, 1]]


def test_large_buckets_are_split_and_still_found() -> None:
    # 300 texts of one frame; each has one copy with a slip
    words = ["".join(np.random.default_rng(k).choice(list("abcdefghij"), 8)) for k in range(300)]
    texts = [f"please book me a table for tonight at the restaurant called {word}" for word in words]
    slips = [text.replace("restaurant", "resturant") for text in texts]
    found = link_alike(
        [gram_sets(texts + slips)], np.zeros(600, dtype=int), lambda i, j: abs(i - j) == 300
    )[0].groups()  # fmt: skip
    assert len(found) >= 297
    assert all(b - a == 300 for a, b in found)


def test_too_many_candidates_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAIRS", 0)
    _, left_out = link_alike(
        [gram_sets([BASE + " " * k + "." for k in range(4)])], np.zeros(4, int), lambda i, j: False
    )
    assert left_out == 6  # each pair of four once, in however many bands it meets


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("recieve the letter", "receive the letter", True),
        ("thecat sat", "the cat sat", True),
        ("some thing else", "something else", True),
        ("teh quikc fox", "the quick fox", True),
        ("the red fox", "the fox", False),
        ("is it hot", "is it cold", False),
        ("it is in the box", "it is on the box", False),
        ("he did it", "he did not it", False),
        ("no way", "now way", False),
        ("page 12", "page 13", False),
        ("chapter xlvii", "chapter xlviii", False),
        ("prices increase", "prices decrease", False),
        ("same words here", "same words here", True),
        ("solve for x", "solve for y", False),
        ("it si late", "it is late", True),
    ],
)
def test_slips(one: str, other: str, expected: bool) -> None:
    assert same_but_for_typos(one.split(), other.split()) is expected
    assert same_but_for_typos(other.split(), one.split()) is expected


def osa(one: str, other: str) -> int:
    @cache
    def cost(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        best = min(cost(i - 1, j) + 1, cost(i, j - 1) + 1, cost(i - 1, j - 1) + (one[i - 1] != other[j - 1]))
        if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
            best = min(best, cost(i - 2, j - 2) + 1)
        return best

    return cost(len(one), len(other))


@given(st.text(alphabet="abc", max_size=7), st.text(alphabet="abc", max_size=7))
def test_edits_are_those_of_the_definition(one: str, other: str) -> None:
    assert edits(one, other) == edits(other, one) == osa(one, other)
