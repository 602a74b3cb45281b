"""The linear model on hashed n-grams: algebra against numpy, folds, and words."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from jostle.measures.linear import Sparse, balanced_folds, cross_scores, ngram_rows, ridge
from jostle.measures.words import WordHashes, runs, words


def dense(x: Sparse) -> np.ndarray:
    table = np.zeros((len(x.scale), x.width))
    table[x.rows, x.columns] = x.scale[x.rows]
    return table


def test_rows_hold_words_and_pairs_that_two_texts_share_at_length_one() -> None:
    x = ngram_rows(["red car now", "red car", "blue sky"])
    # "red", "car" and the pair "red car" are shared; "now", "car now" and all of the third text stand once.
    assert x.width == 3
    assert np.allclose(dense(x), [[1 / np.sqrt(3)] * 3, [1 / np.sqrt(3)] * 3, [0] * 3])


def test_pairs_of_words_do_not_cross_texts() -> None:
    x = ngram_rows(["a b", "c a", "b c"])  # in the row of all words "b c" stands between the first two
    assert x.width == 3


def test_products_and_ridge_are_those_of_numpy() -> None:
    rng = np.random.default_rng(0)
    vocabulary = [f"w{k}" for k in range(12)]
    x = ngram_rows([" ".join(rng.choice(vocabulary, 6)) for _ in range(60)])
    full, y = dense(x), rng.normal(size=(60, 2))
    weights = rng.normal(size=(x.width, 2))
    assert np.allclose(x.times(weights), full @ weights)
    assert np.allclose(x.back(y), full.T @ y)
    exact = np.linalg.solve(full.T @ full + 5 * np.eye(x.width), full.T @ y)
    assert np.allclose(ridge(x, y, penalty=5.0), exact, atol=5e-3)
    some = np.arange(60) % 3 == 0
    assert np.allclose(dense(x.take(some)), full[some])


def test_held_out_rows_are_scored_by_words_learned_elsewhere() -> None:
    rng = np.random.default_rng(1)
    gold = rng.integers(0, 2, 400)
    texts = [f"{'never' if g else 'always'} w{rng.integers(50)} w{rng.integers(50)}" for g in gold]
    folds = np.arange(400) % 5
    scores = cross_scores(ngram_rows(texts), np.eye(2)[gold], folds)
    assert (scores.argmax(axis=1) == gold).all()
    shuffled = rng.permutation(gold)
    chance = (cross_scores(ngram_rows(texts), np.eye(2)[shuffled], folds).argmax(axis=1) == shuffled).mean()
    assert 0.4 < chance < 0.6


@given(st.lists(st.integers(0, 12), min_size=1, max_size=60))
def test_groups_stay_in_one_fold_and_folds_do_not_depend_on_the_order(raw: list[int]) -> None:
    groups = np.unique(raw, return_inverse=True)[1].astype(np.int64)
    order = np.arange(len(groups)) * 7919 % 1009 + groups * 10_000
    folds = balanced_folds(groups, order)
    assert all(len(set(folds[groups == group])) == 1 for group in set(groups.tolist()))
    turned = np.arange(len(groups))[::-1]
    # Groups are named anew, as they would be if the rows came in another order.
    renamed = np.unique(groups[turned].max() - groups[turned], return_inverse=True)[1].astype(np.int64)
    assert (balanced_folds(renamed, order[turned]) == folds[turned]).all()


def test_words_have_neither_case_nor_marks() -> None:
    assert words("Don't STOP—ｗｉｄｅ 3.5!") == ["don", "t", "stop", "wide", "3", "5"]
    assert words("…!?") == []


@given(st.lists(st.sampled_from("abcd"), max_size=20), st.integers(1, 6))
def test_equal_runs_have_equal_hashes_and_others_do_not(tokens: list[str], length: int) -> None:
    hashes = runs(WordHashes()(tokens), length).tolist()
    assert len(hashes) == max(0, len(tokens) - length + 1)
    spans = [tuple(tokens[k : k + length]) for k in range(len(hashes))]
    assert len(set(hashes)) == len(set(spans))


def test_hashes_do_not_depend_on_what_came_before() -> None:
    small = WordHashes(most=2)
    first = small(["a", "b", "c"]).tolist()
    assert small(["c", "a"]).tolist() == [first[2], first[0]]
