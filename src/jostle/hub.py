"""Items from a data set on the Hub."""

from __future__ import annotations

from collections.abc import Mapping

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
        task: Task of the items; its name is the configuration where the data set has several.
        mapping: Field -> column.
        limit: Take only the first so many rows.
        split: Split to read; the first one that has gold labels by default.

    Raises:
        InputError: The data set cannot be loaded, or has none of the splits that carry gold labels.
        UsageError: The name is no Hub id.
    """
    if name.count("/") != 1:
        raise UsageError(f"Expected a file or a Hub id ORG/NAME, but got {name!r}.")
    import datasets

    try:
        configs = datasets.get_dataset_config_names(name)
        config = task if task in configs else None
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
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"Expected a file or a data set on the Hub, but {name} cannot be loaded: {reason}.") from error
    rows = rows.select(range(min(limit, len(rows)))) if limit else rows
    file = RowFile(f"{name} ({wanted[0]})", list(rows), [f"row {k + 1}" for k in range(len(rows))])
    return items_from_rows(file, task, mapping)
