"""Unparsed rates by condition: by hand, with samples and families, and quiet without an effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from jostle.measures.intervals import holm
from jostle.measures.options import Options
from jostle.measures.table import Rows
from jostle.measures.unparsed import unparsed

Make = Callable[..., Rows]
NAMES = ("orig", "adv/x", "pert/x")


def answers(rows: Make, given: dict[str, list[Any]], **extra: Any) -> Rows:
    """Rows of {condition: answer of each item}; the gold is always 1."""
    cells = [(name, k, answer) for name, column in given.items() for k, answer in enumerate(column)]
    columns = {"predictions": [a for _, _, a in cells], "references": [1] * len(cells),
               "item_ids": [f"i{k:03d}" for _, k, _ in cells], "conditions": [n for n, _, _ in cells]}  # fmt: skip
    return rows(columns | {name: [values[k] for _, k, _ in cells] for name, values in extra.items()})


def test_rates_by_hand(rows: Make) -> None:
    found = unparsed(answers(rows, {"orig": [1, 1, 1, None], "adv/x": [None, 0, None, None]}), Options())
    assert found["reference"] == "orig"
    assert found["unparsed_rate_by_condition"] == {"adv/x": 0.75, "orig": 0.25}
    assert found["n_unparsed_by_condition"] == {"adv/x": 3, "orig": 1}
    assert found["n_by_condition"] == {"adv/x": 4, "orig": 4}
    wilson = proportion_confint(3, 4, method="wilson")
    assert found["unparsed_rate_ci_by_condition"]["adv/x"] == pytest.approx(wilson)
    assert found["unparsed_difference_by_condition"] == {"adv/x": 0.5}
    assert found["compared_rate_by_condition"] == {"adv/x": 0.25}
    # accuracy falls from 3/4 to 0; two more answers of four are unparsed
    assert found["accuracy_difference_by_condition"] == {"adv/x": -0.75}
    assert found["accuracy_explained_by_condition"] == {"adv/x": 0.5}


@pytest.mark.parametrize(
    ("original", "variant", "explained"),
    [
        ([1, 1, 0, 0], [1, None, None, None], 0.25),  # accuracy -.25, unparsed +.75: no more than the difference
        ([1, None, None, 0], [1, 1, 1, 0], 0.5),  # fewer unparsed, more right
        ([1, 0, 0, 0], [1, 1, None, 0], 0.0),  # more unparsed and yet more right
        ([1, 0, 0, 0], [1, None, 0, 0], 0.0),  # no difference in accuracy
    ],
)
def test_what_unparsed_answers_explain(rows: Make, original: list[Any], variant: list[Any], explained: float) -> None:
    found = unparsed(answers(rows, {"orig": original, "adv/x": variant}), Options())
    assert found["accuracy_explained_by_condition"]["adv/x"] == explained


def test_samples_give_shares(rows: Make) -> None:
    conditions = ["orig", "orig", "adv/x", "adv/x", "orig", "adv/x"]
    columns = {"predictions": [1, None, 1, 1, None, None], "references": [1] * 6, "item_ids": ["a"] * 4 + ["b"] * 2,
               "conditions": conditions, "samples": [0, 1, 0, 1, 0, 0]}  # fmt: skip
    found = unparsed(rows(columns), Options())
    # orig: a 1/2, b 1/1, mean .75; adv/x: a 0/2, b 1/1, mean .5
    assert found["unparsed_rate_by_condition"] == {"adv/x": 0.5, "orig": 0.75}
    assert found["n_unparsed_by_condition"] == {"adv/x": 1, "orig": 2}
    assert found["unparsed_difference_by_condition"] == {"adv/x": -0.25}


def test_without_a_reference_a_condition_is_compared_with_the_others(rows: Make) -> None:
    found = unparsed(answers(rows, {"s0": [None, 1], "s1": [1, 1], "s2": [None, None]}), Options())
    assert found["reference"] == ""
    # s0: .5 against the mean of 0 and 1; s1: 0 against .75; s2: 1 against .25
    assert found["unparsed_difference_by_condition"] == {"s0": 0.0, "s1": -0.75, "s2": 0.75}


def test_contrast_variants_are_conditions_too(rows: Make) -> None:
    columns = {"predictions": [1, None], "references": [1, 0], "item_ids": ["a", "a"],
               "conditions": ["orig", "contrast/x"], "relations": ["invariant", "changed"]}  # fmt: skip
    assert unparsed(rows(columns), Options())["unparsed_rate_by_condition"] == {"contrast/x": 1.0, "orig": 0.0}


def test_one_condition_has_a_rate_and_no_comparison(rows: Make) -> None:
    found = unparsed(answers(rows, {"orig": [1, None]}), Options())
    assert found["unparsed_rate_by_condition"] == {"orig": 0.5}
    assert found["p_value_by_condition"] == {}


def test_no_rows() -> None:
    empty = np.zeros(0, dtype=np.int64)
    assert unparsed(Rows(empty, empty, empty, empty, [], []), Options())["unparsed_rate_by_condition"] == {}


def test_a_family_that_fails_as_one_is_one_case(rows: Make) -> None:
    given = {"orig": [1] * 60, "adv/x": [None] * 10 + [1] * 50}
    alone = unparsed(answers(rows, given), Options(n_resamples=500))
    family = unparsed(answers(rows, given, families=[f"f{k // 10}" for k in range(60)]), Options(n_resamples=500))
    assert alone["p_value_by_condition"]["adv/x"] < 0.01
    assert family["p_value_by_condition"]["adv/x"] > 0.2


def chance(rng: np.random.Generator, rates: tuple[float, ...], n: int = 200) -> Rows:
    """One answer of each item and condition, unparsed by chance."""
    missed = rng.random((n, len(rates))) < rates
    item, condition = np.divmod(np.arange(missed.size), len(rates))
    ones = np.ones(missed.size, dtype=np.int64)
    names = [f"i{k:03d}" for k in range(n)]
    return Rows(np.where(missed.ravel(), -1, 1), ones, item, condition, names, NAMES)


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.3])
def test_equal_rates_are_quiet_in_nineteen_of_twenty_sets(rate: float) -> None:
    rng = np.random.default_rng(0)
    found = [unparsed(chance(rng, (rate,) * 3), Options(n_resamples=200, seed=k)) for k in range(200)]
    assert np.mean([min(holm(f["p_value_by_condition"]).values()) < 0.05 for f in found]) <= 0.05


def test_a_rate_that_differs_is_found() -> None:
    rng = np.random.default_rng(0)
    found = [holm(unparsed(chance(rng, (0.05, 0.2, 0.05)), Options(n_resamples=200))["p_value_by_condition"])
             for _ in range(40)]  # fmt: skip
    assert np.mean([f["adv/x"] < 0.05 for f in found]) > 0.9
    assert np.mean([f["pert/x"] < 0.05 for f in found]) < 0.1


def test_families_without_unparsed_answers_leave_an_interval_of_some_width(rows: Make) -> None:
    found = unparsed(answers(rows, {"orig": [1, 1], "adv/x": [1, 1]}, families=["f", "f"]), Options())
    # Wilson, 0 of 1 family: z^2 / (1 + z^2) = .793
    assert found["unparsed_rate_ci_by_condition"]["orig"] == [0.0, pytest.approx(0.793, abs=5e-4)]
