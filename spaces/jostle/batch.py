"""A file of items -> variants -> predictions -> report, in steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any

from one_item import classifier_for
from shared import LIMITS, encoding, pairs_in
from steps import Tell

from jostle import run
from jostle.commands.run import described
from jostle.errors import InputError
from jostle.items import AnyItem
from jostle.loading import ItemSet, items_from_rows
from jostle.outcomes import Outcomes
from jostle.perturb import NotApplicable, Variant, expand
from jostle.predict.classify import Classifier
from jostle.report import Report, build_report
from jostle.rows import RowFile, read_rows

_VARYING, _PREDICTING = 0.2, 0.95  # shares of the time, roughly


@dataclass(frozen=True)
class Batch:
    """What became of a file.

    Args:
        items: The items that were read.
        planned: The items and their variants.
        outcomes: Outcomes, where a model was asked.
        report: The report on them.
        note: Why nothing was predicted; "" where it was.
    """

    items: ItemSet
    planned: run.Plan
    outcomes: Outcomes | None = None
    report: Report | None = None
    note: str = ""


def read_items(path: Path, task: str, columns: str) -> ItemSet:
    """The first rows of a file, as items of a task.

    Args:
        path: The uploaded file.
        task: Task of the items.
        columns: `field=column, ...`, where the names differ.

    Raises:
        InputError: The file cannot be read as items of the task.
        UsageError: A field or column that does not exist.
    """
    file = read_rows(path)
    kept = RowFile(path.name, file.rows[: LIMITS.rows], file.places[: LIMITS.rows])
    items = items_from_rows(kept, task, pairs_in(columns))
    left = len(file.rows) - len(kept.rows)
    notes = [f"rows beyond the first {LIMITS.rows} ({left})"] if left else []
    return replace(items, notes=[*items.notes, *notes])


def run_batch(items: ItemSet, operators: Sequence[str], model: str, seed: int, tell: Tell) -> Batch:
    """Vary, predict and report; see `jostle run`, which gives the same outcomes."""
    if not operators:
        raise InputError("Expected at least one operator, but got none. Tick one under Operators.")
    tell(0.0, "loading the model")
    classifier, note = classifier_for(items.task, model)
    all_ = classifier is None  # gold labels are needed only to measure
    chosen = [item for item in items.items if all_ or item.label is not None]
    planned = run.plan(items.items, _varied(chosen, operators, seed, tell), unlabelled=all_)
    if classifier is None:
        return Batch(items, planned, note=note)
    outcomes = described(_predicted(planned, classifier, items.task, tell), items, classifier, False)
    tell(_PREDICTING, "writing the report")
    return Batch(items, planned, outcomes, build_report(outcomes, seed=seed))


def _varied(items: Sequence[AnyItem], operators: Sequence[str], seed: int, tell: Tell) -> list[Variant | NotApplicable]:
    total = len(items)
    made: list[Variant | NotApplicable] = []
    for k, item in enumerate(items):
        tell(_VARYING * k / total, f"item {k + 1} of {total} varied")
        made += expand([item], operators, seed)
    return made


def _predicted(planned: run.Plan, classifier: Classifier, task: str, tell: Tell) -> Outcomes:
    with encoding:
        encoded = classifier.encode([row.texts for row in planned.rows])
    total, done = len(encoded.sequences), 0

    def advance(n: int) -> None:
        nonlocal done
        done += n
        share = _VARYING + (_PREDICTING - _VARYING) * done / total
        tell(share, f"{done:,} of {total:,} inputs predicted")

    return run.classify(planned, classifier, encoded, task, advance)


def batch_notes_html(batch: Batch) -> str:
    """How the file was read, and where nothing was predicted what was made of it."""
    lines = "".join(f"<li>{escape(line)}</li>" for line in batch.items.describe())
    read = f"<details><summary>How the file was read</summary><ul>{lines}</ul></details>"
    if batch.report is not None:
        return read
    n = len(batch.planned.rows) - len({row.base.id for row in batch.planned.rows})
    return (
        f'<div class="verdict inconclusive"><strong>{n:,} variants, none predicted</strong>{escape(batch.note)}</div>'
        f"{_counts(batch.planned)}{read}"
    )


def _counts(planned: run.Plan) -> str:
    made = Counter(row.condition for row in planned.rows)
    reasons: Mapping[str, Counter[str]] = planned.not_applicable
    names = [*made, *(name for name in reasons if name not in made)]
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td>{made[name]}</td><td>{reasons.get(name, Counter()).total()}</td></tr>"
        for name in names
    )
    head = "<tr><th scope='col'>condition</th><th scope='col'>items</th><th scope='col'>not applicable</th></tr>"
    table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
    return f'<section><div class="wide" tabindex="0">{table}</div></section>'


def rows_of(batch: Batch) -> list[dict[str, Any]]:
    """The items and variants as rows, with the options of multiple choice."""
    rows = run.rows_read(batch.planned)
    for row, planned in zip(rows, batch.planned.rows, strict=True):
        choices = getattr(planned.item, "choices", None)
        if choices is not None:
            row |= {"choices": list(choices), "labels": list(planned.item.labels)}  # type: ignore[union-attr]
    return rows
