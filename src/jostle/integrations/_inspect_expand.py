"""A task of Inspect AI -> the same task over all conditions of its samples."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from inspect_ai import Task, task_with
from inspect_ai._util.registry import (  # to see what solvers and scorers a task is made of
    REGISTRY_INFO,
    REGISTRY_PARAMS,
    has_registry_params,
    is_registry_object,
    registry_params,
    registry_unqualified_name,
)
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import Solver

from ..errors import InputError, UsageError
from ..items import AnyItem
from ..perturb import Operator, Variant, expand
from ..perturb.registry import find, load_operator
from ._inspect_labels import with_labels
from ._inspect_metric import invariance_metrics
from ._inspect_samples import Source, read_sample, refused, samples_of
from ._inspect_scorer import with_invariance

_CYCLIC, _LABELS = "cyclic_order", "option_labels"
_DRAW_NOTHING = (_CYCLIC, _LABELS)  # another seed changes nothing
_MULTIPLE_CHOICE, _CHOICE = "multiple_choice", "choice"


def names_of(operators: Sequence[str | Operator], cyclic: bool) -> list[Operator]:
    """The operators, the cyclic orders first where they are wanted.

    Raises:
        UsageError: An operator is unknown or changes the gold label, or there is none.
    """
    wanted: list[str | Operator] = [_CYCLIC, *operators] if cyclic else list(operators)
    found = {operator.name: operator for operator in map(_found, wanted)}
    changing = [name for name, operator in found.items() if operator.relation == "changed"]
    if changing or not found:
        got = f"{changing[0]!r}, which changes it" if changing else "none"
        raise UsageError(f"Expected operators that keep the gold label, but got {got}. Name others.")
    return list(found.values())


def _found(operator: str | Operator) -> Operator:
    return load_operator(operator) if isinstance(operator, str) and ":" in operator else find(operator)


@dataclass
class Expansion:
    """The samples of all conditions, with what was not made.

    Args:
        samples: The samples, item by item.
        passed_through: Samples that stay as they are, by reason.
        left_out: Samples that the task could not run, by reason.
        not_applicable: Conditions that an item does not have, by condition and reason.
    """

    samples: list[Sample] = field(default_factory=list)
    passed_through: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    not_applicable: dict[str, Counter[str]] = field(default_factory=dict)
    n_items: int = 0

    def counts(self) -> dict[str, Any]:
        """What happened to the samples of the task, for its metadata."""
        return {
            "n_items": self.n_items,
            "passed_through": dict(self.passed_through),
            "left_out": dict(self.left_out),
            "not_applicable": {name: dict(reasons) for name, reasons in self.not_applicable.items()},
        }


def expanded(
    given: Task, operators: Sequence[Operator], seeds: Sequence[int], limit: int | None, measure: tuple[float, int]
) -> Task:
    """The task over all conditions; see `invariance_task`."""
    strict = _needs_choices(given)
    _check(given, operators, strict)
    made = _expand(given, operators, seeds, limit, strict)
    if not made.n_items:
        reasons = made.passed_through + made.left_out
        raise InputError(f"Expected multiple-choice samples, but {given.name} has none ({dict(reasons)}).")
    tolerance, n_resamples = measure
    added = invariance_metrics(made.left_out.total(), tolerance, n_resamples)
    dataset = given.dataset
    labelled = any(operator.name == _LABELS for operator in operators)
    return task_with(
        _copy(given),
        name=f"{given.name}_invariance",
        dataset=MemoryDataset(made.samples, dataset.name, dataset.location, shuffled=dataset.shuffled),
        solver=with_labels(given.solver) if labelled else given.solver,
        scorer=[with_invariance(scorer, added) for scorer in given.scorer or []],
        metadata={**(given.metadata or {}), "jostle": made.counts()},
    )


def _copy(given: Task) -> Task:
    """A task that `task_with` may change, and that does not pass for what the given one is registered as."""
    task = copy.copy(given)
    for name in (REGISTRY_INFO, REGISTRY_PARAMS):
        vars(task).pop(name, None)
    return task


def _expand(
    given: Task, operators: Sequence[Operator], seeds: Sequence[int], limit: int | None, strict: bool
) -> Expansion:
    made = Expansion()
    for k, sample in enumerate(given.dataset[:limit]):
        name = str(k + 1 if sample.id is None else sample.id)
        source = read_sample(sample, name, strict)
        if isinstance(source, Source):
            made.n_items += 1
            made.samples += samples_of(source, _variants(source, operators, seeds, made))
        elif strict:
            made.left_out[source] += 1
        else:
            made.passed_through[source] += 1
            made.samples.append(sample.model_copy(deep=True, update={"id": name}))
    return made


def _variants(
    source: Source, operators: Sequence[Operator], seeds: Sequence[int], made: Expansion
) -> Iterator[tuple[str, Variant]]:
    """Variants with the names of their conditions; the seeds after the first are part of the name."""
    seen: dict[str, list[AnyItem]] = {}
    for k, seed in enumerate(seeds):
        drawing = [operator for operator in operators if not k or operator.name not in _DRAW_NOTHING]
        for variant in expand([source.item], drawing, seed):
            condition = f"{variant.condition or variant.operator}" + (f"/seed{seed}" if k else "")
            reason = refused(variant, source)
            known = seen.setdefault(variant.condition, [])
            if isinstance(variant, Variant) and not reason and variant.item in known:
                reason = "the same as with another seed"
            if reason:
                made.not_applicable.setdefault(condition, Counter())[reason] += 1
            elif isinstance(variant, Variant):
                known.append(variant.item)
                yield condition, variant


def _check(given: Task, operators: Sequence[Operator], strict: bool) -> None:
    if not given.scorer:
        raise UsageError(f"Expected a task with a scorer, but {given.name} has none. Give it one.")
    if given.sample_source is not None:
        raise UsageError(f"Expected a task with a data set, but {given.name} makes its samples while it runs.")
    if any(params.get("shuffle") for name, params in _parts(given.solver) if name == _MULTIPLE_CHOICE):
        raise UsageError(
            f"Expected options that stay in their order, but {given.name} has multiple_choice(shuffle=…), which would "
            "undo every order. Leave `shuffle` out; shuffle once with dataset.shuffle_choices()."
        )
    if not strict and any(operator.name == _LABELS for operator in operators):
        raise UsageError(
            f"Expected a task with multiple_choice() or choice() for {_LABELS}, but {given.name} has neither. Leave "
            f"{_LABELS} out."
        )


def _needs_choices(given: Task) -> bool:
    """Whether the task stops at samples without choices, and reads its targets as marks of options."""
    scorers = [registry_unqualified_name(scorer) for scorer in given.scorer or []]
    return _CHOICE in scorers or any(name == _MULTIPLE_CHOICE for name, _ in _parts(given.solver))


def _parts(solver: Solver) -> Iterator[tuple[str, dict[str, Any]]]:
    """Names and parameters of the solvers of a chain; those inside a solver of one's own cannot be seen."""
    if isinstance(solver, Sequence):
        for part in solver:
            yield from _parts(part)
    elif is_registry_object(solver):
        yield registry_unqualified_name(solver), registry_params(solver) if has_registry_params(solver) else {}
