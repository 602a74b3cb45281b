"""With one operator a rate is shown once, with one interval; with two, each operator counts once in its own row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jostle.pairs import measure_pairs
from jostle.pairs.read import pairs_from_dicts
from jostle.pairs.report import PairReport
from jostle.pairs.sections import accuracy, operators


def report(names: Sequence[str]) -> PairReport:
    rows: list[dict[str, Any]] = [
        {"base_label": "a", "edited_label": "b", "base_prediction": "a", "edited_prediction": "ab"[k % 3 > 0],
         "operator": names[k % len(names)]}
        for k in range(40)
    ]  # fmt: skip
    return measure_pairs(pairs_from_dicts(rows), n_resamples=200)


def test_one_operator_is_all_pairs() -> None:
    one = report(["negation"])
    titles = [row[0] for row in accuracy(one).rows]
    assert titles == ["all pairs", "each family once", "gold changes", "gold stays"]
    (own,) = operators(one).rows
    assert own[4:] == accuracy(one).rows[0][4:]  # relation and pair, each with its interval


def test_two_operators_have_their_row() -> None:
    assert accuracy(report(["negation", "number"])).rows[2][:2] == ["each operator once", "2"]
