"""One person's review: the queue, the decisions, and where in it the person is. Every step gives a new session."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from jostle.errors import InputError, UsageError
from jostle.measures.kappa import cohen_kappa
from jostle.review_queue import Case
from jostle.reviews import APPROVED, REJECTED, UNREVIEWED, UNSURE, Reviews, write_reviews

ANSWERS = {APPROVED: "yes", REJECTED: "no", UNSURE: "unsure"}


@dataclass(frozen=True)
class Session:
    """The state of a review.

    Args:
        cases: What is reviewed, in its order.
        decisions: Rows of the review file by key; those of an earlier file that are not in the queue stay.
        at: Number of the case that is shown; `len(cases)` is the end.
    """

    cases: Sequence[Case] = ()
    decisions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    at: int = 0

    @property
    def case(self) -> Case | None:
        """The case that is shown; None at the end."""
        return self.cases[self.at] if self.at < len(self.cases) else None

    def counts(self) -> Counter[str]:
        """Answers to the cases of the queue."""
        return Counter(ANSWERS[self.decisions[case.key]["status"]] for case in self.cases if case.key in self.decisions)

    def start(self) -> Session:
        """The same review at its first open case."""
        open_ = (k for k, case in enumerate(self.cases) if case.key not in self.decisions)
        return replace(self, at=next(open_, len(self.cases)))

    def move(self, step: int) -> Session:
        """A few cases on or back."""
        return replace(self, at=min(max(self.at + step, 0), len(self.cases)))

    def decide(self, status: str, reviewer: str) -> Session:
        """The decision on the case that is shown, and the next case."""
        case = self.case
        if case is None:
            return self
        today = datetime.datetime.now(datetime.UTC).date().isoformat()
        row = {"key": case.key, "status": status, "reviewer": reviewer, "date": today, "content": case.content}
        return replace(self, decisions={**self.decisions, case.key: row}, at=self.at + 1)

    def resume(self, earlier: Reviews) -> tuple[Session, int]:
        """The review with earlier decisions, at the first open case; and how many were about another text.

        Decisions made in this session stand where both have one.
        """
        contents = {case.key: case.content for case in self.cases}
        taken = {key: row for key, row in _rows(earlier).items() if _same(row, contents.get(key))}
        stale = sum(row["status"] != UNREVIEWED for row in _rows(earlier).values()) - len(taken)
        return replace(self, decisions={**taken, **self.decisions}).start(), stale

    def export(self, path: Path, reviewer: str) -> Path:
        """Write the review file; decisions made without a name get this one.

        Raises:
            UsageError: No name.
            InputError: Nothing was decided.
        """
        if not self.decisions:
            raise InputError("Expected decisions to export, but got none. Answer at least one case.")
        named = [{**row, "reviewer": row["reviewer"] or reviewer.strip()} for row in self.decisions.values()]
        if not all(row["reviewer"] for row in named):
            raise UsageError("Expected the name of the reviewer, but got none. Fill in Reviewer, then export again.")
        return write_reviews(named, path)


def _rows(reviews: Reviews) -> dict[str, dict[str, Any]]:
    """Decisions as rows of a review file."""
    return {
        key: {
            "key": key,
            "status": row["review_status"],
            "reviewer": row["reviewer"],
            "date": row["reviewed_at"],
            "content": reviews.contents.get(key),
        }
        for key, row in reviews.decisions.items()
    }


def _same(row: Mapping[str, Any], content: str | None) -> bool:
    """Whether a decision was made, and on what is there now; without two fingerprints nothing says otherwise."""
    return row["status"] != UNREVIEWED and (not row["content"] or content is None or row["content"] == content)


@dataclass(frozen=True)
class Agreement:
    """How two reviews of the same things agree.

    Args:
        names: Who reviewed: this session and the other file.
        kappa: `cohen_kappa` of the answers that both gave.
        table: How often each pair of answers was given, this session's first.
        differ: Key and both answers, where they differ.
    """

    names: tuple[str, str]
    kappa: Mapping[str, Any]
    table: Counter[tuple[str, str]]
    differ: Sequence[tuple[str, str, str]]


def agreement(session: Session, reviewer: str, other: Reviews) -> Agreement:
    """Compare the decisions of this session with those of another reviewer.

    Raises:
        InputError: Both have decided on nothing in common.
    """
    theirs = {key: row for key, row in _rows(other).items() if row["status"] != UNREVIEWED}
    both = [key for key, row in session.decisions.items() if key in theirs and _same(theirs[key], row["content"])]
    if not both:
        raise InputError(
            "Expected a review of the same variants, but the file has no decision on any that was answered here. "
            "Answer or resume first, then upload the other review."
        )
    first = [ANSWERS[session.decisions[key]["status"]] for key in both]
    second = [ANSWERS[theirs[key]["status"]] for key in both]
    pairs = list(zip(both, first, second, strict=True))
    names = sorted({str(theirs[key]["reviewer"]) for key in both if theirs[key]["reviewer"]})
    return Agreement(
        (reviewer.strip() or "this review", ", ".join(names) or "the other review"),
        cohen_kappa(first, second),
        Counter(zip(first, second, strict=True)),
        [pair for pair in pairs if pair[1] != pair[2]],
    )
