"""Tasks: which fields an item has, what its labels are called, and which side an operator may edit."""

from __future__ import annotations

from .base import Task
from .extract import Extraction, extract_label
from .glue import MNLI, QNLI, QQP, SST2
from .mcq import MCQ

TASKS: dict[str, Task] = {task.name: task for task in (SST2, MNLI, QQP, QNLI, MCQ)}


def editable_fields(task: str) -> tuple[str, ...]:
    """The fields that operators edit by default; empty for a task that is not known here, which means all.

    >>> editable_fields("mnli"), editable_fields("custom")
    (('hypothesis',), ())
    """
    return TASKS[task].editable if task in TASKS else ()


__all__ = ["TASKS", "Extraction", "Task", "editable_fields", "extract_label"]
