"""Unparsed answers by condition: more of them under one condition pass for a drop in accuracy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .align import align
from .difference import mean_difference
from .intervals import family_interval, wilson
from .options import Options, plain
from .resample import Floats, sum_by
from .table import Rows, Table

NAME = "unparsed_rate"
LIMITATIONS = ("An unparsed answer counts as wrong; whether it would have been right, had it been read, nobody knows.",)


def unparsed(rows: Rows, options: Options) -> dict[str, Any]:
    """How many answers could not be read under each condition, and whether that differs beyond sampling noise.

    An item's rate under a condition is the share of its samples that are unparsed, 0 or 1 for a single answer. Each
    condition is compared with the reference on the items that both have, or, where there is no reference, with the
    mean of the other conditions: mean difference, and its p-value by the one paired test for single answers, samples
    and families (see `difference`). Contrast variants are conditions like any other here.

    Returns:
        `reference` (its name, or "") and, by condition: `unparsed_rate` with `unparsed_rate_ci` (Wilson on the items;
        over families where there are some), `n_unparsed` and `n` of rows; of the comparison `unparsed_difference`,
        `compared_rate` (of the reference on the same items), `n_compared`, `p_value`, `accuracy_difference` and
        `accuracy_explained`: the part of it that unparsed answers make at most. Rates in [0, 1].

    Limitations: the part explained is an upper bound. It holds if every answer lost had been right.
    """
    has_reference = options.reference is not None or "orig" in rows.condition_names
    table = align(replace(rows, relations=None), "pairwise" if has_reference else options.missing, options.reference)
    missed = _missed(table)
    reference = "" if table.reference is None else table.conditions[table.reference]
    counts = table.counts() | {"reference": reference}
    return plain(counts | _rates(table, missed, options) | _compared(table, missed, options))  # type: ignore[no-any-return]


def _missed(table: Table) -> Floats:
    """Unparsed share of every cell, shape (items, conditions); nan where an item lacks a condition."""
    counts = np.bincount(table.cell[table.rows.predictions < 0], minlength=table.count.size).reshape(table.count.shape)
    shares: Floats = np.divide(counts, table.count, out=np.full(counts.shape, np.nan), where=table.count > 0)
    return shares


def _rates(table: Table, missed: Floats, options: Options) -> dict[str, dict[str, Any]]:
    keys = ("unparsed_rate", "unparsed_rate_ci", "n_unparsed", "n")
    result: dict[str, dict[str, Any]] = {f"{key}_by_condition": {} for key in keys}
    for name, c in _by_name(table):
        here = ~np.isnan(missed[:, c])
        rate = float(missed[here, c].mean())
        interval = wilson(float(missed[here, c].sum()), int(here.sum()))
        if table.has_families:
            columns = np.stack([missed[here, c], np.ones(int(here.sum()))], axis=1)
            interval = family_interval(sum_by(table.families[here], columns, table.n_families))
        n_rows = table.count[:, c].sum()
        values = [rate, list(interval), round(float(missed[here, c] @ table.count[here, c])), int(n_rows)]
        for key, value in zip(keys, values, strict=True):
            result[f"{key}_by_condition"][name] = value
    return result


def _compared(table: Table, missed: Floats, options: Options) -> dict[str, dict[str, Any]]:
    """Each condition against the reference (or the mean of the others) on the items that both have."""
    keys = ("unparsed_difference", "compared_rate", "n_compared", "p_value", "accuracy_difference")
    result: dict[str, dict[str, Any]] = {f"{key}_by_condition": {} for key in (*keys, "accuracy_explained")}
    for name, c in _by_name(table):
        if c == table.reference:
            continue
        base, accuracy = (_base(values, c, table.reference) for values in (missed, table.x))
        both = ~np.isnan(missed[:, c]) & ~np.isnan(base)
        if not both.any():
            continue
        found = mean_difference((missed[:, c] - base)[both], table.families[both], options)
        change = float((table.x[:, c] - accuracy)[both].mean())
        values = [found.estimate, base[both].mean(), both.sum(), found.p_value, change]
        values.append(_explained(change, found.estimate))
        for key, value in zip(result, values, strict=True):
            result[key][name] = value
    return result


def _base(values: Floats, condition: int, reference: int | None) -> Floats:
    """What a condition is compared with, shape (items,); nan where there is nothing."""
    if reference is not None:
        return values[:, reference]
    others = np.delete(values, condition, axis=1)
    here = ~np.isnan(others)
    n = here.sum(axis=1)
    means: Floats = np.divide(np.where(here, others, 0.0).sum(axis=1), n, out=np.full(len(n), np.nan), where=n > 0)
    return means


def _explained(accuracy: float, missed: float) -> float:
    """The part of an accuracy difference that more (or fewer) unparsed answers can make."""
    return min(abs(accuracy), abs(missed)) if accuracy * missed < 0 else 0.0


def _by_name(table: Table) -> list[tuple[str, int]]:
    return sorted((name, c) for c, name in enumerate(table.conditions))


MEASURE = unparsed
