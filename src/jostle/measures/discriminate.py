"""Discrimination: which items tell models apart, and which say nothing about who is better."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .align import check_labelled, check_repeats
from .intervals import wilson
from .options import Options, plain
from .resample import Floats
from .separation import items_needed, median_discordance, smallest_detectable
from .table import Rows
from .verdicts import (
    CEILING,
    DISCRIMINATING,
    FLOOR,
    INVERTED,
    KINDS,
    MISSING,
    UNSTABLE,
    Discrimination,
    Verdicts,
    classify,
    critical_correlation,
    verdicts_of,
)

NAME = "discrimination"
LIMITATIONS = (
    "An item that all models pass is not a bad item: it may guard against a regression. It says nothing about which "
    "model is better.",
    "The figures hold for these models. Models that are close make a good set look as if it told nothing apart.",
    "An inverted or floor item points to its gold label and to the grader; it does not prove that they are wrong.",
)
ONE_POINT = 0.01


def separation(found: Discrimination) -> dict[str, Any]:
    """The numbers of a discrimination, but for those that are ids."""
    n = found.count(DISCRIMINATING, CEILING, FLOOR, INVERTED)
    same, apart = found.count(CEILING, FLOOR), found.count(DISCRIMINATING)
    share, ends = (apart / n, wilson(apart, n)) if n else (math.nan, (math.nan, math.nan))
    low, high = wilson(same, n)
    discordance = median_discordance(found.pairs)
    return {
        "n_models": len(found.verdicts.models),
        "models": list(found.verdicts.models),
        "accuracy_by_model": dict(zip(found.verdicts.models, found.accuracy, strict=True)),
        "n_measured": n,
        "n_missing": found.count(MISSING),
        "n_unstable": found.count(UNSTABLE),
        "n_discriminating": apart,
        "n_ceiling": found.count(CEILING),
        "n_floor": found.count(FLOOR),
        "n_inverted": found.count(INVERTED),
        "inverted_rule": found.rule,
        "discriminating_share": share,
        "discriminating_share_ci_low": ends[0],
        "discriminating_share_ci_high": ends[1],
        "non_discriminating_share": same / n if n else math.nan,
        "non_discriminating_share_ci_low": low,
        "non_discriminating_share_ci_high": high,
        "mean_item_rest": _mean(found.item_rest[~np.isnan(found.item_rest)]),
        "n_item_rest_negative": int((found.item_rest < -critical_correlation(len(found.verdicts.models))).sum()),
        "n_pairs": len(found.pairs),
        "n_pairs_told_apart": sum(pair.told_apart for pair in found.pairs),
        "n_pairs_above_detectable": sum(abs(pair.difference) >= pair.detectable for pair in found.pairs),
        "median_discordance": discordance,
        "smallest_detectable_difference": smallest_detectable(n, discordance),
        "median_neighbour_difference": _median(np.diff(np.sort(found.accuracy))),
        "items_needed_for_one_point": items_needed(ONE_POINT, discordance),
    }


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else math.nan


def _median(values: Floats) -> float:
    return float(np.median(values)) if len(values) else math.nan


def discriminate(rows: Rows, options: Options) -> dict[str, Any]:
    """Whether items tell models apart, from outcome rows that have the models in the place of the conditions.

    Args:
        rows: Outcome rows of two or more models on the same items, one row per item and model (and sample).
        options: `missing` and `max_failures` are used. Under `error` every model must have every item; else items
            that a model lacks are left out and named in `dropped`.

    Returns:
        The keys of the metric card; shares are nan where nothing was measured.

    Raises:
        ValueError: One model only, items that a model lacks, or a repeated item without samples.
    """
    check_labelled(rows)
    check_repeats(rows)
    labelled = rows.references >= 0
    found = classify(verdicts_of(rows.take(labelled)))
    dropped = found.ids(MISSING)
    if dropped and options.missing == "error":
        raise ValueError(_lacking(found.verdicts))
    numbers = separation(found)
    listed = (CEILING, FLOOR, INVERTED, UNSTABLE)
    names = found.verdicts.models
    by_pair = {f"{names[pair.weaker]} | {names[pair.stronger]}": pair for pair in found.pairs}
    return plain(  # type: ignore[no-any-return]
        {
            "n_items": len(found.kind),
            "n_rows": len(rows),
            "n_scored": int(labelled.sum()),
            "n_unlabelled": int((~labelled).sum()),
            "n_unparsed": int((rows.predictions[labelled] < 0).sum()),
            "dropped": dropped,
            "n_dropped": len(dropped),
            "degenerate": numbers["n_measured"] <= 1,
        }
        | numbers
        | {f"{KINDS[kind]}_item_ids": found.ids(kind)[: options.max_failures] for kind in listed}
        | {
            "difference_by_pair": {name: pair.difference for name, pair in by_pair.items()},
            "p_value_by_pair": {name: pair.p_value for name, pair in by_pair.items()},
            "p_value_holm_by_pair": {name: pair.p_value_holm for name, pair in by_pair.items()},
        }
    )


def _lacking(verdicts: Verdicts) -> str:
    lacks = (verdicts.count == 0).sum(axis=0)
    worst = int(lacks.argmax())
    item = verdicts.items[int((verdicts.count[:, worst] == 0).argmax())]
    return (
        f"Expected every model to have every item, but {verdicts.models[worst]!r} lacks {lacks[worst]} of "
        f"{len(verdicts.items)} ({item!r} is one). Pass missing='intersect' to measure the items that all models have."
    )


# No MEASURE: reports are of one model at a time, this compares models (`discriminate` is what the module calls).
