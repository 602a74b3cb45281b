"""Outcomes -> `PairSet`: every row under another condition is paired with the same item's reference row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from ..errors import InputError, UsageError
from ..measures.inputs import by_group, to_rows
from ..measures.options import Options
from ..measures.pair_data import Pairs, pairs_from_rows
from ..measures.table import Rows
from ..outcomes import Outcomes
from .make import Source, make_pairs
from .rows import PairSet

UNREAD: Mapping[str, str] = {
    "identical input": "Pairs that the model reads as the very same input",
    "truncated": "Variants that were cut to the length the model can read",
    "edit lost to truncation": "Pairs left out since the edit was cut off",
}


def pairs_from_outcomes(outcomes: Outcomes, reference: str | None = None, group: str = "") -> PairSet:
    """Pairs of an outcomes table; samples vote first, a tie abstains.

    Items without the reference condition, and pairs without any gold, are left out and counted in the notes.

    Raises:
        UsageError: An unknown reference or group.
        InputError: Several models, tasks or decodings and no group chosen, or one gold of a pair missing.
    """
    rows = to_rows(_chosen(outcomes, group), Options())
    if reference is not None and reference not in rows.condition_names:
        raise UsageError(
            f"Expected a reference of {', '.join(rows.condition_names)} in {outcomes.source}, but got {reference!r}."
        )
    try:
        data, unpaired = pairs_from_rows(rows, reference)
    except ValueError as error:
        raise InputError(f"{outcomes.source}: {error}") from None
    left_out = {
        f"Items in no pair, for want of a row under {reference or 'orig'}": len(unpaired),
        "Rows without a gold label, in no pair": int((rows.references < 0).sum()),
    }
    notes = [*outcomes.notes, *_unread(outcomes), *(f"{what}: {n}." for what, n in left_out.items() if n)]
    made = make_pairs(_source(rows, data, outcomes, reference or "orig"))
    return PairSet(made.columns, {}, outcomes.source, (), made.evidence, notes, made.warnings)


def _unread(outcomes: Outcomes) -> list[str]:
    """What the model could not see of the edits, as the run counted it."""
    totals = {why: sum(reasons.get(why, 0) for reasons in outcomes.counts.values()) for why in UNREAD}
    return [f"{UNREAD[why]}: {n}." for why, n in totals.items() if n]


def _chosen(outcomes: Outcomes, group: str) -> dict[str, pa.Array]:
    groups = dict(by_group(outcomes.columns))
    if group in groups:
        return groups[group]
    names = [name for name in groups if name]
    if not names:
        raise UsageError(f"Expected no group, for {outcomes.source} has only one, but got {group!r}.")
    if group:
        raise UsageError(f"Expected a group of {', '.join(names)} in {outcomes.source}, but got {group!r}.")
    raise InputError(
        f"Expected outcomes of one task, model and decoding, but {outcomes.source} has {', '.join(names)}. Choose "
        f"one: --group '{names[0]}'."
    )


def _source(rows: Rows, data: Pairs, outcomes: Outcomes, base: str) -> Source:
    labels = pa.array(rows.label_names, pa.string())

    def text(codes: Any) -> pa.Array:
        return labels.take(pa.array(codes, mask=codes < 0))

    def named(codes: Any, names: Any) -> pa.Array:
        return pa.array(list(names), pa.string()).take(pa.array(codes))

    ids = [data.name(k) for k in range(len(data))]
    fields: dict[str, Any] = {
        "id": pa.array(ids, pa.string()),
        "base_label": text(data.base_labels),
        "edited_label": text(data.edited_labels),
        "base_prediction": text(data.base_predictions),
        "edited_prediction": text(data.edited_predictions),
        "operator": named(data.operators, data.operator_names),
        "family": named(data.families, data.family_names),
    }
    for side, values in (("base", data.base_confidences), ("edited", data.edited_confidences)):
        if values is not None:
            fields[f"{side}_confidence"] = values
    if outcomes.texts:
        parts = [name.rpartition(" / ") for name in ids]
        fields["base_text"] = pa.array([outcomes.texts.get((item, base)) for item, _, _ in parts], pa.string())
        fields["edited_text"] = pa.array([outcomes.texts.get((item, name)) for item, _, name in parts], pa.string())
    return Source(fields, len(data), outcomes.source)
