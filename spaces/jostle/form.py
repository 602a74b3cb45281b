"""What the tab Jostle asks for: the task, its texts, the operators, and examples that fill it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gradio as gr
from shared import LIMITS

from jostle.items import LETTERS
from jostle.perturb import of_kinds
from jostle.tasks import TASKS

TASK_NAMES = {
    "sst2": "Sentiment",
    "mnli": "Inference (NLI)",
    "qqp": "Same question?",
    "qnli": "Question answered?",
    "mcq": "Multiple choice",
}
KINDS = {
    "para": ("Paraphrases", "another wording, same meaning"),
    "pert": ("Surface noise", "what people and machines do to a text"),
    "adv": ("Adversarial", "true additions and slips where they hurt"),
    "contrast": ("Contrast", "a small edit that changes the right answer; needs a gold label"),
}


@dataclass(frozen=True)
class Example:
    """One example: the task, what goes into its fields, and the gold label."""

    name: str
    task: str
    texts: tuple[str, str]
    options: str = ""
    gold: str = ""


EXAMPLES = (
    Example("Film review", "sst2", ("It is a clever film.", ""), gold="positive"),
    Example("Inference", "mnli", ("All 12 students of the course passed the exam in June.",
                                  "Some students did not pass the exam."), gold="contradiction"),
    Example("Two questions", "qqp", ("How do I learn to cook quickly?", "What is the fastest way to learn cooking?"),
            gold="duplicate"),
    Example("Multiple choice", "mcq", ("Which planet is closest to the sun?", ""),
            "Venus\nMercury\nEarth\nMars", "B"),
)  # fmt: skip


def operator_choices(task: str, kind: str) -> list[tuple[str, str]]:
    """Operators of a kind that are meant for the task, each with its promise."""
    return [(f"{one.name}: {one.promise}", one.name) for one in of_kinds(task, [kind])]


def operator_names(task: str) -> list[list[str]]:
    """Names of the operators that are meant for the task, kind by kind."""
    return [[name for _, name in operator_choices(task, kind)] for kind in KINDS]


def gold_choices(task: str) -> list[tuple[str, str]]:
    """Gold labels of a task; for multiple choice the letters."""
    labels: Sequence[str] = TASKS[task].labels or tuple(LETTERS[: LIMITS.options])
    return [("not stated", ""), *((label, label) for label in labels)]


def fields_for(task: str, texts: Sequence[str] = ("", ""), options: str = "", gold: str = "") -> list[Any]:
    """The two text fields, the options and the gold label, as the task has them."""
    fields = TASKS[task].fields if task != "mcq" else ("question",)
    names = [*(name.replace("question", "question ").strip() for name in fields), ""]
    return [
        gr.Textbox(value=texts[0], label=names[0].capitalize()),
        gr.Textbox(value=texts[1], label=names[1].capitalize(), visible=bool(names[1])),
        gr.Textbox(value=options, visible=task == "mcq"),
        gr.Dropdown(gold_choices(task), value=gold, label="Right option" if task == "mcq" else "Gold label"),
    ]


def operators_for(task: str) -> list[Any]:
    """The groups of operators, all ticked."""
    groups = zip(KINDS, operator_names(task), strict=True)
    return [
        gr.CheckboxGroup(choices=operator_choices(task, kind), value=names, visible=bool(names))
        for kind, names in groups
    ]


def text_inputs(example: Example) -> list[Any]:
    """The fields of an item, filled with the example."""
    return [
        gr.Textbox(
            example.texts[0],
            label="Sentence",
            lines=2,
            elem_id="jostle-first",
            max_lines=8,
            max_length=LIMITS.characters,
        ),
        gr.Textbox(example.texts[1], label="", lines=2, max_lines=8, max_length=LIMITS.characters, visible=False),
        gr.Textbox(example.options, label="Options, one a line", lines=4, max_lines=10, visible=False),
        gr.Dropdown(gold_choices(example.task), value=example.gold, label="Gold label", filterable=False),
    ]


def operator_inputs(task: str) -> list[Any]:
    """A group of boxes for each kind of operator."""
    groups = []
    for (kind, (name, meaning)), chosen in zip(KINDS.items(), operator_names(task), strict=True):
        groups.append(
            gr.CheckboxGroup(
                operator_choices(task, kind), value=chosen, label=name, info=meaning, show_select_all=True,
                elem_classes="operators",
            )
        )  # fmt: skip
    return groups
