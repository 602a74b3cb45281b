"""Results of models as a wide table: one row for each item, one column for each model.

What is what is told by names and values:

* the item: a column of `IDS` with a value of its own in every row, or texts (`TEXTS`, or the two of a pair), or both;
* the gold: the first column of `GOLDS` that is there. Where the golds are numbers, or the table has options
  (`OPTIONS`), answers may be letters, numbers or the text of an option;
* a model: every other column of which half the values or more are answers that some item has as its gold. An empty cell
  is an answer that could not be read, and counts as wrong;
* or, for true / false and, where there is no gold, scores from 0 to 1: a model's correctness. An empty cell is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..choices import Choices, hold_indices, read_answer, read_choices
from ..errors import InputError
from ..items import LETTERS
from ..measures.verdicts import Verdicts
from ..rows import RowFile, is_unlabelled, read_rows, whole
from .base import PAIRS
from .results import ModelResults, content_key

IDS = ("item_ids", "item_id", "id", "case_id", "question_id", "doc_id", "task_id", "idx")
GOLDS = (
    *("references", "gold", "gold_label", "groundtruth_answer", "answer_index", "answerKey", "answer"),
    *("correct_answer", "target", "label", "expected"),
)
TEXTS = ("input", "question", "prompt", "text", "sentence", "ctx")
OPTIONS = ("choices", "options", "endings")
_ENOUGH = 0.5
_BOOLEANS = {"true": 1.0, "false": 0.0}
Read = Callable[[Any, int], str | None]


def read_wide(path: Path, models: Sequence[str] | None = None, pass_threshold: float = 0.5) -> ModelResults:
    """Results of the models of a wide table; rows without a gold are left out and counted in the notes.

    Args:
        path: The table.
        models: Columns that are models; found by their values by default.
        pass_threshold: Score from which on an item counts as right.

    Raises:
        InputError: The table cannot be read, has nothing that tells the items, or no column of a model.
    """
    file = read_rows(path)
    names = list(dict.fromkeys(name for row in file.rows for name in row))
    gold = next((name for name in GOLDS if name in names and name not in (models or ())), None)
    options = _options(file, names)
    read = _reader(file, gold, options)
    golds = [None if gold is None else read(row.get(gold), k) for k, row in enumerate(file.rows)]
    others = [name for name in names if name not in (*IDS, *GOLDS, *TEXTS, *OPTIONS)]
    columns = {name: [row.get(name) for row in file.rows] for name in (others if models is None else models)}
    found = _models({name: column for name, column in columns.items() if name in names}, golds, read, pass_threshold)
    if not found:
        raise InputError(_no_model(path, names, gold, models))
    keep = [k for k, one in enumerate(golds) if one is not None or gold is None]
    notes = [f"{path}: {len(found)} columns are models: {', '.join(found)}"]
    notes += [f"{path}: {len(golds) - len(keep)} rows have no gold and are left out"] if len(keep) < len(golds) else []
    return _results(found, golds, _identity(file, names, options), keep, notes)


@dataclass(frozen=True)
class _Column:
    """A model: passes and repeats of each row, and its answers where the column has answers."""

    right: Sequence[float]
    count: Sequence[float]
    answers: Sequence[str | None] | None = None


def _results(
    found: Mapping[str, _Column],
    golds: Sequence[str | None],
    identity: tuple[Sequence[str], Sequence[str]],
    keep: Sequence[int],
    notes: Sequence[str],
) -> ModelResults:
    right = np.array([column.right for column in found.values()]).T[list(keep)]
    count = np.array([column.count for column in found.values()]).T[list(keep)]
    ids, keys = identity
    none = [None] * len(golds)
    return ModelResults(
        verdicts=Verdicts(right, count, [ids[k] for k in keep], list(found)),
        answers={name: [(column.answers or none)[k] for k in keep] for name, column in found.items()},
        golds=[golds[k] for k in keep],
        keys=[keys[k] for k in keep],
        notes=notes,
        n_unparsed=sum(column.answers[k] is None for column in found.values() if column.answers for k in keep),
    )


def _models(
    columns: Mapping[str, Sequence[Any]], golds: Sequence[str | None], read: Read, threshold: float
) -> dict[str, _Column]:
    """The columns that are models."""
    known = {gold for gold in golds if gold is not None}
    found = {}
    for name, column in columns.items():
        scores = _scores(column, booleans_only=bool(known))
        model = _answered(column, golds, known, read) if scores is None else _scored(scores, threshold)
        if model is not None:
            found[name] = model
    return found


def _scored(scores: Sequence[float | None], threshold: float) -> _Column:
    right = [float(score is not None and score >= threshold) for score in scores]
    return _Column(right, [float(score is not None) for score in scores])


def _answered(column: Sequence[Any], golds: Sequence[str | None], known: set[str], read: Read) -> _Column | None:
    """A column of answers; None where too few of its values are golds of any item."""
    answers = [read(value, k) for k, value in enumerate(column)]
    n_given = sum(value is not None for value in column)
    if not n_given or sum(answer in known for answer in answers) < _ENOUGH * n_given:
        return None
    right = [float(answer is not None and answer == gold) for answer, gold in zip(answers, golds, strict=True)]
    return _Column(right, [1.0] * len(right), answers)


def _scores(column: Sequence[Any], booleans_only: bool) -> list[float | None] | None:
    """Correctness from 0 to 1, None where it is missing; None for a column that holds something else."""
    scores = [_score(value, booleans_only) for value in column]
    given = [score for score in scores if score is not None]
    return scores if given and all(0 <= score <= 1 for score in given) else None


def _score(value: Any, booleans_only: bool) -> float | None:
    """A cell as a score: None where it is empty, -1 where it is none."""
    value = whole(value)
    if value is None or isinstance(value, bool):
        return None if value is None else float(value)
    if isinstance(value, str) and value.strip().casefold() in _BOOLEANS:
        return _BOOLEANS[value.strip().casefold()]
    try:
        return -1.0 if booleans_only else float(value)
    except (OverflowError, TypeError, ValueError):
        return -1.0


def _options(file: RowFile, names: Sequence[str]) -> list[Choices] | None:
    """Options of every row, or None where the table has none that can be read."""
    column = next((name for name in OPTIONS if name in names), None)
    if column is None:
        return None
    return [read_choices(row.get(column), file, k, column) for k, row in enumerate(file.rows)]


def _reader(file: RowFile, gold: str | None, options: list[Choices] | None) -> Read:
    """How a cell is read as an answer: the option's number where there are options, else the text of the cell."""
    cells = [row.get(gold) for row in file.rows] if gold is not None else []
    if options is not None:
        known = options
        indices = gold is not None and hold_indices(cells, known)
        return lambda value, k: _option(value, known[k], indices, file, k)
    texts = [text for text in map(_plain, cells) if text is not None]
    return _index if texts and all(text.isdecimal() for text in texts) else lambda value, _: _plain(value)


def _option(value: Any, own: Choices, indices: bool, file: RowFile, k: int) -> str | None:
    try:
        index = read_answer(value, own, indices, file, k)
    except InputError:
        return None  # an answer that is no option: wrong, whatever it says
    return None if index is None else str(index)


def _index(value: Any, _: int) -> str | None:
    """A number as it stands, and a letter as the number of its option."""
    text = _plain(value)
    return str(LETTERS.index(text)) if text is not None and len(text) == 1 and text in LETTERS else text


def _plain(value: Any) -> str | None:
    value = whole(value)
    return None if is_unlabelled(value) or not str(value).strip() else str(value).strip()


def _identity(file: RowFile, names: Sequence[str], options: list[Choices] | None) -> tuple[list[str], list[str]]:
    """Ids and content keys of the rows; either may be empty, not both."""
    ids = _ids(file, names)
    pair = next((pair for pair in PAIRS if set(pair) <= set(names)), None)
    texts = pair or next(((name,) for name in TEXTS if name in names), None)
    if ids is None and texts is None:
        raise InputError(
            f"Expected a column with a distinct id of every item ({', '.join(IDS)}) or with its text "
            f"({', '.join(TEXTS)}), but {file.source} has {', '.join(names)}."
        )
    keys = [""] * len(file.rows)
    for k, row in enumerate(file.rows if texts else ()):
        cells = [cell for cell in (row.get(name) for name in texts or ()) if isinstance(cell, str)]
        if len(cells) == len(texts or ()):
            keys[k] = content_key("\n".join(cells), options[k].texts if options else None)
    return ids or [f"{file.source}, {place}" for place in file.places], keys


def _ids(file: RowFile, names: Sequence[str]) -> list[str] | None:
    for name in IDS:
        values = [_plain(row.get(name)) for row in file.rows] if name in names else [None]
        if None not in values and len(set(values)) == len(values):
            return [str(value) for value in values]
    return None


def _no_model(path: Path, names: Sequence[str], gold: str | None, models: Sequence[str] | None) -> str:
    wanted = f"a column of {', '.join(models)}" if models is not None else "a column for each model, with its answers"
    with_gold = f"beside the gold answers in {gold!r}" if gold else f"and one of golds ({', '.join(GOLDS)})"
    return (
        f"Expected outcome rows or a wide table with {wanted} {with_gold}, but {path} has {', '.join(names)}. "
        "Columns of true / false need no gold."
    )
