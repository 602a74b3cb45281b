"""Columns of the built data set: those of the task as they were, and where every row comes from."""

from __future__ import annotations

import difflib
import re
from functools import lru_cache
from typing import Any

import datasets

from ..errors import UsageError
from ..items import AnyItem, MCQItem
from ..measures.version import __version__
from ..perturb import Variant
from ..perturb.base import Edit
from ..tasks import Task

KINDS = ("orig", "para", "pert", "adv", "contrast")
_SHORT = 12  # letters of a word; `difflib` is faster on longer ones
_PIECE = re.compile(r"\s+|\S+")
_SPLIT = r"\w+(\.\w+)*"


def features(task: Task) -> datasets.Features:
    """Features of a row: the task's own columns first, then the lineage."""
    own: dict[str, Any] = {name: datasets.Value("string") for name in task.fields}
    if task.labels:
        own["label"] = datasets.ClassLabel(names=list(task.labels))
    else:
        own |= {"choices": datasets.List(datasets.Value("string")), "answer": datasets.Value("int32")}
        own["order"] = datasets.List(datasets.Value("int32"))
    text = {"key", "item_id", "family", "variant", "operator", "kind", "relation", "side", "jostle"}
    lineage: dict[str, Any] = {
        "idx": datasets.Value("int64"),
        **{name: datasets.Value("string") for name in _LINEAGE if name in text},
        "seed": datasets.Value("int64"),
        "labelled": datasets.Value("bool"),
        "edits": datasets.List({name: datasets.Value(kind) for name, kind in _EDIT.items()}),
        "edited_characters": datasets.Value("int32"),
        "edited_words": datasets.Value("int32"),
        "similarity": datasets.Value("float32"),
        "review_status": datasets.Value("string"),
        "reviewer": datasets.Value("string"),
        "reviewed_at": datasets.Value("string"),
    }
    return datasets.Features(own | lineage)


_LINEAGE = ("key", "item_id", "family", "variant", "operator", "kind", "relation", "side", "jostle")
_EDIT = {"field": "string", "start": "int32", "end": "int32", "original": "string", "replacement": "string"}


def original_row(item: AnyItem, task: Task, split: str, seed: int) -> dict[str, Any]:
    """The row of an item as it was."""
    return _row(item, item, task, split, seed, ("orig", "", "orig", "invariant", ""), ())


def variant_row(variant: Variant, task: Task, split: str) -> dict[str, Any]:
    """The row of a variant."""
    kind = variant.kind if variant.relation == "invariant" else "contrast"
    lineage = (variant.condition, variant.operator, kind, variant.relation, variant.side)
    return _row(variant.base, variant.item, task, split, variant.seed, lineage, variant.edits)


def _row(
    base: AnyItem, item: AnyItem, task: Task, split: str, seed: int, lineage: tuple[str, ...], edits: tuple[Edit, ...]
) -> dict[str, Any]:
    condition, operator, kind, relation, side = lineage
    item_id = str(base.id)
    characters, words = edit_size(edits)
    return {
        **item.fields,
        **_gold(item, task),
        "idx": int(item_id) if item_id.isdigit() else -1,
        "key": "/".join((task.name, split, item_id, condition)),
        "item_id": item_id,
        "family": base.family,
        "variant": condition,
        "operator": operator,
        "kind": kind,
        "relation": relation,
        "side": side,
        "seed": seed,
        "labelled": base.label is not None,
        "edits": [_edit(*edit) for edit in edits],
        "edited_characters": characters,
        "edited_words": words,
        "similarity": None,
        "review_status": "unreviewed",
        "reviewer": None,
        "reviewed_at": None,
        "jostle": __version__,
    }


def _edit(field: str, start: int, end: int, original: str, replacement: str) -> dict[str, Any]:
    return {"field": field, "start": start, "end": end, "original": original, "replacement": replacement}


def _gold(item: AnyItem, task: Task) -> dict[str, Any]:
    if isinstance(item, MCQItem):
        answer = -1 if item.answer_index is None else item.answer_index
        return {"choices": list(item.choices), "answer": answer, "order": list(item.order)}
    return {"label": -1 if item.label is None else task.labels.index(item.label)}


def edit_size(edits: tuple[Edit, ...]) -> tuple[int, int]:
    """How many characters and how many words were taken away or put in, whichever are more.

    >>> edit_size((Edit("text", 0, 5, "color", "colour"),))
    (1, 1)
    >>> edit_size((Edit("text", 0, 10, "a new film", "A NEW  FILM"),))
    (9, 3)
    """
    characters = words = 0
    for edit in edits:
        before, after = edit.original.split(), edit.replacement.split()
        words += max(len(before), len(after), 1)
        if not before or len(before) != len(after) or " ".join(before + after) != f"{edit.original} {edit.replacement}":
            characters += _changed(edit.original, edit.replacement)
        else:  # as many words, and single spaces between them: the usual case, and the faster one
            characters += _changed_in_pieces(before, after)
    return characters, words


def _changed(original: str, replacement: str) -> int:
    """Characters that changed: word by word and gap by gap where there are as many, for a search for what two long
    texts share takes the square of their length and finds less.
    """
    before, after = _PIECE.findall(original), _PIECE.findall(replacement)
    if len(before) != len(after):
        return _changed_in_piece(original, replacement)
    return _changed_in_pieces(before, after)


def _changed_in_pieces(before: list[str], after: list[str]) -> int:
    return sum([_changed_in_piece(old, new) for old, new in zip(before, after, strict=True) if old != new])


@lru_cache(maxsize=4096)  # a letter in capitals, a space doubled: most are there many times
def _changed_in_piece(original: str, replacement: str) -> int:
    size = max(len(original), len(replacement))
    if set(original).isdisjoint(replacement):
        return size
    if size <= _SHORT:
        return size - _shared(original, replacement)
    blocks = difflib.SequenceMatcher(None, original, replacement).get_matching_blocks()
    return size - sum(block.size for block in blocks)


def _shared(original: str, replacement: str) -> int:
    """The size of what `difflib` finds in both, in half of its time for a word: the longest part first, then what
    lies to its left and to its right.
    """
    for size in range(min(len(original), len(replacement)), 0, -1):
        for at in range(len(original) - size + 1):
            found = replacement.find(original[at : at + size])
            if found >= 0:
                left = _shared(original[:at], replacement[:found])
                return left + size + _shared(original[at + size :], replacement[found + size :])
    return 0


def split_name(name: str) -> str:
    """A split name that `datasets` accepts: letters, digits and underscores, with dots between.

    Raises:
        UsageError: The name cannot be one; the message has the one that could.

    >>> split_name("validation_matched")
    'validation_matched'
    """
    if re.fullmatch(_SPLIT, name):
        return name
    mapped = re.sub(r"\W+", "_", name).strip("_")
    raise UsageError(
        f"Expected a split name of letters, digits, _ and dots, but got {name!r}. Use {mapped or 'validation'!r}."
    )
