"""Public functions with any values: a result, or an error that says what was expected."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jostle
from jostle import perturb
from jostle.errors import JostleError

from .mutations import ODD_VALUES

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:.*count as wrong:UserWarning")]
LESS = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
TEXTS = st.one_of(
    st.text(max_size=80), st.sampled_from(["A", "B)", "(c)", "yes", "not yes", "<think>", "**A**", "ß", "İ"])
)
ODD = st.sampled_from(ODD_VALUES)
SCALARS = st.one_of(TEXTS, st.integers(), st.booleans(), st.none(), st.floats(), ODD)


def survives(call: Callable[[], Any]) -> Any:
    """What a call gives; None where it refuses in words."""
    try:
        return call()
    except (JostleError, TypeError, ValueError) as refused:
        words = str(refused)
        if "Expected" not in words and not (isinstance(refused, TypeError) and "argument" in words):
            raise
    return None


@LESS
@given(TEXTS, st.lists(TEXTS, max_size=6), st.dictionaries(TEXTS, TEXTS, max_size=4), st.booleans(),
       st.sampled_from(["unparsed", "other", "else"]))  # fmt: skip
def test_extract_label(text: str, labels: list[str], options: dict[str, str], multi: bool, negated: Any) -> None:
    found = survives(lambda: jostle.extract_label(text, labels, options or None, multi, negated))
    if found is not None and found.label is not None:
        assert set(found.label if multi else [found.label]) <= set(labels)


@LESS
@given(TEXTS, st.lists(TEXTS, max_size=6), st.one_of(st.none(), st.integers(-2, 7)))
def test_options_are_rotated_back(question: str, choices: list[str], answer: int | None) -> None:
    item = survives(lambda: jostle.MCQItem(question, tuple(choices), answer))
    if item is None:
        return
    for made in survives(lambda: jostle.all_cyclic_variants(item)) or []:
        assert sorted(made.choices) == sorted(choices)
        assert made.answer_index is None or made.choices[made.answer_index] == choices[answer or 0]
    for style in ("double", "other"):
        survives(lambda style=style: jostle.whitespace_variant(item, style))


@LESS
@given(st.dictionaries(TEXTS, st.lists(st.booleans(), max_size=12), max_size=4), st.floats(), st.integers())
def test_build_report(results: dict[str, list[bool]], tolerance: float, seed: int) -> None:
    report = survives(lambda: jostle.build_report(results, tolerance, n_resamples=50, seed=seed))
    if report is not None:
        drift = report.values("invariance_drift")["max_drift"]
        assert math.isnan(drift) or -1e-9 <= drift <= 1
        report.to_dict()


COLUMNS = ("predictions", "references", "item_ids", "conditions")


@LESS
@given(st.lists(st.tuples(SCALARS, SCALARS, SCALARS, SCALARS), max_size=10))
def test_outcomes_of_any_values(rows: list[tuple[Any, ...]]) -> None:
    columns = {name: [row[k] for row in rows] for k, name in enumerate(COLUMNS)}
    outcomes = survives(lambda: jostle.Outcomes.from_columns(**columns))
    if outcomes is not None:
        assert len(outcomes) == len(rows)
        survives(lambda: jostle.build_report(outcomes, n_resamples=50).to_dict())


PAIR = st.fixed_dictionaries(
    dict.fromkeys(("base_label", "edited_label", "base_prediction", "edited_prediction"), SCALARS),
    optional={"id": SCALARS, "operator": SCALARS, "family": SCALARS, "base_confidence": SCALARS, "relation": SCALARS},
)


@LESS
@given(st.lists(PAIR, max_size=6))
def test_pair_report(pairs: list[dict[str, Any]]) -> None:
    found = survives(lambda: jostle.pair_report(pairs))
    if found is not None:
        assert found["n_pairs"] == len(pairs)


@LESS
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=12), st.floats(), st.integers())
def test_split_families(rows: list[tuple[str, str]], share: float, seed: int) -> None:
    items = [jostle.Item(name, "sst2", {"sentence": "x"}, family=family) for name, family in rows]
    halves = survives(lambda: jostle.split_families(items, share, seed))
    if halves is not None:
        assert sorted(map(id, [*halves[0], *halves[1]])) == sorted(map(id, items))
        families = [{item.family or item.id for item in half} for half in halves]
        assert not families[0] & families[1]


@LESS
@given(TEXTS, TEXTS)
def test_load_by_any_name(name: str, option: str) -> None:
    assert survives(lambda: jostle.load(name)) is None


@LESS
@given(st.sampled_from(sorted(perturb.available())), st.text(max_size=200), st.integers(0, 2**32), st.floats())
def test_operators_on_any_text(name: str, text: str, seed: int, rate: float) -> None:
    made = survives(lambda: perturb.apply(name, text, seed=seed, rate=rate))
    if made is not None and hasattr(made, "restore"):
        assert made.restore().fields["text"] == text
