"""Rows -> cases of an evaluation set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..choices import Choices, flat_choices, hold_indices, read_choices
from ..csv_rows import CSV, CsvForm
from ..errors import InputError
from ..rows import SUFFIXES, Row, RowFile, read_rows
from .base import PAIRS, Case, EvalSet
from .fields import map_fields
from .values import answers_of, gold_options, label_of, text_of, turns_of

_MOST = 0.5  # more gold answers than this that are no option: the column is misread


def load(
    path: str | Path, mapping: Mapping[str, str] | None = None, *, form: CsvForm = CSV, split: str | None = None
) -> EvalSet:
    """Read an evaluation set from a file, a data set's folder or the Hub.

    Only the input is required: `input`, the two sides of a pair, or `turns`. Columns with other names are taken where
    only one can be meant; all that are not taken become metadata. A gold answer of multiple choice that is none of the
    options is kept as `expected` without an `answer_index`, for the checks to report.

    Args:
        path: A jsonl, ndjson, json, csv, tsv or parquet file, a folder of a data set, or a Hub id ORG/NAME.
        mapping: Field -> column, over what would be inferred.
        form: Delimiter and columns of a csv file.
        split: Split of a data set.

    Raises:
        InputError: The file cannot be read, has no input or two columns that could be one field, or holds no text where
            text is expected; with the line.
        UsageError: The mapping names a field or column that does not exist.

    Limitations:
        Which column is what is inferred from names alone; the field map tells, and `mapping` corrects it.
    """
    return cases_of(_rows(path, form, split), mapping or {})


def _rows(path: str | Path, form: CsvForm, split: str | None) -> RowFile:
    name = str(path)
    is_hub_id = not Path(path).exists() and name.count("/") == 1 and Path(path).suffix.lower() not in SUFFIXES
    if not is_hub_id and not Path(path).is_dir():
        return read_rows(path, form)
    from ..hub import read_data_set

    return read_data_set(name, split=split)


def cases_of(file: RowFile, mapping: Mapping[str, str]) -> EvalSet:
    """Rows that are read already, as an evaluation set; see `load`."""
    file = flat_choices(file)
    fields = map_fields(file, mapping)
    columns, notes = fields.columns, fields.notes
    ids = _ids(file, columns.get("id"))
    inputs = _inputs(file, columns)
    choices, golds = _choices(file, columns, notes)
    # Beside options a label is not the gold: it stays in the metadata, where the class balance finds it.
    used = {column for name, column in columns.items() if name != "label" or "choices" not in columns}
    cases = []
    for k, row in enumerate(file.rows):
        own, gold = choices[k], golds[k]
        expected, answers = _references(row, columns, file, k, own, gold)
        cases.append(
            Case(
                id=ids[k],
                text="\n".join("\n".join(part) if isinstance(part, tuple) else part for part in inputs[k].values()),
                fields=inputs[k],
                label=_label(row, columns, file, k, own, gold),
                choices=None if own is None else tuple(own.texts),
                answer_index=gold[0] if len(gold) == 1 and isinstance(gold[0], int) else None,
                expected=expected,
                answers=answers,
                metadata={name: value for name, value in row.items() if name not in used},
                place=file.places[k],
            )
        )
    return EvalSet(cases, columns, file.source, notes)


def _ids(file: RowFile, column: str | None) -> list[str]:
    if column is None:
        return [f"case_{k}" for k in range(1, len(file.rows) + 1)]
    ids = [row.get(column) for row in file.rows]
    if None in ids:
        raise InputError(f"Expected an id in every row, but {file.at(ids.index(None))} has none in {column!r}.")
    repeated, count = Counter(map(str, ids)).most_common(1)[0]
    if count > 1:
        raise InputError(
            f"Expected distinct ids in {file.source}, but {repeated!r} stands in {count} rows of {column!r}."
        )
    return [str(value) for value in ids]


def _inputs(file: RowFile, columns: Mapping[str, str]) -> list[dict[str, Any]]:
    pair = next((pair for pair in PAIRS if set(pair) <= set(columns)), None)
    names = pair or (("turns",) if "turns" in columns else ("input",))
    read = turns_of if names == ("turns",) else text_of
    return [
        {name: read(row.get(columns[name]), file, k, columns[name]) for name in names}
        for k, row in enumerate(file.rows)
    ]


def _choices(
    file: RowFile, columns: Mapping[str, str], notes: list[str]
) -> tuple[list[Choices | None], list[list[int | str]]]:
    """Options of every row, and its gold options by place; a text where the gold is no option."""
    column = columns.get("choices")
    if column is None:
        return [None] * len(file.rows), [[] for _ in file.rows]
    choices = [
        None if row.get(column) is None else read_choices(row[column], file, k, column)
        for k, row in enumerate(file.rows)
    ]
    if "answer" not in columns:
        return choices, [[] for _ in file.rows]
    answers = [row.get(columns["answer"]) for row in file.rows]
    chosen = [k for k, own in enumerate(choices) if own is not None and not isinstance(answers[k], list)]
    fitting = [(answers[k], own) for k in chosen if (own := choices[k]) is not None and not _beyond(answers[k], own)]
    indices = hold_indices([answer for answer, _ in fitting], [own for _, own in fitting])
    golds: list[list[int | str]] = []
    impossible: list[InputError] = []
    for k, own in enumerate(choices):
        try:
            golds.append([] if own is None else [*gold_options(answers[k], own, indices, file, k)])
        except InputError as error:
            impossible.append(error)
            golds.append([str(answers[k])])
    if len(impossible) > _MOST * len(chosen):
        raise impossible[0]
    if impossible:
        many = "1 gold answer is" if len(impossible) == 1 else f"{len(impossible)} gold answers are"
        notes.append(f"{many} none of the options, and kept as text; the first: {impossible[0]}")
    return choices, golds


def _beyond(answer: Any, own: Choices) -> bool:
    """Whether an answer is a number past the options: a flaw of its row, which says nothing of the column."""
    text = str(answer).strip()
    return text.isdecimal() and int(text) >= len(own.texts) and text not in own.texts


def _label(
    row: Row, columns: Mapping[str, str], file: RowFile, k: int, own: Choices | None, gold: Sequence[int | str]
) -> str | None:
    """The class of a case; of multiple choice the number of its gold option."""
    named = label_of(row.get(columns["label"]), file, k, columns["label"]) if "label" in columns else None
    if own is None:
        return named
    return str(gold[0]) if len(gold) == 1 and isinstance(gold[0], int) else None


def _references(
    row: Row, columns: Mapping[str, str], file: RowFile, k: int, own: Choices | None, gold: Sequence[int | str]
) -> tuple[str | None, tuple[str, ...]]:
    """The reference answer, and several where the set lists them; of multiple choice what is no option, or several."""
    read = [
        answers_of(row.get(columns[name]), file, k, columns[name]) if name in columns else ()
        for name in ("expected", "answers")
    ]
    if "turns" in columns and len(read[0]) > 1:  # one for each turn
        read[0] = ("\n".join(read[0]),)
    single, several = read[0] if len(read[0]) == 1 else (), (*read[1], *(read[0] if len(read[0]) > 1 else ()))
    if own is not None and gold and isinstance(gold[0], str):
        single = single or (gold[0],)
    if own is not None and len(gold) > 1:
        several = several or tuple(own.texts[place] for place in gold if isinstance(place, int))
    return (single[0] if single else None), several
