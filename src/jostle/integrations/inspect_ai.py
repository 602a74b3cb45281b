"""jostle in Inspect AI: every multiple-choice sample in all its orders, drift and flips in the log beside accuracy.

Needs `pip install 'jostle[inspect]'`. Inspect finds this module by its entry point, so the tasks work by name:
`inspect eval jostle/invariance -T task=my_task.py --model …`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import InputError, MissingExtra, UsageError
from ..items import MCQItem
from ..perturb import Operator, all_cyclic_variants
from ..tasks.prompts import make_prompt

try:
    from inspect_ai import Task, task
except ModuleNotFoundError as error:
    raise MissingExtra((error.name or "inspect_ai").split(".")[0].replace("_", "-"), extra="inspect") from None

from inspect_ai._eval.loader import load_tasks  # what `inspect eval` itself reads task names with
from inspect_ai.dataset import Sample

from ._inspect_expand import expanded, names_of
from ._inspect_glue import glue_task
from ._inspect_labels import with_labels
from ._inspect_metric import invariance_metrics
from ._inspect_samples import OPTIONS, ORIGINAL, SHOWN, marked_sample
from ._inspect_scorer import invariance_scorer

__all__ = [
    "cyclic_variant_samples",
    "glue_robustness",
    "invariance",
    "invariance_metrics",
    "invariance_scorer",
    "invariance_task",
    "with_labels",
]


def invariance_task(
    given: Task,
    operators: Sequence[str | Operator] = (),
    seeds: Sequence[int] = (0,),
    limit: int | None = None,
    cyclic: bool = True,
    tolerance: float = 0.03,
    n_resamples: int = 10_000,
) -> Task:
    """A task that asks every multiple-choice sample of another in all orders, and measures what that changes.

    The samples of an item stand together: the original (`orig`), its other cyclic orders (`shift1`, ...), and one for
    each further condition. The targets move with their options. Solver, scorer and everything else are those of the
    given task, which stays as it is; each scorer reports `invariance_drift`, `invariance_flip_rate`, their intervals
    and the noise floor (see `invariance_metrics`) beside its own metrics. Accuracy is over all conditions;
    `invariance_accuracy_orig` is the given task's.

    Samples without choices, or whose target names no option, pass through as they are; in a task with
    `multiple_choice()` or `choice()`, which would stop at them, they are left out. Options that point at others ("both
    of the above") stay in their order. All of this is counted in the metadata of the task, under `jostle`.

    Args:
        given: The task; its solver must not shuffle the options.
        operators: Further conditions: names of operators on texts ("whitespace", "typos"), on options
            ("option_permutation", "option_labels"), files of your own ("path/to/file.py:name"), or `Operator`s.
        seeds: Operators that draw give a condition for each seed.
        limit: Take only the first so many samples of the task. Inspect's own `--limit` counts conditions as samples.
        cyclic: Whether the cyclic orders are conditions.
        tolerance: Accuracy difference that would matter.
        n_resamples: Bootstrap replicates.

    Raises:
        UsageError: The task has no scorer, makes its samples while it runs, or shuffles options in its solver; an
            operator is unknown, changes the gold label, or cannot work with this task.
        InputError: The task has no multiple-choice sample.
    """
    return expanded(given, names_of(operators, cyclic), tuple(seeds), limit, (tolerance, n_resamples))


def cyclic_variant_samples(item: MCQItem, group_id: str | None = None) -> list[Sample]:
    """All cyclic orders of an item as samples for `generate()`, with the options written into the prompt.

    Args:
        item: The item; its options must mean the same in every order.
        group_id: Names the item among others; its own id by default.

    Raises:
        InputError: The item has no name, no answer, or options that cannot be rotated.

    >>> item = MCQItem("Capital of France?", ("Paris", "Rome"), 0)
    >>> samples = cyclic_variant_samples(item, group_id="q1")
    >>> [(sample.id, sample.target) for sample in samples]
    [('q1::orig', 'A'), ('q1::shift1', 'B')]
    >>> print(samples[1].input)
    Choose the option that answers the question.
    <BLANKLINE>
    Question: Capital of France?
    <BLANKLINE>
    Options:
    A. Rome
    B. Paris
    <BLANKLINE>
    Reply with the letter of one option only.
    """
    name = group_id if group_id is not None else item.id
    if name is None or item.answer_letter is None:
        lacking = "`group_id`" if name is None else "answer"
        raise InputError(f"Expected an item with {lacking}, but got {item.question!r} without. Give it one.")
    named = MCQItem(item.question, item.choices, item.answer_index, name, family=item.family if item.id else "")
    variants = all_cyclic_variants(named)
    return [_written(named, variant, shift, len(variants)) for shift, variant in enumerate(variants)]


def _written(item: MCQItem, variant: MCQItem, shift: int, count: int) -> Sample:
    prompt = make_prompt(variant, "mcq")
    sample = Sample(input=str(prompt.messages[0]["content"]), target=variant.answer_letter or "")
    about = {OPTIONS: dict(prompt.options), SHOWN: dict(prompt.shown)}
    return marked_sample(sample, item, f"shift{shift}" if shift else ORIGINAL, count, metadata=about)


@task
def invariance(
    task: str,
    operators: str | list[str] = "",
    seeds: int | list[int] = 0,
    limit: int | None = None,
    cyclic: bool = True,
    **task_args: Any,
) -> Task:
    """`invariance_task` from the command line: `inspect eval jostle/invariance -T task=my_task.py@arc`.

    Args:
        task: The task as `inspect eval` takes it: FILE.py, FILE.py@NAME or PACKAGE/NAME.
        operators: As in `invariance_task`; several with commas.
        seeds: As there.
        limit: As there.
        cyclic: As there.
        task_args: Passed on to the task.

    Raises:
        UsageError: The name stands for no task or for several.
    """
    found = load_tasks([task], task_args)
    if len(found) != 1:
        names = ", ".join(one.name for one in found) or "none"
        raise UsageError(f"Expected one task in {task!r}, but got {names}. Name it: FILE.py@NAME.")
    return invariance_task(found[0], _listed(operators), _numbers(seeds), limit, cyclic)


@task
def glue_robustness(
    task: str = "sst2",
    data: str = "embedded",
    operators: str | list[str] = "",
    symbols: str = "letters",
    limit: int | None = None,
    seed: int = 0,
    max_tokens: int = 16,
) -> Task:
    """A GLUE task under paraphrase, noise and distractors: `inspect eval jostle/glue_robustness -T task=mnli`.

    Args:
        task: `sst2`, `mnli`, `qqp` or `qnli`.
        data: A file in the columns of the task, a Hub id, or `embedded`: the items that come with jostle.
        operators: Names with commas; by default all operators for the task that keep the gold label.
        symbols: What stands before the labels: letters, numbers, roman, or words for none.
        limit: Take only the first so many items.
        seed: Seed of the operators.
        max_tokens: Longest answer.

    Raises:
        UsageError: Unknown task, operator or symbols.
        InputError: The data cannot be read, or no item has a gold label.
    """
    return glue_task(task, data, _listed(operators), symbols, limit, seed, max_tokens)


def _listed(names: str | Sequence[str]) -> list[str]:
    """Names that the command line gives as a list, or as text with commas."""
    given = names.split(",") if isinstance(names, str) else names
    return [name.strip() for name in given if name.strip()]


def _numbers(seeds: int | str | Sequence[int]) -> list[int]:
    given: Sequence[Any] = seeds.split(",") if isinstance(seeds, str) else [seeds] if isinstance(seeds, int) else seeds
    return [int(seed) for seed in given]
