"""The audit joined with stability: which cases lose answers, and whether the audit flagged them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import hypergeom

from jostle.audit.base import Case, CheckResult, EvalSet, Finding, NotRun
from jostle.audit.stability import Drift, drift_by_item, flags_by_case, hypergeometric_tail, read_conditions, stability
from jostle.errors import InputError
from jostle.outcomes import Outcomes

# By item: right under orig, para/x, pert/y.
RIGHT = {"a": (1, 0, 0), "b": (1, 0, 1), "c": (1, 1, 1), "d": (0, 1, 0), "e": (0, 0, 0)}
CONDITIONS = ("orig", "para/x", "pert/y")


def outcomes(right: dict[str, tuple[int | None, ...]] = RIGHT, **more: Any) -> Outcomes:
    cells = [(i, c, r) for i, row in right.items() for c, r in zip(CONDITIONS, row, strict=True) if r is not None]
    return Outcomes.from_columns(
        predictions=[r for _, _, r in cells],
        references=[1] * len(cells),
        item_ids=[i for i, _, _ in cells],
        conditions=[c for _, c, _ in cells],
        **{name: [value] * len(cells) for name, value in more.items()},
    )


def listed(*args: Any, **more: Any) -> list[Outcomes]:
    return [outcomes(*args, **more)]


def check(*findings: Finding) -> CheckResult:
    return CheckResult("ambiguity", "", findings, {}, ["one"])


FLAGGED = check(
    Finding("equal_options", "", ("a", "e")),
    Finding("equal_options", "", ("a",)),
    Finding("many_answers", "", ("a",)),
    Finding("whole_set", ""),
    Finding("short", "", ("b",), severity="info"),
)


def test_what_items_lose_and_gain_by_hand() -> None:
    assert drift_by_item(listed()) == {
        "a": Drift(2, 2, 0), "b": Drift(2, 1, 0), "c": Drift(2, 0, 0), "d": Drift(0, 0, 1), "e": Drift(0, 0, 0),
    }  # fmt: skip


def test_conditions_that_an_item_lacks_do_not_count() -> None:
    assert drift_by_item(listed({"a": (1, None, 0), "b": (1, 1, None), "c": (None, 0, 0)})) == {
        "a": Drift(1, 1, 0), "b": Drift(1, 0, 0),
    }  # fmt: skip


def test_models_add_up_and_samples_are_shares(tmp_path: Path) -> None:
    one = outcomes({"a": (1, 0, 1)}, models="m").write(tmp_path / "one.parquet")
    two = Outcomes.from_columns(
        predictions=[1, 1, 1, 0], references=[1] * 4, item_ids=["a"] * 4, conditions=["orig"] * 2 + ["para/x"] * 2,
        samples=[0, 1, 0, 1], models=["n"] * 4,
    ).write(tmp_path / "two.parquet")  # fmt: skip
    assert drift_by_item(read_conditions([two])) == {"a": Drift(1, 0.5, 0)}
    both = read_conditions([one, outcomes({"a": (1, 0, 0)}, models="n").write(tmp_path / "three.parquet")])
    assert drift_by_item(both) == {"a": Drift(4, 3, 0)}


def test_files_with_samples_and_without_add_up(tmp_path: Path) -> None:
    one = outcomes({"a": (1, 0, 1)}).write(tmp_path / "one.parquet")
    two = Outcomes.from_columns(
        predictions=[1, 1, 1, 0], references=[1] * 4, item_ids=["a"] * 4, conditions=["orig"] * 2 + ["para/x"] * 2,
        samples=[0, 1, 0, 1],
    ).write(tmp_path / "two.parquet")  # fmt: skip
    both = read_conditions([one, two])
    assert drift_by_item(both) == {"a": Drift(3, 1.5, 0)}


def test_files_without_conditions_are_passed_over(tmp_path: Path) -> None:
    plain = outcomes({"a": (1, None, None)}).write(tmp_path / "plain.parquet")
    wide = tmp_path / "wide.csv"
    wide.write_text("id,answer,m\na,A,A\n")
    assert read_conditions([plain, wide]) == []
    assert len(read_conditions([plain, outcomes().write(tmp_path / "full.parquet")])) == 1


def test_flags_are_warnings_by_case() -> None:
    assert flags_by_case([FLAGGED]) == {
        "a": ["ambiguity: equal_options", "ambiguity: many_answers"], "e": ["ambiguity: equal_options"],
    }  # fmt: skip


def test_the_report_names_the_items_and_their_flags() -> None:
    result = stability(listed(), [FLAGGED], most=1)
    stats = result.stats
    assert (stats["n_lost"], stats["n_gained"], stats["n_right_under_reference"]) == (3, 1, 6)
    assert stats["top"] == [{
        "case_id": "a", "n_lost": 2, "n_gained": 0, "n_right_under_reference": 2,
        "flags": ["ambiguity: equal_options", "ambiguity: many_answers"],
    }]  # fmt: skip
    assert stats["top_share_of_lost"] == pytest.approx(2 / 3)
    # a, b, c have an answer to lose: a is flagged and loses, of b and c one; 1 of 3 draws of one loser in two
    assert (stats["n_flagged"], stats["n_flagged_that_lose"], stats["n_other"], stats["n_other_that_lose"]) == (
        1,
        1,
        2,
        1,
    )
    assert stats["p_value"] == pytest.approx(2 / 3)
    assert result.summary.endswith("the 1 items that lose most hold 67% of that, and the audit flagged 1 of them")
    assert result.findings[0].case_ids == ("a",)
    assert result.warnings == []
    assert json.loads(json.dumps(stats, allow_nan=False)) == stats


def test_all_items_that_lose_are_listed_the_worst_first_and_no_other() -> None:
    assert stability(listed(), []).findings[0].case_ids == ("a", "b")


def test_flags_from_the_same_answers_are_named_and_not_compared() -> None:
    inverted = CheckResult("discrimination", "", [Finding("inverted", "", ("a",))], {}, ["one"])
    result = stability(listed(), [inverted])
    assert result.stats["top"][0]["flags"] == ["discrimination: inverted"]
    assert (result.stats["n_flagged"], result.stats["p_value"]) == (0, None)
    assert [finding.kind for finding in result.findings] == ["drift_items"]


def test_quiet_where_nothing_is_lost() -> None:
    result = stability(listed({"a": (1, 1, 1), "b": (0, 0, 1)}), [FLAGGED])
    assert result.findings == []
    assert result.summary == "2 items under several conditions: no right answer is lost"
    assert result.stats["top_share_of_lost"] is None


def test_items_that_are_no_case_are_counted_and_none_at_all_is_no_result() -> None:
    some = EvalSet([Case("a", "x", {})], {}, "test")
    assert stability(listed(), [], some).stats["n_items_not_in_set"] == 4
    with pytest.raises(NotRun, match="none of the items with conditions has the id of a case") as caught:
        stability(listed(), [], EvalSet([Case("z", "x", {})], {}, "test"))
    assert caught.value.incomplete


def test_one_condition_or_no_reference_is_not_run() -> None:
    with pytest.raises(NotRun, match="under orig and another condition, but got orig"):
        stability(listed({"a": (1, None, None)}), [])
    with pytest.raises(NotRun, match="but got para/x, pert/y"):
        stability(listed({"a": (None, 1, 0)}), [])
    assert drift_by_item(listed({"a": (None, 1, 0)}), "para/x") == {"a": Drift(1, 1, 0)}


def test_rows_that_repeat_are_an_error_with_the_file() -> None:
    twice = Outcomes.from_columns(
        "x.parquet", predictions=[1] * 4, references=[1] * 4, item_ids=["a"] * 4, conditions=["orig", "para/x"] * 2
    )
    with pytest.raises(InputError, match=r"x\.parquet: Expected one row per item and condition"):
        drift_by_item([twice])


@given(st.integers(2, 60), st.data())
def test_tail_is_that_of_scipy(total: int, data: st.DataObject) -> None:
    drawn, successes = data.draw(st.integers(1, total - 1)), data.draw(st.integers(0, total))
    hits = data.draw(st.integers(max(0, drawn + successes - total), min(drawn, successes)))
    expected = hypergeom.sf(hits - 1, total, successes, drawn)
    assert hypergeometric_tail(hits, drawn, successes, total) == pytest.approx(expected, abs=1e-12)
