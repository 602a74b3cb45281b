"""Other marks before the options of `multiple_choice()`, which itself always writes A), B), C)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from inspect_ai.solver import Generate, Solver, TaskState, solver

from ..errors import InputError
from ..importers.inspect_log import CONDITION, ITEM
from ._inspect_samples import LABELS, option_mark

COMPLETION = "jostle_completion"
# The answer line as Inspect reads it, with the brackets and stars that it overlooks.
_ANSWER = re.compile(r"(?i)(ANSWER\s*:[\s(*$]*)([A-Za-z\d][A-Za-z\d ,]*)")


@solver
def with_labels(inner: Solver) -> Solver:
    """The solver itself, with the options of a sample marked by the labels of its condition.

    Just before the model is asked, the marks in the prompt are replaced by the labels; the answer is translated back,
    so that solver and scorer work as they do. Samples without labels are left alone. What the model wrote stays in the
    messages, and in the metadata as `jostle_completion`.

    Args:
        inner: A solver that uses `multiple_choice()`.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        labels = state.metadata.get(LABELS)
        if not labels:
            return await inner(state, generate)
        question = state.user_prompt.text

        async def ask(state: TaskState, *args: Any, **kwargs: Any) -> TaskState:
            if COMPLETION not in state.metadata:
                state.user_prompt.text = relabelled(state, question, labels)
            state = await generate(state, *args, **kwargs)
            state.metadata[COMPLETION] = state.output.completion
            state.output.completion = translated(state.output.completion, labels)
            return state

        return await inner(state, ask)

    return solve


def relabelled(state: TaskState, question: str, labels: Sequence[str]) -> str:
    """The prompt with labels in the place of Inspect's marks, in the list of options and in the list of letters.

    Raises:
        InputError: The options do not stand in the prompt as `multiple_choice()` writes them.
    """
    text, options = state.user_prompt.text, state.choices.prompt(question, "{choices}")
    if options not in text:
        raise InputError(
            f"Expected the options of item {state.metadata[ITEM]!r} as multiple_choice() writes them, but condition "
            f"{state.metadata[CONDITION]!r} found none to relabel. Leave option_labels out for this solver."
        )
    listed = "\n".join(f"{label}) {choice.value}" for label, choice in zip(labels, state.choices, strict=True))
    before, _, after = text.rpartition(options)
    letters, others = state.choices.prompt(question, "{letters}"), ",".join(labels)
    parts = [part.replace(letters, others) for part in before.split(question)] if question else [before]
    return question.join(parts) + listed + after.replace(letters, others)


def translated(completion: str, labels: Sequence[str]) -> str:
    """A completion whose answer lines name options by Inspect's marks; an answer that is no label names none.

    >>> translated("ANSWER: 2", ["1", "2"]), translated("ANSWER: B", ["1", "2"])
    ('ANSWER: B', 'ANSWER: [B]')
    >>> translated("Answer: **ii**", ["i", "ii"])
    'Answer: **B**'
    """
    marks = {label.casefold(): option_mark(k) for k, label in enumerate(labels)}

    def mark(found: re.Match[str]) -> str:
        words = re.split(r"([ ,]+)", found[2])
        known = [marks.get(word.casefold(), word if word.casefold() in ("", "and") else None) for word in words[::2]]
        if None in known or not any(known):
            return f"{found[1]}[{found[2]}]"
        gaps = [*words[1::2], ""]
        return found[1] + "".join(f"{word}{gap}" for word, gap in zip(known, gaps, strict=True))

    return _ANSWER.sub(mark, completion)
