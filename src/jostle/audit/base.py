"""What an audit reads and gives: cases of an evaluation set, and results of checks on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

PAIRS = (("premise", "hypothesis"), ("question1", "question2"), ("question", "sentence"))
Severity = Literal["warning", "info"]


@dataclass(frozen=True, slots=True)
class Case:
    """One case of an evaluation set.

    Args:
        id: As given, or `case_1`, `case_2` ...
        text: The input as one text, for comparison and display; both sides of a pair and all turns, by line.
        fields: Input fields by name: `input`, or the two of a pair, or `turns`.
        label: Gold class; of a multiple-choice case its gold option's number as text.
        choices: Options of a multiple-choice case.
        answer_index: Number of the gold option.
        expected: Reference answer as text.
        answers: Several reference answers, where the set lists them.
        metadata: All other columns.
        place: Where the case stands ("line 12").

    >>> Case("case_1", "2 + 2?", {"input": "2 + 2?"}, choices=("3", "4"), answer_index=1, label="1").gold
    '4'
    """

    id: str
    text: str
    fields: Mapping[str, Any]
    label: str | None = None
    choices: tuple[str, ...] | None = None
    answer_index: int | None = None
    expected: str | None = None
    answers: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    place: str = ""

    @property
    def gold(self) -> str | None:
        """The gold answer as text: the option, the reference answer or the class; None where there is none."""
        if self.choices is not None:  # a label beside options that no answer points to is something else
            return self.expected if self.answer_index is None else self.choices[self.answer_index]
        return self.expected if self.expected is not None else self.label


@dataclass(frozen=True)
class EvalSet:
    """The cases of one evaluation set, and how they were read.

    Args:
        cases: The cases, in the order of the file.
        field_map: Column by field.
        source: The file or data set.
        notes: What a reader of the audit must know about how it was read.
    """

    cases: Sequence[Case]
    field_map: Mapping[str, str]
    source: str
    notes: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.cases)

    @property
    def pair_fields(self) -> tuple[str, str] | None:
        """Names of the two sides, where the cases are pairs."""
        found = [pair for pair in PAIRS if set(pair) <= set(self.field_map)]
        return found[0] if found else None

    @property
    def has_choices(self) -> bool:
        """Whether any case is multiple choice."""
        return any(case.choices is not None for case in self.cases)


@dataclass(frozen=True)
class Finding:
    """Something that a check found.

    Args:
        kind: What it is, in snake case ("contradicting_gold").
        message: One or two sentences with the numbers.
        case_ids: The cases concerned; none for a finding about the whole set.
        values: The numbers of the message, for machines.
        severity: `warning` trips the gate; `info` never does.
    """

    kind: str
    message: str
    case_ids: tuple[str, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)
    severity: Severity = "warning"


@dataclass(frozen=True)
class CheckResult:
    """The result of one check.

    Args:
        name: The check.
        summary: One line with what was measured and found.
        findings: What was found, the gravest first.
        stats: Numbers by name, as JSON can hold them.
        limitations: What the check cannot tell; never empty.
        not_run: Parts of the check that did not run, with the reason; each makes the audit incomplete.

    Raises:
        ValueError: No limitations.
    """

    name: str
    summary: str
    findings: Sequence[Finding]
    stats: Mapping[str, Any]
    limitations: Sequence[str]
    not_run: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.limitations:
            raise ValueError(f"Expected limitations of the check {self.name!r}, but got none. Say what it cannot tell.")

    @property
    def warnings(self) -> list[Finding]:
        """The findings that trip a gate."""
        return [finding for finding in self.findings if finding.severity == "warning"]


class NotRun(Exception):
    """A check that cannot run on this set, with the reason.

    Args:
        reason: Why, and what to do.
        incomplete: Whether the audit lacks something that was asked for (a package is missing: exit 3), or the check
            needs what was not given (results, ratings: no effect on the exit code).
    """

    def __init__(self, reason: str, *, incomplete: bool) -> None:
        super().__init__(reason)
        self.reason, self.incomplete = reason, incomplete


class Check(Protocol):
    """A check: one class in a module of its own."""

    NAME: str

    def run(self, evalset: EvalSet) -> CheckResult:
        """Check the set.

        Raises:
            NotRun: It cannot run here.
        """
