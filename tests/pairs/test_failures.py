"""Every failing pair is of one type, and every type says what it calls for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.pairs import measure_pairs, pairs_from_dicts
from jostle.pairs.failures import CALLS_FOR, KINDS, TITLES

Pair = tuple[Any, Any, Any, Any]
OF_KIND: dict[str, Pair] = {  # golds, then answers: base, edited
    "abstained": ("a", "b", None, "b"),
    "missed_edit": ("a", "b", "a", "a"),
    "moved_by_wording": ("a", "a", "a", "b"),
    "both_wrong_expected_relation": ("a", "a", "b", "b"),
    "edited_only_error": ("a", "b", "a", "c"),
    "base_only_error": ("a", "b", "c", "b"),
}


def report(of: list[Pair], **more: Any) -> Any:
    keys = ("base_label", "edited_label", "base_prediction", "edited_prediction")
    rows = [dict(zip(keys, one, strict=True)) | {name: v[k] for name, v in more.items()} for k, one in enumerate(of)]
    return measure_pairs(pairs_from_dicts(rows), n_resamples=100)


def test_every_type_is_tested_and_described() -> None:
    assert set(OF_KIND) == set(KINDS)
    assert TITLES.keys() == CALLS_FOR.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_types_by_hand(kind: str) -> None:
    made = report([OF_KIND[kind], ("a", "b", "a", "b")], operator=["negation", "other"])
    assert [(one.kind, one.n, list(one.operators)) for one in made.failure_types()] == [(kind, 1, [("negation", 1)])]
    assert [pair.kind for pair in made.failing()] == [kind]


def test_collapse_is_a_type_but_no_failure() -> None:
    made = report([("a", "b", "a", "b")], base_confidence=[0.9], edited_confidence=[0.5])
    assert [(one.kind, one.n) for one in made.failure_types()] == [("confidence_collapse", 1)]
    assert made.failing() == []
    assert report([("a", "b", "a", "b")]).failure_types() == []


@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 2, *[st.sampled_from(["a", "b", "c", None])] * 2)))
def test_the_types_add_up_to_the_failing_pairs(of: list[Pair]) -> None:
    made = report(of)
    assert sum(one.n for one in made.failure_types()) == made.values["n_failures"] == len(made.failing())


def test_critical_pairs_come_first() -> None:
    of = [OF_KIND["missed_edit"]] * 4
    made = report(of, operator=["x", "x", "x", "y"], critical=[False, False, True, False], id=list("pqrs"))
    assert [pair.row.id for pair in made.failing()] == ["r", "p", "q", "s"]
    assert [pair.row.id for pair in made.failing(2)] == ["r", "p"]
    named = measure_pairs(made.pairs, n_resamples=100, critical=["y"])
    assert [pair.row.id for pair in named.failing(2)] == ["r", "s"]
    assert np.flatnonzero(named.critical_pairs).tolist() == [2, 3]
