"""Two sets of outcomes on the same items and conditions: which is right more often, which holds better."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .difference import UNDEFINED, Bools, Difference, mean_difference, studentised
from .intervals import holm, mcnemar_exact
from .options import Options, plain
from .paired_stability import drift_difference, flip_difference
from .ratio import kind_means, undefined_reason, vote_credit
from .resample import Floats, Ints, resample_totals, sum_by
from .shared import Shared, match
from .table import Rows

LIMITATIONS = (
    "Both sides are compared on the items and conditions that both have; what only one has is counted, not compared.",
    "A difference in accuracy is between single answers (the mean of the samples), one in R between majority answers.",
    "Not significant is not equal: the interval says how large a difference may be.",
)


def paired(first: Rows, second: Rows, options: Options) -> dict[str, Any]:
    """What changes from the first set of outcomes to the second, on the cells that both have.

    A cell is an item under a condition; with samples it has the share of them that are right. `accuracy_difference`
    is the mean over items of the mean over their shared conditions of second minus first. `robustness_ratio_difference`
    is R of the second minus R of the first, both on the items that have all four kinds on the shared cells, resampled
    jointly by family. Interval and p-value of both: see `difference`. Where both sides have single answers and no
    families, each condition has its exact McNemar p-value, raw and adjusted by Holm.

    Args:
        first: Outcome rows of one model, task and decoding.
        second: Those of another; its items are matched by id, its conditions by name.
        options: `n_resamples`, `seed`, `missing` and `reference` are used.

    Returns:
        n_items, n_cells, n_families, n_unmatched_first, n_unmatched_second, n_gold_differs; for each of `accuracy`,
        `robustness_ratio`, `drift` and `flip_rate`: `_first`, `_second`, `_difference`, `_difference_ci_low`,
        `_difference_ci_high` and `_p_value`; n_matched and robustness_ratio_undefined_reason;
        accuracy_difference_by_condition, mcnemar_p_value_by_condition and mcnemar_p_value_holm_by_condition. nan where
        nothing is shared. Drift and flips: see `paired_stability`.

    Raises:
        ValueError: As `align`, on the shared cells.

    Limitations: items are the same when their ids are: see `n_gold_differs`. Of two different partitions into families
    the first side's is used.
    """
    shared = match(first, second, options)
    found = _counts(shared) | _accuracy(shared, options) | _by_condition(shared) | _ratio(shared, options)
    found |= _named("drift", *drift_difference(shared, options)) | _named(
        "flip_rate", *flip_difference(shared, options)
    )
    return plain(found)  # type: ignore[no-any-return]


def _counts(shared: Shared) -> dict[str, Any]:
    return {
        "n_items": len(shared.first.items),
        "n_cells": int((shared.first.count > 0).sum()),
        "n_families": len(np.unique(shared.families)),
        "n_unmatched_first": shared.unmatched[0],
        "n_unmatched_second": shared.unmatched[1],
        "n_gold_differs": shared.n_gold_differs,
    }


def _named(name: str, first: float, second: float, found: Difference) -> dict[str, float]:
    return {
        f"{name}_first": first,
        f"{name}_second": second,
        f"{name}_difference": found.estimate,
        f"{name}_difference_ci_low": found.low,
        f"{name}_difference_ci_high": found.high,
        f"{name}_p_value": found.p_value,
    }


def _accuracy(shared: Shared, options: Options) -> dict[str, float]:
    if not len(shared.families):
        return _named("accuracy", math.nan, math.nan, UNDEFINED)
    first, second = (np.nanmean(table.x, axis=1) for table in (shared.first, shared.second))
    found = mean_difference(np.nanmean(shared.change, axis=1), shared.families, options)
    return _named("accuracy", float(first.mean()), float(second.mean()), found)


def _by_condition(shared: Shared) -> dict[str, Any]:
    single = not shared.has_families and not any((t.count > 1).any() for t in (shared.first, shared.second))
    means: dict[str, float] = {}
    p_values: dict[str, float] = {}
    for c, name in enumerate(shared.conditions):
        change = shared.change[:, c]
        means[name] = float(np.nanmean(change))
        lost, gained = int((change < 0).sum()), int((change > 0).sum())
        p_values[name] = mcnemar_exact(lost, gained) if single else math.nan
    return {
        "accuracy_difference_by_condition": means,
        "mcnemar_p_value_by_condition": p_values,
        "mcnemar_p_value_holm_by_condition": holm(p_values),
    }


def _ratio(shared: Shared, options: Options) -> dict[str, Any]:
    """R of both sides on their matched items, and the difference; jointly resampled, studentised by its linear part."""
    sides = [kind_means(table, vote_credit(table)[0]) for table in (shared.first, shared.second)]
    present: Bools = ~np.isnan(sides[0])
    matched: Bools = np.asarray(present.all(axis=1))
    kinds = [side[matched] for side in sides]
    reasons = [undefined_reason(present, matched, k.mean(axis=0) if len(k) else np.full(4, math.nan)) for k in kinds]
    reason = reasons[0] or reasons[1]
    result = {"n_matched": int(matched.sum()), "robustness_ratio_undefined_reason": reason}
    if reason:
        return result | _named("robustness_ratio", math.nan, math.nan, UNDEFINED)
    first, second = (float(k[:, 1:].sum() / (3 * k[:, 0].sum())) for k in kinds)
    found = _ratio_difference(kinds, shared.families[matched], second - first, options)
    return result | _named("robustness_ratio", first, second, found)


def _ratio_difference(kinds: Sequence[Floats], families: Ints, estimate: float, options: Options) -> Difference:
    """Difference of two ratios over the same items, each with its accuracy by kind, shape (items, 4)."""
    columns = np.column_stack([*kinds, _linear(kinds[1]) - _linear(kinds[0]) + estimate, np.ones(len(families)),
                               (kinds[0] != kinds[1]).any(axis=1)])  # fmt: skip
    totals = sum_by(families, columns, int(families.max()) + 1)
    totals = totals[totals[:, -2] > 0]
    drawn = resample_totals(totals[:, :8], options.n_resamples, options.seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        first, second = (drawn[:, k + 1 : k + 4].sum(axis=1) / (3 * drawn[:, k]) for k in (0, 4))
        replicates = second - first
    replicates = np.where(np.isfinite(replicates), replicates, math.nan)
    return studentised(estimate, replicates, totals[:, 8], totals[:, 9], totals[:, 10] > 0)


def _linear(kinds: Floats) -> Floats:
    """What each item adds to R around its estimate: (sum of its variants - 3 R its original) / (3 A_orig)."""
    ratio = kinds[:, 1:].sum() / (3 * kinds[:, 0].sum())
    linear: Floats = (kinds[:, 1:].sum(axis=1) - 3 * ratio * kinds[:, 0]) / (3 * kinds[:, 0].mean())
    return linear
