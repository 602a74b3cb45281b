"""Columns of any make -> `PairSet`: what each field may hold, and what two golds, a relation and ids must agree on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..errors import InputError, JostleError
from ..labels import label_warnings, map_labels
from ..measures.encode import Column, check_labels, to_codes, to_text
from ..measures.options import RELATIONS
from ..measures.pair_data import Pairs, check_relations
from .columns import confidence_column, id_column, label_column, text_column
from .rows import PairSet

LABELS = ("base_label", "edited_label", "base_prediction", "edited_prediction")
_GOLDS, _PREDICTIONS = LABELS[:2], LABELS[2:]
FLAGS = ("base_abstained", "edited_abstained", "critical", "reviewed")
_TEXTS = ("base_text", "edited_text", "relation", "operator", "family")
_CONFIDENCES = ("base_confidence", "edited_confidence")
_TRUE, _FALSE = ("true", "1", "yes"), ("false", "0", "no", "none")


@dataclass(frozen=True)
class Source:
    """Columns by field of `PairRow` as they were found, and where they came from.

    Args:
        fields: Column of each field that is there; all of one length.
        length: Number of pairs.
        name: The file, or "".
        places: Place of each pair in the file, or nothing.
        field_map: Column of the file by field.
        evidence: The other columns.
        label_map: Gold label by predicted label, where they differ.
    """

    fields: Mapping[str, Any]
    length: int
    name: str = ""
    places: Sequence[str] = ()
    field_map: Mapping[str, str] | None = None
    evidence: Mapping[str, Sequence[Any]] | None = None
    label_map: Mapping[str, str] | None = None


def make_pairs(source: Source) -> PairSet:
    """Checked pairs.

    Abstention: a prediction of None (or -1) is one. A column `abstained` says `base`, `edited`, `both` or false; true
    means the side that has no prediction, and both sides where that does not tell them apart.

    Raises:
        UsageError: `label_map` has a label that is not predicted.
        InputError: A pair without gold, a repeated id, an unknown relation or one that the golds contradict, labels
            of mixed kinds, or a flag or confidence that is none; with file, line and pair.
    """
    try:
        return _made(source)
    except JostleError:
        raise
    except ValueError as error:
        raise InputError(f"{source.name}: {error}" if source.name else str(error)) from None


def _made(source: Source) -> PairSet:
    length, fields = source.length, source.fields
    labels = {name: label_column(fields[name], name) for name in LABELS}
    mapped, notes = _mapped(labels, source.label_map or {})
    named = PairSet({"id": id_column(fields.get("id"), length)}, source.field_map or {}, source.name, source.places)
    columns = {"id": named.columns["id"]}
    columns |= {name: text_column(fields.get(name), name, length) for name in _TEXTS}
    columns["operator"] = pc.fill_null(columns["operator"], "")
    columns |= {name: column.values for name, column in mapped.items()}
    columns |= {name: confidence_column(fields.get(name), name, named) for name in _CONFIDENCES}
    made = replace(named, columns=columns, evidence=source.evidence or {}, notes=notes)
    made = replace(made, columns=columns | _flags(source, made))
    _check(made, mapped)
    return replace(made, warnings=_label_warnings(made))


def _mapped(labels: Mapping[str, Column], label_map: Mapping[str, str]) -> tuple[dict[str, Column], list[str]]:
    """The labels with the predicted ones under the names of the gold ones."""
    if not label_map:
        return dict(labels), []
    both, notes = map_labels(pa.concat_arrays([labels[name].values for name in _PREDICTIONS]), label_map)
    n = len(both) // 2
    halves = zip(_PREDICTIONS, (both[:n], both[n:]), strict=True)
    return {**labels, **{name: Column(values, frozenset({"text"})) for name, values in halves}}, notes


def _label_warnings(made: PairSet) -> list[str]:
    said, golds = (pa.concat_arrays([made.columns[name] for name in names]) for names in (_PREDICTIONS, _GOLDS))
    return label_warnings(said, golds)


def _flags(source: Source, made: PairSet) -> dict[str, pa.Array]:
    flags = {name: _flag(source.fields.get(name), name, made) for name in FLAGS}
    said = _abstained(source.fields.get("abstained"), made)
    for side in ("base", "edited"):
        missing = pc.is_null(made.columns[f"{side}_prediction"])
        name = f"{side}_abstained"
        flags[name] = pc.or_(pc.or_(flags[name], missing), said[side])
    return flags


def _flag(values: Any, name: str, made: PairSet, truths: Sequence[str] = _TRUE, falses: Sequence[str] = _FALSE) -> Any:
    """A column of yes and no; nothing is no."""
    if values is None:
        return pa.array(np.zeros(len(made), dtype=bool))
    words = pc.utf8_lower(pc.fill_null(to_text(values, name).values, "false"))
    known = pc.is_in(words, pa.array([*truths, *falses]))
    if not pc.all(known, min_count=0).as_py():
        k = pc.index(known, False).as_py()
        raise InputError(f"Expected {name} to be true or false, but {made.at(k)} has {words[k].as_py()!r}.")
    return pc.is_in(words, pa.array(truths))


def _abstained(values: Any, made: PairSet) -> dict[str, pa.Array]:
    """What one column says of the two sides."""
    sides = ("base", "edited")
    named = {side: _flag(values, "abstained", made, (side, "both"), (*_TRUE, *_FALSE, *sides)) for side in sides}
    true = _flag(values, "abstained", made, _TRUE, (*_FALSE, *sides, "both"))
    missing = {side: pc.is_null(made.columns[f"{side}_prediction"]) for side in sides}
    alike = pc.equal(missing["base"], missing["edited"])
    return {side: pc.or_(named[side], pc.and_(true, pc.or_(alike, missing[side]))) for side in sides}


def _check(made: PairSet, labels: Mapping[str, Column]) -> None:
    for side in ("base", "edited"):
        missing = made.columns[f"{side}_label"].is_null()
        if pc.any(missing, min_count=0).as_py():
            at = made.at(pc.index(missing, True).as_py())
            raise InputError(f"Expected gold labels on both sides, but {at} has no {side}_label.")
    _check_ids(made)
    strange = pc.invert(pc.is_in(pc.fill_null(made.columns["relation"], "invariant"), pa.array(list(RELATIONS))))
    if pc.any(strange, min_count=0).as_py():
        k = pc.index(strange, True).as_py()
        raise InputError(
            f"Expected a relation of {', '.join(RELATIONS)} (or none), but {made.at(k)} has "
            f"{made.columns['relation'][k].as_py()!r}."
        )
    for side in ("base", "edited"):
        check_labels(labels[f"{side}_prediction"], labels[f"{side}_label"])
    check_labels(labels["base_label"], labels["edited_label"])
    relations = made.columns["relation"].to_pylist()
    stated = np.array([RELATIONS.get(relation, -1) for relation in relations], dtype=np.int64)
    check_relations(coded(made, made.at), stated)


def _check_ids(made: PairSet) -> None:
    ids = made.columns["id"]
    counts = pc.value_counts(ids)
    most = pc.max(counts.field("counts")).as_py() or 0
    if most > 1:
        name = counts.field("values")[pc.index(counts.field("counts"), most).as_py()].as_py()
        lines = [made.at(k) for k in pc.indices_nonzero(pc.equal(ids, name)).to_pylist()[:2]]
        raise InputError(f"Expected distinct ids, but {' and '.join(lines)} have the same.")


def coded(pairs: PairSet, name: Callable[[int], str] | None = None) -> Pairs:
    """The pairs as numbers for the measures; an abstention is -1, whatever was predicted.

    Args:
        pairs: Checked pairs.
        name: Name of a pair by its number; its id by default.
    """
    columns, n = pairs.columns, len(pairs)
    codes = to_codes(pa.concat_arrays([columns[key] for key in LABELS]))[0].reshape(len(LABELS), n)
    silent = {side: columns[f"{side}_abstained"].to_numpy(zero_copy_only=False) for side in ("base", "edited")}
    operators, operator_names = to_codes(columns["operator"])
    families, family_names = to_codes(_families(pairs))
    known = {side: columns[f"{side}_confidence"] for side in ("base", "edited")}
    confidences = {
        side: None if column.null_count == n else column.to_numpy(zero_copy_only=False)
        for side, column in known.items()
    }
    ids = columns["id"]
    return Pairs(
        codes[0],
        codes[1],
        np.where(silent["base"], -1, codes[2]),
        np.where(silent["edited"], -1, codes[3]),
        name=name or (lambda k: str(ids[k].as_py())),
        operators=operators,
        operator_names=operator_names,
        families=families,
        family_names=family_names,
        has_families=columns["family"].null_count < n,
        base_confidences=confidences["base"],
        edited_confidences=confidences["edited"],
    )


def _families(pairs: PairSet) -> pa.Array:
    """Family of each pair: its own where none is stated."""
    family = pairs.columns["family"]
    if not family.null_count:
        return family
    own = pc.binary_join_element_wise("pair ", pairs.columns["id"], "")
    return pc.coalesce(family, own)
