"""The four GLUE tasks, with the class order of the public data set."""

from __future__ import annotations

from .base import Task

_HUB = "nyu-mll/glue"

SST2 = Task("sst2", ("sentence",), ("negative", "positive"), ("sentence",), hub_id=(_HUB, "sst2"))
MNLI = Task(
    "mnli",
    ("premise", "hypothesis"),
    ("entailment", "neutral", "contradiction"),
    ("hypothesis",),
    splits=("validation_matched", "validation_mismatched"),
    hub_id=(_HUB, "mnli"),
)
QQP = Task("qqp", ("question1", "question2"), ("not_duplicate", "duplicate"), ("question2",), hub_id=(_HUB, "qqp"))
QNLI = Task("qnli", ("question", "sentence"), ("entailment", "not_entailment"), ("sentence",), hub_id=(_HUB, "qnli"))
