"""Items and rows from a data set on the Hub or in a folder."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .errors import InputError, UsageError
from .loading import ItemSet, items_from_rows
from .network import hub_or_cache
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
    return items_from_rows(read_data_set(name, task, limit, split), task, mapping)


def read_data_set(name: str, task: str = "", limit: int | None = None, split: str | None = None) -> RowFile:
    """Rows of a data set on the Hub, or of a folder that `datasets` can load.

    Args:
        name: Hub id ORG/NAME, or a folder.
        task: Its configuration and class names are taken where the data set has them; none by default.
        limit: Take only the first so many rows.
        split: Split to read; the first one that has gold labels by default.

    Raises:
        InputError: The data set cannot be loaded, leaves open which configuration is meant, or has none of the splits
            that carry gold labels.
    """
    try:
        with _quiet():
            if Path(name).is_dir():
                rows, found = _saved(name, split)
            else:
                with hub_or_cache(name, _cached(name), InputError):
                    rows, found = _loaded(name, task, split)
    except InputError:
        raise
    except Exception as error:  # datasets and huggingface_hub raise a dozen kinds for "cannot be reached"
        reason = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
        raise InputError(f"Expected a file or a data set on the Hub, but {name} cannot be loaded: {reason}.") from error
    rows = rows.select(range(min(limit, len(rows)))) if limit else rows
    return RowFile(
        f"{name} ({found})" if found else name, _named(rows, task), [f"row {k + 1}" for k in range(len(rows))]
    )


def _cached(name: str) -> bool:
    """Whether the cache of `datasets` has the set, if perhaps another configuration of it."""
    from datasets import config, naming

    *above, last = name.split("/")
    folder = "___".join([*above, naming.camelcase_to_snakecase(last)])
    return any((Path(config.HF_DATASETS_CACHE) / folder).glob("*/*/*"))


def _saved(folder: str, split: str | None) -> tuple[Any, str]:
    """What `save_to_disk` left, or else the data files of a folder."""
    import datasets

    if not any((Path(folder) / name).is_file() for name in ("dataset_dict.json", "state.json")):
        return _loaded(folder, "", split)
    saved = datasets.load_from_disk(folder)
    if not isinstance(saved, datasets.DatasetDict):
        return saved, ""
    chosen = _split(folder, list(saved), "", split)
    return saved[chosen], chosen


def _loaded(name: str, task: str, split: str | None) -> tuple[Any, str]:
    import datasets

    config = _config(name, task)
    chosen = _split(name, datasets.get_dataset_split_names(name, config), task, split)
    return datasets.load_dataset(name, config, split=chosen), chosen


def _split(name: str, splits: Sequence[str], task: str, split: str | None) -> str:
    """The split asked for, or the first that has gold labels; without a task also the only one."""
    known = TASKS[task].splits if task in TASKS else ("validation", "test")
    wanted = [one for one in ((split,) if split else known) if one in splits]
    if not wanted and not task and not split and len(splits) == 1:
        wanted = list(splits)
    if not wanted:
        what = f"a split {split!r}" if split else "an evaluation split with gold labels"
        raise InputError(f"Expected {what} in {name}, but it has {', '.join(splits)}.")
    return wanted[0]


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
