"""Variants that somebody else made -> items with their variants: rows beside their originals, or linked to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .errors import InputError, UsageError
from .items import AnyItem, Item
from .loading import ItemSet, items_from_rows
from .perturb import Variant
from .perturb.diff import edits_between
from .rows import Row, RowFile, read_rows
from .tasks import TASKS

BASE = "base."
LITERAL = "="  # `--map base.label==entailment`: the same label for all, which no column holds
KINDS = ("para", "pert", "adv")


@dataclass(frozen=True)
class VariantFile:
    """How a file of variants is read.

    Args:
        task: Task of the items.
        mapping: Column by field of the variant (`sentence`, `label`, `id`, `condition`, `family`) and of its original
            (`base.sentence`, `base.label`). `id` may join columns: `test+case_id`; `=entailment` as a label is the
            label itself.
        where: Only rows with these values, by column.
        base_where: The rows that are originals, by column and value, where they stand in the file as rows.
        gold: Label by value of the label column, where it has codes of its own; other values are left out.
        kind: Kind of the variants whose label is the original's: para, pert or adv.
    """

    task: str
    mapping: Mapping[str, str]
    where: Mapping[str, str] = field(default_factory=dict)
    base_where: Mapping[str, str] = field(default_factory=dict)
    gold: Mapping[str, str] = field(default_factory=dict)
    kind: str = "adv"


def load_variants(path: str | Path, how: VariantFile) -> ItemSet:
    """Read the originals and their variants.

    A variant whose label differs from its original's is a contrast edit (relation `changed`). Variants without an
    original cannot be compared with anything: they are left out and counted.

    Raises:
        UsageError: The mapping names no columns for the original, or columns that are not there.
        InputError: No variant has an original, or two rows give one item different originals.
    """
    file = read_rows(path)
    if how.kind not in KINDS:
        raise UsageError(f"Expected a kind of {', '.join(KINDS)}, but got {how.kind!r}.")
    _check_columns(file, how)
    rows = [row for row in file.rows if _matches(row, how.where)]
    notes = Counter({"rows left out by --where": len(file.rows) - len(rows)})
    pairs = list(_linked(rows, how, notes))
    if not pairs:
        raise InputError(f"Expected variants with originals in {path}, but no row has one: {dict(notes)}.")
    return _item_set(pairs, file.source, how, notes)


def _check_columns(file: RowFile, how: VariantFile) -> None:
    present = set(file.rows[0])
    columns = [column for column in how.mapping.values() if not column.startswith(LITERAL)]
    named = [part for column in columns for part in column.split("+")]
    for column in [*named, *how.where, *how.base_where]:
        if column not in present:
            raise UsageError(f"Expected a column {column!r} in {file.source}, but it has {', '.join(sorted(present))}.")
    needed = [*how.mapping["id"].split("+")] if "id" in how.mapping else []
    needed += [how.mapping[name] for name in ("condition", "family") if name in how.mapping]
    for k, row in enumerate(file.rows):  # those of JSON lines need not all have what the first has
        lacking = [column for column in needed if column not in row]
        if lacking:
            raise InputError(f"Expected a value of {lacking[0]!r} in every row, but {file.at(k)} has none.")
    fields = TASKS[how.task].fields
    absent = [name for name in fields if name not in how.mapping]
    linked = how.base_where or any(f"{BASE}{name}" in how.mapping for name in fields)
    if absent or not linked or (how.base_where and "id" not in how.mapping):
        flags = " ".join(f"--map {name}=COLUMN" for name in fields)
        raise UsageError(
            f"Expected {flags} for the variant, and --map {BASE}{fields[0]}=COLUMN for its original "
            f"(or --map id=COLUMN --base-where COLUMN=VALUE), but got {dict(how.mapping)}."
        )


def _matches(row: Row, wanted: Mapping[str, str]) -> bool:
    return all(str(row.get(column)) == value for column, value in wanted.items())


def _linked(rows: Sequence[Row], how: VariantFile, notes: Counter[str]) -> list[tuple[Row, Row]]:
    """(original, variant) as rows in the task's own columns."""
    fields = TASKS[how.task].fields
    bases: dict[str, Row] = {}
    if how.base_where:
        bases = {_id(row, how): row for row in rows if _matches(row, how.base_where)}
    pairs = []
    for row in rows:
        if how.base_where and _matches(row, how.base_where):
            continue
        source = bases.get(_id(row, how)) if how.base_where else row
        prefix = "" if how.base_where else BASE
        base = None if source is None else _own(source, how, prefix, fields)
        variant = _own(row, how, "", fields)
        if base is None or variant is None:
            notes["without an original, or with another label"] += 1
        else:
            named = str(row[how.mapping["condition"]]) if "condition" in how.mapping else ""
            pairs.append((base, {**variant, "condition": named}))
    return pairs


def _id(row: Row, how: VariantFile) -> str:
    return "/".join(str(row[part]) for part in how.mapping["id"].split("+"))


def _own(row: Row, how: VariantFile, prefix: str, fields: Sequence[str]) -> Row | None:
    """One side of a row in the task's own columns; None where a text is missing or the label is not in `gold`."""
    columns = {name: how.mapping.get(f"{prefix}{name}", how.mapping[name]) for name in fields}
    texts = {name: row.get(column) for name, column in columns.items()}
    if any(not isinstance(text, str) or not text.strip() for text in texts.values()):
        return None
    column = how.mapping.get(f"{prefix}label", how.mapping.get("label"))
    label = column[len(LITERAL) :] if column and column.startswith(LITERAL) else row.get(column) if column else None
    if how.gold and label is not None:
        if str(label) not in how.gold:
            return None
        label = how.gold[str(label)]
    family = str(row[how.mapping["family"]]) if "family" in how.mapping else ""
    name = _id(row, how) if "id" in how.mapping else "\n".join(str(text) for text in texts.values())
    return {**texts, "label": label, "id": name, "family": family}


def _item_set(pairs: Sequence[tuple[Row, Row]], source: str, how: VariantFile, notes: Counter[str]) -> ItemSet:
    """Items and variants. Where an original has several variants of one condition, each is an item of its own, and
    they are one family.
    """
    originals: dict[str, Row] = {}
    names: dict[str, str] = {}
    bases: dict[str, Row] = {}
    seen: Counter[tuple[str, str]] = Counter()
    for base, variant in pairs:
        name = base["id"] if "id" in how.mapping else names.setdefault(base["id"], f"base_{len(names) + 1}")
        known = originals.setdefault(name, base)
        if any(known[column] != base[column] for column in TASKS[how.task].fields):
            raise InputError(f"Expected one original an item, but {name!r} has several in {source}.")
        seen[name, variant["condition"]] += 1
        count = seen[name, variant["condition"]]
        variant["id"] = name if count == 1 else f"{name}#{count}"
        bases.setdefault(variant["id"], {**base, "id": variant["id"], "family": base["family"] or name})
    items = _items(list(bases.values()), source, how)
    by_id = {item.id: item for item in items.items}
    edited = _items([{**variant, "id": str(k)} for k, (_, variant) in enumerate(pairs)], source, how)
    variants = [
        _variant(by_id[row["id"]], item, row["condition"], how.kind)
        for (_, row), item in zip(pairs, edited.items, strict=True)
    ]
    left_out = [f"{n} {why}" for why, n in notes.items() if n]
    return replace(items, variants=variants, field_map=dict(how.mapping), notes=left_out)


def _items(rows: list[Row], source: str, how: VariantFile) -> ItemSet:
    places = [f"item {row['id']}" for row in rows]
    clean: list[dict[str, Any]] = [{k: v for k, v in row.items() if k != "condition"} for row in rows]
    return items_from_rows(RowFile(source, clean, places), how.task, {})


def _variant(base: AnyItem, edited: AnyItem, name: str, kind: str) -> Variant:
    assert isinstance(base, Item)
    relation = "invariant" if edited.label == base.label else "changed"
    group = kind if relation == "invariant" else "contrast"
    item = base.with_fields(edited.fields).with_label(edited.label)
    condition = f"{group}/{name}" if name else group
    edits = edits_between(base.fields, item.fields)
    return Variant(item, base, condition, name or group, kind, relation, "both", 0, edits)
