"""What a gate says to measured pairs: which rules hold, which trip on which pairs, and which were not measured."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..measures.pair_data import Pairs
from ..measures.pairs import PairOutcomes, pair_outcomes
from .gate import Gate, Minimum
from .make import coded
from .rows import PairSet

SHOWN = 10  # ids named with a rule
ROUNDING = 1e-12  # a mean of means may miss a round figure by its last bits
PASSED, TRIPPED, NOT_MEASURED = "passed", "tripped", "not measured"
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Judged:
    """Measured pairs, as the rules look at them.

    Args:
        data: The pairs.
        outcomes: What came of each.
        critical: Which of them are marked as critical in their file.
    """

    data: Pairs
    outcomes: PairOutcomes
    critical: Bools

    def named(self, which: Bools) -> tuple[list[str], int]:
        """Ids of the first of these pairs, and how many there are."""
        return [self.data.name(int(k)) for k in np.flatnonzero(which)[:SHOWN]], int(which.sum())


@dataclass(frozen=True)
class Ruling:
    """What one rule of the gate said.

    Args:
        rule: The rule as it stands in the file.
        status: `passed`, `tripped` or `not measured`.
        detail: The measured value and what it was held against.
        pairs: Ids of the pairs that tripped it, the first of them.
        n_pairs: Number of those pairs.
    """

    rule: str
    status: str
    detail: str
    pairs: Sequence[str] = ()
    n_pairs: int = 0

    def line(self) -> str:
        """The ruling as one line for people."""
        more = f" and {self.n_pairs - len(self.pairs)} more" if self.n_pairs > len(self.pairs) else ""
        named = f": {', '.join(self.pairs)}{more}" if self.pairs else ""
        return f"{self.status}: {self.rule}: {self.detail}{named}"


@dataclass(frozen=True)
class Decision:
    """What all rules of a gate said together."""

    source: str
    rulings: Sequence[Ruling]

    @property
    def tripped(self) -> Sequence[Ruling]:
        """The rules that tripped."""
        return [ruling for ruling in self.rulings if ruling.status == TRIPPED]

    @property
    def incomplete(self) -> Sequence[Ruling]:
        """The rules that nothing was measured for."""
        return [ruling for ruling in self.rulings if ruling.status == NOT_MEASURED]

    @property
    def exit_code(self) -> int:
        """3 when a rule was not measured, else 1 when one tripped, else 0."""
        return 3 if self.incomplete else int(bool(self.tripped))

    @property
    def lines(self) -> list[str]:
        """The rulings for people, what decides first."""
        return [ruling.line() for ruling in sorted(self.rulings, key=lambda r: _ORDER[r.status])]

    def to_dict(self) -> dict[str, Any]:
        """The `gate` block of the JSON document."""
        return {
            "fail_on": "gate",
            "exit_code": self.exit_code,
            "tripped": bool(self.tripped),
            "incomplete": [ruling.line() for ruling in self.incomplete],
            "source": self.source,
            "rules": [
                {"rule": r.rule, "status": r.status, "detail": r.detail, "pairs": list(r.pairs), "n_pairs": r.n_pairs}
                for r in self.rulings
            ],
        }


_ORDER = {NOT_MEASURED: 0, TRIPPED: 1, PASSED: 2}


def judge(pairs: PairSet, data: Pairs | None = None) -> Judged:
    """Pairs for a gate.

    Args:
        pairs: The pairs.
        data: The same as they were measured, where that differs (a confidence threshold makes abstentions).
    """
    data = coded(pairs) if data is None else data
    return Judged(data, pair_outcomes(data), pairs.columns["critical"].to_numpy(zero_copy_only=False))


def decide(
    gate: Gate, numbers: Mapping[str, Any], judged: Judged, new_failures: Sequence[str] | None = None
) -> Decision:
    """Hold measured pairs against a gate.

    A critical operator trips on any pair with a wrong or missing answer, and so does any pair that its file marks as
    critical. A minimum trips when the rate (or the lower end of its interval) is below it, a maximum when the number
    is above it. A rule without anything to measure it on is not measured, and that wins over a tripped one.

    Args:
        gate: The rules.
        numbers: Rates of the pairs with their intervals, as `pair_consistency` gives them.
        judged: The measured pairs.
        new_failures: Ids of pairs that fail now and did not when they were pinned; None when nothing was compared.
    """
    rulings = [_critical(name, judged) for name in gate.critical]
    if judged.critical.any():
        rulings.append(_any_failing("pairs marked critical", judged.critical, judged))
    rulings += [_minimum(minimum, numbers, judged) for minimum in gate.minimum]
    rulings += _maxima(gate, judged, new_failures)
    if not rulings:
        detail = "the gate has only weights, which hold nothing back" if gate.weights else "the gate has none"
        rulings = [Ruling("any rule", NOT_MEASURED, detail)]
    return Decision(gate.source, rulings)


def _critical(operator: str, judged: Judged) -> Ruling:
    names = judged.data.operator_names
    mine = judged.data.operators == (names.index(operator) if operator in names else -1)
    rule = f"critical {operator}"
    if not mine.any():
        there = ", ".join(sorted({names[k] for k in np.unique(judged.data.operators)} - {""})) or "none"
        return Ruling(rule, NOT_MEASURED, f"there is no pair of this operator (operators: {there})")
    return _any_failing(rule, mine, judged)


def _any_failing(rule: str, mine: Bools, judged: Judged) -> Ruling:
    failing = mine & judged.outcomes.failing
    detail = f"{int(failing.sum())} of {int(mine.sum())} pairs fail"
    return Ruling(rule, TRIPPED, detail, *judged.named(failing)) if failing.any() else Ruling(rule, PASSED, detail)


def _minimum(minimum: Minimum, numbers: Mapping[str, Any], judged: Judged) -> Ruling:
    rule = f"minimum {minimum.rate} {minimum.value:g}"
    rate, low, high = (numbers[f"{minimum.rate}{end}"] for end in ("", "_ci_low", "_ci_high"))
    held, what = (rate, "the rate") if minimum.bound == "point" else (low, "the lower bound")
    if math.isnan(held):
        return Ruling(rule, NOT_MEASURED, "there is no pair to measure it on")
    detail = f"{rate:.3f} (95% CI {low:.3f}-{high:.3f}), {what} counts"
    if held < minimum.value - ROUNDING:
        return Ruling(rule, TRIPPED, detail, *judged.named(_behind(minimum.rate, judged.outcomes)))
    return Ruling(rule, PASSED, detail)


def _behind(rate: str, found: PairOutcomes) -> Bools:
    """The pairs that lower a rate."""
    kind = {"sensitivity": found.changed, "invariance": ~found.changed}.get(rate.split("_", maxsplit=1)[0])
    relation = rate.endswith("relation_accuracy") or rate in ("sensitivity_accuracy", "invariance_accuracy")
    lowering: Bools = ~found.kept if relation else found.side > 0
    return lowering if kind is None else lowering & kind


def _maxima(gate: Gate, judged: Judged, new_failures: Sequence[str] | None) -> Iterator[Ruling]:
    if gate.max_abstention is not None:
        yield _abstention(gate.max_abstention, judged)
    if gate.max_new_failures is not None:
        yield new_failure_ruling(gate.max_new_failures, new_failures)


def _abstention(most: float, judged: Judged) -> Ruling:
    rule, silent = f"max_abstention {most:g}", judged.outcomes.abstained
    if not len(silent):
        return Ruling(rule, NOT_MEASURED, "there are no pairs")
    detail = f"{int(silent.sum())} of {len(silent)} pairs have an abstention ({silent.mean():.3f})"
    if silent.mean() > most + ROUNDING:
        return Ruling(rule, TRIPPED, detail, *judged.named(silent))
    return Ruling(rule, PASSED, detail)


def new_failure_ruling(most: int, new_failures: Sequence[str] | None) -> Ruling:
    """The rule on pairs that fail now and did not when they were pinned."""
    rule = f"max_new_failures {most}"
    if new_failures is None:
        return Ruling(rule, NOT_MEASURED, "nothing was compared; give the pinned pairs: --fixtures FILE")
    detail = f"{len(new_failures)} newly failing"
    if len(new_failures) > most:
        return Ruling(rule, TRIPPED, detail, new_failures[:SHOWN], len(new_failures))
    return Ruling(rule, PASSED, detail)
