"""Scorers of Inspect AI with jostle's metrics: a task's own, and one that reads free text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspect_ai._util.registry import (  # Inspect has no public way to copy a scorer with other metrics
    RegistryInfo,
    registry_info,
    registry_params,
    set_registry_info,
    set_registry_params,
)
from inspect_ai.scorer import CORRECT, INCORRECT, NOANSWER, Metric, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState

from ..errors import InputError
from ..importers.inspect_log import CONDITION, ITEM
from ..tasks import extract_label
from ..tasks.prompts import Prompt, label_of
from ._inspect_labels import COMPLETION
from ._inspect_metric import invariance_metrics
from ._inspect_samples import LABELS, OPTIONS, SHOWN, option_mark

_METRICS = "metrics"  # where Inspect keeps the metrics of a scorer


def with_invariance(original: Scorer, added: Metric) -> Scorer:
    """A scorer that scores as the original does, with a metric more; the original stays as it is.

    It refuses samples whose condition the solver has undone (see `check_condition`).
    """

    async def score(state: TaskState, target: Target) -> Score | None:
        check_condition(state)
        return await original(state, target)

    info = registry_info(original)
    metadata = {**info.metadata, _METRICS: _and(info.metadata[_METRICS], added)}
    set_registry_info(score, RegistryInfo(type=info.type, name=info.name, metadata=metadata))
    set_registry_params(score, registry_params(original))
    return score


def _and(metrics: Any, added: Metric) -> Any:
    """The metrics of a scorer and one more; where each key of the score has its own, one more for each."""
    if isinstance(metrics, Mapping):
        return {key: [*own, added] for key, own in metrics.items()}
    return [*metrics, added]


def check_condition(state: TaskState) -> None:
    """Refuse a sample whose options did not stand before the model as its condition says.

    Raises:
        InputError: The solver has shuffled them, or has not shown the labels of the condition.
    """
    if CONDITION not in state.metadata:
        return
    condition, item = state.metadata[CONDITION], state.metadata[ITEM]
    if any(k != choice.original_position for k, choice in enumerate(state.choices)):
        raise InputError(
            f"Expected options in the order of condition {condition!r}, but the solver shuffled those of item "
            f"{item!r}. Use multiple_choice() without `shuffle`."
        )
    if LABELS in state.metadata and COMPLETION not in state.metadata:
        raise InputError(
            f"Expected the labels of condition {condition!r} before the options of item {item!r}, but the solver did "
            "not show them. Leave option_labels out, or wrap the solver: with_labels(solver)."
        )


@scorer(metrics=[accuracy(), stderr(), invariance_metrics()])
def invariance_scorer() -> Scorer:
    """Read the option that a completion names, and compare it with the target; with jostle's metrics.

    For samples of `cyclic_variant_samples` and of `glue_robustness` with the solver `generate()`, and for any sample
    with choices. It reads a completion as `jostle run` does, by rules (see `jostle.extract_label`), so no format is
    demanded. An answer that cannot be read is `N`, wrong in accuracy and counted by itself, with the reason as
    explanation. Where the target names several options, all of them must be named.

    Limitations: rules, not understanding. Targets are marks of options ("A", "B,A"), not texts.
    """

    async def score(state: TaskState, target: Target) -> Score:
        check_condition(state)
        golds = {mark.strip() for value in target for mark in value.split(",")}
        named, reason = _read(state, multi=len(golds) > 1)
        if not named:
            return Score(value=NOANSWER, answer="", explanation=reason, reason="invalid_response_format")
        right = CORRECT if set(named) == golds else INCORRECT
        return Score(value=right, answer=",".join(named), explanation=state.output.completion)

    return score


def _read(state: TaskState, multi: bool) -> tuple[tuple[str, ...], str]:
    """Marks of the options that the completion names; none, and why."""
    completion = state.output.completion
    if OPTIONS in state.metadata:
        options, shown = state.metadata[OPTIONS], state.metadata[SHOWN]
        found = label_of(completion, Prompt("", (), options, shown))
        marks = tuple(mark for mark, label in options.items() if label == found.label)
        return marks, found.reason or ""
    shown = {option_mark(k): choice.value for k, choice in enumerate(state.choices)}
    if not shown:
        raise InputError(
            f"Expected a sample with options, but {state.sample_id!r} has none. Make samples with "
            "`cyclic_variant_samples`, or give them choices."
        )
    read = extract_label(completion, list(shown), shown, multi)
    named = (read.label,) if isinstance(read.label, str) else read.label or ()
    return named, read.reason or ""
