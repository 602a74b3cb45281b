"""Rows -> items: which column is what (always printed), and what the gold labels are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .choices import LETTER_COLUMNS, flat_choices, hold_indices, read_answer, read_choices
from .csv_rows import CSV, CsvForm
from .errors import InputError, UsageError
from .items import AnyItem, Item, MCQItem
from .rows import RowFile, is_unlabelled, kind_of, read_rows, whole
from .tasks import TASKS, Task

if TYPE_CHECKING:
    from .perturb import Variant

_IDS = ("idx", "id", "item_id")
_FAMILIES = ("family", "families")
ALIASES = {
    "premise": ("sentence1",),
    "hypothesis": ("sentence2",),
    "label": ("gold_label", "label_text"),
    "question": ("question.stem", "question_stem"),
    "choices": ("options", "question.choices", *LETTER_COLUMNS),
    "answer": ("answer_index", "answerKey", "correct", "label"),
}


@dataclass(frozen=True)
class ItemSet:
    """Items with how they were read.

    Args:
        task: Task of the items.
        items: The items, in the order of the file.
        labels: Class names; empty for multiple choice and for a custom task until a model names them.
        field_map: Column taken for every field.
        source: Where the rows came from.
        n_unlabelled: Items without a gold label.
        variants: Variants that came with the items.
        notes: What was left out while reading.
        made_by: What is to be said of models that made variants of the items.
        parsed: Field -> kinds of text that its values were parsed from, with how many rows.
    """

    task: str
    items: Sequence[AnyItem]
    labels: Sequence[str]
    field_map: Mapping[str, str]
    source: str
    n_unlabelled: int = field(default=0)
    variants: Sequence[Variant] = ()
    notes: Sequence[str] = ()
    made_by: Sequence[str] = ()
    parsed: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def describe(self) -> list[str]:
        """The field map as lines for people: what is called otherwise in the file, then all columns used."""
        renamed = {name: column for name, column in self.field_map.items() if name != column}
        lines = [f"field map: {name} <- {column!r}" for name, column in renamed.items()]
        lines.append(f"columns used: {', '.join(self.field_map.values())}")
        for name, forms in self.parsed.items():
            counts = [f"{form} ({n} {'row' if n == 1 else 'rows'})" for form, n in sorted(forms.items())]
            lines.append(f"field map: {name}: parsed from {' and '.join(counts if len(counts) > 1 else forms)}")
        lines += [f"left out: {note}" for note in self.notes]
        if self.n_unlabelled:
            lines.append(f"{self.n_unlabelled} of {len(self.items)} items have no gold label and are left out")
        return lines


def load_items(
    path: str | Path,
    task: str,
    mapping: Mapping[str, str] | None = None,
    limit: int | None = None,
    form: CsvForm = CSV,
) -> ItemSet:
    """Read items of a task from a file in GLUE columns (or others, by `mapping`).

    Args:
        path: A jsonl, json, csv, tsv or parquet file.
        task: `sst2`, `mnli`, `qqp`, `qnli`, `mcq` or `custom` (`mapping` then names `text` and `label`, and `text2`
            for pairs).
        mapping: Field -> column, over the names the task expects.
        limit: Take only the first so many rows.
        form: Delimiter and columns of a csv file.

    Raises:
        UsageError: Unknown task, or a mapping to a column or field that does not exist.
        InputError: A missing column, text that is no text, an unknown label or a repeated id; with the line.
    """
    file = read_rows(path, form)
    if limit is not None:
        file = RowFile(file.source, file.rows[:limit], file.places[:limit])
    return items_from_rows(file, task, mapping or {})


def items_from_rows(file: RowFile, task: str, mapping: Mapping[str, str]) -> ItemSet:
    """Rows that are read already, as items; see `load_items`."""
    if task == "mcq":
        return _choice_items(file, mapping)
    spec = _custom(mapping) if task == "custom" else TASKS.get(task)
    if spec is None:
        raise UsageError(f"Expected a task of {', '.join([*TASKS, 'custom'])}, but got {task!r}.")
    columns = _columns(file, (*spec.fields, "label"), mapping)
    ids, families = _ids(file, mapping, columns), _families(file, mapping, columns)
    items: list[AnyItem] = []
    for k, row in enumerate(file.rows):
        texts = {name: _text(row.get(columns[name]), file, k, columns[name]) for name in spec.fields}
        label = _label(row.get(columns["label"]), spec.labels, file, k)
        items.append(Item(ids[k], task, texts, label, families[k]))
    return ItemSet(task, items, spec.labels, columns, file.source, sum(item.label is None for item in items))


def _custom(mapping: Mapping[str, str]) -> Task:
    unknown = [name for name in mapping if name not in ("text", "text2", "label", "id", "family")]
    if unknown or "text" not in mapping or "label" not in mapping:
        raise UsageError(
            "Expected --map text=COLUMN --map label=COLUMN (and text2=COLUMN for pairs) for the custom task, "
            f"but got {dict(mapping)}."
        )
    fields = tuple(name for name in ("text", "text2") if name in mapping)
    return Task("custom", fields, (), fields)


def _columns(file: RowFile, wanted: Sequence[str], mapping: Mapping[str, str]) -> dict[str, str]:
    """Column of every field: by the mapping, by its own name, or by its only alias."""
    present = _present(file)
    unknown = [name for name in mapping if name not in (*wanted, "id", "family")]
    if unknown:
        raise UsageError(f"Expected --map to name a field of {', '.join(wanted)}, id, family, but got {unknown[0]!r}.")
    return {name: _column(name, present, mapping, file) for name in wanted}


def _column(name: str, present: Sequence[str], mapping: Mapping[str, str], file: RowFile) -> str:
    if name in mapping:
        if mapping[name] not in present:
            raise UsageError(
                f"Expected a column {mapping[name]!r} (--map {name}={mapping[name]}), but {file.source} "
                f"has {', '.join(present)}."
            )
        return mapping[name]
    if name in present:
        return name
    candidates = [alias for alias in ALIASES.get(name, ()) if alias in present]
    if len(candidates) == 1:
        return candidates[0]
    found = f"{' and '.join(candidates)} could both be it" if candidates else f"found {', '.join(present)}"
    raise InputError(f"Expected a column {name!r} in {file.source}, but {found}. Name it: --map {name}=COLUMN.")


def _optional(names: Sequence[str], field_name: str, file: RowFile, mapping: Mapping[str, str]) -> str | None:
    present = _present(file)
    if field_name in mapping:
        return _column(field_name, present, mapping, file)
    return next((name for name in names if name in present), None)


def _present(file: RowFile) -> list[str]:
    """The columns of all rows: those of JSON lines need not have the same."""
    return list(dict.fromkeys(name for row in file.rows for name in row))


def _ids(file: RowFile, mapping: Mapping[str, str], columns: dict[str, str]) -> list[str]:
    column = _optional(_IDS, "id", file, mapping)
    if column is None:
        return [f"case_{k}" for k in range(1, len(file.rows) + 1)]
    columns["id"] = column
    ids = [row.get(column) for row in file.rows]
    if None in ids:
        raise InputError(f"Expected an id in every row, but {file.at(ids.index(None))} has none in {column!r}.")
    repeated, count = Counter(map(str, ids)).most_common(1)[0]
    if count > 1:
        raise InputError(
            f"Expected distinct ids in {file.source}, but {repeated!r} stands in {count} rows of {column!r}."
        )
    return [str(value) for value in ids]


def _families(file: RowFile, mapping: Mapping[str, str], columns: dict[str, str]) -> list[str]:
    column = _optional(_FAMILIES, "family", file, mapping)
    if column is None:
        return [""] * len(file.rows)
    columns["family"] = column
    return ["" if row.get(column) is None else str(row[column]) for row in file.rows]


def _text(value: Any, file: RowFile, k: int, column: str) -> str:
    if not isinstance(value, str) or not value.strip():
        kind = "" if isinstance(value, str) else f"{kind_of(value)}: "
        raise InputError(f"Expected text in column {column!r}, but {file.at(k)} has {kind}{value!r:.60}.")
    return value


def _label(value: Any, names: Sequence[str], file: RowFile, k: int) -> str | None:
    """Gold by name, from a name or a class index."""
    value = whole(value)
    if is_unlabelled(value):
        return None
    text = str(value).strip()
    if not names:
        return text
    by_name = {name.casefold(): name for name in names}
    if text.casefold() in by_name:
        return by_name[text.casefold()]
    index = text.removesuffix(".0")  # as pandas writes it into a csv column with gaps
    if index.isdecimal() and int(index) < len(names) and not isinstance(value, bool):
        return names[int(index)]
    raise InputError(f"Expected a label of {', '.join(names)} (or its index), but {file.at(k)} has {value!r}.")


def _choice_items(file: RowFile, mapping: Mapping[str, str]) -> ItemSet:
    file = flat_choices(file)
    columns = _columns(file, ("question", "choices", "answer"), mapping)
    ids, families = _ids(file, mapping, columns), _families(file, mapping, columns)
    column = columns["choices"]
    options = [read_choices(row.get(column), file, k, column) for k, row in enumerate(file.rows)]
    answers = [row.get(columns["answer"]) for row in file.rows]
    indices = hold_indices(answers, options)
    items: list[AnyItem] = []
    for k, row in enumerate(file.rows):
        answer = read_answer(answers[k], options[k], indices, file, k)
        question = _text(row.get(columns["question"]), file, k, columns["question"])
        items.append(MCQItem(question, tuple(options[k].texts), answer, ids[k], family=families[k]))
    unlabelled = sum(item.label is None for item in items)
    forms = Counter(own.form for own in options if own.form)
    return ItemSet("mcq", items, (), columns, file.source, unlabelled, parsed={"choices": forms} if forms else {})
