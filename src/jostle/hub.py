"""Items from a data set on the Hub."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from .errors import InputError, UsageError
from .loading import ItemSet, items_from_rows
from .rows import RowFile
from .tasks import TASKS


def load_hub_items(
    name: str, task: str, mapping: Mapping[str, str], limit: int | None = None, split: str | None = None
) -> ItemSet:
    """Read the evaluation split of a data set on the Hub.

    Args:
        name: Hub id ORG/NAME.
        task: Task of the items; its name is the configuration where the data set has several, else its default.
        mapping: Field -> column.
        limit: Take only the first so many rows.
        split: Split to read; the first one that has gold labels by default.

    Raises:
        InputError: The data set cannot be loaded, leaves open which configuration is meant, or has none of the splits
            that carry gold labels.
        UsageError: The name is no Hub id.
    """
    if name.count("/") != 1:
        raise UsageError(f"Expected a file or a Hub id ORG/NAME, but got {name!r}.")
    import datasets

    try:
        with _quiet():
            config = _config(name, task)
            splits = datasets.get_dataset_split_names(name, config)
            known = TASKS[task].splits if task in TASKS else ("validation", "test")
            wanted = [one for one in ((split,) if split else known) if one in splits]
            if not wanted:
                raise InputError(
                    f"Expected an evaluation split with gold labels in {name}, but it has {', '.join(splits)}."
                )
            rows = datasets.load_dataset(name, config, split=wanted[0])
    except InputError:
        raise
    except Exception as error:  # datasets and huggingface_hub raise a dozen kinds for "cannot be reached"
        reason = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
        raise InputError(f"Expected a file or a data set on the Hub, but {name} cannot be loaded: {reason}.") from error
    rows = rows.select(range(min(limit, len(rows)))) if limit else rows
    file = RowFile(f"{name} ({wanted[0]})", _named(rows, task), [f"row {k + 1}" for k in range(len(rows))])
    return items_from_rows(file, task, mapping)


def _config(name: str, task: str) -> str | None:
    """The configuration to read: the task's; none where there is no choice; else the one its card calls default."""
    import datasets

    configs = datasets.get_dataset_config_names(name)
    if task in configs:
        return task
    if len(configs) <= 1:
        return None
    default: str | None = datasets.get_dataset_default_config_name(name)
    if default is None:
        raise InputError(
            f"Expected a configuration {task!r} or a default one in {name}, but it has {', '.join(configs)}. "
            "Save the one you mean as a file: datasets.load_dataset(...).to_parquet(...)."
        )
    return default


def _named(rows: Any, task: str) -> list[dict[str, Any]]:
    """Rows with class names in place of indices, where the names are the task's or the task has none of its own.

    A data set may count the task's classes in another order; then its index 0 is not the task's.
    """
    labels = {label.casefold() for label in TASKS[task].labels} if task in TASKS else set()
    named = {
        column: [*feature.names, None]  # -1 is unlabelled
        for column, feature in rows.features.items()
        if hasattr(feature, "names") and (task not in TASKS or {name.casefold() for name in feature.names} == labels)
    }
    return [
        {**row, **{column: names[row[column]] for column, names in named.items() if row[column] is not None}}
        for row in rows
    ]


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the bars of `datasets`, unless someone is watching."""
    import datasets

    shown = not datasets.are_progress_bars_disabled()
    if not sys.stderr.isatty():
        datasets.disable_progress_bars()
    try:
        yield
    finally:
        if shown:
            datasets.enable_progress_bars()
