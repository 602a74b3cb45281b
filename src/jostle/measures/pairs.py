"""Contrast pairs: whether predictions change when the meaning changes, and stay when it stays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .align import check_labelled, check_repeats
from .intervals import wilson
from .options import Options, plain
from .resample import Floats, Ints, percentile_interval, resample_totals, sum_by
from .table import Rows

NAME = "pair_consistency"
LIMITATIONS = (
    "Relation accuracy counts pairs with two wrong answers that keep the relation: read it with pair accuracy.",
    "Side errors and relation failures overlap; they do not add up to the number of failing pairs.",
)

Bools = NDArray[np.bool_]
SIDES = ("both_right", "base_only_error", "edited_only_error", "both_wrong")


@dataclass(frozen=True)
class Pairs:
    """Base and edited member of each pair as codes; prediction -1 is an abstention (unparsed or refused)."""

    base_labels: Ints
    edited_labels: Ints
    base_predictions: Ints
    edited_predictions: Ints
    name: Callable[[int], str]
    operators: Ints
    operator_names: Sequence[str]
    families: Ints
    family_names: Sequence[str]
    has_families: bool = False
    base_confidences: Floats | None = None
    edited_confidences: Floats | None = None
    weights: Floats | None = None

    def __len__(self) -> int:
        return len(self.base_labels)


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
            "n_items": len(np.unique(rows.items[~unlabelled])),
            "n_rows": len(rows),
            "n_scored": int((~unlabelled).sum()),
            "n_unlabelled": int(unlabelled.sum()),
            "n_unparsed": int((rows.predictions[~unlabelled] < 0).sum()),
            "dropped": unpaired,
            "n_dropped": len(unpaired),
        }
        | score_pairs(data, options)
    )


def score_pairs(data: Pairs, options: Options) -> dict[str, Any]:
    """The pair keys of pairs that are matched already."""
    n_resamples, seed = options.n_resamples, options.seed
    right_base = data.base_predictions == data.base_labels
    right_edited = data.edited_predictions == data.edited_labels
    abstained = (data.base_predictions < 0) | (data.edited_predictions < 0)
    gold_same = data.base_labels == data.edited_labels
    kept = ~abstained & (gold_same == (data.base_predictions == data.edited_predictions))
    side = np.where(right_base, np.where(right_edited, 0, 2), np.where(right_edited, 1, 3))
    values = np.stack([(right_base.astype(float) + right_edited) / 2, kept, side == 0], axis=1)
    return {
        "n_pairs": len(data),
        "n_families": len(np.unique(data.families)),
        **_rates(data, values, n_resamples, seed),
        **_counters(side, kept),
        "table": _table(side, kept),
        "sensitivity_accuracy": _mean(kept[~gold_same]),
        "n_sensitivity": int((~gold_same).sum()),
        "invariance_accuracy": _mean(kept[gold_same]),
        "n_invariance": int(gold_same.sum()),
        "by_operator": _by(data.operators, data.operator_names, values),
        "by_family": _by(data.families, data.family_names, values) if data.has_families else {},
        **_family_mean(data, kept, n_resamples, seed),
        "weighted_relation_accuracy": _weighted(data.weights, kept),
        **_confidence(data),
        "n_abstained_base": int((data.base_predictions < 0).sum()),
        "n_abstained_edited": int((data.edited_predictions < 0).sum()),
        "n_failures": int((~kept | (side > 0)).sum()),
        "failures": _failures(data, side, kept, options.max_failures),
        "degenerate": len(data) <= 1,
    }


def _mean(values: Bools | Floats) -> float:
    return float(values.mean()) if len(values) else math.nan


def _rates(data: Pairs, values: Floats, n_resamples: int, seed: int) -> dict[str, float]:
    """The three accuracies with intervals: Wilson, or the family bootstrap where pairs come in families."""
    _, family = np.unique(data.families, return_inverse=True)
    clustered = len(data) > 0 and int(family.max()) + 1 < len(data)
    drawn = None
    if clustered:
        totals = sum_by(family, np.column_stack([values, np.ones(len(data))]), int(family.max()) + 1)
        drawn = resample_totals(totals, n_resamples, seed)
    result: dict[str, float] = {}
    for k, name in enumerate(("side_accuracy", "relation_accuracy", "pair_accuracy")):
        interval = (
            percentile_interval(drawn[:, k] / drawn[:, -1])
            if drawn is not None
            else (wilson(float(values[:, k].sum()), len(data)))
        )
        result |= {name: _mean(values[:, k]), f"{name}_ci_low": interval[0], f"{name}_ci_high": interval[1]}
    return result


def _counters(side: Ints, kept: Bools) -> dict[str, int]:
    return {
        "base_only_error": int((side == 1).sum()),
        "edited_only_error": int((side == 2).sum()),  # noqa: PLR2004 - index into SIDES
        "both_wrong_expected_relation": int(((side == 3) & kept).sum()),  # noqa: PLR2004
        "relation_failure": int((~kept).sum()),
    }


def _table(side: Ints, kept: Bools) -> dict[str, dict[str, int]]:
    counts = np.bincount(side * 2 + kept, minlength=8).reshape(4, 2)
    return {name: {"failed": int(row[0]), "kept": int(row[1])} for name, row in zip(SIDES, counts, strict=True)}


def _by(codes: Ints, names: Sequence[str], values: Floats) -> dict[str, dict[str, float]]:
    """Count and the three accuracies of each group."""
    totals = sum_by(codes, np.column_stack([np.ones(len(codes)), values]), len(names))
    keys = ("side_accuracy", "relation_accuracy", "pair_accuracy")
    return {
        names[g]: {"n_pairs": int(row[0]), **dict(zip(keys, (row[1:] / row[0]).tolist(), strict=True))}
        for g, row in enumerate(totals)
        if row[0]
    }


def _family_mean(data: Pairs, kept: Bools, n_resamples: int, seed: int) -> dict[str, float]:
    """Relation accuracy with every family counting once, and its interval over families."""
    key = "family_mean_relation_accuracy"
    if not len(data):
        return {key: math.nan, f"{key}_ci_low": math.nan, f"{key}_ci_high": math.nan}
    _, family = np.unique(data.families, return_inverse=True)
    totals = sum_by(family, np.column_stack([kept, np.ones(len(kept))]), int(family.max()) + 1)
    means = totals[:, :1] / totals[:, 1:]
    drawn = resample_totals(means, n_resamples, seed)[:, 0] / len(means)
    low, high = percentile_interval(drawn)
    return {key: float(means.mean()), f"{key}_ci_low": low, f"{key}_ci_high": high}


def _weighted(weights: Floats | None, kept: Bools) -> float:
    if weights is None or not weights.sum() > 0:
        return math.nan
    return float((weights * kept).sum() / weights.sum())


def _confidence(data: Pairs) -> dict[str, float]:
    """Mean change of confidence from base to edited, over pairs that have both."""
    if data.base_confidences is None or data.edited_confidences is None:
        return {"mean_confidence_change": math.nan, "n_missing_confidence": len(data)}
    change = data.edited_confidences - data.base_confidences
    known = ~np.isnan(change)
    return {
        "mean_confidence_change": math.fsum(change[known]) / int(known.sum()) if known.any() else math.nan,
        "n_missing_confidence": int((~known).sum()),
    }


def _failures(data: Pairs, side: Ints, kept: Bools, most: int) -> list[dict[str, str]]:
    failing = np.flatnonzero(~kept | (side > 0))[:most]
    return [
        {
            "pair": data.name(int(i)),
            "operator": data.operator_names[data.operators[i]] if len(data.operator_names) else "",
            "sides": SIDES[side[i]],
            "relation": "kept" if kept[i] else "failed",
        }
        for i in failing
    ]


def pairs_from_rows(rows: Rows, reference: str | None = None) -> tuple[Pairs, list[str]]:
    """Every (item, condition) row paired with the item's reference row (`orig` by default).

    Samples vote first; a tie counts as an abstention. Pairs without any gold are unlabelled and left out.

    Returns:
        The pairs, and the items that could not be paired for want of a reference row.

    Raises:
        ValueError: On a pair with one gold only (named), or a `relations` value that contradicts the golds.
    """
    check_repeats(rows)
    base_name = reference or "orig"
    if base_name not in rows.condition_names:
        if len(rows) and reference is not None:
            raise ValueError(f"Expected `reference` to be one of {list(rows.condition_names)}, but got {reference!r}.")
        none = np.zeros(0, dtype=np.int64)
        return _pick(rows, none, none), list(rows.item_names)
    if rows.sampled:
        rows = _vote(rows)
    anchor = list(rows.condition_names).index(base_name)
    base_of_item = np.full(len(rows.item_names), -1, dtype=np.int64)
    is_base = rows.conditions == anchor
    base_of_item[rows.items[is_base]] = np.flatnonzero(is_base)
    order = np.lexsort((rows.conditions, rows.items))
    edited = order[~is_base[order]]
    base = base_of_item[rows.items[edited]]
    unpaired = [rows.item_names[i] for i in np.unique(rows.items[edited[base < 0]])]
    edited, base = edited[base >= 0], base[base >= 0]
    labelled = (rows.references[base] >= 0) | (rows.references[edited] >= 0)
    edited, base = edited[labelled], base[labelled]
    data = _pick(rows, base, edited)
    _check_golds(data)
    if rows.relations is not None:
        check_relations(data, rows.relations[edited])
    return data, unpaired


def _pick(rows: Rows, base: Ints, edited: Ints) -> Pairs:
    def at(values: Floats | None, index: Ints) -> Floats | None:
        return None if values is None else values[index]

    given = rows.families is not None
    return Pairs(
        base_labels=rows.references[base],
        edited_labels=rows.references[edited],
        base_predictions=rows.predictions[base],
        edited_predictions=rows.predictions[edited],
        name=lambda k: f"{rows.item_names[rows.items[edited[k]]]} / {rows.condition_names[rows.conditions[edited[k]]]}",
        operators=(rows.conditions if rows.operators is None else rows.operators)[edited],
        operator_names=rows.condition_names if rows.operators is None else rows.operator_names,
        families=(rows.families if given else rows.items)[edited],  # type: ignore[index]
        family_names=rows.family_names if given else rows.item_names,
        has_families=given,
        base_confidences=at(rows.confidences, base),
        edited_confidences=at(rows.confidences, edited),
        weights=at(rows.weights, edited),
    )


def _check_golds(data: Pairs) -> None:
    missing = np.flatnonzero((data.base_labels < 0) | (data.edited_labels < 0))
    if len(missing):
        side = "base" if data.base_labels[missing[0]] < 0 else "edited"
        raise ValueError(
            f"Expected gold labels on both sides, but pair {data.name(int(missing[0]))!r} has no {side} gold."
        )


def check_relations(data: Pairs, relations: Ints) -> None:
    """Refuse a stated relation (1 changed, 0 invariant, -1 not stated) that the golds contradict."""
    changed = data.base_labels != data.edited_labels
    wrong = np.flatnonzero((relations >= 0) & (relations != changed))
    if len(wrong):
        stated = "changed" if relations[wrong[0]] else "invariant"
        golds = "equal" if relations[wrong[0]] else "different"
        raise ValueError(
            f"Expected relation and golds to agree, but pair {data.name(int(wrong[0]))!r} is marked "
            f"{stated!r} and its golds are {golds}. Correct the relation or the gold."
        )


def _vote(rows: Rows) -> Rows:
    """One row per item and condition: the majority of its parsed samples, -1 on a tie or when none parsed."""
    n_labels = max(int(rows.predictions.max(initial=0)), 0) + 1
    cell = rows.items * len(rows.condition_names) + rows.conditions
    used, first, inverse = np.unique(cell, return_index=True, return_inverse=True)
    voting = rows.predictions >= 0
    size = len(used) * n_labels
    votes = np.bincount(inverse[voting] * n_labels + rows.predictions[voting], minlength=size)
    votes = votes.reshape(len(used), n_labels)
    top = votes.max(axis=1, keepdims=True)
    winner = np.where(((votes == top).sum(axis=1) == 1) & (top[:, 0] > 0), votes.argmax(axis=1), -1)
    keep = np.zeros(len(rows), dtype=bool)
    keep[first] = True
    one = rows.take(keep)
    position = np.argsort(np.argsort(first))
    predictions = np.empty(len(used), dtype=np.int64)
    predictions[position] = winner
    return replace(one, predictions=predictions, sampled=False)


MEASURE = pairs
