"""Several results of the same items -> one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ..errors import InputError
from ..measures.encode import plain_text
from ..measures.options import COLUMNS
from ..outcomes import Outcomes
from ._scored import RIGHT_OR_WRONG

Named = tuple[str | None, Outcomes]


def merged(files: Sequence[Named]) -> Outcomes:
    """One table from all; see `read_files`."""
    if len(files) == 1 and files[0][0] is None:
        return files[0][1]
    parts = _renamed([(name, replace(part, columns=_plain(part.columns))) for name, part in files])
    if len(parts) == 1:
        return parts[0]
    _check_shared(parts)
    parts = _alike(parts)
    names = [name for name in COLUMNS if any(name in part.columns for part in parts)]
    tables = [_complete(part, names) for part in parts]
    table = pa.concat_tables(tables, promote_options="default").combine_chunks()
    columns: dict[str, Any] = {name: table[name].combine_chunks() for name in names}
    counts = {
        f"file {k}: {what}" if what else f"file {k}": dict(n)
        for k, p in enumerate(parts, 1)
        for what, n in p.counts.items()
    }
    joined = Outcomes(columns, ", ".join(part.source for part in parts), _notes(parts), counts)
    texts = {key: text for part in parts for key, text in part.texts.items()}
    return replace(joined, texts=texts)


def _plain(columns: Mapping[str, pa.Array]) -> dict[str, pa.Array]:
    """Columns that can be joined: each dictionary has numbers of its own."""
    return {name: plain_text(values) for name, values in columns.items()}


def _renamed(files: Sequence[Named]) -> list[Outcomes]:
    """The results with their conditions named as they are to stand in one table, and models where they differ."""
    tasks = {outcomes.about.get("task", "") for name, outcomes in files if name is None}
    models = {outcomes.about.get("model", "") for _, outcomes in files}
    parts = []
    for name, outcomes in files:
        prefix = name if name is not None else outcomes.about.get("task", "") if len(tasks) > 1 else ""
        columns = dict(outcomes.columns)
        if prefix:
            columns["conditions"] = _prefixed(columns["conditions"], prefix)
        if len(models) > 1 and "models" not in columns:
            columns["models"] = pa.array([outcomes.about.get("model", "")] * len(outcomes), pa.string())
        texts = {} if prefix else outcomes.texts
        if prefix:
            new = dict(zip(outcomes.columns["conditions"].to_pylist(), columns["conditions"].to_pylist(), strict=True))
            texts = {(item, new[condition]): text for (item, condition), text in outcomes.texts.items()}
        parts.append(replace(outcomes, columns=columns, texts=texts))
    return parts


def _prefixed(conditions: pa.Array, prefix: str) -> pa.Array:
    """`prefix` for the one condition of a file, `prefix/name` for each of several."""
    if len(pc.unique(conditions)) == 1:
        return pa.array([prefix] * len(conditions), pa.string())
    return pc.binary_join_element_wise(pa.scalar(prefix), conditions, "/")


def _check_shared(parts: Sequence[Outcomes]) -> None:
    """Refuse the same condition of the same model twice, and files without a common item."""
    seen: dict[tuple[str, str], str] = {}
    for part in parts:
        models = part.columns.get("models")
        model = models[0].as_py() if models is not None and len(models) else ""
        for condition in pc.unique(part.columns["conditions"]).to_pylist():
            if (condition, model) in seen:
                raise InputError(
                    f"Expected a condition or model that is the file's own, but {seen[condition, model]} and "
                    f"{part.source} both have {condition!r}. Name each as a condition (on the command line "
                    "--condition NAME=FILE)."
                )
            seen[condition, model] = part.source
    times = Counter(item for part in parts for item in set(part.columns["item_ids"].to_pylist()))
    if max(times.values(), default=0) < 2:  # noqa: PLR2004 - files that have it
        raise InputError(
            f"Expected the same items, but no item is in two of {', '.join(part.source for part in parts)}. Items are "
            "matched by their content; if they have common ids, match by id (on the command line --match id)."
        )


def _alike(parts: Sequence[Outcomes]) -> list[Outcomes]:
    """Right or wrong in all, where it is all that some of them say."""
    coarse = [RIGHT_OR_WRONG in part.notes for part in parts]
    if all(coarse) or not any(coarse):
        return list(parts)
    return [part if known else _coarse(part) for part, known in zip(parts, coarse, strict=True)]


def _coarse(part: Outcomes) -> Outcomes:
    right = pc.fill_null(pc.equal(part.columns["predictions"], part.columns["references"]), False)
    ones = pc.cast(pc.cast(right, pa.int8()), pa.string())
    columns = {**part.columns, "predictions": ones, "references": pa.array(["1"] * len(part), pa.string())}
    return replace(part, columns=columns)


def _complete(part: Outcomes, names: Sequence[str]) -> pa.Table:
    """A part with all columns; single answers beside samples are sample 0."""
    fill = {"samples": pa.array(["0"] * len(part), pa.string())}
    return pa.table(
        {name: part.columns[name] if name in part.columns else fill.get(name, pa.nulls(len(part))) for name in names}
    )


def _notes(parts: Sequence[Outcomes]) -> list[str]:
    items = [set(part.columns["item_ids"].to_pylist()) for part in parts]
    shared = set.intersection(*items)
    notes = list(dict.fromkeys(note for part in parts for note in part.notes))
    lacking = [
        f"{part.source} has {len(own - shared)} more" for part, own in zip(parts, items, strict=True) if own - shared
    ]
    if lacking:
        notes.append(f"{len(shared)} items are in all files; {', '.join(lacking)}.")
    return notes
