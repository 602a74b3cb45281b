"""Scores of an Inspect AI log -> outcomes -> drift and flips, by jostle's own measures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Value, metric

from ..importers.inspect_log import CONDITION, CONDITIONS, FAMILY, ITEM, right_or_wrong
from ..measures.drift import drift
from ..measures.flips import flips
from ..measures.inputs import to_rows
from ..measures.options import Options
from ..outcomes import Outcomes
from ._inspect_samples import ORIGINAL

_NO_ANSWER = "N"
_SILENT = ("invalid_response_format", "no_response", "refusal")  # what Inspect calls an answer that there is not
_DRIFT = {
    "drift": "max_drift",
    "drift_ci_low": "drift_ci_low",
    "drift_ci_high": "drift_ci_high",
    "drift_expected": "expected_drift_null",
    "noise_floor": "noise_floor",
}
_FLIPS = {
    "flip_rate": "flip_rate",
    "flip_rate_ci_low": "flip_rate_ci_low",
    "flip_rate_ci_high": "flip_rate_ci_high",
    "mean_pairwise_flip": "mean_pairwise_flip",
    "noise_flip_rate": "noise_flip_rate",
    "worst_case_accuracy": "worst_case_accuracy",
    "n_items": "n_items",
    "n_compared": "n_compared",
    "n_unstable": "n_unstable",
    "n_dropped": "n_dropped",
}


@dataclass
class Tally:
    """Scores laid out as outcome rows, with what is no row.

    Args:
        columns: Outcome columns.
        expected: Number of conditions by item.
        cells: Scores by item and condition, those that are neither right nor wrong among them.
        counts: `passed_through` (of no item), `not_binary` (partial credit) and `no_answer` scores.
    """

    columns: dict[str, list[Any]] = field(default_factory=dict)
    expected: dict[str, int] = field(default_factory=dict)
    cells: Counter[tuple[str, str]] = field(default_factory=Counter)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def unscored(self) -> int:
        """Scores that the items lack: of samples with an error, without a score, or cut off by a limit."""
        epochs = max(self.cells.values(), default=0)
        return sum(self.expected.values()) * epochs - self.cells.total()


def tallied(scores: Sequence[SampleScore]) -> Tally:
    """Lay the scores out, each epoch as a sample of its item and condition."""
    tally = Tally()
    for one in scores:
        about = one.sample_metadata or {}
        if ITEM not in about:
            tally.counts["passed_through"] += 1
            continue
        item, condition = str(about[ITEM]), str(about[CONDITION])
        tally.expected[item] = int(about[CONDITIONS])
        if isinstance(one.score.value, float) and math.isnan(one.score.value):
            continue
        tally.cells[item, condition] += 1
        right = right_or_wrong(one.score.value)
        if right is None:
            tally.counts["not_binary"] += 1
            continue
        silent = _is_silent(one.score, right)
        tally.counts["no_answer"] += silent
        row = {
            "predictions": None if silent else right,
            "references": True,
            "item_ids": item,
            "conditions": condition,
            "families": str(about.get(FAMILY, item)),
            "samples": str(tally.cells[item, condition]),
        }
        for name, value in row.items():
            tally.columns.setdefault(name, []).append(value)
    return tally


def _is_silent(score: Score, right: bool) -> bool:
    """Whether the model gave no answer that could be read."""
    return score.value == _NO_ANSWER or (not right and score.reason in _SILENT)


def invariance_values(scores: Sequence[SampleScore], options: Options, left_out: int = 0) -> dict[str, float]:
    """What `invariance` reports, from the scores of all samples and epochs; see there."""
    tally = tallied(scores)
    measured: dict[str, float] = dict.fromkeys([*_DRIFT, *_FLIPS], math.nan)
    if tally.columns:
        measured |= _measured(tally.columns, options)
    counts = {f"n_{name}": tally.counts[name] for name in ("no_answer", "not_binary", "passed_through")}
    counts |= {"n_unscored": tally.unscored, "n_left_out": left_out}
    return {f"invariance_{name}": float(value) for name, value in (measured | counts).items()}


def _measured(columns: dict[str, Any], options: Options) -> dict[str, float]:
    rows = to_rows(Outcomes.from_columns(**columns).columns, options)
    drifts, flipped = drift(rows, options), flips(rows, options)
    values = {name: drifts[key] for name, key in _DRIFT.items()}
    values |= {name: flipped[key] for name, key in _FLIPS.items()}
    return values | {f"accuracy_{name}": value for name, value in drifts["accuracy_by_condition"].items()}


@metric(name="invariance", scores="unreduced")
def invariance_metrics(left_out: int = 0, tolerance: float = 0.03, n_resamples: int = 10_000, seed: int = 0) -> Metric:
    """Drift and flips between the conditions of each item, with intervals and noise floor, as metrics of a log.

    `invariance_drift` = max_c a_c - min_c a_c over the conditions' accuracies a_c, and `invariance_flip_rate` = the
    share of items that are not right (or not wrong) in all of their conditions; `_ci_low` and `_ci_high` are the ends
    of their 95 % intervals, `invariance_drift_expected` the drift without any effect. With epochs each epoch is a
    sample: a condition of an item is right by the majority of them (an exact half is `n_unstable`), accuracies are
    means, and `noise_floor` is how often two epochs of one condition disagree. Numbers are those of `jostle report` on
    the same log.

    C, 1, "yes" are right; I, N, 0, "no" are wrong; what is no answer
    that can be read is counted in `n_no_answer` as well. Partial credit is in
    `n_not_binary` and left out. `n_unscored` are the scores that items lack: samples with an error, without a score, or
    cut off by `--limit`. All values are numbers, nan where nothing was compared.

    Args:
        left_out: How many samples of the task were left out before it ran.
        tolerance: Accuracy difference that would matter.
        n_resamples: Bootstrap replicates.
        seed: Seed of the bootstrap.

    Limitations: an item without any score at all is not seen here. Fewer than 30 families, or 10 items, say little.
    """
    options = Options(tolerance=tolerance, n_resamples=n_resamples, seed=seed, missing="pairwise")

    def compute(scores: list[SampleScore]) -> Value:
        return invariance_values(scores, _within(scores, options), left_out)

    return compute


def _within(scores: Sequence[SampleScore], options: Options) -> Options:
    """Without any original to compare with, the items that all conditions have."""
    conditions = {(one.sample_metadata or {}).get(CONDITION) for one in scores}
    return options if ORIGINAL in conditions else Options(**{**vars(options), "missing": "intersect"})
