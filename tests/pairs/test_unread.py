"""Pairs of a run say which edits the model could not see."""

from __future__ import annotations

from dataclasses import replace

from jostle.outcomes import Outcomes
from jostle.pairs.from_outcomes import pairs_from_outcomes

OUTCOMES = Outcomes.from_columns(
    predictions=["a", "a"], references=["a", "b"], item_ids=["1", "1"], conditions=["orig", "contrast/not"]
)


def test_edits_that_the_model_could_not_see_are_noted() -> None:
    counts = {
        "contrast/not": {"identical input": 2, "edit lost to truncation": 1, "nothing to change": 9},
        "contrast/number": {"identical input": 3, "truncated": 4},
    }
    assert pairs_from_outcomes(replace(OUTCOMES, counts=counts)).notes == [
        "Pairs that the model reads as the very same input: 5.",
        "Variants that were cut to the length the model can read: 4.",
        "Pairs left out since the edit was cut off: 1.",
    ]


def test_nothing_is_noted_where_every_edit_was_read() -> None:
    assert pairs_from_outcomes(replace(OUTCOMES, counts={"orig": {"nothing to change": 2}})).notes == []
