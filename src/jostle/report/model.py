"""What a report is made of."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ..measures.version import __version__

VERDICTS = {
    "fragile": "FRAGILE",
    "inconclusive": "INCONCLUSIVE",
    "invariant": "INVARIANT",
    "not_measured": "NOT MEASURED",
}
_WORST_FIRST = ("fragile", "inconclusive", "not_measured", "invariant")


def _check_limitations(what: str, limitations: Sequence[str]) -> None:
    if not limitations:
        raise ValueError(f"Expected `limitations` of {what} to say what it cannot tell, but got none.")


@dataclass(frozen=True)
class Measure:
    """The values of one measure over one group of outcomes, with what it cannot tell.

    Raises:
        ValueError: `limitations` is empty; no result exists without them.
    """

    name: str
    values: Mapping[str, Any]
    limitations: Sequence[str]
    group: str = ""

    def __post_init__(self) -> None:
        _check_limitations(f"measure {self.name!r}", self.limitations)


@dataclass(frozen=True)
class Comparison:
    """Two groups of outcomes that differ in one thing, compared on the items and conditions that both have.

    Args:
        group: What both have in common ("" where nothing needs saying).
        first: The first side, such as `greedy`; differences are second minus first.
        second: The second side.
        values: As `jostle.measures.paired.paired` gives them, with p-values adjusted over the comparisons.
        limitations: What the comparison cannot tell.
    """

    group: str
    first: str
    second: str
    values: Mapping[str, Any]
    limitations: Sequence[str]

    def __post_init__(self) -> None:
        _check_limitations(f"comparison of {self.first!r} and {self.second!r}", self.limitations)


@dataclass(frozen=True)
class Flip:
    """One item whose outcome differs between conditions: 1 right, 0 wrong, -1 absent or tied."""

    item: str
    states: Mapping[str, int]
    text: str = ""

    @property
    def changed(self) -> int:
        """How many conditions disagree with the more frequent outcome."""
        known = [state for state in self.states.values() if state >= 0]
        return min(known.count(0), known.count(1))


@dataclass(frozen=True)
class Gate:
    """Whether a gate is tripped, and the exit code that follows."""

    fail_on: str
    exit_code: int
    tripped: bool
    incomplete: Sequence[str]


@dataclass(frozen=True)
class Report:
    """Measures over one results file, by group where there are several tasks, models or decodings.

    Args:
        source: Where the outcomes came from.
        measures: One entry per measure and group.
        notes: What a reader must know about how the outcomes were made.
        left_out: Rows left out or special, by condition and reason.
        flips: The items that flip, those with most changes first, by group.
        signature: Version and options, so that the numbers can be reproduced.
        comparisons: Groups that differ in their decoding alone, two by two.
        warnings: What can make the numbers mean something else than they seem to.
    """

    source: str
    measures: Sequence[Measure]
    notes: Sequence[str] = ()
    left_out: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    flips: Mapping[str, Sequence[Flip]] = field(default_factory=dict)
    signature: str = ""
    comparisons: Sequence[Comparison] = ()
    warnings: Sequence[str] = ()

    @property
    def groups(self) -> list[str]:
        """Names of the groups ("" where there is only one)."""
        return list(dict.fromkeys(measure.group for measure in self.measures))

    def values(self, name: str, group: str | None = None) -> Mapping[str, Any]:
        """Values of a measure in a group (the first by default)."""
        group = self.groups[0] if group is None else group
        return next(m.values for m in self.measures if m.name == name and m.group == group)

    @property
    def verdict(self) -> str:
        """`fragile`, `inconclusive`, `invariant` or `not_measured`; the worst of the groups."""
        found = {self.values("invariance_drift", group)["verdict"] for group in self.groups}
        return next(verdict for verdict in _WORST_FIRST if verdict in found)

    @property
    def limitations(self) -> list[str]:
        """All limitations, each once."""
        stated = [made.limitations for made in self.measures] + [made.limitations for made in self.comparisons]
        return list(dict.fromkeys(text for texts in stated for text in texts))

    def summary(self) -> str:
        """One line per group, to paste where a number is quoted.

        >>> from jostle import build_report
        >>> print(build_report({"shift0": [True] * 60, "shift1": [True] * 30 + [False] * 30}).summary())
        [FRAGILE] n=60 | drift=0.500 (95% CI 0.364-0.636) | flip_rate=0.50 | shift0=1.000, shift1=0.500
        """
        return "\n".join(self.line(group) for group in self.groups)

    def line(self, group: str) -> str:
        """The summary of one group."""
        drift, flips = self.values("invariance_drift", group), self.values("flip_rate", group)
        verdict = VERDICTS[drift["verdict"]]
        head = f"[{verdict}] {group + ' | ' if group else ''}n={drift['n_items']}"
        if drift["verdict"] == "not_measured":
            return f"{head} | {drift['verdict_reason']}"
        interval = f"{drift['drift_ci_low']:.3f}-{drift['drift_ci_high']:.3f}"
        accuracies = ", ".join(f"{c}={a:.3f}" for c, a in ordered(drift["accuracy_by_condition"]).items())
        return (
            f"{head} | drift={drift['max_drift']:.3f} (95% CI {interval}) | flip_rate={flips['flip_rate']:.2f} | "
            f"{accuracies}"
        )

    def gate(self, fail_on: str = "never") -> Gate:
        """Exit code: 3 where something was not measured, 1 where the verdict trips `fail_on`, else 0.

        Args:
            fail_on: `never`, `fragile`, or `inconclusive` (which trips on fragile too).
        """
        drifts = {group: self.values("invariance_drift", group) for group in self.groups}
        incomplete = [
            f"{group + ': ' if group else ''}not measured: {values['verdict_reason']}"
            for group, values in drifts.items()
            if values["verdict"] == "not_measured" and not self._has_contrast_pairs(group)
        ]
        trips = {"never": (), "fragile": ("fragile",), "inconclusive": ("fragile", "inconclusive")}[fail_on]
        tripped = any(values["verdict"] in trips for values in drifts.values())
        return Gate(fail_on, 3 if incomplete else int(tripped), tripped, incomplete)

    def _has_contrast_pairs(self, group: str) -> bool:
        """Whether contrast pairs were measured: with them a run without drift has measured something."""
        pairs = self.values("pair_consistency", group)
        return bool(pairs["n_sensitivity"] and pairs["n_abstained_base"] < pairs["n_pairs"])

    def to_dict(self, fail_on: str = "never") -> dict[str, Any]:
        """The report as plain values for JSON: nan becomes None."""
        gate = self.gate(fail_on)
        measures = [
            {"name": m.name, "group": m.group, "values": m.values, "limitations": list(m.limitations)}
            for m in self.measures
        ]
        payload = {
            "tool": {"name": "jostle", "version": __version__},
            "source": self.source,
            "summary": {
                "verdict": self.verdict,
                "reason": {group: self.values("invariance_drift", group)["verdict_reason"] for group in self.groups},
                "text": self.summary(),
            },
            "measures": measures,
            "comparisons": [asdict(comparison) for comparison in self.comparisons],
            "warnings": list(self.warnings),
            "limitations": self.limitations,
            "notes": list(self.notes),
            "left_out": {condition: dict(reasons) for condition, reasons in self.left_out.items()},
            "gate": {
                "fail_on": gate.fail_on,
                "exit_code": gate.exit_code,
                "tripped": gate.tripped,
                "incomplete": list(gate.incomplete),
            },
            "signature": self.signature,
        }
        clean: dict[str, Any] = strict(payload)
        return clean


def strict(value: Any) -> Any:
    """Values for strict JSON: nan and infinity become None."""
    if isinstance(value, Mapping):
        return {str(key): strict(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [strict(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def ordered(by_condition: Mapping[str, Any]) -> dict[str, Any]:
    """Conditions as people expect them: the original first, then by kind, numbers in number order.

    >>> list(ordered({"shift10": 0, "adv/x": 0, "shift2": 0, "orig": 0, "para/x": 0}))
    ['orig', 'para/x', 'adv/x', 'shift2', 'shift10']
    """
    kinds = {"orig": 0, "para": 1, "pert": 2, "adv": 3}

    def key(name: str) -> tuple[int, str, int, str]:
        stem = name.rstrip("0123456789")
        digits = name[len(stem) :].lstrip("0")  # as text: Python reads no number of more than 4,300 digits
        return kinds.get(name.split("/", 1)[0], 4), stem, len(digits), digits

    return {name: by_condition[name] for name in sorted(by_condition, key=key)}
