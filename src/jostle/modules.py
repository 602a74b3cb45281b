"""The evaluate modules that come with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .errors import UsageError

_PACKAGE = Path(__file__).parent


def load(name: str, **kwargs: Any) -> Any:
    """Load one of jostle's evaluate modules by name, from any folder and without network.

    Args:
        name: `invariance_drift`, `flip_rate`, `pair_consistency`, `robustness_ratio`, `discrimination`,
            `class_balance` or `near_duplicates`.
        **kwargs: As for `evaluate.load`: `columns`, options, `num_process`, `experiment_id` ...

    Raises:
        UsageError: There is no module of that name.

    >>> flip_rate = load("flip_rate")
    >>> flip_rate.compute(predictions=[1, 0], references=[1, 1], item_ids=["a", "a"], conditions=["orig", "pert/x"],
    ...                   n_resamples=100)["flip_rate"]
    1.0
    """
    folder = modules_folder()
    names = sorted(path.name for path in folder.iterdir() if (path / f"{path.name}.py").is_file())
    if name not in names:
        raise UsageError(f"Expected an evaluate module of {', '.join(names)}, but got {name!r}.")
    import evaluate

    return evaluate.load(str(folder / name / f"{name}.py"), **kwargs)


def modules_folder() -> Path:
    """Where the modules are: `jostle/_metrics` in a wheel, the clone's `metrics` in an editable install."""
    installed = _PACKAGE / "_metrics"
    return installed if installed.is_dir() else _PACKAGE.parents[1] / "metrics"
