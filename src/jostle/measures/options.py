"""Columns and options that all measures share, and the plain values they return."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

Missing = Literal["error", "intersect", "pairwise"]
REQUIRED = ("predictions", "references", "item_ids", "conditions")
GROUPS = ("tasks", "models", "decodings")
NUMERIC = ("confidences", "weights")
OPTIONAL = (
    "families",
    "operators",
    "relations",
    "confidences",
    "samples",
    "reasons",
    "positions",
    "answer_positions",
    *GROUPS,
    "weights",
)
COLUMNS = (*REQUIRED, *OPTIONAL)
RELATIONS = {"invariant": 0, "changed": 1}


@dataclass(frozen=True)
class Options:
    """Options of every module. All modules accept all of them, for `evaluate.combine` hands each to each.

    Attributes:
        tolerance: Accuracy difference that would matter.
        flip_tolerance: Mean pairwise flip rate that would matter.
        n_resamples: Bootstrap replicates.
        seed: Seed of the bootstrap.
        missing: `error`, `intersect` or `pairwise`.
        reference: Reference condition; `orig` where present by default.
        unlabelled: Gold values that mean "no gold label"; as a prediction they mean "unparsed".
        label_names: Class names, so that names, indices and digit strings mean the same.
        condition_names: Names for integer conditions.
        max_failures: How many failing pairs are listed.
        collapse: Fall of confidence beyond which a pair that is still right has collapsed.
    """

    tolerance: float = 0.03
    flip_tolerance: float = 0.10
    n_resamples: int = 10_000
    seed: int = 0
    missing: Missing = "error"
    reference: str | None = None
    unlabelled: Sequence[Any] = (-1,)
    label_names: Sequence[str] | None = None
    condition_names: Sequence[str] | None = None
    max_failures: int = 50
    collapse: float = 0.2

    def __post_init__(self) -> None:
        for name in ("tolerance", "flip_tolerance", "collapse"):
            if not 0 < getattr(self, name) < 1:
                raise ValueError(f"Expected `{name}` to be between 0 and 1, but got {getattr(self, name)}.")
        if self.n_resamples < 100 or int(self.n_resamples) != self.n_resamples:  # noqa: PLR2004 - no quantile below
            raise ValueError(f"Expected `n_resamples` to be a whole number from 100 on, but got {self.n_resamples}.")
        if self.missing not in ("error", "intersect", "pairwise"):
            raise ValueError(f"Expected `missing` to be 'error', 'intersect' or 'pairwise', but got {self.missing!r}.")

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Options:
        """Options from keywords.

        Raises:
            ValueError: On a name that is neither an option nor a column.
        """
        known = [f.name for f in fields(cls)]
        unknown = [name for name in given if name not in known]
        if unknown:
            raise ValueError(
                f"Expected columns {list(REQUIRED)}, optional columns {list(OPTIONAL)} or options {known}, "
                f"but got {unknown[0]!r}."
            )
        return cls(**given)

    def describe(self) -> str:
        """The options that change numbers, as they stand in a signature."""
        parts = [f"seed={self.seed}", f"resamples={self.n_resamples}", f"tolerance={self.tolerance:g}"]
        parts += [f"flip_tolerance={self.flip_tolerance:g}", f"missing={self.missing}"]
        parts += [f"reference={self.reference}"] if self.reference else []
        return "|".join([*parts, f"collapse={self.collapse:g}"] if self.collapse != Options.collapse else parts)


def plain(value: Any) -> Any:
    """Numpy scalars and containers of them as plain Python, so that a result is JSON but for nan.

    >>> plain({"n": 3, "rate": float("nan")})["n"]
    3
    """
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if hasattr(value, "item"):
        return plain(value.item())
    return math.nan if value is None else value
