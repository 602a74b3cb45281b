"""The items that come with the package, with paraphrases and contrast edits made by hand.

Written for jostle and read twice by their authors; no independent reviewer has confirmed the labels.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from .items import AnyItem
from .loading import ItemSet, items_from_rows
from .perturb import Variant
from .rows import RowFile

TASKS = ("sst2", "mnli", "qqp", "qnli", "mcq")
PARAPHRASE = "para/by_hand"
CONTRAST = "contrast"


def embedded_rows(task: str) -> list[dict[str, Any]]:
    """The rows of a task as they are stored."""
    text = files("jostle").joinpath("data", "items", f"{task}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def embedded_items(task: str, limit: int | None = None) -> ItemSet:
    """The embedded items of a task (`sst2`, `mnli`, `qqp`, `qnli`, `mcq`), with their hand-made variants.

    Args:
        task: Task of the items.
        limit: Take only the first so many.

    >>> items = embedded_items("sst2")
    >>> len(items.items), items.labels, sorted({variant.condition for variant in items.variants})
    (240, ('negative', 'positive'), ['contrast', 'para/by_hand'])
    """
    rows = embedded_rows(task)[:limit]
    file = RowFile(f"embedded items of {task}", rows, [str(row["id"]) for row in rows])
    mapping = {"answer": "answer_index"} if task == "mcq" else {}
    items = items_from_rows(file, task, mapping)
    return replace(items, variants=list(_hand_made(items, rows)))


def _hand_made(items: ItemSet, rows: Sequence[dict[str, Any]]) -> Iterator[Variant]:
    """The paraphrase of every item, and the contrast edit where it changes the gold label.

    Contrast edits that leave the label as it is are invariance pairs of their own; a run over conditions does not
    take them, since they would be a condition that few items have.
    """
    for item, row in zip(items.items, rows, strict=True):
        yield _variant(item, row["paraphrase"], item.label, PARAPHRASE, "by_hand")
        contrast = row["contrast"]
        label = str(contrast["answer_index"]) if items.task == "mcq" else contrast["label"]
        if label != item.label:
            yield _variant(item, contrast, label, CONTRAST, contrast["operator"])


def _variant(item: AnyItem, fields: dict[str, Any], label: str | None, condition: str, operator: str) -> Variant:
    edited = item.with_fields({name: fields.get(name, text) for name, text in item.fields.items()}).with_label(label)
    relation = "invariant" if label == item.label else "changed"
    return Variant(
        edited, item, condition, operator, condition.split("/", 1)[0], relation, "both", 0, (), reviewed=None
    )
