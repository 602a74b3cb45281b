"""Levels of duplicates on sets made by hand, and what no order of the cases changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.measures.cosine_pairs import unit
from jostle.measures.duplicate_levels import Levels, duplicate_levels

TEXTS = [
    "Who painted the Mona Lisa?",  # 0
    "who painted the  Mona Lisa",  # 1 normalised
    "Who painted the Mona Lisa?",  # 2 identical to 0
    "Who paintde the Mona Lisa?",  # 3 typo
    "How many days are there in 3 weeks?",  # 4
    "How many days are there in 12 weeks?",  # 5 template
    "The artist behind the Mona Lisa is whom?",  # 6 near, by its vector
    "Name a mammal that lays eggs.",  # 7
]
ANGLES = [0, 0, 0, 40, 90, 120, 20, 180]


def vectors(chosen: Sequence[int]) -> list[Any]:
    """Unit vectors at the angles above; cos 20 = 0.940, cos 30 = 0.866, cos 40 = 0.766."""
    angles = np.radians([ANGLES[k] for k in chosen])
    return [unit(np.stack([np.cos(angles), np.sin(angles)], axis=1))]


def members(found: Levels) -> dict[str, list[tuple[int, ...]]]:
    return {level: [cluster.members for cluster in clusters] for level, clusters in found.clusters.items()}


def test_each_level_stands_apart() -> None:
    found = duplicate_levels([TEXTS], embed=vectors)
    assert members(found) == {
        "identical": [(0, 2)],
        "normalised": [(0, 1, 2)],
        "template": [(4, 5)],
        "typo": [(0, 1, 2, 3)],
        "near": [(0, 1, 2, 3, 6), (4, 5)],  # 0 - 6 - 3 by 20 degrees each, 4 - 5 by 30
    }
    near = found.clusters["near"]
    assert near[0].cosines == pytest.approx((math.cos(math.radians(40)), math.cos(math.radians(20))), abs=1e-6)
    assert [cluster.differs for cluster in near] == [(), ("numbers",)]
    assert found.n_near_pairs == 3


def test_numbers_by_hand() -> None:
    stats = duplicate_levels([TEXTS], embed=vectors, threshold=0.9).describe()
    # scenarios: {0 1 2 3 6} {4} {5} {7}; 8 - (5 - 1) = 4; with the template {4 5}: 3
    assert (stats["effective_scenarios"], stats["effective_with_templates"]) == (4, 3)
    assert stats["effective_by_weight"] == pytest.approx(8**2 / (5**2 + 3))
    assert (stats["redundant_share"], stats["largest_share"]) == (4 / 8, 5 / 8)
    # at 0.8 and 0.85 also 4 - 5; at 0.95 text 6 stands alone
    assert stats["scenarios_by_threshold"] == {"0.8": 3, "0.85": 3, "0.9": 4, "0.95": 5}
    assert stats["by_level"]["typo"] == {
        "n_clusters": 1, "n_cases": 4, "n_redundant": 3, "largest_share": 0.5, "n_contradicting": 0,
    }  # fmt: skip


def test_without_vectors_the_level_near_is_absent() -> None:
    found = duplicate_levels([TEXTS])
    assert "near" not in found.clusters
    assert (found.by_threshold, found.n_near_pairs) == ({}, 0)
    assert found.describe()["effective_scenarios"] == 5  # {0 1 2 3} 4 5 6 7


@pytest.mark.parametrize(
    ("texts", "golds", "expected"),
    [
        (["A b?", "a b"], ["x", "x"], "shared"),
        (["A b?", "a b"], ["x", "y"], "contradicting"),
        (["A b?", "a b"], ["x", None], "shared"),
        (["A b?", "a b"], [None, None], "unlabelled"),
        (["the cat sat on the mat", "the cat sta on the mat"], ["x", "y"], "contradicting"),
        (["the cat sat on the mat", "the cat sta on the mat"], ["the mat", "teh mat"], "shared"),
        (["what is 3 + 4", "what is 3 + 5"], ["7", "8"], "different"),
    ],
)
def test_gold_of_a_cluster(texts: list[str], golds: list[str | None], expected: str) -> None:
    found = duplicate_levels([texts], golds=golds)
    assert [cluster.gold for clusters in found.clusters.values() for cluster in clusters] == [expected]


def test_a_negated_near_duplicate_has_another_gold_for_a_reason() -> None:
    texts = ["The jury said the man was guilty.", "The jury said the man was not guilty."]
    found = duplicate_levels([texts], golds=["yes", "no"], embed=lambda chosen: [unit(np.ones((len(chosen), 2)))])
    assert [(c.gold, c.differs) for c in found.clusters["near"]] == [("different", ("negation",))]


def test_a_pair_is_a_duplicate_where_both_sides_are() -> None:
    premises = ["A man sleeps.", "a man sleeps", "A man sleeps."]
    hypotheses = ["He is awake.", "he is awake", "He is in Rome."]
    assert members(duplicate_levels([premises, hypotheses]))["normalised"] == [(0, 1)]
    assert members(duplicate_levels([premises]))["normalised"] == [(0, 1, 2)]


def test_what_is_identical_can_be_told_apart_from_what_is_compared() -> None:
    options = [["Paris | Rome", "Paris | Rome"], [("Paris", "Rome"), ("Rome", "Paris")]]
    found = members(duplicate_levels([["Capital?"] * 2, options[0]], raw=options[1]))
    assert (found["identical"], found["normalised"]) == ([], [(0, 1)])


@pytest.mark.parametrize("n", [0, 1])
def test_nothing_to_compare(n: int) -> None:
    found = duplicate_levels([TEXTS[:n]], embed=vectors)
    assert members(found) == {"identical": [], "normalised": [], "template": [], "typo": [], "near": []}
    assert found.describe()["effective_scenarios"] == n
    assert math.isnan(found.describe()["redundant_share"]) is (n == 0)


@pytest.mark.parametrize("threshold", [0, 1.01, float("nan")])
def test_a_threshold_outside_its_range_is_refused(threshold: float) -> None:
    with pytest.raises(ValueError, match="Expected `threshold` to be above 0 and at most 1"):
        duplicate_levels([TEXTS], threshold=threshold)


def test_lengths_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match="one length each"):
        duplicate_levels([TEXTS, TEXTS[1:]])
    with pytest.raises(ValueError, match="one length each"):
        duplicate_levels([TEXTS], golds=["x"])


WORDS = st.sampled_from(["the", "teh", "cat", "Cat", "Paris", "Rome", "3", "14", "not", "sat.", "sat", "on"])


@given(st.lists(st.lists(WORDS, max_size=7).map(" ".join), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_cases_changes_nothing_but_their_numbers(texts: list[str], random: Any) -> None:
    def embed(of: list[str]) -> Any:
        table = {text: np.random.default_rng([len(text), *text.encode()]).standard_normal(3) for text in of}
        return lambda chosen: [unit([table[of[k]] for k in chosen])]

    order = list(range(len(texts)))
    random.shuffle(order)
    moved = [texts[k] for k in order]
    golds = [text[-1:] or None for text in texts]
    first = duplicate_levels([texts], golds=golds, embed=embed(texts), threshold=0.9)
    second = duplicate_levels([moved], golds=[golds[k] for k in order], embed=embed(moved), threshold=0.9)
    assert first.describe() == second.describe()
    for level, clusters in second.clusters.items():
        back = {(tuple(sorted(order[k] for k in c.members)), c.gold, c.differs, c.cosines) for c in clusters}
        assert back == {(c.members, c.gold, c.differs, c.cosines) for c in first.clusters[level]}
