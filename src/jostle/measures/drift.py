"""Invariance drift: how far accuracy moves between conditions that should not matter, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from .align import align
from .intervals import Z95, cochran_q, family_interval, mcnemar_exact, range_quantile, t_quantile, wilson
from .options import Options, plain
from .profile import Profile, profile_of
from .resample import Floats, Ints, percentile_interval, resample_totals
from .table import Rows

NAME = "invariance_drift"
LIMITATIONS = (
    "The conditions are taken as given: that each kept the meaning is not checked here.",
    "Drift is never negative, so it is above 0 without any effect: read the interval and the expected value.",
    "Not significant is not invariant: only an interval below the tolerance is.",
)

MIN_FAMILIES = 30  # below this the interval excludes 0 without any effect far too often (13 % at 15 families)
MIN_SHARED = 30  # a condition that fewer items have than this would only widen the interval of all the others
MIN_ITEMS = 10  # below this a handful of items that all flip would pass for evidence
POWER = 0.80
_TWO = 2  # conditions that a comparison needs


@dataclass(frozen=True)
class _Estimate:
    """Accuracy differences to an anchor, with what their interval needs."""

    difference: Floats  # (C,) accuracy of each condition minus the anchor's, on shared items
    centred: Floats  # (B, C) the same in each bootstrap replicate, minus its estimate
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
        The drift keys (see the metric card). Numbers are in [0, 1], nan where nothing was compared; under `pairwise`
        the drift of conditions that different items have can reach 2.

    Limitations: conditions are taken as given; that a transformation kept the meaning is not checked here. Fewer than
    30 families, or fewer than 10 items, never give a verdict other than inconclusive.

    Reference: T. Hothorn, F. Bretz, P. Westfall, Simultaneous inference in general parametric models, 2008 (max-T).
    """
    table = align(rows, options.missing, options.reference)
    return plain(table.counts() | profile_drift(profile_of(table), options))  # type: ignore[no-any-return]


def profile_drift(profile: Profile, options: Options) -> dict[str, Any]:
    """The drift of outcomes that are aligned and reduced already; its cost does not grow with the number of items."""
    drawn = resample_totals(profile.totals, options.n_resamples, options.seed, profile.family_counts)
    compared = _compared(profile)
    reason = _unmeasurable(profile, compared)
    if reason:
        return _not_measured(profile, reason)
    estimate = _estimate(profile, drawn, compared)
    low, high, p_value = _interval(estimate, profile, compared)
    result = _accuracies(profile) | {
        "max_drift": float(np.ptp(estimate.difference)),
        "drift_ci_low": low,
        "drift_ci_high": high,
        "p_value": p_value,
        "expected_drift_null": float(np.ptp(estimate.centred, axis=1).mean()),
        "noise_floor": profile.noise,
        "worst_condition": profile.conditions[compared[int(estimate.difference.argmin())]],
        "best_condition": profile.conditions[compared[int(estimate.difference.argmax())]],
        "too_few_items": sorted(set(profile.conditions) - {profile.conditions[c] for c in compared}),
        "degenerate": estimate.discordance == 0 or profile.n_items < MIN_ITEMS,
        "items_needed": items_needed(estimate.discordance, len(compared), options.tolerance),
    }
    verdict, reason = _verdict(result, _flip_bound(profile, drawn), profile, options)
    return result | {"verdict": verdict, "verdict_reason": reason} | _classical(profile)


def _fewest(profile: Profile) -> int:
    """Items that a condition needs to be compared, where items may lack conditions; in a small set fewer will do."""
    return next((n for n in (MIN_SHARED, MIN_ITEMS) if profile.n_items >= n), 0)


def _compared(profile: Profile) -> Ints:
    """The conditions that are compared: where items may lack a condition, those that enough items have."""
    n = profile.counts @ profile.present
    if profile.anchor is None:
        return np.arange(len(n))
    return np.flatnonzero((n >= _fewest(profile)) | (np.arange(len(n)) == profile.anchor))


def _unmeasurable(profile: Profile, compared: Ints) -> str:
    if not profile.n_items:
        return "no items"
    if sum(profile.unparsed) == profile.n_scored:
        return "no prediction could be read"
    if len(compared) < _TWO:
        found = f"has {len(profile.conditions)}"
        few = f", {len(profile.conditions) - len(compared)} of them with fewer than {_fewest(profile)} items"
        return f"needs at least 2 conditions, {found}{few if len(compared) < len(profile.conditions) else ''}"
    return ""


def _not_measured(profile: Profile, reason: str) -> dict[str, Any]:
    undefined = ("max_drift", "drift_ci_low", "drift_ci_high", "p_value", "expected_drift_null", "noise_floor")
    return _accuracies(profile) | {
        **dict.fromkeys(undefined, math.nan),
        "items_needed": math.nan,
        "worst_condition": "",
        "best_condition": "",
        "too_few_items": [],
        "degenerate": True,
        "verdict": "not_measured",
        "verdict_reason": reason,
    }


def _estimate(profile: Profile, drawn: Floats, compared: Ints) -> _Estimate:
    c = len(profile.conditions)
    total = profile.family_counts @ profile.totals
    sums, n = total[:c][compared], total[2 * c : 3 * c][compared]
    difference = sums / n
    with np.errstate(invalid="ignore", divide="ignore"):
        replicates = drawn[:, :c][:, compared] / drawn[:, 2 * c : 3 * c][:, compared]
    centred = np.nan_to_num(replicates - difference)  # a replicate without any item of a condition says nothing of it
    pairs = np.array(list(combinations(range(len(compared)), 2)))
    errors, discordance = _pair_errors(profile, compared, n, pairs)
    return _Estimate(difference, centred, pairs, errors, discordance)


def _pair_errors(profile: Profile, compared: Ints, n: Floats, pairs: Ints) -> tuple[Floats, float]:
    """Standard error of each pair's difference, and the mean discordance.

    On complete data this is sqrt(b + c + 2 - (b - c)^2 / (n + 2)) / (n + 2) with the discordant counts b and c and
    one pseudo-discordant item each way, so it is never 0.
    """
    counts, d, present = profile.counts, profile.difference[:, compared], profile.present[:, compared]
    means = (counts @ d) / n
    centred = np.where(present, d - means, 0.0)
    errors, discordance = np.empty(len(pairs)), np.empty(len(pairs))
    for k, (i, j) in enumerate(pairs):
        n_pair = min(n[i], n[j])
        # An item that only one of the two conditions shares with the anchor counts with its own share.
        influence = centred[:, i] * n_pair / n[i] - centred[:, j] * n_pair / n[j]
        gap = n_pair * (means[i] - means[j])
        pseudo = 2 + 2 * gap**2 / (n_pair * (n_pair + 2))  # what the two added items do to the sum of squares
        errors[k] = math.sqrt(float(counts @ influence**2) + pseudo) / (n_pair + 2)
        both = present[:, i] & present[:, j]
        shared = float(counts @ both)
        discordance[k] = float(counts @ (both * (d[:, i] - d[:, j]) ** 2)) / shared if shared else 0.0
    return errors, float(discordance.mean())


def _interval(estimate: _Estimate, profile: Profile, compared: Ints) -> tuple[float, float, float]:
    """Ends of the max-T interval of the drift, and its centred and studentised p-value."""
    i, j = estimate.pairs.T
    observed = np.abs(estimate.difference[i] - estimate.difference[j])
    largest = np.zeros(len(estimate.centred))
    for a, b, error in zip(i, j, estimate.standard_error, strict=True):
        np.maximum(largest, np.abs(estimate.centred[:, a] - estimate.centred[:, b]) / error, out=largest)
    # The t factor is nearly 1 for many families; with few of them the bootstrap alone is too narrow.
    stretch = min(t_quantile(0.975, profile.n_families - 1) / Z95, 10.0)
    q = max(Z95, float(np.quantile(largest, 0.95))) * stretch
    low = max(0.0, float((observed - q * estimate.standard_error).max()))
    high = min(_most(profile, compared), float((observed + q * estimate.standard_error).max()))
    statistic = float((observed / estimate.standard_error).max()) / stretch
    exceed = int((largest >= statistic * (1 - 1e-12)).sum())
    # With the normal tail as a floor it agrees with the interval, in which q is 1.96 at least.
    return low, high, max((1 + exceed) / (1 + len(largest)), math.erfc(statistic / math.sqrt(2)))


def _most(profile: Profile, compared: Ints) -> float:
    """The largest drift there can be: conditions on different items can lie on both sides of the anchor."""
    present = profile.present[:, compared]
    return 1.0 if (present == present[:, :1]).all() else 2.0


def _accuracies(profile: Profile) -> dict[str, Any]:
    """Accuracy of each condition on all its items, with an interval of its own: Wilson, or over families."""
    n_conditions = len(profile.conditions)
    keys = ("accuracy", "accuracy_ci", "reference_accuracy", "full_set_accuracy", "n", "coverage", "unparsed")
    result: dict[str, dict[str, Any]] = {f"{key}_by_condition": {} for key in keys}
    for name, c in sorted((name, c) for c, name in enumerate(profile.conditions)):
        here = profile.present[:, c]
        counts, n = profile.counts[here], int(profile.counts[here].sum())
        right = float(counts @ profile.x[here, c])
        interval = wilson(right, n)
        if profile.has_families:
            pair = [n_conditions + c, 2 * n_conditions + c]
            interval = family_interval(profile.totals[:, pair], profile.family_counts)
        before, full = _reference_accuracies(profile, c)
        values = [right / n, list(interval), before, full, n, n / profile.n_items]
        for key, value in zip(keys, [*values, profile.unparsed[c]], strict=True):
            if value is not None:
                result[f"{key}_by_condition"][name] = value
    return result


def _reference_accuracies(profile: Profile, condition: int) -> tuple[float | None, float | None]:
    """The reference's accuracy on the items that the condition has (before and after on the same rows), and the
    condition's over all items, those it does not have counted as they are in the reference.
    """
    if profile.reference is None:
        return None, None
    x, base, counts = profile.x[:, condition], profile.x[:, profile.reference], profile.counts
    both = profile.present[:, condition] & profile.present[:, profile.reference]
    shared = counts[both].sum()
    before = float(counts[both] @ base[both] / shared) if shared else math.nan
    return before, float(counts @ np.where(np.isnan(x), base, x) / counts.sum())


def items_needed(discordance: float, n_conditions: int, tolerance: float) -> float:
    """Items for a verdict of `invariant` with 80 % power if the true drift is 0.

    n = (q95 + q80)^2 disc / tolerance^2, with the quantiles of the largest studentised difference among C conditions:
    20.6 disc / tolerance^2 at C = 4. nan when no item differs anywhere, for then the data do not say.

    >>> items_needed(0.1, 4, 0.03)
    2288
    """
    if discordance == 0 or tolerance <= 0:
        return math.nan
    spread = range_quantile(0.95, n_conditions) + range_quantile(POWER, n_conditions)
    return math.ceil(spread**2 * discordance / tolerance**2)


def _flip_bound(profile: Profile, drawn: Floats) -> tuple[float, float]:
    """Mean pairwise flip above the noise floor, and the upper end of its 95 % interval.

    Without families the upper end is Wilson's (the variance of a share in [0, 1] is at most the binomial one); with
    families or noise the larger of that and the family bootstrap's.
    """
    excess, n = profile.family_counts @ profile.totals[:, -2:]
    if n == 0:
        return math.nan, math.nan
    mean = excess / n
    groups = profile.n_families if profile.has_families else n
    high = wilson(max(mean, 0.0) * groups, int(groups))[1]
    if profile.has_families or not math.isnan(profile.noise):
        with np.errstate(invalid="ignore"):
            high = max(high, percentile_interval(drawn[:, -2] / drawn[:, -1])[1])
    return mean, high


def _verdict(result: dict[str, Any], flips: tuple[float, float], profile: Profile, options: Options) -> tuple[str, str]:
    flip, flip_high = flips
    tolerance, low, high = options.tolerance, result["drift_ci_low"], result["drift_ci_high"]
    if profile.n_items < MIN_ITEMS:
        return "inconclusive", f"fewer than {MIN_ITEMS} items ({profile.n_items})"
    if profile.has_families and profile.n_families < MIN_FAMILIES:
        return "inconclusive", f"fewer than {MIN_FAMILIES} families ({profile.n_families})"
    if low > tolerance:
        return "fragile", f"drift is above {tolerance:g} with 95 % confidence"
    if high >= tolerance:
        if result["degenerate"]:
            return "inconclusive", f"no item differs between conditions, but {profile.n_items} items are too few"
        return "inconclusive", f"the interval of the drift, {low:.3f}-{high:.3f}, includes {tolerance:g}"
    if not flip_high < options.flip_tolerance:
        return "inconclusive", (
            f"drift is below {tolerance:g}, but {profile.flips_of} differ between two conditions for {flip:.3f} of "
            f"the items (up to {flip_high:.3f}, tolerance {options.flip_tolerance:g})"
        )
    return "invariant", (
        f"drift is below {tolerance:g} and pairwise flips are below {options.flip_tolerance:g} with 95 % confidence"
    )


def _classical(profile: Profile) -> dict[str, float]:
    """Textbook tests where they apply: complete 0/1 outcomes, one item per family."""
    undefined = {"cochran_q": math.nan, "cochran_q_p_value": math.nan, "mcnemar_p_value": math.nan}
    x, counts = profile.x, profile.counts
    if profile.has_families or not profile.present.all() or not np.isin(x, (0.0, 1.0)).all():
        return undefined
    q, p = cochran_q(x, counts)
    if x.shape[1] != _TWO:
        return undefined | {"cochran_q": q, "cochran_q_p_value": p}
    b, c = int(counts[x[:, 0] > x[:, 1]].sum()), int(counts[x[:, 0] < x[:, 1]].sum())
    return {"cochran_q": q, "cochran_q_p_value": p, "mcnemar_p_value": mcnemar_exact(b, c)}


MEASURE = drift
