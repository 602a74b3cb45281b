"""Outcome columns with the models in the place of the conditions, so that items are laid out by model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .encode import to_codes


def models_as_conditions(arrays: Mapping[str, Any], reference: str | None = None) -> dict[str, Any]:
    """The rows of the reference condition, with the model of each as its condition.

    Args:
        arrays: Normalised columns (see `normalise`) with `models`.
        reference: The condition to take where there are several; `orig` by default.

    Raises:
        ValueError: No `models`, a row without one, or several conditions without the reference.
    """
    if "models" not in arrays:
        raise ValueError("Expected a column `models` that says which model each row is from, but it is missing.")
    if arrays["models"].null_count:
        row = int((to_codes(arrays["models"])[0] < 0).argmax())
        raise ValueError(f"Expected `models` to have a value in every row, but row {row} has none.")
    codes, names = to_codes(arrays["conditions"])
    if len(names) > 1 or reference is not None:
        wanted = reference or "orig"
        if wanted not in names and len(names):
            raise ValueError(
                f"Expected a condition {wanted!r} to compare the models on, but got {names}. Name one with `reference`."
            )
        keep = np.flatnonzero(codes == (names.index(wanted) if names else -1))
        arrays = {name: array.take(keep) for name, array in arrays.items()}
    return {name: array for name, array in arrays.items() if name != "models"} | {"conditions": arrays["models"]}
