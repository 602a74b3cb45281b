"""Results of two or more models from files of any known form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..measures.verdicts import Verdicts
from .long_results import is_long, read_long
from .results import ModelResults
from .wide_results import read_wide


def read_model_results(
    paths: Sequence[str | Path], models: Sequence[str] | None = None, pass_threshold: float = 0.5
) -> ModelResults:
    """Read results of models from files, each of one model or of several.

    A file is one of these:

    * an outcomes table (see `jostle.read_outcomes`), a folder of `jostle run`, or what an importer knows; a file
      without the column `models` is one model, called by its name. Of several conditions `orig` is taken.
    * a wide table of any row format: a column with item ids or with the texts of the items, a column of golds, and one
      column for each model with its answers, or with true / false or a score from 0 to 1 (a column of golds is then not
      needed). See `jostle.audit.wide_results`.

    Rows of one model and item in several files are its repeats.

    Args:
        paths: The files.
        models: The models to take, in this order; all by default.
        pass_threshold: A score in a wide table from which on it counts as right.

    Raises:
        InputError: A file that cannot be read or has no known form, or a model that no file has.
    """
    parts = [read_long(path) if is_long(path) else read_wide(path, models, pass_threshold) for path in map(Path, paths)]
    merged = parts[0] if len(parts) == 1 else _merge(parts)
    return merged if models is None else _only(merged, models)


def _only(results: ModelResults, models: Sequence[str]) -> ModelResults:
    absent = [name for name in models if name not in results.models]
    if absent:
        raise InputError(
            f"Expected results of the model {absent[0]!r}, but the files have {', '.join(results.models)}."
        )
    order = [list(results.models).index(name) for name in models]
    return replace(results, verdicts=results.verdicts.columns(order))


def _merge(parts: Sequence[ModelResults]) -> ModelResults:
    """One table over the items and models of all parts; cells that several parts have add up as repeats."""
    items = list(dict.fromkeys(item for part in parts for item in part.items))
    models = list(dict.fromkeys(model for part in parts for model in part.models))
    row, column = ({name: k for k, name in enumerate(names)} for names in (items, models))
    right, count = np.zeros((len(items), len(models))), np.zeros((len(items), len(models)))
    answers: dict[str, list[str | None]] = {model: [None] * len(items) for model in models}
    golds: list[str | None] = [None] * len(items)
    keys = [""] * len(items)
    for part in parts:
        rows = [row[item] for item in part.items]
        cells = np.ix_(rows, [column[model] for model in part.models])
        right[cells] += part.verdicts.right
        count[cells] += part.verdicts.count
        for k, r in enumerate(rows):
            golds[r] = golds[r] if golds[r] is not None else part.golds[k]
            keys[r] = keys[r] or part.keys[k]
            for model in part.models:
                answers[model][r] = answers[model][r] if answers[model][r] is not None else part.answers[model][k]
    notes = list(dict.fromkeys(note for part in parts for note in part.notes))
    unparsed = sum(part.n_unparsed for part in parts)
    return ModelResults(Verdicts(right, count, items, models), answers, golds, keys, notes, unparsed)
