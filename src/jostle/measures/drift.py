"""Invariance drift: how far accuracy moves between conditions that should not matter, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from .align import Rows, Table, align
from .flips import mean_pairwise_bounds, noise_rate
from .intervals import Z95, cochran_q, mcnemar_exact, range_quantile, t_quantile, wilson
from .options import Options, plain
from .resample import Floats, Ints, patterns, percentile_interval, resample_totals, sum_by

MIN_FAMILIES = 30  # below this the interval excludes 0 without any effect far too often (13 % at 15 families)
MIN_ITEMS = 10  # below this a handful of items that all flip would pass for evidence
POWER = 0.80


@dataclass(frozen=True)
class _Estimate:
    """Accuracy differences to an anchor, with what their interval needs; conditions in canonical order."""

    difference: Floats  # (C,) accuracy of each condition minus the anchor's, on shared items
    replicates: Floats  # (B, C) the same in each bootstrap replicate
    pairs: Ints  # (pairs, 2)
    standard_error: Floats  # (pairs,)
    discordance: float  # mean over pairs of the mean squared difference


def drift(rows: Rows, options: Options) -> dict[str, Any]:
    """Largest accuracy difference between conditions, with a max-T interval and a verdict.

    `max_drift` D = max_c a_c - min_c a_c. D is never negative, so it is above 0 even without any effect;
    `expected_drift_null` is what it would be then, and the interval is built so that it can contain 0: families are
    resampled, one draw for all conditions, each pair's difference is divided by its standard error (with one
    pseudo-discordant item added each way), and q is the 95 % quantile of the largest of these.

    Args:
        rows: Outcome rows.
        options: `tolerance`, `flip_tolerance`, `n_resamples`, `seed`, `missing` and `reference` are used.

    Returns:
        The drift keys (see the metric card). All numbers are in [0, 1]; nan where nothing was compared.

    Limitations: conditions are taken as given; that a transformation kept the meaning is not checked here. Fewer than
    30 families, or fewer than 10 items, never give a verdict other than inconclusive.

    Reference: T. Hothorn, F. Bretz, P. Westfall, Simultaneous inference in general parametric models, 2008 (max-T).
    """
    table = align(rows, options.missing, options.reference)
    return plain(table.counts() | table_drift(table, options))  # type: ignore[no-any-return]


def table_drift(table: Table, options: Options) -> dict[str, Any]:
    """The drift of outcomes that are aligned already."""
    if len(table.conditions) < 2 or not table.items:  # noqa: PLR2004 - a comparison needs two
        return _not_measured(table)
    n_resamples, seed, tolerance = options.n_resamples, options.seed, options.tolerance
    order = _canonical_order(table)
    estimate = _estimate(table, order, n_resamples, seed)
    low, high, p_value = _interval(estimate, table)
    result = _accuracies(table, n_resamples, seed) | {
        "max_drift": float(np.ptp(estimate.difference)),
        "drift_ci_low": low,
        "drift_ci_high": high,
        "p_value": p_value,
        "expected_drift_null": float(np.ptp(estimate.replicates - estimate.difference, axis=1).mean()),
        "noise_floor": noise_rate(table)[0],
        "worst_condition": table.conditions[order[int(estimate.difference.argmin())]],
        "best_condition": table.conditions[order[int(estimate.difference.argmax())]],
        "degenerate": estimate.discordance == 0 or len(table.items) < MIN_ITEMS,
        "items_needed": items_needed(estimate.discordance, len(table.conditions), tolerance),
    }
    flips = mean_pairwise_bounds(table, n_resamples, seed)
    verdict, reason = _verdict(result, flips, table, options)
    return result | {"verdict": verdict, "verdict_reason": reason} | _classical(table)


def _not_measured(table: Table) -> dict[str, Any]:
    n = len(table.conditions)
    reason = "no items" if n >= 2 else f"needs at least 2 conditions, has {n}"  # noqa: PLR2004
    accuracy = _accuracies(table, 0, 0) if table.items else {"accuracy_by_condition": {}}
    undefined = ("max_drift", "drift_ci_low", "drift_ci_high", "p_value", "expected_drift_null", "noise_floor")
    return accuracy | {
        **{key: math.nan for key in undefined},
        "items_needed": math.nan,
        "worst_condition": "",
        "best_condition": "",
        "degenerate": True,
        "verdict": "not_measured",
        "verdict_reason": reason,
    }


def _canonical_order(table: Table) -> list[int]:
    """Conditions ordered by their outcomes, so that renaming or reordering them changes no number."""
    x = np.nan_to_num(table.x, nan=-1.0)
    return sorted(range(x.shape[1]), key=lambda c: np.ascontiguousarray(x[:, c]).tobytes())


def _estimate(table: Table, order: Sequence[int], n_resamples: int, seed: int) -> _Estimate:
    x = table.x[:, order]
    anchor = None if table.complete else order.index(table.reference)  # type: ignore[arg-type]
    distinct, counts, code = patterns(np.nan_to_num(x, nan=-1.0))
    present = distinct >= 0
    shifted = np.where(present, distinct - (0.0 if anchor is None else distinct[:, [anchor]]), 0.0)
    totals, weight = _family_totals(table, shifted, present, counts, code)
    n_conditions = x.shape[1]
    sums, n = np.split(weight @ totals, 2)
    drawn = resample_totals(totals, n_resamples, seed, weight)
    with np.errstate(invalid="ignore", divide="ignore"):
        replicates = drawn[:, :n_conditions] / drawn[:, n_conditions:]
    difference = sums / n
    replicates = np.where(np.isnan(replicates), difference, replicates)
    pairs = np.array(list(combinations(range(n_conditions), 2)))
    errors, discordance = _pair_errors(shifted, present, counts, difference, n, pairs)
    return _Estimate(difference, replicates, pairs, errors, discordance)


def _family_totals(
    table: Table, shifted: Floats, present: Floats, counts: Ints, code: Ints
) -> tuple[Floats, Ints]:
    """Distinct families as sums of (shifted) outcomes and items for each condition, and how many are like that."""
    columns = np.concatenate([shifted, present], axis=1)
    if not table.has_families:
        return columns, counts
    return patterns(sum_by(table.families, columns[code], table.n_families))[:2]


def _pair_errors(
    shifted: Floats, present: Floats, counts: Ints, difference: Floats, n: Floats, pairs: Ints
) -> tuple[Floats, float]:
    """Standard error of each pair's difference, and the mean discordance.

    On complete data this is sqrt(b + c + 2 - (b - c)^2 / (n + 2)) / (n + 2) with the discordant counts b and c and
    one pseudo-discordant item each way, so it is never 0.
    """
    errors, discordance = np.empty(len(pairs)), np.empty(len(pairs))
    for k, (i, j) in enumerate(pairs):
        both = present[:, i] & present[:, j]
        n_pair = min(n[i], n[j])
        # An item that only one of the two conditions shares with the anchor counts with its own share.
        influence = present[:, i] * shifted[:, i] * n_pair / n[i] - present[:, j] * shifted[:, j] * n_pair / n[j]
        total, squares = float(counts @ influence), float(counts @ influence**2)
        errors[k] = math.sqrt(squares + 2 - total**2 / (n_pair + 2)) / (n_pair + 2)
        shared = float(counts @ both)
        discordance[k] = float(counts @ (both * (shifted[:, i] - shifted[:, j]) ** 2)) / shared if shared else 0.0
    return errors, float(discordance.mean())


def _interval(estimate: _Estimate, table: Table) -> tuple[float, float, float]:
    """Ends of the max-T interval of the drift, and its centred and studentised p-value."""
    i, j = estimate.pairs.T
    observed = np.abs(estimate.difference[i] - estimate.difference[j])
    centred = estimate.replicates - estimate.difference
    largest = np.zeros(len(centred))
    for k in range(len(i)):
        np.maximum(largest, np.abs(centred[:, i[k]] - centred[:, j[k]]) / estimate.standard_error[k], out=largest)
    q = max(Z95, float(np.quantile(largest, 0.95)))
    if table.has_families:
        q *= t_quantile(0.975, table.n_families - 1) / Z95
    low = max(0.0, float((observed - q * estimate.standard_error).max()))
    high = min(1.0, float((observed + q * estimate.standard_error).max()))
    statistic = float((observed / estimate.standard_error).max())
    exceed = int((largest >= statistic * (1 - 1e-12)).sum())
    return low, high, (1 + exceed) / (1 + len(largest))


def _accuracies(table: Table, n_resamples: int, seed: int) -> dict[str, Any]:
    """Accuracy of each condition on all its items, with an interval of its own."""
    x, names = table.x, table.conditions
    accuracy, interval = {}, {}
    for c, name in enumerate(names):
        here = ~np.isnan(x[:, c])
        accuracy[name] = float(x[here, c].mean()) if here.any() else math.nan
        interval[name] = list(share_interval(x[here, c], table.families[here], table, n_resamples, seed))
    anchor = table.reference
    before = {} if anchor is None else {
        name: float(x[~np.isnan(x[:, c]), anchor].mean()) for c, name in enumerate(names)
    }
    n = {name: int((~np.isnan(x[:, c])).sum()) for c, name in enumerate(names)}
    coverage = {name: n[name] / len(table.items) for name in names}
    unparsed = np.bincount(table.rows.conditions[table.rows.predictions < 0], minlength=len(names))
    return {
        "accuracy_by_condition": accuracy,
        "accuracy_ci_by_condition": interval,
        "reference_accuracy_by_condition": before,
        "n_by_condition": n,
        "coverage_by_condition": coverage,
        "unparsed_by_condition": dict(zip(names, unparsed.tolist(), strict=True)),
    }


def share_interval(
    values: Floats, families: Ints, table: Table, n_resamples: int, seed: int
) -> tuple[float, float]:
    """95 % interval of a mean of values in [0, 1]: Wilson, or the family bootstrap where there are families."""
    if not table.has_families or n_resamples == 0:
        return wilson(float(values.sum()), len(values))
    totals = sum_by(families, np.stack([values, np.ones(len(values))], axis=1), table.n_families)
    drawn = resample_totals(totals[totals[:, 1] > 0], n_resamples, seed)
    return percentile_interval(drawn[:, 0] / drawn[:, 1])


def items_needed(discordance: float, n_conditions: int, tolerance: float) -> float:
    """Items for a verdict of `invariant` with 80 % power if the true drift is 0.

    n = (q95 + q80)^2 disc / tolerance^2, with the quantiles of the largest studentised difference among C conditions:
    20.6 disc / tolerance^2 at C = 4. nan when no item differs anywhere, for then the data do not say.

    >>> items_needed(0.1, 4, 0.03)
    2287
    """
    if discordance == 0 or tolerance <= 0:
        return math.nan
    spread = range_quantile(0.95, n_conditions) + range_quantile(POWER, n_conditions)
    return math.ceil(spread**2 * discordance / tolerance**2)


def _verdict(
    result: dict[str, Any], flips: tuple[float, float, str], table: Table, options: Options
) -> tuple[str, str]:
    flip, flip_high, what = flips
    tolerance, flip_tolerance = options.tolerance, options.flip_tolerance
    if len(table.items) < MIN_ITEMS:
        return "inconclusive", f"fewer than {MIN_ITEMS} items ({len(table.items)})"
    if table.has_families and table.n_families < MIN_FAMILIES:
        return "inconclusive", f"fewer than {MIN_FAMILIES} families ({table.n_families})"
    if result["drift_ci_low"] > tolerance:
        return "fragile", f"drift is above {tolerance:g} with 95 % confidence"
    if result["drift_ci_high"] >= tolerance:
        why = "no item differs between conditions, but there are too few of them" if result["degenerate"] else (
            f"the interval {result['drift_ci_low']:.3f}-{result['drift_ci_high']:.3f} reaches over {tolerance:g}"
        )
        return "inconclusive", why
    if not flip_high < flip_tolerance:
        return "inconclusive", (
            f"drift is below {tolerance:g}, but {what} differ between conditions for {flip:.3f} of the items "
            f"(up to {flip_high:.3f}, tolerance {flip_tolerance:g})"
        )
    return "invariant", f"drift is below {tolerance:g} and flips are below {flip_tolerance:g} with 95 % confidence"


def _classical(table: Table) -> dict[str, float]:
    """Textbook tests where they apply: complete 0/1 outcomes, one row per item."""
    x = table.x
    if table.has_families or not table.complete or not np.isin(x, (0.0, 1.0)).all():
        return {"cochran_q": math.nan, "cochran_q_p_value": math.nan, "mcnemar_p_value": math.nan}
    q, p = cochran_q(x)
    two = x.shape[1] == 2  # noqa: PLR2004 - McNemar compares two
    b, c = (int(((x[:, 0] > x[:, 1])).sum()), int((x[:, 0] < x[:, 1]).sum())) if two else (0, 0)
    return {"cochran_q": q, "cochran_q_p_value": p, "mcnemar_p_value": mcnemar_exact(b, c) if two else math.nan}
