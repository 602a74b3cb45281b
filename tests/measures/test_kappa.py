"""Cohen's kappa against arithmetic by hand and statsmodels."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa

from jostle.measures.kappa import cohen_kappa

ANSWERS = ("yes", "no", "unsure")
JUDGED = st.lists(st.tuples(st.sampled_from(ANSWERS), st.sampled_from(ANSWERS)), min_size=1, max_size=40)


def test_by_hand() -> None:
    # 20 both yes, 15 both no, 5 yes/no, 10 no/yes: p_o = 35/50 = 0.7; yes 25/50 and 30/50, no 25/50 and 20/50:
    # p_e = 0.5*0.6 + 0.5*0.4 = 0.5; kappa = 0.2/0.5 = 0.4.
    first = ["yes"] * 20 + ["no"] * 15 + ["yes"] * 5 + ["no"] * 10
    second = ["yes"] * 20 + ["no"] * 15 + ["no"] * 5 + ["yes"] * 10
    found = cohen_kappa(first, second)
    assert found["kappa"] == pytest.approx(0.4)
    assert found["agreement"] == pytest.approx(0.7)
    assert found["n"] == 50


def test_opposite_answers_are_minus_one() -> None:
    assert cohen_kappa(["yes", "no"], ["no", "yes"])["kappa"] == pytest.approx(-1)


def test_degenerate_input_is_nan_and_not_one() -> None:
    same = cohen_kappa(["yes", "yes"], ["yes", "yes"])
    assert math.isnan(same["kappa"])
    assert same["agreement"] == 1.0
    assert cohen_kappa([], [])["n"] == 0
    assert math.isnan(cohen_kappa([], [])["agreement"])


def test_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="same things, but got 2 and 1"):
        cohen_kappa(["yes", "no"], ["yes"])


@given(JUDGED)
def test_the_same_as_statsmodels(judged: list[tuple[str, str]]) -> None:
    first, second = ([pair[k] for pair in judged] for k in (0, 1))
    ours = cohen_kappa(first, second)["kappa"]
    if len({*first, *second}) == 1:
        assert math.isnan(ours)
        return
    table = np.zeros((3, 3))
    for a, b in judged:
        table[ANSWERS.index(a), ANSWERS.index(b)] += 1
    assert ours == pytest.approx(cohens_kappa(table, return_results=False), abs=1e-12)
