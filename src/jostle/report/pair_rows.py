"""Contrast pairs as people hold them (a list of dicts) -> coded pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import InputError
from ..measures.encode import Column, check_labels, to_codes, to_floats, to_text
from ..measures.options import RELATIONS
from ..measures.pairs import Pairs, check_relations

_LABELS = ("base_label", "edited_label", "base_prediction", "edited_prediction")


def pairs_of(pairs: Sequence[Mapping[str, Any]]) -> Pairs:
    """Coded pairs.

    Raises:
        InputError: A missing key, a pair without gold, a relation that contradicts the golds, or mixed labels.
    """
    names = [str(pair.get("id", f"pair {k + 1}")) for k, pair in enumerate(pairs)]
    for name, pair in zip(names, pairs, strict=True):
        for side in ("base", "edited"):
            if pair.get(f"{side}_label") is None:
                raise InputError(f"Expected gold labels on both sides, but {name} has no {side}_label.")
            if f"{side}_prediction" not in pair:
                raise InputError(
                    f"Expected a prediction on both sides (None if there was none), but {name} has no "
                    f"{side}_prediction."
                )
    try:
        return _coded(pairs, names)
    except ValueError as error:
        raise InputError(str(error)) from None


def _coded(pairs: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Pairs:
    columns = {key: to_text([pair[key] for pair in pairs], key) for key in _LABELS}
    _check(columns)
    codes, _ = to_codes(pa.concat_arrays([columns[key].values for key in _LABELS]))
    base_labels, edited_labels, base_predictions, edited_predictions = codes.reshape(len(_LABELS), len(pairs))
    operators, operator_names = _optional(pairs, "operator", [""] * len(pairs))
    families, family_names = _optional(pairs, "family", names)
    data = Pairs(
        base_labels,
        edited_labels,
        base_predictions,
        edited_predictions,
        name=lambda k: names[k],
        operators=operators,
        operator_names=operator_names,
        families=families,
        family_names=family_names,
        has_families=any("family" in pair for pair in pairs),
        base_confidences=_confidences(pairs, "base_confidence"),
        edited_confidences=_confidences(pairs, "edited_confidence"),
    )
    relations = [RELATIONS.get(str(pair.get("relation")), -1) for pair in pairs]
    check_relations(data, np.array(relations, dtype=np.int64))
    return data


def _check(columns: Mapping[str, Column]) -> None:
    """Labels and predictions must be of one kind across all four columns."""
    for side in ("base", "edited"):
        check_labels(columns[f"{side}_prediction"], columns[f"{side}_label"])
    check_labels(columns["base_label"], columns["edited_label"])


def _optional(pairs: Sequence[Mapping[str, Any]], key: str, default: Sequence[str]) -> tuple[Any, list[str]]:
    values = [pair.get(key, fallback) for pair, fallback in zip(pairs, default, strict=True)]
    return to_codes(to_text(values, key).values)


def _confidences(pairs: Sequence[Mapping[str, Any]], key: str) -> Any:
    if not any(key in pair for pair in pairs):
        return None
    return to_floats([pair.get(key) for pair in pairs], key)
