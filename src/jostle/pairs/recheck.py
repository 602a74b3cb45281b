"""Pinned pairs held against a new run: which fail now, which are fixed, and whether their evidence changed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..errors import InputError, UsageError
from ..measures.pairs import Bools
from .fixtures import CONTENT, Fixtures, as_json, passing
from .rows import PairRow, PairSet

RETRIEVED = re.compile(r"retriev|passage|context|document|chunk|evidence", re.IGNORECASE)
CHANGED, SAME, ABSENT = "changed", "same", "absent"
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
        warnings: What in the new run can make right answers count as wrong.
    """

    newly_failing: Sequence[Change]
    newly_fixed: Sequence[Change]
    n_still_failing: int
    n_still_passing: int
    missing: Sequence[str]
    unpinned: int
    warnings: Sequence[str] = ()

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
        UsageError: `retrieved` names evidence that neither run has.
        InputError: A text, gold or relation of a pair is not the pinned one.
    """
    pinned = fixtures.pairs
    _check_retrieved(retrieved, pinned, new)
    found = pc.index_in(pinned.columns["id"], value_set=new.columns["id"])
    then, now = pc.indices_nonzero(pc.is_valid(found)), found.drop_null()
    _check_content(pinned, new, then, now)
    before, after = passing(pinned)[then.to_numpy()], passing(new)[now.to_numpy()]

    def those(mask: Bools) -> list[Change]:
        places = zip(then.filter(pa.array(mask)).to_pylist(), now.filter(pa.array(mask)).to_pylist(), strict=True)
        return [_change(pinned.row(i), new.row(k), retrieved) for i, k in places]

    return Recheck(
        newly_failing=those(before & ~after),
        newly_fixed=those(~before & after),
        n_still_failing=int((~before & ~after).sum()),
        n_still_passing=int((before & after).sum()),
        missing=pinned.columns["id"].filter(pc.is_null(found)).to_pylist(),
        unpinned=len(new) - len(now),
        warnings=new.warnings,
    )


def _check_content(pinned: PairSet, new: PairSet, then: pa.Array, now: pa.Array) -> None:
    """Refuse a pair with another text, gold or relation than the pinned one; what one side lacks is not compared."""
    for name in CONTENT:
        before, after = pinned.columns[name].take(then), new.columns[name].take(now)
        k = pc.index(pc.not_equal(before, after), True).as_py()
        if k >= 0:
            raise InputError(
                f"Expected pair {pinned.columns['id'][then[k].as_py()].as_py()!r} as it was pinned, but its {name} is "
                f"{after[k].as_py()!r:.60} and was {before[k].as_py()!r:.60}. Review it and pin it again."
            )


def _check_retrieved(retrieved: Sequence[str], pinned: PairSet, new: PairSet) -> None:
    known = list(dict.fromkeys([*pinned.evidence_names(), *new.evidence_names()])) if retrieved else []
    for name in retrieved:
        if name not in known:
            raise UsageError(
                f"Expected retrieved evidence (--retrieved) of the columns {', '.join(known) or '(there are none)'}, "
                f"but got {name!r}."
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
