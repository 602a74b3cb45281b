"""Contrast pairs: whether predictions change when the meaning changes, and stay when it stays."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .align import check_labelled
from .options import Options, plain
from .pair_data import Pairs, pairs_from_rows
from .pair_rates import Summed, answered_only, by_family, by_operator, operator_weighted, rates, with_ends
from .resample import Floats, Ints
from .table import Rows

NAME = "pair_consistency"
LIMITATIONS = (
    "Relation accuracy counts pairs with two wrong answers that keep the relation: read it with pair accuracy.",
    "Side errors and relation failures overlap; they do not add up to the number of failing pairs.",
)

Bools = NDArray[np.bool_]
SIDES = ("both_right", "base_only_error", "edited_only_error", "both_wrong")
BASE_ONLY, EDITED_ONLY, BOTH_WRONG = 1, 2, 3
_SIDE = np.array([BOTH_WRONG, BASE_ONLY, EDITED_ONLY, 0])  # by 2 * base right + edited right
_ROUNDING = 1e-9  # 0.9 - 0.7 is above 0.2 in binary, and a fall of just the amount is none beyond it


@dataclass(frozen=True)
class PairOutcomes:
    """What came of every pair, as arrays of one length.

    Attributes:
        side: Index into `SIDES`; an abstention is not right.
        kept: Whether the relation was kept; never where either side abstained.
        abstained: Whether either side abstained.
        changed: Whether the gold changes (a sensitivity pair).
    """

    side: Ints
    kept: Bools
    abstained: Bools
    changed: Bools

    @property
    def failing(self) -> Bools:
        """Pairs with an error on a side, a relation that failed, or an abstention."""
        failing: Bools = ~self.kept | (self.side > 0)
        return failing

    @property
    def values(self) -> Floats:
        """What the three accuracies are the means of, shape (pairs, 3)."""
        right = np.array([2, 1, 1, 0])[self.side] / 2
        return np.column_stack([right, self.kept, self.side == 0])

    def relation(self, index: int) -> str:
        """`kept`, `failed`, or `abstained` where a side has no answer."""
        return "abstained" if self.abstained[index] else "kept" if self.kept[index] else "failed"


def pair_outcomes(data: Pairs) -> PairOutcomes:
    """Side, relation and abstention of every pair."""
    right_base = data.base_predictions == data.base_labels
    right_edited = data.edited_predictions == data.edited_labels
    abstained = (data.base_predictions < 0) | (data.edited_predictions < 0)
    changed = data.base_labels != data.edited_labels
    kept = ~abstained & (changed == (data.base_predictions != data.edited_predictions))
    return PairOutcomes(_SIDE[2 * right_base + right_edited], kept, abstained, changed)


def pairs(rows: Rows, options: Options) -> dict[str, Any]:
    """Side, relation and pair accuracy of contrast pairs, with the whole table behind them.

    `side_accuracy` = right predictions / (2 pairs). The relation of a pair is kept when (gold_b == gold_e) ==
    (pred_b == pred_e); `relation_accuracy` is the share kept. `pair_accuracy` is the share with both sides right.
    `table` crosses the sides (both right, base-only error, edited-only error, both wrong) with the relation. The
    classic counters are read off it and overlap: an edited-only error is often a relation failure too.

    Returns:
        The pair keys (see the metric card); rates in [0, 1], nan for no pairs, counts 0.

    Limitations: relation accuracy alone hides pairs in which both answers are wrong; read it with the sides.
    Sensitivity pairs (gold changes) and invariance pairs (gold stays) are passed by always or never flipping, so
    they are given apart.
    """
    check_labelled(rows)
    data, unpaired = pairs_from_rows(rows, options.reference)
    unlabelled = rows.references < 0
    return plain(  # type: ignore[no-any-return]
        {
            "n_items": int(np.count_nonzero(np.bincount(rows.items[~unlabelled]))),
            "n_rows": len(rows),
            "n_scored": int((~unlabelled).sum()),
            "n_unlabelled": int(unlabelled.sum()),
            "n_unparsed": int((rows.predictions[~unlabelled] < 0).sum()),
            "dropped": unpaired,
            "n_dropped": len(unpaired),
        }
        | score_pairs(data, options)
    )


def score_pairs(data: Pairs, options: Options, operator_weights: Mapping[str, float] | None = None) -> dict[str, Any]:
    """The pair keys of pairs that are matched already.

    Args:
        data: The pairs.
        options: `collapse` and `max_failures` count here.
        operator_weights: Weight by operator in the operator-weighted rates; 1 for those not named.

    Raises:
        ValueError: Weights that are negative, or all 0.
    """
    found = pair_outcomes(data)
    values = found.values
    kinds = (found.changed, ~found.changed)
    summed = Summed(values, data.families, len(data.family_names), kinds)
    counted = np.column_stack([found.changed, found.failing, found.abstained]).astype(float)
    return {
        "n_pairs": len(data),
        "n_families": summed.n_families,
        **rates(summed),
        **_counters(found),
        "table": _table(found),
        **_kinds(summed, found),
        "by_operator": by_operator(data, values, counted, summed),
        "by_family": by_family(data, values) if data.has_families else {},
        **rates(summed, family_mean=True),
        **operator_weighted(data, values, operator_weights or {}),
        "weighted_relation_accuracy": _weighted(data.weights, found.kept),
        **_confidence(data, found, options.collapse),
        **_abstention(data, found),
        **answered_only(values, ~found.abstained),
        "n_failures": int(found.failing.sum()),
        "failures": _failures(data, found, options.max_failures),
        "degenerate": len(data) <= 1,
    }


def _counters(found: PairOutcomes) -> dict[str, int]:
    return {
        "base_only_error": int((found.side == BASE_ONLY).sum()),
        "edited_only_error": int((found.side == EDITED_ONLY).sum()),
        "both_wrong_expected_relation": int(((found.side == BOTH_WRONG) & found.kept).sum()),
        "relation_failure": int((~found.kept).sum()),
    }


def _table(found: PairOutcomes) -> dict[str, dict[str, int]]:
    counts = np.bincount(found.side * 2 + found.kept, minlength=8).reshape(4, 2)
    return {name: {"failed": int(row[0]), "kept": int(row[1])} for name, row in zip(SIDES, counts, strict=True)}


def _kinds(summed: Summed, found: PairOutcomes) -> dict[str, Any]:
    """Number, relation and pair accuracy of the pairs whose gold changes and of those whose gold stays."""
    result: dict[str, Any] = {"n_sensitivity": int(found.changed.sum()), "n_invariance": int((~found.changed).sum())}
    for part, name in enumerate(("sensitivity", "invariance"), start=1):
        result |= with_ends(f"{name}_accuracy", *summed.pooled(1, part))
        result |= with_ends(f"{name}_pair_accuracy", *summed.pooled(2, part))
    return result


def _weighted(weights: Floats | None, kept: Bools) -> float:
    if weights is None or not weights.sum() > 0:
        return math.nan
    return float((weights * kept).sum() / weights.sum())


def _confidence(data: Pairs, found: PairOutcomes, collapse: float) -> dict[str, float]:
    """Mean change of confidence over pairs that have both, and how often it collapsed although the answers stay right.

    `collapse_rate` = pairs right on both sides whose confidence fell by more than `collapse` / pairs right on both
    sides that have both confidences.
    """
    if data.base_confidences is None or data.edited_confidences is None:
        change = np.full(len(data), math.nan)
    else:
        change = data.edited_confidences - data.base_confidences
    known = ~np.isnan(change)
    still_right = known & (found.side == 0)
    fallen = int((-change[still_right] > collapse + _ROUNDING).sum())
    return {
        "mean_confidence_change": math.fsum(change[known]) / int(known.sum()) if known.any() else math.nan,
        "n_missing_confidence": int((~known).sum()),
        "collapse_rate": fallen / int(still_right.sum()) if still_right.any() else math.nan,
        "n_collapsed": fallen,
        "n_still_right": int(still_right.sum()),
    }


def _abstention(data: Pairs, found: PairOutcomes) -> dict[str, Any]:
    """Abstentions by side of the pair, and the share of pairs answered on both."""
    return {
        "n_abstained_base": int((data.base_predictions < 0).sum()),
        "n_abstained_edited": int((data.edited_predictions < 0).sum()),
        "n_abstained": int(found.abstained.sum()),
        "abstained_by_side": dict(zip(SIDES, np.bincount(found.side[found.abstained], minlength=4), strict=True)),
        "coverage": float((~found.abstained).mean()) if len(data) else math.nan,
    }


def _failures(data: Pairs, found: PairOutcomes, most: int) -> list[dict[str, str]]:
    return [
        {
            "pair": data.name(int(i)),
            "operator": data.operator_names[data.operators[i]] if len(data.operator_names) else "",
            "sides": SIDES[found.side[i]],
            "relation": found.relation(int(i)),
        }
        for i in np.flatnonzero(found.failing)[:most]
    ]


MEASURE = pairs
