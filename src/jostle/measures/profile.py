"""Outcomes reduced to patterns: all that the drift needs, at a size that does not grow with the number of items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .agreement import answers_comparable, differs_between, differs_within, noise_rate
from .resample import Floats, Ints, patterns, sum_by
from .table import Table


@dataclass(frozen=True)
class Profile:
    """Distinct items with their counts, and distinct families with theirs.

    Attributes:
        conditions: Names, in canonical order.
        reference: Number of the reference condition, if there is one.
        anchor: The condition that differences are taken to; None when every item has every condition.
        x: Distinct items' shares of right samples, shape (p, conditions); nan where a condition is lacking.
        excess: Their mean pairwise flip above the noise floor; nan where there is none.
        counts: How often each occurs, shape (p,).
        totals: Distinct families as sums: differences to the anchor, outcomes, items (conditions each), excess flips
            and items with them; shape (f, 3 * conditions + 2).
        family_counts: How often each occurs, shape (f,).
        flips_of: What `excess` counts: answers, or outcomes where answers cannot be compared.
        noise: Disagreement between samples of one condition; nan without samples.
        unparsed: Unparsed rows of each condition.
        n_scored: Rows with a gold label.
    """

    conditions: Sequence[str]
    reference: int | None
    anchor: int | None
    x: Floats
    excess: Floats
    counts: Ints
    totals: Floats
    family_counts: Ints
    has_families: bool
    flips_of: str
    noise: float
    unparsed: Sequence[int]
    n_scored: int

    @property
    def n_items(self) -> int:
        """Number of items."""
        return int(self.counts.sum())

    @property
    def n_families(self) -> int:
        """Number of families."""
        return int(self.family_counts.sum())

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which conditions the distinct items have, shape (p, conditions)."""
        return ~np.isnan(self.x)

    @property
    def difference(self) -> Floats:
        """Outcomes minus the anchor's, 0 where a condition is lacking; shape (p, conditions)."""
        base = 0.0 if self.anchor is None else self.x[:, [self.anchor]]
        return np.where(self.present, self.x - base, 0.0)


def profile_of(table: Table) -> Profile:
    """Reduce aligned outcomes to their patterns."""
    answers = answers_comparable(table)
    between, within = differs_between(table, answers), differs_within(table, answers)
    noisy = not np.isnan(within).all()
    excess = between - (np.nan_to_num(within) if noisy else 0.0)
    columns = np.nan_to_num(np.column_stack([table.x, excess]), nan=-2.0)  # an excess is at least -1
    distinct, counts, code = patterns(columns)
    distinct = np.where(distinct == -2.0, np.nan, distinct)  # noqa: PLR2004 - the mark set above
    unparsed = np.bincount(table.rows.conditions[table.rows.predictions < 0], minlength=len(table.conditions))
    profile = Profile(
        conditions=table.conditions,
        reference=table.reference,
        anchor=None if table.complete else table.reference,
        x=distinct[:, :-1],
        excess=distinct[:, -1],
        counts=counts,
        totals=np.zeros((0, 0)),
        family_counts=counts,
        has_families=table.has_families,
        flips_of="answers" if answers else "outcomes",
        noise=noise_rate(table)[0],
        unparsed=unparsed.tolist(),
        n_scored=len(table.rows),
    )
    return _with_families(profile, table, code)


def _with_families(profile: Profile, table: Table, code: Ints) -> Profile:
    flips = ~np.isnan(profile.excess)
    sums = [profile.difference, np.nan_to_num(profile.x), profile.present]
    columns = np.column_stack([*sums, np.nan_to_num(profile.excess), flips])
    if not table.has_families:
        return replace(profile, totals=columns)
    totals, counts, _ = patterns(sum_by(table.families, columns[code], table.n_families))
    return replace(profile, totals=totals, family_counts=counts)
