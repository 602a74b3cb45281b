"""Results of two or more models on the items of a set, from files of any known form, matched to the cases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

import numpy as np

from ..errors import InputError
from ..measures.resample import Ints
from ..measures.verdicts import Verdicts
from .base import Case, EvalSet


@dataclass(frozen=True)
class ModelResults:
    """What models answered on items, one row for each item and one column for each model.

    Args:
        verdicts: Passes and repeats by item and model; a count of 0 is missing.
        answers: Answer of each model, by model and item; None where it is missing, unparsed or not told. Of several
            repeats it is the one that most gave. An answer to a multiple-choice item is its option's number as text.
        golds: Gold answer of each item, in the same form; None where the file does not tell.
        keys: `content_key` of each item; empty where the file has no texts.
        notes: What a reader must know about how the files were read.
        n_unparsed: Answers that are missing where the item was asked; they count as wrong.
    """

    verdicts: Verdicts
    answers: Mapping[str, Sequence[str | None]]
    golds: Sequence[str | None]
    keys: Sequence[str]
    notes: Sequence[str] = ()
    n_unparsed: int = 0

    @property
    def items(self) -> Sequence[str]:
        """Ids of the items, as the files have them."""
        return self.verdicts.items

    @property
    def models(self) -> Sequence[str]:
        """Names of the models."""
        return self.verdicts.models

    def evalset(self) -> EvalSet:
        """The items as cases without texts, for a check where the set itself is not at hand."""
        cases = [Case(item, "", {}, label=gold) for item, gold in zip(self.items, self.golds, strict=True)]
        return EvalSet(cases, {}, "results", self.notes)


@dataclass(frozen=True)
class Matched:
    """Results laid out by the cases of a set.

    Args:
        rows: Row of the results for each case; -1 where there is none.
        by: `id` or `text`, what cases and items were matched by.
        verdicts: Passes and repeats by case and model.
        n_unmatched_cases: Cases without results.
        n_unmatched_items: Items of the results that are no case.
        n_gold_differs: Matched multiple-choice cases whose gold is not that of the results.
    """

    rows: Ints
    by: str
    verdicts: Verdicts
    n_unmatched_cases: int
    n_unmatched_items: int
    n_gold_differs: int


def content_key(text: str, choices: Sequence[str] | None = None) -> str:
    """A short hash of a case's text and options, the same for any case and spacing.

    >>> content_key("Is it  so?", ["Yes", "No"]) == content_key("is it so?\\n", ["yes", "no"])
    True
    """
    parts = [" ".join(part.casefold().split()) for part in (text, *(choices or ()))]
    return blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


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
    from .long_results import is_long, read_long
    from .wide_results import read_wide

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


def match_cases(results: ModelResults, cases: Sequence[Case]) -> Matched:
    """Find the results of every case, by id or by content, whichever finds more (content where both find as many).

    Content is the text and the options, without regard to case and spacing (see `content_key`). Items of equal content
    are matched in their order.

    Args:
        results: What `read_model_results` gave.
        cases: Cases of the set.

    Limitations: ids that happen to be the same match, whatever the texts; compare `n_gold_differs`.
    """
    by_id = _find([case.id for case in cases], results.items)
    by_text = _find([content_key(case.text, case.choices) if case.text else "" for case in cases], results.keys)
    by, rows = ("id", by_id) if (by_id >= 0).sum() > (by_text >= 0).sum() else ("text", by_text)
    found = rows >= 0
    padded = [
        np.vstack([table, np.zeros(table.shape[1])]) for table in (results.verdicts.right, results.verdicts.count)
    ]
    verdicts = Verdicts(padded[0][rows], padded[1][rows], [case.id for case in cases], results.models)
    differs = sum(_differs(case, results.golds[r]) for case, r in zip(cases, rows, strict=True) if r >= 0)
    return Matched(
        rows, by, verdicts, int((~found).sum()), len(results.items) - len(np.unique(rows[found])), differs
    )  # fmt: skip


def _differs(case: Case, gold: str | None) -> bool:
    comparable = case.choices is not None and case.answer_index is not None and gold is not None and gold.isdecimal()
    return comparable and gold != str(case.answer_index)


def _find(wanted: Sequence[str], present: Sequence[str]) -> Ints:
    """Place of every wanted name among those present, the k-th of equal ones at the k-th; -1 where there is none."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for k, name in enumerate(present):
        places[name].append(k)
    seen: Counter[str] = Counter()
    found = np.full(len(wanted), -1, dtype=np.int64)
    for k, name in enumerate(wanted):
        if name and seen[name] < len(places.get(name, ())):
            found[k] = places[name][seen[name]]
        seen[name] += 1
    return found
