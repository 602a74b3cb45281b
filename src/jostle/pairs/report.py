"""Contrast pairs -> what was measured on them, ready to be shown in any form."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import InputError, UsageError
from ..measures.options import Options, plain
from ..measures.pair_data import Pairs, abstain_below
from ..measures.pairs import LIMITATIONS, NAME, SIDES, Bools, PairOutcomes, pair_outcomes, score_pairs
from ..measures.version import __version__
from ..report.model import strict
from .failures import KINDS, FailureType, failure_types, kind_codes
from .make import coded
from .read import pairs_from_dicts
from .rows import PairRow, PairSet

MIN_FAMILIES = 30
ALL_LIMITATIONS = (
    *LIMITATIONS,
    "The edits and their golds are taken as given: who wrote the pairs decides what is tested.",
    "Intervals say how far other families of the same making would differ, not how far other edits would.",
)
Gate = Mapping[str, Any]


@dataclass(frozen=True)
class FailingPair:
    """A pair with an error on a side, a relation that was not kept, or an abstention.

    Args:
        row: The pair.
        sides: One of `SIDES`.
        relation: `kept`, `failed`, or `abstained`.
        critical: Whether it is marked as critical, or its operator is.
        kind: Its failure type, a key of `jostle.pairs.failures.TITLES`.
    """

    row: PairRow
    sides: str
    relation: str
    critical: bool
    kind: str


@dataclass(frozen=True)
class PairReport:
    """What was measured on a set of pairs.

    Args:
        pairs: The pairs, with abstentions below the threshold taken as such.
        data: The same as numbers.
        outcomes: What came of each pair.
        values: The keys of the metric card of `pair_consistency`.
        options: Options they were measured with.
        critical: Operators of which no pair should fail.
        weights: Weight by operator; 1 for those not named.
        threshold: Confidence below which a prediction is an abstention, if any.
    """

    pairs: PairSet
    data: Pairs
    outcomes: PairOutcomes
    values: Mapping[str, Any]
    options: Options
    critical: Sequence[str] = ()
    weights: Mapping[str, float] | None = None
    threshold: float | None = None

    @property
    def critical_pairs(self) -> Bools:
        """Pairs that are marked as critical, or whose operator is."""
        names = np.isin(np.array(self.data.operator_names, dtype=object), list(self.critical))
        own: Bools = self.pairs.columns["critical"].to_numpy(zero_copy_only=False)
        return own | names[self.data.operators] if len(self.data) else own

    @property
    def warnings(self) -> list[str]:
        """What can make the numbers mean something else than they seem to."""
        n, found = self.values["n_families"], list(self.pairs.warnings)
        if self.data.has_families and 0 < n < MIN_FAMILIES:
            noun = "family" if n == 1 else "families"
            found.append(f"only {n} {noun}, and families, not pairs, are the observations")
        return found

    @property
    def incomplete(self) -> list[str]:
        """Why nothing was measured; empty where something was."""
        if not len(self.data):
            return ["not measured: there are no pairs"]
        return ["not measured: every pair has an abstention"] if not self.values["coverage"] else []

    @property
    def signature(self) -> str:
        """What the numbers can be reproduced with."""
        options, parts = self.options, [f"jostle={__version__}"]
        parts += [f"seed={options.seed}", f"resamples={options.n_resamples}", f"collapse={options.collapse:g}"]
        parts += [f"abstain_below={self.threshold:g}"] if self.threshold is not None else []
        parts += [f"weight:{name}={weight:g}" for name, weight in sorted((self.weights or {}).items())]
        return "|".join(parts)

    def summary(self) -> str:
        """One line, to paste where a number is quoted."""
        v = self.values
        if self.incomplete:
            return f"[NOT MEASURED] {self.incomplete[0].removeprefix('not measured: ')}"
        rates = [
            f"{name}={v[f'{name}_accuracy']:.3f} (95% CI {v[f'{name}_accuracy_ci_low']:.3f}-"
            f"{v[f'{name}_accuracy_ci_high']:.3f})"
            for name in ("side", "relation", "pair")
        ]
        return " | ".join([f"[PAIRS] n={v['n_pairs']}", *rates])

    def failing(self, most: int | None = None) -> list[FailingPair]:
        """The failing pairs, critical ones first, then as in the file; at most so many."""
        critical, kinds = self.critical_pairs, kind_codes(self.outcomes)
        failing = np.flatnonzero(self.outcomes.failing)
        order = failing[np.argsort(~critical[failing], kind="stable")][:most].tolist()
        return [self._failing(k, bool(critical[k]), KINDS[kinds[k]]) for k in order]

    def _failing(self, k: int, critical: bool, kind: str) -> FailingPair:
        sides, relation = SIDES[self.outcomes.side[k]], self.outcomes.relation(k)
        return FailingPair(self.pairs.row(k), sides, relation, critical, kind)

    def failure_types(self) -> list[FailureType]:
        """How pairs fail, how many each way, and what that usually calls for."""
        return failure_types(self.data, self.outcomes, self.values["n_collapsed"])

    def gate(self) -> dict[str, Any]:
        """The gate block where no gate was given: 3 where nothing was measured."""
        code = 3 if self.incomplete else 0
        return {"fail_on": "never", "exit_code": code, "tripped": False, "incomplete": self.incomplete}

    def to_dict(self, gate: Gate | None = None, show: int | None = None) -> dict[str, Any]:
        """The report as plain values for JSON: nan becomes None.

        Args:
            gate: The gate block; `gate()` by default.
            show: Most failing pairs listed.
        """
        measure = {"name": NAME, "group": "", "values": self.values, "limitations": list(ALL_LIMITATIONS)}
        payload = {
            "tool": {"name": "jostle", "version": __version__},
            "source": self.pairs.source,
            "summary": {"text": self.summary(), "n_pairs": len(self.data), "n_failures": self.values["n_failures"]},
            "measures": [measure],
            "limitations": list(ALL_LIMITATIONS),
            "warnings": self.warnings,
            "notes": [*self.pairs.describe(), *self.pairs.notes],
            "critical": {
                "operators": list(self.critical),
                "n_pairs": int(self.critical_pairs.sum()),
                "n_failures": int((self.critical_pairs & self.outcomes.failing).sum()),
            },
            "failure_types": [
                {"kind": one.kind, "n": one.n, "operators": dict(one.operators), "calls_for": one.calls_for}
                for one in self.failure_types()
            ],
            "failing": [_plain(pair) for pair in self.failing(show)],
            "gate": dict(gate or self.gate()),
            "signature": self.signature,
        }
        clean: dict[str, Any] = strict(payload)
        return clean


def _plain(pair: FailingPair) -> dict[str, Any]:
    return {**asdict(pair.row), "sides": pair.sides, "relation_kept": pair.relation, "failure": pair.kind}


def measure_pairs(
    pairs: PairSet,
    *,
    n_resamples: int = 10_000,
    seed: int = 0,
    collapse: float = 0.2,
    threshold: float | None = None,
    weights: Mapping[str, float] | None = None,
    critical: Sequence[str] = (),
) -> PairReport:
    """Measure a set of pairs.

    Args:
        pairs: The pairs.
        n_resamples: Bootstrap replicates.
        seed: Seed of the bootstrap.
        collapse: Fall of confidence beyond which a pair that is still right has collapsed.
        threshold: Take predictions below this confidence as abstentions, on both sides alike.
        weights: Weight by operator in the operator-weighted rates; 1 for those not named.
        critical: Operators of which no pair should fail.

    Raises:
        UsageError: A weight that is negative or not finite, weights that are all 0, or one of an operator that no pair
            has.
        InputError: A prediction without confidence where there is a threshold; names the pair.
    """
    check_operators(weights or {}, pairs, "`weights`")
    if threshold is not None:
        pairs = _silenced(pairs, threshold)
    data = coded(pairs)
    options = Options(n_resamples=n_resamples, seed=seed, collapse=collapse)
    try:
        values = plain(score_pairs(data, options, weights))
    except ValueError as error:
        raise UsageError(str(error)) from None
    return PairReport(pairs, data, pair_outcomes(data), values, options, critical, weights, threshold)


def check_operators(names: Iterable[str], pairs: PairSet, where: str) -> None:
    """Refuse names of operators that no pair has: a misspelled one would change nothing and say nothing.

    Raises:
        UsageError: With where the name stands.
    """
    there = set(pairs.columns["operator"].unique().to_pylist())
    for name in names:
        if name not in there:
            known = ", ".join(sorted(there - {""})) or "none, for pairs have no operator"
            raise UsageError(f"Expected {where} to name operators of the pairs ({known}), but got {name!r}.")


def _silenced(pairs: PairSet, threshold: float) -> PairSet:
    """The pairs with abstentions where the confidence is below the threshold."""
    try:
        data = abstain_below(coded(pairs, pairs.at), threshold)
    except ValueError as error:
        raise InputError(str(error)) from None
    silent = {"base_abstained": data.base_predictions < 0, "edited_abstained": data.edited_predictions < 0}
    return replace(pairs, columns={**pairs.columns, **{name: pa.array(flags) for name, flags in silent.items()}})


def pair_report(pairs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Consistency of contrast pairs.

    Args:
        pairs: Each with `base_label`, `edited_label`, `base_prediction`, `edited_prediction` (None is an abstention),
            and maybe `id`, `operator`, `family`, `base_confidence`, `edited_confidence`, `relation`.

    Returns:
        The keys of the metric card of `pair_consistency`; undefined values are None.

    Raises:
        InputError: A pair without a gold label, or labels that cannot be compared.

    What makes answers count as wrong that may be right (labels written otherwise) is a `UserWarning`.

    >>> report = pair_report([
    ...     {"base_label": "ok", "edited_label": "bad", "base_prediction": "ok", "edited_prediction": "ok"},
    ... ])
    >>> report["side_accuracy"], report["relation_accuracy"]
    (0.5, 0.0)
    >>> pair_report([])["side_accuracy"] is None
    True
    """
    made = pairs_from_dicts(pairs)
    for text in made.warnings:
        warnings.warn(text, stacklevel=2)
    values: dict[str, Any] = strict(plain(score_pairs(coded(made), Options())))
    return values
