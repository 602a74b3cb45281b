"""What a task is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Task:
    """A task in the columns of its public data set.

    Args:
        name: Name on the command line and in the outcomes table.
        fields: Text columns, in the order a model reads them.
        labels: Class names; the position is the class index of the data set. Empty where choices take their place.
        editable: Fields that operators edit by default.
        splits: Splits of the data set that have gold labels and are meant for evaluation.
        hub_id: Data set on the Hub, and its configuration.
    """

    name: str
    fields: tuple[str, ...]
    labels: tuple[str, ...]
    editable: tuple[str, ...]
    splits: tuple[str, ...] = ("validation",)
    hub_id: tuple[str, str] = ("", "")
