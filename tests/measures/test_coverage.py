"""Every interval that a report or a comparison holds covers the truth, and p-values are no smaller than they may be.

Simulated items of which the truth is known from a hundred thousand more of their kind. Which intervals there are is
read off the results, so that one of a new measure is held to the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pytest

from jostle.measures.options import Options
from jostle.outcomes import Outcomes
from jostle.report.build import build_report
from jostle.report.compare import compare_outcomes

pytestmark = pytest.mark.slow
CONDITIONS = ("orig", "para/a", "pert/b", "adv/c", "edit/d")
RELATIONS = ("invariant", "invariant", "invariant", "invariant", "changed")
RATES = np.array([0.80, 0.78, 0.72, 0.65, 0.70])
UNPARSED = 0.04
RUNS, MANY = 400, 100_000
LEAST = 0.95 - 3.3 * (0.95 * 0.05 / RUNS) ** 0.5  # .914: of some forty intervals one falls below by chance in 50 runs
VALUE = {"drift": "max_drift"}
Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]


class Sets(NamedTuple):
    """How sets of items are made: how many items, in families of how many, with how many samples a prompt."""

    n: int
    family: int = 1
    samples: int = 1


PLAIN, FAMILIES, SAMPLED = Sets(150), Sets(180, family=3), Sets(150, samples=4)


def make(sets: Sets, rng: np.random.Generator, n: int | None = None, models: int = 1) -> list[Outcomes]:
    """Outcomes of models on the same items: half of the cells follow the ease of their family, a fifth the item's."""
    n = n or sets.n
    family = np.arange(n) // sets.family
    ease = rng.random(family[-1] + 1)[family][:, None, None], rng.random((n, 1, 1))
    return [_of_one_model(sets, rng, family, ease) for _ in range(models)]


def _of_one_model(sets: Sets, rng: np.random.Generator, family: Ints, ease: tuple[Floats, Floats]) -> Outcomes:
    shape = (len(family), len(CONDITIONS), sets.samples)
    which = rng.choice(3, size=shape, p=[0.5, 0.2, 0.3])
    right = np.choose(which, [*(np.broadcast_to(one, shape) for one in ease), rng.random(shape)]) < RATES[:, None]
    gold = (np.arange(shape[0]) % 2)[:, None] ^ (np.array(RELATIONS) == "changed")
    labels = np.array(["no", "yes"], dtype=object)
    said = labels[np.where(right, gold[:, :, None], 1 - gold[:, :, None])]
    said[rng.random(shape) < UNPARSED] = None
    item, condition, sample = (index.ravel() for index in np.indices(shape))
    return Outcomes.from_columns(
        predictions=said.ravel().tolist(),
        references=labels[gold[item, condition]].tolist(),
        item_ids=[f"i{k}" for k in item],
        conditions=np.array(CONDITIONS)[condition].tolist(),
        relations=np.array(RELATIONS)[condition].tolist(),
        families=[f"f{k}" for k in family[item]],
        **({"samples": sample.tolist()} if sets.samples > 1 else {}),
    )


def reported(outcomes: Outcomes) -> dict[str, Any]:
    """The values of all measures, with their name in front."""
    report = build_report(outcomes, n_resamples=400)
    return {f"{measure.name}.{key}": value for measure in report.measures for key, value in measure.values.items()}


def compared(first: Outcomes, second: Outcomes) -> dict[str, Any]:
    (made,) = compare_outcomes(first, second, ("a", "b"), Options(n_resamples=400, missing="pairwise"))
    return dict(made.values)


def intervals(found: Mapping[str, Any], truth: Mapping[str, Any]) -> Iterator[tuple[str, float, float, float]]:
    """Name, true value, low and high end of every interval."""
    for key in found:
        name, _, ending = key.rpartition("_ci_")
        if ending == "low":
            measure, dot, value = name.rpartition(".")
            yield name, truth[f"{measure}{dot}{VALUE.get(value, value)}"], found[key], found[f"{name}_ci_high"]
        elif ending == "by_condition":
            for condition, (low, high) in found[key].items():
                yield f"{name} {condition}", truth[f"{name}_by_condition"][condition], low, high


def covered(one: Callable[[np.random.Generator], Mapping[str, Any]], truth: Mapping[str, Any]) -> dict[str, float]:
    """How often each interval holds the truth."""
    hits: dict[str, list[bool]] = {}
    for seed in range(RUNS):
        for name, true, low, high in intervals(one(np.random.default_rng(seed)), truth):
            if not np.isnan(low):
                hits.setdefault(name, []).append(low - 1e-9 <= true <= high + 1e-9)
    assert all(len(of) > RUNS / 2 for of in hits.values())
    return {name: float(np.mean(of)) for name, of in hits.items()}


@pytest.fixture(scope="module", params=[PLAIN, FAMILIES, SAMPLED], ids=["items", "families", "samples"])
def sets(request: pytest.FixtureRequest) -> Sets:
    chosen: Sets = request.param
    return chosen


def test_intervals_of_a_report_cover(sets: Sets) -> None:
    truth = reported(*make(sets, np.random.default_rng(10**6), MANY))
    found = covered(lambda rng: reported(*make(sets, rng)), truth)
    assert len(found) > 20
    assert {name: share for name, share in found.items() if share < LEAST} == {}


def test_intervals_and_p_values_of_a_comparison_hold(sets: Sets) -> None:
    """Two models of one kind: every difference is 0 in truth."""
    p_values: list[dict[str, float]] = []

    def one(rng: np.random.Generator) -> dict[str, Any]:
        values = compared(*make(sets, rng, models=2))
        p_values.append(values)
        return values

    names = ("accuracy", "robustness_ratio", "drift", "flip_rate")
    found = covered(one, {f"{name}_difference": 0.0 for name in names})
    assert set(found) == {f"{name}_difference" for name in names}
    assert {name: share for name, share in found.items() if share < LEAST} == {}
    small = {name: np.mean([values[f"{name}_p_value"] < 0.05 for values in p_values]) for name in names}
    assert {name: share for name, share in small.items() if share > 1 - LEAST} == {}
