"""What a person reviews: variants of a built data set or of a run, and contrast pairs, each beside its base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import InputError, as_written_by
from .items import option_labels
from .pairs import PairRow, pairs_from_dicts
from .pairs.reviewed import pair_content
from .perturb.base import Edit, undo
from .reviews import row_content
from .rows import Row, RowFile, read_rows
from .tasks import TASKS

_BUILT = ("key", "kind", "item_id", "variant", "relation", "edits")
_RUN = ("item_id", "condition", "relation", "label")
_PAIR = ("base_text", "edited_text", "base_label", "edited_label")
_UNANSWERED = {"base_prediction": None, "edited_prediction": None}  # a pair is reviewed before anything is predicted
_SHIFT = ("question", "choices")


@dataclass(frozen=True)
class Case:
    """One variant or contrast pair to review.

    Args:
        key: Key of the built row, or id of the pair; what the review file names it by.
        base: Texts of the base by field.
        edited: Texts of the variant by field.
        base_label: Gold of the base; "" where it is not known.
        edited_label: Gold the variant is said to have; "" where it has none.
        relation: What is promised about the gold: `invariant` or `changed`.
        operator: What made the edit; "" where it is not stated.
        content: Fingerprint of what is reviewed.
    """

    key: str
    base: Mapping[str, str]
    edited: Mapping[str, str]
    base_label: str
    edited_label: str
    relation: str
    operator: str
    content: str


def read_cases(paths: Sequence[Path]) -> list[Case]:
    """Read what there is to review, in the order of the files.

    Args:
        paths: Parquet files of a built data set (with those of its originals, where edits cannot be undone),
            `variants.parquet` of a run, or files of contrast pairs with base_text, edited_text, base_label and
            edited_label.

    Raises:
        InputError: A file of another make, a variant without its base, or one key for two different variants.
    """
    files = [read_rows(path) for path in paths]
    built = [file for file in files if _has(file, _BUILT)]
    with as_written_by("jostle build", ", ".join(file.source for file in built)):
        found = list(_of_rows([row for file in built for row in file.rows]))
    for file in files:
        if file not in built:
            with as_written_by("jostle run", file.source):
                found += _of_run(file) if _has(file, _RUN) else _of_pairs(file)
    cases: dict[str, Case] = {}
    for case in found:
        if cases.setdefault(case.key, case).content != case.content:
            raise InputError(f"Expected one variant a key, but {case.key!r} stands for two different ones.")
    if not cases:
        raise InputError("Expected variants or contrast pairs to review, but the files hold originals alone.")
    return list(cases.values())


def example_cases(task: str, limit: int | None = None) -> list[Case]:
    """The hand-made paraphrases and contrast edits of the embedded items, as `jostle build` names them.

    >>> [case.key for case in example_cases("sst2", limit=1)]
    ['sst2/validation/sst2-001/para/by_hand', 'sst2/validation/sst2-001/contrast']
    """
    from .builder.schema import original_row, variant_row
    from .embedded_items import embedded_items

    items = embedded_items(task, limit)
    own = TASKS[task]
    rows = [original_row(item, own, "validation", 0) for item in items.items]
    return list(_of_rows([*rows, *(variant_row(variant, own, "validation") for variant in items.variants)]))


def _has(file: RowFile, columns: Sequence[str]) -> bool:
    return all(name in file.rows[0] for name in columns)


def _of_rows(rows: Sequence[Row]) -> Iterator[Case]:
    """Variants among the rows of a built data set."""
    originals = {_item_key(row): row for row in rows if row["kind"] == "orig"}
    for row in rows:
        if row["kind"] == "orig":
            continue
        base = originals.get(_item_key(row)) or _undone(row)
        told = row["relation"] == "invariant" or base["kind"] == "orig"  # no undoing of edits gives the gold back
        golds = (_label(base) if told else "", _label(row))
        yield Case(row["key"], _texts(base), _texts(row), *golds, row["relation"], row["operator"], row_content(row))


def _item_key(row: Row) -> tuple[str, ...]:
    task, split = row["key"].split("/", 2)[:2]
    return task, split, row["item_id"]


def _undone(row: Row) -> Row:
    """The base of a row whose original is in none of the files: its edits undone, its options put back."""
    order = row.get("order") or []
    if not row["edits"] and order == sorted(order):
        raise InputError(
            f"Expected the original of {row['key']!r}, but it is in no file and no edits are recorded. Add the file of "
            "the originals (…-orig)."
        )
    edits = tuple(Edit(**edit) for edit in row["edits"])
    base = {**row, **{name: undo(row[name], name, edits) for name in _fields(row)}}
    if order:
        base["choices"] = [row["choices"][order.index(k)] for k in range(len(order))]
        base["answer"] = order[row["answer"]] if row["answer"] >= 0 else -1
    return base


def _fields(row: Row) -> Sequence[str]:
    return TASKS[row["key"].split("/", 1)[0]].fields


def _texts(row: Row) -> dict[str, str]:
    """Texts by field; the options are one more."""
    texts = {name: str(row[name]) for name in _fields(row)}
    choices = row.get("choices")
    if choices:
        named = zip(option_labels(len(choices)), choices, strict=True)
        texts["choices"] = "\n".join(f"{label}. {choice}" for label, choice in named)
    return texts


def _label(row: Row) -> str:
    """Gold by name, the gold option with its letter; "" where there is none."""
    labels = TASKS[row["key"].split("/", 1)[0]].labels
    k = row["label"] if labels else row["answer"]
    if k is None or k < 0:
        return ""
    return labels[k] if labels else f"{option_labels(len(row['choices']))[k]}. {row['choices'][k]}"


def _of_run(file: RowFile) -> Iterator[Case]:
    """Variants of `variants.parquet`, under the ids that `jostle pairs` gives the pairs of that run."""
    fields = [name for name in file.rows[0] if name not in (*_RUN, "operator")]
    if set(fields) <= set(_SHIFT):
        raise InputError(
            f"Expected texts and labels, but {file.source} is of a run over multiple choice, which keeps no options. "
            "Review a data set made by `jostle build`."
        )
    originals = {str(row["item_id"]): row for row in file.rows if row["condition"] == "orig"}
    for k, row in enumerate(file.rows):
        if row["condition"] == "orig":
            continue
        base = originals.get(str(row["item_id"]))
        if base is None:
            raise InputError(f"Expected the original of {row['item_id']!r}, but {file.at(k)} has none beside it.")
        before, after = ({name: str(one[name]) for name in fields if one[name] is not None} for one in (base, row))
        golds = (str(base["label"] or ""), str(row["label"] or ""))
        content = pair_content((" | ".join(before.values()), " | ".join(after.values())), golds)
        key = f"{row['item_id']} / {row['condition']}"
        yield Case(key, before, after, *golds, row["relation"], row.get("operator") or "", content)


def _of_pairs(file: RowFile) -> Iterator[Case]:
    """Contrast pairs of a file."""
    absent = [name for name in _PAIR if name not in file.rows[0]]
    if absent:
        raise InputError(
            f"Expected a built data set ({', '.join(_BUILT)}), variants of a run ({', '.join(_RUN)}) or contrast pairs "
            f"({', '.join(_PAIR)}), but {file.source} has {', '.join(file.rows[0])}."
        )
    for k, pair in enumerate(pairs_from_dicts([_UNANSWERED | row for row in file.rows]).rows):
        if pair.base_text is None or pair.edited_text is None:
            raise InputError(f"Expected base_text and edited_text, but {file.at(k)} lacks one.")
        yield _of_pair(pair, pair.base_text, pair.edited_text)


def _of_pair(pair: PairRow, base: str, edited: str) -> Case:
    golds = (pair.base_label, pair.edited_label)
    relation = pair.relation or ("invariant" if golds[0] == golds[1] else "changed")
    content = pair_content((base, edited), golds)
    return Case(pair.id, {"text": base}, {"text": edited}, *golds, relation, pair.operator, content)
