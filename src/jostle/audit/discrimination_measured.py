"""A discrimination with how it was measured, and its numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..measures.discriminate import separation
from ..measures.separation import ModelPair
from ..measures.verdicts import CEILING, FLOOR, INVERTED, KINDS, MISSING, UNSTABLE, Discrimination
from .finite import finite


@dataclass(frozen=True)
class Measured:
    """A discrimination and how it was measured.

    Args:
        found: What every case tells.
        n_cases: Cases of the set.
        sample_seed: Seed of the sample; None where all cases were taken.
        repeats: Most verdicts that a model has on a case.
        ordered: Whether the user said which models are weaker.
        from_results: Whether the verdicts are from files.
        max_workers: Scores at once.
        max_share: Share of cases that do not discriminate beyond which to warn.
        failures: Reason by case without a score.
        numbers: How results were matched, where they are from files.
    """

    found: Discrimination
    n_cases: int
    sample_seed: int | None
    repeats: int
    ordered: bool
    from_results: bool
    max_workers: int
    max_share: float
    failures: Mapping[str, str]
    numbers: Mapping[str, Any]

    @property
    def n_taken(self) -> int:
        """Cases that were to be scored."""
        return len(self.found.kind)

    @property
    def n_measured(self) -> int:
        """Cases that were measured."""
        return int(self.found.measured.sum())

    @property
    def sampled(self) -> bool:
        """Whether not all cases were taken."""
        return self.sample_seed is not None

    @property
    def opening(self) -> str:
        """What stands in front of every message of a sample."""
        return f"In a SAMPLE of {self.n_taken} of {self.n_cases} cases: " if self.sampled else ""

    def name(self, model: int) -> str:
        """Name of a model."""
        return self.found.verdicts.models[model]


def stats(measured: Measured) -> dict[str, Any]:
    """The numbers, as JSON can hold them: null where one is undefined."""
    found = measured.found
    ids = {f"{KINDS[kind]}_case_ids": found.ids(kind) for kind in (CEILING, FLOOR, INVERTED, UNSTABLE, MISSING)}
    own = {
        "n_cases": measured.n_cases,
        "n_taken": measured.n_taken,
        "sampled": measured.sampled,
        "repeats": measured.repeats,
        "order": "given" if measured.ordered else "accuracy",
        "non_discriminating_share_by_majority": _by_majority(found),
        "failures": dict(measured.failures),
        "pairs": [_pair(measured, pair) for pair in found.pairs],
    }
    if measured.sample_seed is not None:
        own["sample_seed"] = measured.sample_seed
    return finite(own | separation(found) | ids)  # type: ignore[no-any-return]


def _by_majority(found: Discrimination) -> float:
    """Share at the ceiling or floor of all cases with scores, by the verdict of most repeats; a tie tells apart."""
    scored = ~(found.kind == MISSING)
    share = found.verdicts.right[scored] / found.verdicts.count[scored]
    same = (share > 0.5).all(axis=1) | (share < 0.5).all(axis=1)  # noqa: PLR2004 - one half
    return float(same.mean()) if len(same) else math.nan


def _pair(measured: Measured, pair: ModelPair) -> dict[str, Any]:
    return {
        "weaker": measured.name(pair.weaker),
        "stronger": measured.name(pair.stronger),
        "difference": pair.difference,
        "n_weaker_only": pair.weaker_only,
        "n_stronger_only": pair.stronger_only,
        "p_value": pair.p_value,
        "p_value_holm": pair.p_value_holm,
        "smallest_detectable_difference": pair.detectable,
    }
