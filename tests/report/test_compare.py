"""Two results files compared."""

from __future__ import annotations

import pytest

from jostle.errors import InputError
from jostle.measures.options import Options
from jostle.outcomes import Outcomes
from jostle.report.compare import compare_outcomes, comparison_sections

OPTIONS = Options(n_resamples=200, missing="pairwise")


def outcomes(right: dict[str, list[int]], first_item: int = 0, **groups: list[str]) -> Outcomes:
    """1 right, 0 wrong; items are numbered."""
    size = len(next(iter(right.values())))
    return Outcomes.from_columns(
        predictions=[value for values in right.values() for value in values],
        references=[1] * (size * len(right)),
        item_ids=[f"i{k + first_item}" for _ in right for k in range(size)],
        conditions=[name for name in right for _ in range(size)],
        **groups,
    )


def test_second_minus_first_over_items_and_by_condition() -> None:
    # orig: same answers. pert/x: the second is right on 7 items more of 10, wrong on none that the first had right.
    first = outcomes({"orig": [1] * 10, "pert/x": [1, 1] + [0] * 8})
    second = outcomes({"orig": [1] * 10, "pert/x": [1] * 9 + [0]})
    (made,) = compare_outcomes(first, second, ("a", "b"), OPTIONS)
    assert made.values["accuracy_difference"] == pytest.approx(0.35)  # (0 + 7/10) / 2
    total, conditions = comparison_sections([made])
    assert total.rows[0][:6] == ["a, b", "acc.", "10", "0.600", "0.950", "+0.350"]
    # Exact McNemar of 7 against 0: 2 / 2**7 = 0.0156; Holm over two conditions: 0.03125.
    assert conditions.rows == [["orig", "+0.000", "1.000", "1.000"], ["pert/x", "+0.700", "0.016", "0.031"]]


def test_one_model_is_compared_with_another() -> None:
    sides = [outcomes({"orig": [1, 0]}, models=[name] * 2) for name in ("m1", "m2")]
    (made,) = compare_outcomes(*sides, ("a", "b"), OPTIONS)
    assert made.group == ""
    assert made.values["n_items"] == 2


def test_groups_are_matched_by_what_differs_within_a_file() -> None:
    first = outcomes({"orig": [1, 0, 1, 1]}, tasks=["sst2", "sst2", "qqp", "qqp"])
    second = outcomes({"orig": [1, 1]}, first_item=2, tasks=["qqp"] * 2)
    (made,) = compare_outcomes(first, second, ("a", "b"), OPTIONS)
    assert made.group == "qqp"
    assert made.values["accuracy_difference"] == 0.0


def test_files_with_nothing_in_common_are_refused() -> None:
    with pytest.raises(InputError, match="same conditions in a and b, but got none"):
        compare_outcomes(outcomes({"orig": [1]}), outcomes({"orig": [1]}, first_item=5), ("a", "b"), OPTIONS)


def test_other_tasks_are_refused() -> None:
    first = outcomes({"orig": [1, 0]}, tasks=["sst2", "mnli"])
    second = outcomes({"orig": [1, 0]}, tasks=["qqp", "qnli"])
    with pytest.raises(InputError, match=r"Expected a task that a and b share, but got mnli; sst2 and qnli; qqp\."):
        compare_outcomes(first, second, ("a", "b"), OPTIONS)
