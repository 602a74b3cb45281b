"""A GLUE task as a task of Inspect AI: items, their variants, prompts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from inspect_ai import Task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig
from inspect_ai.solver import generate

from ..embedded_items import embedded_items
from ..errors import UsageError
from ..hub import load_hub_items
from ..loading import ItemSet, load_items
from ..perturb import NotApplicable, Operator, Variant, expand
from ..perturb.registry import of_kinds
from ..rows import SUFFIXES
from ..run import Plan, plan
from ..tasks.prompts import make_prompt
from ._inspect_expand import names_of
from ._inspect_samples import OPTIONS, SHOWN, marked_sample
from ._inspect_scorer import invariance_scorer

TASKS = ("sst2", "mnli", "qqp", "qnli")
_KINDS = ("para", "pert", "adv")


def glue_task(
    task: str, data: str, operators: Sequence[str], symbols: str, limit: int | None, seed: int, max_tokens: int
) -> Task:
    """The task over all conditions; see `glue_robustness`."""
    if task not in TASKS:
        raise UsageError(f"Expected a task of {', '.join(TASKS)}, but got {task!r}.")
    items = _items(task, data, limit)
    chosen = names_of(operators, cyclic=False) if operators else of_kinds(task, _KINDS)
    planned = plan(items.items, _variants(items, chosen, seed))
    samples = list(_samples(planned, task, symbols))
    reasons = {name: dict(counted) for name, counted in planned.not_applicable.items()}
    n_items = len({row.base.id for row in planned.rows})
    return Task(
        dataset=MemoryDataset(samples, name=f"{task} ({items.source})"),
        solver=generate(),
        scorer=invariance_scorer(),
        config=GenerateConfig(max_tokens=max_tokens, temperature=0.0),
        metadata={"jostle": {"n_items": n_items, "not_applicable": reasons}},
    )


def _items(task: str, data: str, limit: int | None) -> ItemSet:
    if data == "embedded":
        return embedded_items(task, limit)
    if Path(data).exists() or data.count("/") != 1 or Path(data).suffix in SUFFIXES:
        return load_items(data, task, limit=limit)
    return load_hub_items(data, task, {}, limit)


def _variants(items: ItemSet, operators: Sequence[Operator], seed: int) -> list[Variant | NotApplicable]:
    """Variants by the operators, and those that came with the items; all keep the gold label."""
    labelled = [item for item in items.items if item.label is not None]
    own = [variant for variant in items.variants if variant.relation == "invariant"]
    return [*expand(labelled, operators, seed), *own]


def _samples(planned: Plan, task: str, symbols: str) -> Iterator[Sample]:
    """One sample for every row, item by item, so that a limit cuts off items and not conditions."""
    conditions = Counter(row.base.id for row in planned.rows)
    place = {name: k for k, name in enumerate(conditions)}
    for row in sorted(planned.rows, key=lambda row: place[row.base.id]):
        prompt = make_prompt(row.item, task, symbols=symbols)
        target = next(mark for mark, label in prompt.options.items() if label == row.item.label)
        sample = Sample(input=str(prompt.messages[0]["content"]), target=target)
        about = {OPTIONS: dict(prompt.options), SHOWN: dict(prompt.shown)}
        yield marked_sample(sample, row.base, row.condition, conditions[row.base.id], metadata=about)
