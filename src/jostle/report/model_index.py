"""A report as the `model-index` of a model card."""

from __future__ import annotations

import math
from typing import Any

from ..errors import InputError
from .model import Report

_TASK = "text-classification"
_NUMBERS = (
    ("robustness_ratio", "robustness_ratio", "Robustness ratio"),
    ("invariance_drift", "max_drift", "Invariance drift"),
    ("flip_rate", "flip_rate", "Flip rate"),
)


def to_model_index(report: Report, model: str = "", data_set: str = "") -> str:
    """The YAML block `model-index` for the head of a model card: accuracy by condition, drift, flips and R.

    Each model of the report is one of its own; what is undefined is left out.

    Args:
        report: The report.
        model: Name of the model, where the report does not say it.
        data_set: Name of the data set, where the report does not say a task.

    Raises:
        InputError: Nothing was measured.
    """
    from huggingface_hub import ModelCardData

    blocks = []
    for name, groups in _by_model(report, model).items():
        results = [result for group in groups for result in _results(report, group, data_set)]
        if results:
            blocks.append(ModelCardData(model_name=name, eval_results=results).to_yaml())
    if not blocks:
        raise InputError(f"Expected numbers for a model card, but nothing was measured in {report.source}.")
    return "---\n".join(f"{block}\n" for block in blocks)


def _by_model(report: Report, model: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for group in report.groups:
        found.setdefault(_part(group, "model") or model or "model", []).append(group)
    return found


def _part(group: str, name: str) -> str:
    """What a group's name says of its task, model or decoding."""
    parts = dict(part.partition("=")[::2] for part in group.split("|"))
    return parts.get(name, "")


def _results(report: Report, group: str, data_set: str) -> list[Any]:
    from huggingface_hub import EvalResult

    drift = report.values("invariance_drift", group)
    task = _part(group, "task") or data_set or report.source
    common: dict[str, Any] = {"task_type": _TASK, "dataset_type": task, "dataset_name": task}
    decoding = _part(group, "decoding")
    ending = f", {decoding}" if decoding else ""
    found = [
        EvalResult(
            **common, metric_type="accuracy", metric_value=round(value, 4), metric_name=f"Accuracy, {name}{ending}"
        )
        for name, value in drift["accuracy_by_condition"].items()
    ]
    for measure, key, title in _NUMBERS:
        value = report.values(measure, group)[key]
        if not math.isnan(value):
            result = EvalResult(
                **common, metric_type=measure, metric_value=round(value, 4), metric_name=f"{title}{ending}"
            )
            found.append(result)
    return found
