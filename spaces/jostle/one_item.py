"""One item -> its variants, what a model says of each, and whether its answer holds. Depends on the arguments alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from shared import LIMITS, NO_MODEL, check_text, classifier_of, encoding

from jostle import run
from jostle.errors import InputError, ModelError
from jostle.items import AnyItem, Item, MCQItem
from jostle.perturb import NotApplicable, Variant, expand
from jostle.predict.classify import Classifier
from jostle.predict.labels import align_labels
from jostle.report.model import strict
from jostle.tasks import TASKS

HOLDS, FLIPS, FOLLOWS, MISSES = "holds", "flips", "follows", "does not follow"
MCQ = "mcq"


@dataclass(frozen=True)
class Answer:
    """What a model says of one input: a label, and its probability."""

    label: str
    confidence: float


@dataclass(frozen=True)
class Answered:
    """A variant with the model's answer; `state` is one of the four words, or "" where nothing was predicted."""

    variant: Variant
    answer: Answer | None = None
    state: str = ""


@dataclass(frozen=True)
class Jostled:
    """An item with all that became of it.

    Args:
        item: The item.
        answer: The model's answer to it, where a model was asked.
        variants: Its variants, with answers.
        left_out: Operators that do not fit it, and why.
        note: Why nothing was predicted; "" where it was.
        model: What answered.
    """

    item: AnyItem
    answer: Answer | None
    variants: Sequence[Answered]
    left_out: Sequence[NotApplicable]
    note: str = ""
    model: str = ""

    @property
    def counts(self) -> Counter[str]:
        """How many variants are in each state."""
        return Counter(one.state for one in self.variants)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        found: dict[str, Any] = strict(
            {
                "task": self.item.task,
                "gold": self.item.label,
                "model": self.model,
                "note": self.note,
                "prediction": _answer(self.answer),
                "counts": dict(self.counts) if self.answer else {},
                "variants": [_row(one) for one in self.variants],
                "left_out": {one.condition or one.operator: one.reason for one in self.left_out},
            }
        )
        return found


def make_item(task: str, texts: Sequence[str], options: str = "", gold: str = "") -> AnyItem:
    """The item that a form describes.

    Args:
        task: Task of the item.
        texts: Texts in the order of the task's fields; what is beyond them is not read.
        options: Options of multiple choice, one a line.
        gold: Label, or letter of the right option; "" for none.

    Raises:
        InputError: A text is missing or too long, or the gold label is not one of the task.
    """
    if task not in TASKS:
        raise InputError(f"Expected a task out of {', '.join(TASKS)}, but got {task!r}. Choose one.")
    if task == MCQ:
        return _choice_item(texts[0], options, gold)
    own = TASKS[task]
    if gold and gold not in own.labels:
        raise InputError(f"Expected a gold label out of {', '.join(own.labels)}, but got {gold!r}. Choose one.")
    if len(texts) < len(own.fields):
        raise InputError(f"Expected the texts {', '.join(own.fields)}, but got {len(texts)}. Give all of them.")
    fields = {name: check_text(text, f"the {name}") for name, text in zip(own.fields, texts, strict=False)}
    return Item("item", task, fields, gold or None)


def _choice_item(question: str, options: str, gold: str) -> MCQItem:
    choices = [line.strip() for line in options.splitlines() if line.strip()]
    if not 2 <= len(choices) <= LIMITS.options:  # noqa: PLR2004 - one option is no choice
        raise InputError(f"Expected 2 to {LIMITS.options} options, one a line, but got {len(choices)}.")
    item = MCQItem(
        check_text(question, "the question"),
        tuple(check_text(choice, "an option") for choice in choices),
        None,
        id="item",
    )
    if gold and gold not in item.labels:
        raise InputError(f"Expected a right option out of {', '.join(item.labels)}, but got {gold!r}. Choose one.")
    return item.with_label(str(item.labels.index(gold))) if gold else item


def classifier_for(task: str, model: str) -> tuple[Classifier | None, str]:
    """The model for a task, or why there is none.

    Raises:
        UsageError: The model is not one that the Space allows.
        ModelError: It cannot be loaded.
    """
    if model == NO_MODEL:
        return None, "No model was chosen, so nothing was predicted."
    if task == MCQ:
        return None, "No model for multiple choice was chosen: a classifier has no options to choose from."
    own, labels = classifier_of(model), TASKS[task].labels
    outputs = list(own.label_map)
    try:
        aligned = align_labels(outputs, labels)
    except ModelError:
        return None, (
            f"No model for this task was chosen: it has the labels {', '.join(labels)}, the model {', '.join(outputs)}."
        )
    return replace(own, labels=aligned, label_map=dict(zip(outputs, aligned, strict=True))), ""


def jostle_item(item: AnyItem, operators: Sequence[str], model: str, seed: int) -> Jostled:
    """Vary the item with the operators, and ask the model about it and every variant.

    Raises:
        UsageError: An unknown operator, or a model that is not allowed.
        InputError: No operator was chosen.
    """
    if not operators:
        raise InputError("Expected at least one operator, but got none. Tick one under Operators.")
    made = list(expand([item], operators, seed))
    variants = [one for one in made if isinstance(one, Variant)]
    left_out = [one for one in made if isinstance(one, NotApplicable)]
    classifier, note = classifier_for(item.task, model)
    if classifier is None:
        return Jostled(item, None, [Answered(variant) for variant in variants], left_out, note)
    answers = _ask(item, variants, classifier)
    own = answers["orig"]
    answered = [_answered(variant, answers.get(variant.condition), own, item) for variant in variants]
    return Jostled(item, own, answered, left_out, model=classifier.name)


def _ask(item: AnyItem, variants: Sequence[Variant], classifier: Classifier) -> dict[str, Answer]:
    """Answers by condition; without that of a variant whose edit was cut off."""
    planned = run.plan([item], variants, unlabelled=True)
    with encoding:
        encoded = classifier.encode([row.texts for row in planned.rows])
    outcomes = run.classify(planned, classifier, encoded, item.task)
    columns = [outcomes.columns[name].to_pylist() for name in ("conditions", "predictions", "confidences")]
    return {condition: Answer(label, p) for condition, label, p in zip(*columns, strict=True)}


def _answered(variant: Variant, answer: Answer | None, own: Answer, item: AnyItem) -> Answered:
    if answer is None:
        return Answered(variant)
    if variant.relation == "changed":
        return Answered(variant, answer, FOLLOWS if answer.label == variant.item.label else MISSES)
    return Answered(variant, answer, HOLDS if answer.label == own.label else FLIPS)


def _answer(answer: Answer | None) -> dict[str, Any] | None:
    return None if answer is None else {"label": answer.label, "confidence": answer.confidence}


def _row(one: Answered) -> dict[str, Any]:
    variant = one.variant
    item = variant.item
    return {
        "condition": variant.condition,
        "operator": variant.operator,
        "relation": variant.relation,
        "gold": item.label,
        "fields": dict(item.fields),
        **({"choices": list(item.choices), "labels": list(item.labels)} if isinstance(item, MCQItem) else {}),
        "edits": [edit._asdict() for edit in variant.edits],
        "prediction": _answer(one.answer),
        "state": one.state,
    }
