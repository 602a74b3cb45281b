"""The tasks: class order of the public sets, and fields that may be edited."""

from __future__ import annotations

import pytest

from jostle.tasks import TASKS, Task, editable_fields

# Class indices of the GLUE data sets on the Hub.
GLUE = {
    "sst2": ("negative", "positive"),
    "mnli": ("entailment", "neutral", "contradiction"),
    "qqp": ("not_duplicate", "duplicate"),
    "qnli": ("entailment", "not_entailment"),
}


@pytest.mark.parametrize("name", GLUE)
def test_the_class_order_is_that_of_glue(name: str) -> None:
    assert TASKS[name].labels == GLUE[name]
    assert TASKS[name].hub_id == ("nyu-mll/glue", name)


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_every_task_is_consistent(task: Task) -> None:
    assert TASKS[task.name] is task
    assert task.fields
    assert set(task.editable) <= set(task.fields)
    assert editable_fields(task.name) == task.editable
    assert len(set(task.labels)) == len(task.labels)
    assert task.splits
    # The test splits of GLUE have no gold labels.
    assert task.name not in GLUE or "test" not in task.splits


def test_mnli_is_evaluated_on_matched_first() -> None:
    assert TASKS["mnli"].splits == ("validation_matched", "validation_mismatched")


def test_an_unknown_task_has_no_fields_of_its_own() -> None:
    assert editable_fields("custom") == ()
