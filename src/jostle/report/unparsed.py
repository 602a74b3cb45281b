"""Unparsed answers across a report: p-values adjusted over all groups, and the warnings that follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..measures.intervals import holm
from ..measures.unparsed import NAME
from .model import Measure, ordered

LEVEL = 0.05


def adjusted(measures: Sequence[Measure]) -> list[Measure]:
    """The measures with the p-values of unparsed rates adjusted by Holm over the conditions of all groups."""
    raw = {
        f"{k}\t{condition}": p
        for k, measure in enumerate(measures)
        if measure.name == NAME
        for condition, p in measure.values["p_value_by_condition"].items()
    }
    found = holm(raw)
    return [
        replace(m, values={**m.values, "p_value_holm_by_condition": _of_measure(found, k)}) if m.name == NAME else m
        for k, m in enumerate(measures)
    ]


def _of_measure(found: Mapping[str, float], number: int) -> dict[str, float]:
    start = f"{number}\t"
    return {key.removeprefix(start): p for key, p in found.items() if key.startswith(start)}


def unparsed_warnings(measures: Sequence[Measure]) -> list[str]:
    """A warning for every condition whose unparsed rate differs beyond sampling noise, after Holm over the report."""
    return [
        _warning(measure, condition)
        for measure in measures
        if measure.name == NAME
        for condition, p in ordered(measure.values["p_value_holm_by_condition"]).items()
        if p < LEVEL
    ]


def _warning(measure: Measure, condition: str) -> str:
    values: Mapping[str, Any] = measure.values
    names = ("compared_rate", "unparsed_difference", "accuracy_difference", "accuracy_explained", "n_compared")
    base, more, change, part, n = (values[f"{name}_by_condition"][condition] for name in names)
    effect = (
        f"that can make up to {part:.3f} of its accuracy difference of {change:+.3f}"
        if part
        else f"they do not make its accuracy difference of {change:+.3f}"
    )
    return (
        f"{measure.group + ': ' if measure.group else ''}{condition} has {base + more:.1%} unparsed answers, "
        f"{values['reference'] or 'the others'} {base:.1%} on the same {n} items (p {_p(values, condition)}, Holm): "
        f"{effect}. Read the raw answers (a run writes completions.parquet) before calling it a change in accuracy."
    )


def _p(values: Mapping[str, Any], condition: str) -> str:
    p = values["p_value_holm_by_condition"][condition]
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"  # noqa: PLR2004 - the last digit shown
