"""Results of two or more models on the items of a set, matched to its cases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

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


def match_cases(results: ModelResults, cases: Sequence[Case]) -> Matched:
    """Find the results of every case, by id or by content, whichever finds more (content where both find as many).

    Content is the text and the options, without regard to case and spacing (see `content_key`). Items of equal content
    are matched in their order.

    Args:
        results: What `result_files.read_model_results` gave.
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
