"""Position bias: by hand, and quiet where there are no positions."""

from __future__ import annotations

import math
from typing import Any

import pytest
from scipy import stats

from jostle.measures.inputs import normalise, to_rows
from jostle.measures.options import Options
from jostle.measures.positions import positions


def measure(**columns: Any) -> dict[str, Any]:
    n = len(columns["predictions"])
    base = {"item_ids": [str(k) for k in range(n)], "conditions": ["orig"] * n}
    return positions(to_rows(normalise(base | columns, Options()), Options()), Options())


def test_a_model_that_always_answers_a() -> None:
    found = measure(
        predictions=["x"] * 8,
        references=["x", "y", "x", "y", "x", "y", "x", "y"],
        positions=["A", "B"] * 4,
        answer_positions=["A"] * 8,
    )
    assert found["accuracy_by_position"] == {"A": 1.0, "B": 0.0}
    assert found["gold_share_by_position"] == {"A": 0.5, "B": 0.5}
    assert found["answer_share_by_position"] == {"A": 1.0}
    # 8 answers at A, none at B, 4 expected at each: (16 + 16) / 4 = 8
    assert found["answer_share_p_value"] == pytest.approx(stats.chi2.sf(8, 1))


def test_unparsed_answers_have_no_place() -> None:
    found = measure(predictions=["x", None], references=["x", "x"], positions=["A", "A"], answer_positions=["A", None])
    assert found["answer_share_by_position"] == {"A": 1.0}
    assert found["accuracy_by_position"] == {"A": 0.5}


def test_without_positions_nothing_is_said() -> None:
    found = measure(predictions=["x"], references=["x"])
    assert found["accuracy_by_position"] == {}
    assert math.isnan(found["answer_share_p_value"])
