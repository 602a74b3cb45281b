"""An evaluation suite: the robustness of a model on GLUE tasks, task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from datasets import Dataset
from evaluate import combine
from evaluate.evaluation_suite import EvaluationSuite, SubTask

from ..embedded_items import TASKS, embedded_items
from ..errors import UsageError
from ..modules import load
from ..perturb import of_kinds
from .evaluator import RobustnessEvaluator
from .perturbed import PerturbedSet

_MODULES = ("invariance_drift", "flip_rate", "robustness_ratio")
_KINDS = ("para", "pert", "adv")
_GLUE = tuple(task for task in TASKS if task != "mcq")


class GlueRobustnessSuite(EvaluationSuite):  # type: ignore[misc]
    """Drift, flip rate and robustness ratio on the embedded items of GLUE tasks and their variants.

    `run` is its own: the stock one cannot carry columns beside predictions and references.

    Args:
        tasks: Of `sst2`, `mnli`, `qqp`, `qnli`.
        limit: Take only the first so many items of each task.
        seed: Seed of the operators.

    Raises:
        UsageError: A task that is none of these.

    >>> suite = GlueRobustnessSuite(tasks=["sst2"], limit=5)
    >>> [task.args_for_task["input_column"] for task in suite.suite]
    ['sentence']
    """

    def __init__(self, tasks: Sequence[str] = ("sst2",), limit: int | None = None, seed: int = 0) -> None:
        super().__init__("glue_robustness")
        unknown = [name for name in tasks if name not in _GLUE]
        if isinstance(tasks, str) or unknown:
            raise UsageError(f"Expected a list of tasks of {', '.join(_GLUE)}, but got {tasks!r}.")
        self.suite = [_task(name, limit, seed) for name in tasks]

    def run(
        self, model_or_pipeline: Any, label_mapping: Mapping[str, Mapping[str, Any]] | None = None, **options: Any
    ) -> list[dict[str, Any]]:
        """Evaluate a model or pipeline on every task.

        Args:
            model_or_pipeline: As for `RobustnessEvaluator`.
            label_mapping: By task, label of the pipeline -> gold label.
            **options: Options of the modules (`n_resamples`, `seed` ...); `missing` is `pairwise`, since no operator
                applies to all items.

        Returns:
            A result for each task, with its name.
        """
        self.assert_suite_nonempty()
        found = []
        for task in self.suite:
            name = task.args_for_task["task"]
            columns = {k: v for k, v in task.args_for_task.items() if k != "task"}
            result = RobustnessEvaluator().compute(
                model_or_pipeline, task.data, combine([load(module) for module in _MODULES]),
                label_mapping=(label_mapping or {}).get(name), **columns, **{"missing": "pairwise", **options},
            )  # fmt: skip
            found.append({**result, "task_name": name})
        return found


def _task(name: str, limit: int | None, seed: int) -> SubTask:
    items = embedded_items(name, limit)
    robust = PerturbedSet.of(items.items, items.labels, of_kinds(name, _KINDS), variants=items.variants, seed=seed)
    rows = robust.planned.rows
    fields = list(rows[0].item.fields)
    data = Dataset.from_dict(
        {field: [row.item.fields[field] for row in rows] for field in fields}
        | {
            "label": [str(row.item.label) for row in rows],
            "item_ids": [str(row.base.id) for row in rows],
            "conditions": [row.condition for row in rows],
            "families": [row.base.family for row in rows],
            "relations": [row.relation for row in rows],
        }
    )
    columns = {"task": name, "input_column": fields[0], "label_column": "label"}
    columns |= {"second_input_column": fields[1]} if len(fields) > 1 else {}
    return SubTask(task_type="text-classification", data=data, args_for_task=columns)
