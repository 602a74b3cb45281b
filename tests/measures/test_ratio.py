"""The robustness ratio by hand, its matching, its votes and its undefined cases."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from jostle.measures.options import Options
from jostle.measures.ratio import ratio
from jostle.measures.table import Rows

Make = Callable[..., Rows]
KINDS = ("orig", "para/a", "pert/b", "adv/c")
FIVE = {"orig": [1, 1, 1, 1, 0], "para/a": [1, 1, 1, 0, 0], "pert/b": [1, 1, 0, 0, 0], "adv/c": [1, 0, 0, 0, 0]}


def alike(row: list[int]) -> dict[str, list[Any]]:
    """The same outcomes in every kind."""
    return {name: list(row) for name in KINDS}


def test_the_formula_by_hand(outcomes: Make) -> None:
    found = ratio(outcomes(FIVE), Options())
    # (.6 + .4 + .2) / (3 * .8)
    assert found["robustness_ratio"] == pytest.approx(0.5)
    assert [found[f"accuracy_{k}"] for k in ("orig", "para", "pert", "adv")] == pytest.approx([0.8, 0.6, 0.4, 0.2])
    assert found["coverage_by_kind"] == dict.fromkeys(("orig", "para", "pert", "adv"), 1.0)
    assert not found["exceeds_one"]
    assert found["undefined_reason"] == ""


def test_several_variants_of_a_kind_are_averaged_per_item(outcomes: Make) -> None:
    found = ratio(outcomes(FIVE | {"para/d": [0, 0, 0, 0, 0]}), Options())
    assert found["accuracy_para"] == pytest.approx(0.3)
    assert found["robustness_ratio"] == pytest.approx((0.3 + 0.4 + 0.2) / 2.4)


def test_matched_items_and_all_rows(outcomes: Make) -> None:
    # The adversarial operator applies to the two hard items only, which the model gets wrong in every form.
    rows = outcomes(alike([1, 1, 1, 0, 1]) | {"adv/c": [None, None, None, 0, 1]})
    found = ratio(rows, Options(missing="pairwise"))
    assert found["robustness_ratio"] == 1.0
    assert found["n_matched"] == 2
    # all rows: orig, para, pert .8, adv .5: (.8 + .8 + .5) / 2.4
    assert found["robustness_ratio_all_rows"] == pytest.approx(2.1 / 2.4)
    assert found["coverage_by_kind"]["adv"] == 0.4


def test_a_ratio_above_one_is_reported(outcomes: Make) -> None:
    found = ratio(outcomes(alike([1, 1]) | {"orig": [1, 0]}), Options())
    assert found["robustness_ratio"] == 2.0
    assert found["exceeds_one"]


def test_the_interval_is_that_of_scipy(outcomes: Make) -> None:
    x = (np.random.default_rng(4).random((300, 4)) < [0.9, 0.8, 0.7, 0.6]).astype(float)
    found = ratio(outcomes(dict(zip(KINDS, x.T.tolist(), strict=True))), Options())
    expected = stats.bootstrap(
        tuple(x.T), lambda o, a, b, c, axis: (a.mean(axis) + b.mean(axis) + c.mean(axis)) / (3 * o.mean(axis)),
        paired=True, vectorized=True, method="percentile", n_resamples=10_000, rng=1,
    ).confidence_interval  # fmt: skip
    ends = (found["robustness_ratio_ci_low"], found["robustness_ratio_ci_high"])
    assert ends == pytest.approx((expected.low, expected.high), abs=0.006)


def test_above_chance_by_hand(rows: Make) -> None:
    n = 100
    gold = [0, 1] * (n // 2)
    right = {"orig": n, "para/a": 90, "pert/b": 80, "adv/c": 70}
    predictions = [g if i < k else 1 - g for k in right.values() for i, g in enumerate(gold)]
    found = ratio(rows({
        "predictions": predictions, "references": gold * 4, "item_ids": list(range(n)) * 4,
        "conditions": [name for name in right for _ in range(n)],
    }), Options())  # fmt: skip
    # chance = .5 (majority share): (.8 - .5) / (1 - .5)
    assert found["robustness_ratio_above_chance"] == pytest.approx(0.6)


def test_a_constant_answer_has_ratio_one_and_none_above_chance(rows: Make) -> None:
    found = ratio(rows({
        "predictions": [1] * 40, "references": ([0, 1] * 5) * 4, "item_ids": list(range(10)) * 4,
        "conditions": [name for name in KINDS for _ in range(10)],
    }), Options())  # fmt: skip
    assert found["robustness_ratio"] == 1.0
    assert math.isnan(found["robustness_ratio_above_chance"])


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        ({}, "no rows of kind orig, para, pert, adv"),
        ({"orig": [1], "para/a": [1]}, "no rows of kind pert, adv"),
        (alike([1]) | {"orig": [0]}, "accuracy on the originals of the matched items is 0"),
        ({"orig": [1, 1], "para/a": [1, None], "pert/b": [1, None], "adv/c": [None, 1]}, "no item has all four kinds"),
    ],
)
def test_undefined_says_why(outcomes: Make, outcome: dict[str, list[Any]], reason: str) -> None:
    found = ratio(outcomes(outcome), Options(missing="pairwise"))
    assert found["undefined_reason"] == reason
    assert math.isnan(found["robustness_ratio"])
    assert math.isnan(found["robustness_ratio_ci_low"])
    assert found["degenerate"]


def voted(rows: Make, votes: list[str | None], gold: str) -> dict[str, Any]:
    """The ratio of one item whose adversarial variant got these votes."""
    names = [*KINDS[:3], *["adv/c"] * len(votes)]
    return ratio(rows({
        "predictions": [gold] * 3 + votes, "references": [gold] * len(names), "item_ids": ["i"] * len(names),
        "conditions": names, "samples": [0, 0, 0, *range(len(votes))],
    }), Options())  # fmt: skip


@pytest.mark.parametrize("gold", ["pos", "neg"])
def test_a_tie_shares_the_credit_whatever_the_order(rows: Make, gold: str) -> None:
    for votes in itertools.permutations(["pos", "pos", "neg", "neg"]):
        found = voted(rows, list(votes), gold)
        assert (found["accuracy_adv"], found["n_ties"]) == (0.5, 1)


@pytest.mark.parametrize(
    ("votes", "credit", "ties"),
    [
        (["a", "b", "c"], 1 / 3, 1),
        (["b", "b", "a"], 0.0, 0),
        (["b", "b", "c", "c", "a"], 0.0, 1),
        ([None, None, None, "a"], 1.0, 0),
        ([None, None], 0.0, 0),
    ],
)
def test_votes(rows: Make, votes: list[str | None], credit: float, ties: int) -> None:
    found = voted(rows, votes, "a")
    assert found["accuracy_adv"] == pytest.approx(credit)
    assert found["n_ties"] == ties
    assert found["unparsed_by_variant"]["adv"] == pytest.approx(votes.count(None) / len(votes))
