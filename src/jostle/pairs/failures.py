"""Types of failing pairs: which one a pair is of, how many there are, and what each usually calls for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..measures.pair_data import Pairs
from ..measures.pairs import BASE_ONLY, BOTH_WRONG, EDITED_ONLY, Bools, PairOutcomes
from ..measures.resample import Ints

COLLAPSED = "confidence_collapse"
TITLES: Mapping[str, str] = {
    "abstained": "no answer on a side",
    "missed_edit": "gold changes, answer stays",
    "moved_by_wording": "gold stays, answer changes",
    "both_wrong_expected_relation": "both wrong, relation kept",
    "edited_only_error": "relation kept, edited side wrong",
    "base_only_error": "relation kept, base side wrong",
    COLLAPSED: "still right, confidence collapsed",
}
CALLS_FOR: Mapping[str, str] = {
    "abstained": "another threshold, or a look at how answers are read",
    "missed_edit": "more examples of these edits (such as negation) in training or prompt",
    "moved_by_wording": "more paraphrases in training, or a vote over wordings",
    "both_wrong_expected_relation": "the annotation policy: both labels are drawn elsewhere",
    "edited_only_error": "more examples of these edits: the change is seen and misread",
    "base_only_error": "a look at the base golds: the annotation policy may not cover them",
    COLLAPSED: "a confidence threshold or calibration, before the answer turns too",
}
KINDS = tuple(kind for kind in TITLES if kind != COLLAPSED)
_NAMED = 3


@dataclass(frozen=True)
class FailureType:
    """Pairs that fail in one way.

    Args:
        kind: One of the keys of `TITLES`.
        n: Number of those pairs.
        operators: The operators with most of them, with their numbers.
    """

    kind: str
    n: int
    operators: Sequence[tuple[str, int]] = ()

    @property
    def title(self) -> str:
        """What is wrong with these pairs."""
        return TITLES[self.kind]

    @property
    def calls_for(self) -> str:
        """What such failures usually call for."""
        return CALLS_FOR[self.kind]


def kind_codes(found: PairOutcomes) -> Ints:
    """Failure type of every pair as an index into `KINDS`, -1 for pairs that pass; each failing pair has one."""
    failed = ~found.kept & ~found.abstained
    tests = (
        found.abstained,
        failed & found.changed,
        failed & ~found.changed,
        found.kept & (found.side == BOTH_WRONG),
        found.kept & (found.side == EDITED_ONLY),
        found.kept & (found.side == BASE_ONLY),
    )
    codes: Ints = np.select(tests, np.arange(len(KINDS)), default=-1)
    return codes


def failure_types(data: Pairs, found: PairOutcomes, n_collapsed: int) -> list[FailureType]:
    """The types that occur; the failing pairs are counted once each, those of collapsed confidence do not fail."""
    codes = kind_codes(found)
    types = [_type(kind, codes == code, data) for code, kind in enumerate(KINDS)]
    return [one for one in [*types, FailureType(COLLAPSED, n_collapsed)] if one.n]


def _type(kind: str, mine: Bools, data: Pairs) -> FailureType:
    counts = np.bincount(data.operators[mine], minlength=len(data.operator_names))
    most = np.argsort(-counts, kind="stable")[:_NAMED]
    named = [(data.operator_names[k], int(counts[k])) for k in most if counts[k] and data.operator_names[k]]
    return FailureType(kind, int(mine.sum()), named)
