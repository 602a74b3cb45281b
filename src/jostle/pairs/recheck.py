"""Pinned pairs held against a new run: which fail now, which are fixed, and whether their evidence changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..rows import read_rows
from .fixtures import CONTENT, Fixtures, as_json, passes
from .read import pairs_from_dicts, read_pairs
from .rows import PairRow, PairSet

RETRIEVED = re.compile(r"retriev|passage|context|document|chunk|evidence", re.IGNORECASE)
CHANGED, SAME, ABSENT = "changed", "same", "absent"
_ANSWERS = ("base_prediction", "edited_prediction")
TRACES = {
    CHANGED: "retrieved evidence changed: look at the retrieval or the data first",
    SAME: "retrieved evidence is the same: look at the model or the prompt first",
    ABSENT: "retrieved evidence is absent on one side or both: the cause cannot be traced",
}
LIMITATIONS = (
    "A pair fails when either side is wrong or not answered; a change that leaves it failing is not listed.",
    "Evidence that changed along with a failure points at a cause; it does not prove it. One run says nothing of the "
    "noise between runs.",
)


@dataclass(frozen=True)
class Change:
    """One pair before and after.

    Args:
        pinned: The pair as it was pinned.
        now: The same pair with the new predictions and evidence.
        evidence: What became of each piece of evidence: `changed`, `same`, or `absent` on one side.
        retrieved: The same for all retrieved evidence together.
    """

    pinned: PairRow
    now: PairRow
    evidence: Mapping[str, str]
    retrieved: str


@dataclass(frozen=True)
class Recheck:
    """What became of pinned pairs.

    Args:
        newly_failing: Pairs that passed when they were pinned and fail now.
        newly_fixed: Pairs that failed and pass now.
        n_still_failing: Pairs that failed and fail.
        n_still_passing: Pairs that passed and pass.
        missing: Ids of pinned pairs without a new prediction.
        unpinned: Number of pairs in the new run that are not pinned.
    """

    newly_failing: Sequence[Change]
    newly_fixed: Sequence[Change]
    n_still_failing: int
    n_still_passing: int
    missing: Sequence[str]
    unpinned: int

    @property
    def new_failures(self) -> list[str]:
        """Ids of the newly failing pairs."""
        return [change.pinned.id for change in self.newly_failing]


def recheck(fixtures: Fixtures, new: PairSet, retrieved: Sequence[str] = ()) -> Recheck:
    """Hold pinned pairs against a new run of the same pairs.

    Args:
        fixtures: The pinned pairs.
        new: The same pairs with new predictions; matched by id.
        retrieved: Names of the evidence that retrieval gave; by default those with retriev, passage, context,
            document, chunk or evidence in the name.

    Raises:
        InputError: A text, gold or relation of a pair is not the pinned one.
    """
    answers = {row.id: row for row in new.rows}
    changes, missing = [], []
    for pinned in fixtures.pairs.rows:
        now = answers.pop(pinned.id, None)
        if now is None:
            missing.append(pinned.id)
        else:
            _check_content(pinned, now)
            changes.append((pinned, now))
    states = [(passes(pinned), passes(now)) for pinned, now in changes]

    def those(before: bool, after: bool) -> list[Change]:
        return [_change(*pair, retrieved) for pair, s in zip(changes, states, strict=True) if s == (before, after)]

    return Recheck(
        those(True, False), those(False, True), states.count((False, False)), states.count((True, True)), missing,
        len(answers),
    )  # fmt: skip


def read_answers(path: str | Path, fixtures: Fixtures, mapping: Mapping[str, str] | None = None) -> PairSet:
    """New predictions for pinned pairs: a file of pairs, an outcomes table, or rows of id and predictions.

    Rows with `id`, `base_prediction` and `edited_prediction` but without golds take texts and golds from the pinned
    pair of that id; other columns are evidence.

    Raises:
        InputError: The file cannot be read, or has neither of these forms.
    """
    path = Path(path)
    if mapping or path.is_dir():
        return read_pairs(path, mapping)
    file = read_rows(path)
    columns = {name for row in file.rows for name in row}
    if not columns.issuperset(("id", *_ANSWERS)) or columns & {"base_label", "edited_label"}:
        return read_pairs(path)
    return replace(complete(file.rows, fixtures), source=str(path))


def complete(rows: Iterable[Mapping[str, Any]], fixtures: Fixtures) -> PairSet:
    """Rows of id, predictions and evidence, with texts and golds of the pinned pairs; others are left out."""
    pinned = {row.id: row for row in fixtures.pairs.rows}
    kept = [row for row in rows if str(row.get("id")) in pinned]
    keys = (*CONTENT, "operator", "family", "critical", "reviewed")
    return pairs_from_dicts([{**row, **{key: getattr(pinned[str(row["id"])], key) for key in keys}} for row in kept])


def _check_content(pinned: PairRow, now: PairRow) -> None:
    for name in CONTENT:
        before, after = getattr(pinned, name), getattr(now, name)
        if None not in (before, after) and before != after:
            raise InputError(
                f"Expected pair {pinned.id!r} as it was pinned, but its {name} is {after!r:.60} and was "
                f"{before!r:.60}. Review it and pin it again."
            )


def _change(pinned: PairRow, now: PairRow, retrieved: Sequence[str]) -> Change:
    names = list(dict.fromkeys([*pinned.evidence, *now.evidence]))
    states = {name: _state(name, pinned.evidence, now.evidence) for name in names}
    mine = [states[name] for name in names if (name in retrieved if retrieved else RETRIEVED.search(name))]
    overall = CHANGED if CHANGED in mine else ABSENT if ABSENT in mine or not mine else SAME
    return Change(pinned, now, states, overall)


def _state(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    if before.get(name) is None or after.get(name) is None:
        return ABSENT
    return SAME if as_json(before[name]) == as_json(after[name]) else CHANGED
