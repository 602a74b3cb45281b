"""Contrast pairs as codes: rows paired with their reference row, and what golds and relations must agree on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from .align import check_repeats
from .resample import Floats, Ints
from .table import Rows


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


def abstain_below(data: Pairs, threshold: float) -> Pairs:
    """The pairs with every prediction of a confidence below `threshold` taken as an abstention, on both sides alike.

    Raises:
        ValueError: A prediction has no confidence (the pair is named).
    """
    sides = {
        "base": _silenced(data, "base", data.base_predictions, data.base_confidences, threshold),
        "edited": _silenced(data, "edited", data.edited_predictions, data.edited_confidences, threshold),
    }
    return replace(data, base_predictions=sides["base"], edited_predictions=sides["edited"])


def _silenced(data: Pairs, side: str, predictions: Ints, confidences: Floats | None, threshold: float) -> Ints:
    known = np.full(len(data), np.nan) if confidences is None else confidences
    lacking = np.flatnonzero((predictions >= 0) & np.isnan(known))
    if len(lacking):
        raise ValueError(
            f"Expected a confidence for every prediction, to abstain below {threshold:g}, but pair "
            f"{data.name(int(lacking[0]))!r} has no {side} confidence."
        )
    return np.where((predictions >= 0) & (known < threshold), -1, predictions)
