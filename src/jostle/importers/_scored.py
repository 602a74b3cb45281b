"""What importers of logs share: scored answers -> outcomes, and what names an item in every log."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..outcomes import Outcomes

RIGHT_OR_WRONG = (
    "The log's score is not that prediction and target are equal: outcomes are right or wrong, flips between two wrong "
    "answers are not seen."
)
_QUESTIONS = (
    *("question", "problem", "query", "ctx", "goal", "passage", "premise", "hypothesis", "question1", "question2"),
    *("sentence", "sentence1", "sentence2", "text", "input", "prompt"),
)
_CHOICES = ("choices", "endings", "options")
_CHOICES_APART = ("sol1", "sol2", "choice1", "choice2", "option1", "option2")


@dataclass(frozen=True)
class Reading:
    """How logs are to be read.

    Args:
        metrics: The scores that become conditions; all that are right or wrong where none is named.
        match: What names an item: its `content` (question and options), or the `id` that the log has for it.
        mapping: Outcome column -> column of a plain table; where there is one no log is looked for.
    """

    metrics: tuple[str, ...] = ()
    match: str = "content"
    mapping: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scored:
    """One scored answer of a log; prediction and reference are None where the log does not tell a label."""

    item: str
    condition: str
    correct: bool
    prediction: str | None
    reference: str | None
    sample: str = "0"
    text: str = ""
    model: str = ""
    family: str = ""


def to_outcomes(
    scored: Sequence[Scored], source: str, about: Mapping[str, str], counts: Mapping[str, Mapping[str, int]]
) -> Outcomes:
    """Scored answers as outcome rows.

    Labels are kept where being right is the same as predicting the target, in every answer; otherwise the rows say
    right or wrong. An item that stands twice under one condition (with the same content) becomes two items.
    """
    labels = all(s.reference is not None and (s.prediction == s.reference) == s.correct for s in scored)
    items = _distinct(scored)
    samples = [s.sample for s in scored]
    columns: dict[str, Any] = {
        "predictions": [s.prediction if labels else s.correct for s in scored],
        "references": [s.reference if labels else True for s in scored],
        "item_ids": items,
        "conditions": [s.condition for s in scored],
    }
    if len(set(samples)) > 1:
        columns["samples"] = samples
    if len({s.model for s in scored}) > 1:
        columns["models"] = [s.model for s in scored]
    if any(s.family for s in scored):
        columns["families"] = [s.family or item for s, item in zip(scored, items, strict=True)]
    outcomes = Outcomes.from_columns(source=source, notes=[] if labels else [RIGHT_OR_WRONG], **columns)
    texts = {(item, s.condition): s.text for item, s in zip(items, scored, strict=True) if s.text}
    return replace(outcomes, texts=texts, about=about, counts=counts)


def _distinct(scored: Sequence[Scored]) -> list[str]:
    seen: Counter[tuple[str, ...]] = Counter()
    items = []
    for s in scored:
        cell = (s.item, s.condition, s.sample, s.model)
        seen[cell] += 1
        times = seen[cell]
        items.append(s.item if times == 1 else f"{s.item}#{times}")
    return items


def content_of(document: Mapping[str, Any]) -> str:
    """Question and options of a document of any benchmark, by line; "" where no field of it is known."""
    inner = document.get("task_data")
    if isinstance(inner, str):  # unitxt keeps the document so
        document = json.loads(inner)
    parts = [str(document[name]) for name in _QUESTIONS if isinstance(document.get(name), str)]
    found = (document[name] for name in _CHOICES if name in document)
    lists = (value.get("text") if isinstance(value, Mapping) else value for value in found)
    apart = [document[name] for name in _CHOICES_APART if isinstance(document.get(name), str)]
    parts += [str(option) for option in next((value for value in lists if isinstance(value, list)), apart)]
    return "\n".join(part.strip() for part in parts)


def item_name(content: str) -> str:
    """Short name of an item by its content, the same in every log.

    >>> item_name("What is 2 + 2?") == item_name(" What is  2 + 2?")
    True
    """
    return hashlib.sha256(" ".join(content.split()).encode("utf-8", "surrogatepass")).hexdigest()[:16]
