"""Which items tell models apart, pairs of models, and the smallest difference that a set could detect."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, pearsonr
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from jostle.measures.discriminate import discriminate, separation
from jostle.measures.options import Options
from jostle.measures.separation import compare_models, items_needed, smallest_detectable
from jostle.measures.table import Rows
from jostle.measures.verdicts import KINDS, Verdicts, classify, critical_correlation, item_rest_correlation

TABLES = st.integers(2, 5).flatmap(
    lambda models: st.lists(st.lists(st.booleans(), min_size=models, max_size=models), min_size=1, max_size=12)
)


def verdicts(right: Any, count: Any = None) -> Verdicts:
    table = np.asarray(right, dtype=float)
    counts = np.ones_like(table) if count is None else np.asarray(count, dtype=float)
    return Verdicts(table, counts, [f"i{k}" for k in range(len(table))], [f"m{k}" for k in range(table.shape[1])])


def kinds(right: Any, count: Any = None, ordered: bool = True) -> list[str]:
    return [KINDS[k] for k in classify(verdicts(right, count), ordered).kind]


def power(n: int, discordance: float, difference: float) -> float:
    """Power of the exact McNemar test by enumeration: P(discordant = m), then P(reject) given m, summed over m."""
    psi = max(discordance, difference)
    m = np.arange(0, n + 1)
    k = binom.ppf(0.025, m, 0.5)
    k = np.where(2 * binom.cdf(k, m, 0.5) <= 0.05, k, k - 1)  # reject when the smaller count is at most k
    p = (1 + difference / psi) / 2
    return float((binom.pmf(m, n, psi) * (binom.cdf(k, m, p) + binom.sf(m - k - 1, m, p))).sum())


def test_kinds_of_items() -> None:
    right = [[0, 1], [1, 1], [0, 0], [1, 0], [1, 2], [0, 2], [0, 0]]
    count = [[1, 1], [1, 1], [1, 1], [1, 1], [2, 2], [2, 2], [1, 0]]
    assert kinds(right, count) == [
        "discriminating", "ceiling", "floor", "inverted", "unstable", "discriminating", "missing",
    ]  # fmt: skip


def test_a_weaker_model_right_and_any_stronger_wrong_is_inverted() -> None:
    assert kinds([[0, 0, 1], [0, 1, 1], [1, 0, 1], [0, 1, 0], [1, 1, 0]]) == [
        "discriminating", "discriminating", "inverted", "inverted", "inverted",
    ]  # fmt: skip


def test_an_order_from_the_results_counts_where_the_set_tells_the_models_apart() -> None:
    # 8 against 0 discordant items: p = 2 / 2^8 = .0078; 3 against 1: p = 1
    clear = [[0, 1]] * 16 + [[1, 0]]
    assert kinds(clear, ordered=False)[-1] == "inverted"
    assert kinds([[1, 0]] * 16 + [[0, 1]], ordered=False)[-1] == "inverted"  # the first column is the stronger
    close = [[0, 1]] * 3 + [[1, 0]]
    assert kinds(close, ordered=False) == ["discriminating"] * 4
    assert kinds(close, ordered=True)[-1] == "inverted"


def test_the_models_are_put_in_the_order_of_their_accuracy() -> None:
    found = classify(verdicts([[1, 0, 1], [1, 0, 0], [1, 1, 1]]))
    assert found.verdicts.models == ["m1", "m2", "m0"]
    assert found.accuracy.tolist() == pytest.approx([1 / 3, 2 / 3, 1])


def test_one_model_is_an_error() -> None:
    with pytest.raises(ValueError, match=r"Expected two or more models, but got 1: \['m0'\]"):
        classify(verdicts([[1], [0]]))


def test_item_rest_correlation_by_hand_and_by_scipy() -> None:
    right = np.array([[0, 1, 1], [0, 0, 1], [1, 0, 0], [1, 1, 1]], dtype=float)
    # first item: rest of the models is (2, 1, 2): deviations (1, -2, 1) / 3 against (-2, 1, 1) / 3 give -3 / 6
    found = item_rest_correlation(right)
    assert found[0] == pytest.approx(-0.5)
    assert np.isnan(found).tolist() == [False, True, False, True]  # the rest is (2, 2, 2); the item is (1, 1, 1)
    rest = right.sum(axis=0) - right
    assert found[[0, 2]] == pytest.approx([pearsonr(right[k], rest[k]).statistic for k in (0, 2)])


def test_from_five_models_on_an_item_is_inverted_by_its_correlation() -> None:
    n_models = 20
    strength = np.arange(n_models)
    right = [(strength >= k).astype(float) for k in range(1, n_models)]  # item k is right for the k-th model and above
    noise = [*right, (strength % 2).astype(float), (strength < 10).astype(float)]  # every second; the weaker half
    found = classify(verdicts(noise), ordered=True)
    assert found.rule == "item_rest"
    assert [KINDS[k] for k in found.kind] == ["discriminating"] * 20 + ["inverted"]
    assert found.ids(KINDS.index("inverted")) == ["i20"]
    assert classify(verdicts([row[:5] for row in noise]), ordered=True).rule == "item_rest"
    by_pairs = classify(verdicts([row[8:12] for row in noise]), ordered=True)
    assert by_pairs.rule == "pairs"
    assert by_pairs.count(KINDS.index("inverted")) == 2


@pytest.mark.parametrize("n_models", [5, 14])
def test_good_items_are_hardly_ever_inverted(n_models: int) -> None:
    """Simulated by the Rasch model, where every item is easier for the stronger model."""
    rng = np.random.default_rng(0)
    skill, difficulty = np.sort(rng.normal(1, 1, n_models)), rng.normal(0, 1.5, 1000)
    passes = rng.random((1000, n_models)) < 1 / (1 + np.exp(difficulty[:, None] - skill))
    found = classify(verdicts(passes.astype(float).tolist()))
    assert found.count(KINDS.index("inverted")) < 20
    assert _pairs_the_wrong_way_round(passes) > 300  # what any pair of models would make of the same items


def _pairs_the_wrong_way_round(passes: np.ndarray[Any, np.dtype[np.bool_]]) -> int:
    order = np.argsort(passes.sum(axis=0), kind="stable")
    return sum(bool((np.diff(item[order].astype(int)) < 0).any()) for item in passes)


def test_unrelated_items_are_inverted_in_five_of_a_hundred() -> None:
    rng = np.random.default_rng(0)
    n_models = 29
    strength = rng.random((200, n_models)) < np.linspace(0.2, 0.8, n_models)  # gives the rest score its order
    unrelated = rng.random((20_000, n_models)) < 0.5
    rest = strength.sum(axis=0)
    values = [np.corrcoef(item, rest)[0, 1] for item in unrelated]
    share = np.mean(np.array(values) < -critical_correlation(n_models))
    assert share == pytest.approx(0.05, abs=0.006)  # 4 standard errors of 20,000


def test_correlation_has_no_say_with_two_models() -> None:
    assert math.isinf(critical_correlation(2))
    # t(.95, 18) = 1.7341: 1.7341 / sqrt(18 + 3.0071)
    assert critical_correlation(20) == pytest.approx(0.3783, abs=1e-3)


@pytest.mark.slow
@given(TABLES)
def test_pairs_are_those_of_statsmodels(table: list[list[bool]]) -> None:
    right = np.array(table, dtype=float)
    pairs = compare_models(right)
    assert [(p.weaker, p.stronger) for p in pairs] == list(combinations(range(right.shape[1]), 2))
    reference = []
    for pair in pairs:
        a, b = right[:, pair.weaker] > 0, right[:, pair.stronger] > 0
        crossed = [[(a & b).sum(), (a & ~b).sum()], [(~a & b).sum(), (~a & ~b).sum()]]
        reference.append(mcnemar(crossed, exact=True).pvalue)
        assert pair.difference == pytest.approx(b.mean() - a.mean(), abs=1e-12)
    assert [p.p_value for p in pairs] == pytest.approx(reference)
    assert [p.p_value_holm for p in pairs] == pytest.approx(multipletests(reference, method="holm")[1])


@given(TABLES, st.randoms(use_true_random=False))
def test_every_item_has_one_kind_whatever_the_order(table: list[list[bool]], random: Any) -> None:
    found = classify(verdicts(table), ordered=True)
    numbers = separation(found)
    total = sum(numbers[f"n_{kind}"] for kind in ("discriminating", "ceiling", "floor", "inverted"))
    assert total == numbers["n_measured"] == len(table)
    order = list(range(len(table)))
    random.shuffle(order)
    assert [found.kind[k] for k in order] == classify(verdicts([table[k] for k in order]), ordered=True).kind.tolist()


@pytest.mark.parametrize("n", [6, 10, 20, 50, 100, 300, 1000])
@pytest.mark.parametrize("discordance", [0.02, 0.1, 0.3, 0.5])
def test_smallest_difference_against_the_exact_power(n: int, discordance: float) -> None:
    difference = smallest_detectable(n, discordance)
    assert power(n, discordance, difference) >= 0.795
    enough = n * discordance >= 20
    assert power(n, discordance, difference / (1.06 if enough else 1.24)) < 0.8


def test_smallest_difference_by_simulation() -> None:
    rng = np.random.default_rng(1)
    n, discordance = 500, 0.25
    difference = smallest_detectable(n, discordance)
    p = [(discordance - difference) / 2, (discordance + difference) / 2, 1 - discordance]
    counts = rng.multinomial(n, p, size=4000)
    values = {(b, c): mcnemar([[0, b], [c, 0]], exact=True).pvalue for b, c, _ in np.unique(counts, axis=0).tolist()}
    found = np.mean([values[b, c] < 0.05 for b, c, _ in counts.tolist()])
    assert found == pytest.approx(0.8, abs=0.025)  # 4 standard errors of 4,000


def test_smallest_difference_at_the_ends() -> None:
    assert math.isnan(smallest_detectable(5, 0.5))  # 5 items against 0: p = 2 / 2^5 > .05
    assert smallest_detectable(6, 0.1) < 1  # 6 against 0: p = 2 / 2^6 = .03
    assert math.isnan(smallest_detectable(0, math.nan))
    # large n: 2.8 sqrt(psi / n), 2.8 = 1.96 + .84
    assert smallest_detectable(10**6, 0.2) == pytest.approx(2.8016 * math.sqrt(0.2 / 10**6), rel=2e-3)
    assert smallest_detectable(100, 0.0) == smallest_detectable(100, 0.05)  # the discordance grows with the difference


@given(st.integers(50, 5000), st.floats(0.15, 0.9))
def test_items_needed_is_the_inverse(n: int, discordance: float) -> None:
    difference = smallest_detectable(n, discordance)
    needed = items_needed(difference, discordance)
    assert (needed is None and difference > discordance) or needed in (n, n + 1)


def test_no_number_of_items_shows_more_than_the_discordance() -> None:
    assert items_needed(0.3, 0.2) is None
    assert items_needed(0.01, math.nan) is None


def test_all_keys_on_a_table_by_hand(outcomes: Callable[..., Rows]) -> None:
    # small has 2 of 10 right, large 8; large loses one item that small has
    rows = outcomes({"small": [1, 1, *[0] * 8], "large": [0, 1, *[1] * 7, 0]})
    result = discriminate(rows, Options())
    assert result["models"] == ["small", "large"]
    assert result["accuracy_by_model"] == {"small": 0.2, "large": 0.8}
    assert (result["n_ceiling"], result["n_floor"], result["n_measured"]) == (1, 1, 10)
    # 7 against 1: p = 2 (1 + 8) / 2^8 = .0703: the order is not known, so nothing is inverted
    assert result["p_value_by_pair"]["small | large"] == pytest.approx(18 / 256)
    assert (result["n_inverted"], result["n_discriminating"]) == (0, 8)
    assert result["non_discriminating_share"] == pytest.approx(0.2)
    assert result["median_discordance"] == pytest.approx(0.8)
    assert result["median_neighbour_difference"] == pytest.approx(0.6)


def test_unlabelled_and_unparsed_rows_are_counted(rows: Callable[..., Rows]) -> None:
    columns = {
        "predictions": [1, None, 1, 1], "references": [1, 1, -1, -1],
        "item_ids": ["a", "a", "b", "b"], "conditions": ["m", "n"] * 2,
    }  # fmt: skip
    result = discriminate(rows(columns), Options())
    assert (result["n_items"], result["n_unlabelled"], result["n_unparsed"]) == (1, 2, 1)
    assert result["models"] == ["n", "m"]
