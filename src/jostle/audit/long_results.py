"""Results of models in long form: outcomes, folders of a run, and what an importer knows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..errors import InputError
from ..importers import importers, read_results
from ..measures.by_model import models_as_conditions
from ..measures.inputs import to_rows
from ..measures.options import REQUIRED, Options
from ..measures.resample import Ints
from ..measures.table import Rows
from ..measures.verdicts import verdicts_of
from ..outcomes import OUTCOMES_FILE, Outcomes
from ..rows import parquet_names, read_rows
from .results import ModelResults


def is_long(path: Path) -> bool:
    """Whether a path is a folder of a run, an outcomes table, or a file that an importer claims.

    Raises:
        InputError: It does not exist or cannot be read.
    """
    if path.is_dir():
        return True
    if not path.is_file():
        raise InputError(f"Expected a result file, but {path} does not exist.")
    if any(module.matches(path) for module in importers()):
        return True
    return set(REQUIRED) <= set(_columns(path))


def _columns(path: Path) -> Iterable[str]:
    if path.suffix != ".parquet":
        return read_rows(path).rows[0]
    try:
        return parquet_names(path)
    except InputError:
        return []  # whoever reads it says what is wrong


def read_long(path: Path) -> ModelResults:
    """Results of the models of one outcomes table, on its `orig` rows.

    Raises:
        InputError: The file cannot be read, or has several tasks, or several conditions without `orig`.
    """
    outcomes = named_models(read_results(path), path)
    tasks = pc.unique(outcomes.columns["tasks"]).to_pylist() if "tasks" in outcomes.columns else []
    if len(tasks) > 1:
        raise InputError(f"Expected results of one task, but {path} has {', '.join(map(str, tasks))}. Split the file.")
    try:
        rows = to_rows(models_as_conditions(outcomes.columns), Options())
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
    return _results(rows.take(rows.references >= 0), outcomes, path)


def named_models(outcomes: Outcomes, path: Path) -> Outcomes:
    """The outcomes with a name in `models` for each model and decoding; one model is called by its file or folder."""
    columns = dict(outcomes.columns)
    n = len(outcomes)
    models = columns.get("models", pa.nulls(n, pa.string()))
    called = path.parent.name if path.name == OUTCOMES_FILE and path.parent.name else path.stem
    models = pc.fill_null(models, called)
    if "decodings" in columns and len(pc.unique(columns["decodings"])) > 1:
        decodings = pc.fill_null(columns["decodings"], "")
        models = pc.binary_join_element_wise(models, decodings, " ")
    columns.pop("decodings", None)
    return Outcomes(columns | {"models": models}, outcomes.source, outcomes.notes, outcomes.counts, outcomes.texts)


def _results(rows: Rows, outcomes: Outcomes, path: Path) -> ModelResults:
    verdicts = verdicts_of(rows)
    place = {name: k for k, name in enumerate(verdicts.items)}
    items = np.array([place.get(name, -1) for name in rows.item_names], dtype=np.int64)[rows.items]
    labels = [*rows.label_names, None]
    golds = np.full(len(verdicts.items), -1, dtype=np.int64)
    golds[items] = rows.references
    answers = _most_given(items * len(verdicts.models) + rows.conditions, rows.predictions, verdicts.count.size)
    by_model = answers.reshape(-1, len(verdicts.models)).T.tolist() if len(rows) else []
    return ModelResults(
        verdicts=verdicts,
        answers={
            model: [labels[code] for code in codes] for model, codes in zip(verdicts.models, by_model, strict=True)
        },
        golds=[labels[code] for code in golds.tolist()],
        keys=[""] * len(verdicts.items),
        notes=[f"{path}: {len(verdicts.models)} models in long form", *outcomes.notes],
        n_unparsed=int((rows.predictions < 0).sum()),
    )


def _most_given(cells: Ints, predictions: Ints, n_cells: int) -> Ints:
    """The answer that most repeats of each cell gave, of equal ones the first by name; -1 without an answer."""
    n_labels = int(predictions.max(initial=0)) + 1
    keys, votes = np.unique((cells * n_labels + predictions)[predictions >= 0], return_counts=True)
    order = np.lexsort((keys % n_labels, -votes, keys // n_labels))
    used, first = np.unique(keys[order] // n_labels, return_index=True)
    answers = np.full(n_cells, -1, dtype=np.int64)
    answers[used] = keys[order][first] % n_labels
    return answers
