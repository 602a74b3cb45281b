"""What an audit found, for people and for machines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..measures.version import __version__
from ..report.model import Gate
from .base import Case, CheckResult, EvalSet, Finding
from .baseline import Baseline, fingerprint, subject
from .finite import finite

VERDICTS = {"incomplete": "INCOMPLETE", "warnings": "WARNINGS", "no_warnings": "NO WARNINGS"}


@dataclass(frozen=True)
class Left:
    """A check, or a part of one, that did not run.

    Args:
        name: The check, or `check: part`.
        reason: Why.
        incomplete: Whether the audit lacks something because of it.
    """

    name: str
    reason: str
    incomplete: bool


@dataclass(frozen=True)
class AuditReport:
    """Results of the checks of one evaluation set.

    Args:
        evalset: The set.
        checks: Results of the checks that ran.
        left: Checks that did not run, with the reason.
        options: Options that the checks were given.
        baseline: An older audit that says which findings are known.
    """

    evalset: EvalSet
    checks: Sequence[CheckResult]
    left: Sequence[Left] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    baseline: Baseline | None = None

    @property
    def source(self) -> str:
        """The file or data set."""
        return self.evalset.source

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """The cases by id."""
        return {case.id: case for case in self.evalset.cases}

    @cached_property
    def not_run(self) -> list[Left]:
        """Checks and parts of checks that did not run."""
        parts = [
            Left(f"{check.name}: {part}", reason, incomplete=True)
            for check in self.checks
            for part, reason in check.not_run.items()
        ]
        return [*parts, *self.left]

    @property
    def limitations(self) -> list[str]:
        """What the checks cannot tell, each once."""
        return list(dict.fromkeys(text for check in self.checks for text in check.limitations))

    @property
    def n_warnings(self) -> int:
        """Findings that trip a gate."""
        return sum(len(check.warnings) for check in self.checks)

    @property
    def n_info(self) -> int:
        """Findings that never do."""
        return sum(len(check.findings) for check in self.checks) - self.n_warnings

    @cached_property
    def new(self) -> list[Finding]:
        """Warnings that the baseline does not have; all of them without one."""
        return [
            finding
            for check in self.checks
            for finding in check.warnings
            if self.is_new(check.name, finding) is not False
        ]

    def is_new(self, check: str, finding: Finding) -> bool | None:
        """Whether the baseline lacks a finding, or one of its cases; None without a baseline."""
        if self.baseline is None:
            return None
        return not self.baseline.knows(check, finding, self.fingerprints(finding))

    def fingerprints(self, finding: Finding) -> list[str]:
        """The cases of a finding by their content, since ids change when rows are added."""
        found = (self.cases[case] for case in finding.case_ids if case in self.cases)
        return sorted({fingerprint(case) for case in found})

    @property
    def incomplete(self) -> list[str]:
        """What the audit lacks, a line each."""
        reasons = [f"{left.name} did not run: {left.reason}" for left in self.not_run if left.incomplete]
        return reasons if self.checks or reasons else ["no check ran: nothing was measured"]

    @property
    def verdict(self) -> str:
        """`incomplete`, `warnings` or `no_warnings`: never that a set is good."""
        return "incomplete" if self.incomplete else "warnings" if self.n_warnings else "no_warnings"

    def summary(self) -> str:
        """One line: warnings and information by checks, over how many cases.

        >>> AuditReport(EvalSet([], {}, "set.jsonl"), []).summary()
        '[INCOMPLETE] 0 cases, 0 checks: 0 warnings, 0 notes'
        """
        new = "" if self.baseline is None else f" ({len(self.new)} new since {self.baseline.source})"
        return (
            f"[{VERDICTS[self.verdict]}] {_counted(len(self.evalset), 'case')}, {_counted(len(self.checks), 'check')}: "
            f"{_counted(self.n_warnings, 'warning')}{new}, {_counted(self.n_info, 'note')}"
        )

    def gate(self, fail_on: str = "never") -> Gate:
        """Exit code: 3 where the audit is incomplete, 1 where warnings trip `fail_on`, else 0.

        Args:
            fail_on: `never` or `warning`; with a baseline only new warnings trip.
        """
        tripped = fail_on == "warning" and bool(self.new)
        incomplete = self.incomplete
        return Gate(fail_on, 3 if incomplete else int(tripped), tripped, incomplete)

    @property
    def signature(self) -> str:
        """Version and options, so that the numbers can be reproduced."""
        options = "|".join(f"{name}={_shown(value)}" for name, value in sorted(self.options.items()))
        checks = ",".join(check.name for check in self.checks)
        return f"jostle={__version__}|checks={checks}{'|' + options if options else ''}"

    def to_dict(self, fail_on: str = "never") -> dict[str, Any]:
        """The report as plain values for JSON: nan becomes None."""
        gate = self.gate(fail_on)
        payload = {
            "tool": {"name": "jostle", "version": __version__},
            "source": self.source,
            "summary": {
                "verdict": self.verdict,
                "n_cases": len(self.evalset),
                "n_warnings": self.n_warnings,
                "n_info": self.n_info,
                "n_new": None if self.baseline is None else len(self.new),
                "text": self.summary(),
            },
            "field_map": dict(self.evalset.field_map),
            "notes": list(self.evalset.notes),
            "checks": [self._check(check) for check in self.checks],
            "not_run": [
                {"check": left.name, "reason": left.reason, "incomplete": left.incomplete} for left in self.not_run
            ],
            "baseline": None if self.baseline is None else self._compared(self.baseline),
            "limitations": self.limitations,
            "gate": {
                "fail_on": gate.fail_on,
                "exit_code": gate.exit_code,
                "tripped": gate.tripped,
                "incomplete": list(gate.incomplete),
            },
            "signature": self.signature,
        }
        clean: dict[str, Any] = finite(payload)
        return clean

    def _check(self, check: CheckResult) -> dict[str, Any]:
        return {
            "name": check.name,
            "summary": check.summary,
            "findings": [self._finding(check.name, finding) for finding in check.findings],
            "stats": dict(check.stats),
            "limitations": list(check.limitations),
            "not_run": dict(check.not_run),
        }

    def _finding(self, check: str, finding: Finding) -> dict[str, Any]:
        return {
            "kind": finding.kind,
            "severity": finding.severity,
            "message": finding.message,
            "case_ids": list(finding.case_ids),
            "values": dict(finding.values),
            "new": self.is_new(check, finding),
            "subject": subject(finding),
            "fingerprints": self.fingerprints(finding),
        }

    def _compared(self, baseline: Baseline) -> dict[str, Any]:
        return {"source": baseline.source, "n_new": len(self.new), "resolved": list(self.resolved())}

    def resolved(self) -> Iterator[str]:
        """Warnings of the baseline, `check: kind`, that the checks of this audit no longer give."""
        if self.baseline is not None:
            now = {(check.name, f.kind, subject(f)) for check in self.checks for f in check.warnings}
            yield from self.baseline.gone(now, [check.name for check in self.checks])


def _counted(n: int, word: str) -> str:
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def _shown(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
