"""Named outcome columns -> `Rows`: what the columns may hold, and results per group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .encode import Column, check_labels, to_codes, to_floats, to_indices, to_text, whole_text
from .options import COLUMNS, GROUPS, NUMERIC, OPTIONAL, RELATIONS, REQUIRED, Options
from .table import Rows


def normalise(columns: Mapping[str, Any], options: Options) -> dict[str, pa.Array]:
    """Columns of any make as Arrow arrays of one length: text, and floats for confidences and weights.

    Text may be dictionary-encoded (see `to_text`), that of the group columns is plain.

    Raises:
        ValueError: On a missing or unknown column, different lengths, and values that are no label.
    """
    unknown = [name for name in columns if name not in COLUMNS]
    absent = [name for name in REQUIRED if columns.get(name) is None]
    if unknown or absent:
        found = f"got {unknown[0]!r}" if unknown else f"{', '.join(absent)} is missing"
        raise ValueError(f"Expected columns {list(REQUIRED)} (and of {list(OPTIONAL)}), but {found}.")
    given = {name: values for name, values in columns.items() if values is not None}
    text = {name: to_text(v, name, name not in GROUPS) for name, v in given.items() if name not in NUMERIC}
    arrays = {name: column.values for name, column in text.items()}
    arrays |= {name: pa.array(to_floats(given[name], name)) for name in NUMERIC if name in given}
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"Expected columns of one length, but got {lengths}.")
    return arrays | _labels(text, options) | _conditions(text["conditions"], options)


def _labels(text: Mapping[str, Column], options: Options) -> dict[str, pa.Array]:
    both = {name: text[name] for name in ("predictions", "references")}
    sentinels = _sentinels(options)
    if not any(name.endswith(".0") for name in options.label_names or ()):
        both = {name: whole_text(column) for name, column in both.items()}
    if options.label_names is not None:
        return {name: to_indices(column, options.label_names, name, sentinels) for name, column in both.items()}
    check_labels(both["predictions"], both["references"], sentinels)
    return {name: column.values for name, column in both.items()}


def _sentinels(options: Options) -> list[str]:
    """The unlabelled values as the text that labels have: -1.0 and -1 are one value, and a class name its index."""
    texts = to_text(options.unlabelled, "unlabelled").values.to_pylist()
    index = {name: str(i) for i, name in enumerate(options.label_names or ())}
    return [index.get(text, text) for text in texts if text is not None]


def _conditions(column: Column, options: Options) -> dict[str, pa.Array]:
    if options.condition_names is None:
        return {}
    names = list(options.condition_names)
    indices = to_indices(column, names, "conditions")
    return {"conditions": pa.array(names, pa.string()).take(indices.cast(pa.int64()))}


def to_rows(arrays: Mapping[str, pa.Array], options: Options) -> Rows:
    """Normalised columns as coded rows.

    Raises:
        ValueError: On a missing item id, condition, family, operator or sample, and an unknown relation.
    """
    predictions, references, labels = _label_codes(arrays, _sentinels(options))
    coded = {name: _names(arrays, name) for name in ("item_ids", "conditions", "families", "operators")}
    positions = to_codes(arrays["positions"]) if "positions" in arrays else (None, [])
    answered = to_codes(arrays["answer_positions"]) if "answer_positions" in arrays else (None, [])
    return Rows(
        predictions=predictions,
        references=references,
        label_names=labels,
        items=coded["item_ids"][0],
        item_names=coded["item_ids"][1],
        conditions=coded["conditions"][0],
        condition_names=coded["conditions"][1],
        families=coded["families"][0] if "families" in arrays else None,
        family_names=coded["families"][1],
        operators=coded["operators"][0] if "operators" in arrays else None,
        operator_names=coded["operators"][1],
        positions=positions[0],
        position_names=positions[1],
        answer_positions=answered[0],
        answer_position_names=answered[1],
        confidences=_numbers(arrays, "confidences"),
        weights=_numbers(arrays, "weights"),
        relations=_relations(arrays),
        sampled=_sampled(arrays),
    )


def _label_codes(arrays: Mapping[str, pa.Array], sentinels: list[str]) -> tuple[Any, Any, list[str]]:
    """Predictions and references over one vocabulary; the unlabelled values become -1 in both."""
    sides = [to_codes(arrays[name]) for name in ("predictions", "references")]
    names = sorted({name for _, own in sides for name in own})
    number = {name: -1 if name in sentinels else k for k, name in enumerate(names)}
    predictions, references = (np.array([*[number[name] for name in own], -1])[codes] for codes, own in sides)
    return predictions, references, names


def _names(arrays: Mapping[str, pa.Array], name: str) -> tuple[Any, list[str]]:
    if name not in arrays:
        return np.zeros(0, dtype=np.int64), []
    codes, names = to_codes(arrays[name])
    if arrays[name].null_count:
        raise ValueError(
            f"Expected `{name}` to have a value in every row, but row {int((codes < 0).argmax())} has none."
        )
    return codes, names


def _numbers(arrays: Mapping[str, pa.Array], name: str) -> Any:
    return arrays[name].to_numpy(zero_copy_only=False) if name in arrays else None


def _relations(arrays: Mapping[str, pa.Array]) -> Any:
    if "relations" not in arrays:
        return None
    codes, names = to_codes(arrays["relations"])
    strange = [name for name in names if name not in RELATIONS]
    if strange:
        raise ValueError(f"Expected `relations` to be 'invariant', 'changed' or None, but got {strange[0]!r}.")
    return np.array([*[RELATIONS[name] for name in names], -1])[codes]


def _sampled(arrays: Mapping[str, pa.Array]) -> bool:
    """Whether rows are samples; a sample that repeats for its item and condition is an error."""
    if "samples" not in arrays:
        return False
    names = ("item_ids", "conditions", "samples")
    codes = [_names(arrays, name) for name in names]
    key = np.zeros(len(arrays["samples"]), dtype=np.int64)
    for code, values in codes:
        key = key * max(len(values), 1) + code
    first_of_key, counts = np.unique(key, return_index=True, return_counts=True)[1:]
    if len(counts) and counts.max() > 1:
        row = int(first_of_key[counts.argmax()])
        item, condition, sample = (values[code[row]] for code, values in codes)
        raise ValueError(
            f"Expected one row per item, condition and sample, but item {item!r}, condition "
            f"{condition!r}, sample {sample!r} has {counts.max()}."
        )
    return True


def by_group(arrays: Mapping[str, pa.Array]) -> Iterator[tuple[str, dict[str, pa.Array]]]:
    """Split by task, model and decoding where those columns are given and hold several values."""
    used = [name for name in GROUPS if name in arrays and len(pc.unique(arrays[name])) > 1]
    if not used:
        yield "", dict(arrays)
        return
    keys = pa.table({name: arrays[name] for name in used})
    for group in sorted(keys.group_by(used).aggregate([]).to_pylist(), key=lambda g: [str(g[n]) for n in used]):
        mask = np.ones(len(keys), dtype=bool)
        for name in used:
            equal = (
                pc.is_null(keys[name])
                if group[name] is None
                else pc.fill_null(pc.equal(keys[name], group[name]), False)
            )
            mask &= equal.to_numpy(zero_copy_only=False) if isinstance(equal, pa.Array) else equal.to_numpy()
        label = "|".join(f"{name[:-1]}={group[name]}" for name in used)
        yield label, {name: array.filter(pa.array(mask)) for name, array in arrays.items()}
