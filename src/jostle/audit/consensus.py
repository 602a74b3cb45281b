"""What models answer where they agree against the gold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..items import LETTERS
from ..measures.resample import Floats
from .base import Case
from .result_files import read_model_results
from .results import ModelResults, match_cases

FEWEST_MODELS = 3
_MOST_WEIGHT = 4.0  # of a model that has all right


@dataclass(frozen=True)
class Consensus:
    """Models against the gold, case by case; nan where a case has no results.

    Args:
        models: Names of the models.
        weights: Weight of each: the log odds of its accuracy beyond a guess, 0 for a model no better than one.
        miss: Weighted share of the models that miss the gold.
        agree: Weighted share that gives the most frequent other answer.
        all_miss: Whether every model misses.
        alternative: That other answer; None where the results have no answers.
        n_matched: Cases with results.
        by: `id` or `text`.
        notes: How the files were read.
    """

    models: Sequence[str]
    weights: Floats
    miss: Floats
    agree: Floats
    all_miss: NDArray[np.bool_]
    alternative: Sequence[str | None]
    n_matched: int
    by: str
    notes: Sequence[str]


def consensus(cases: Sequence[Case], paths: Sequence[str | Path]) -> Consensus:
    """Read results of models on the cases, and weigh the models by what they get right.

    Raises:
        InputError: The files cannot be read, or have fewer than three models.
    """
    return _weigh(cases, read_model_results(paths))


def _weigh(cases: Sequence[Case], results: ModelResults) -> Consensus:
    matched = match_cases(results, cases)
    answers = np.full((len(cases), len(results.models)), "", dtype=object)
    for m, model in enumerate(results.models):
        given = results.answers[model]
        for k, row in enumerate(matched.rows):
            answers[k, m] = _option(given[row], results.golds[row], cases[k]) if row >= 0 else ""
    table = matched.verdicts
    measured = table.count > 0
    wrong = np.where(measured, table.right < table.count / 2, False)
    accuracy = 1 - wrong.sum(axis=0) / np.maximum(measured.sum(axis=0), 1)
    weights = model_weights(accuracy, _chance(cases, matched.rows >= 0))
    total = (measured * weights).sum(axis=1)
    shares = np.divide((wrong * weights).sum(axis=1), total, out=np.full(len(cases), math.nan), where=total > 0)
    agree, alternative = _agreement(np.where(wrong, answers, ""), weights, total)
    all_miss = np.asarray(measured.any(axis=1) & (wrong | ~measured).all(axis=1))
    n_matched = int((matched.rows >= 0).sum())
    return Consensus(
        results.models, weights, shares, agree, all_miss, alternative, n_matched, matched.by, results.notes
    )  # fmt: skip


def _option(answer: str | None, gold: str | None, case: Case) -> str:
    """An answer as an option's number where the results have letters; empty where there is none."""
    lettered = case.choices is not None and gold is not None and gold in LETTERS and len(answer or "") == 1
    return str(LETTERS.index(answer)) if answer and lettered and answer in LETTERS else answer or ""


def model_weights(accuracy: Floats, chance: float) -> Floats:
    """Log odds of the accuracy over those of a guess, from 0 to 4; equal weights where all are 0.

    >>> model_weights(np.array([0.25, 0.9]), 0.25).round(2).tolist()
    [0.0, 3.3]
    """
    inside = np.clip(accuracy, 1e-6, 1 - 1e-6)
    odds = np.log(inside / (1 - inside)) - math.log(chance / (1 - chance))
    weights: Floats = np.clip(odds, 0.0, _MOST_WEIGHT)
    return weights if weights.any() else np.ones(len(accuracy))


def _chance(cases: Sequence[Case], found: NDArray[np.bool_]) -> float:
    """Accuracy of a guess: 1 / number of options, or of classes; a half where neither is known."""
    counts = [len(case.choices) for case, has in zip(cases, found, strict=True) if has and case.choices]
    labels = {case.label for case in cases if case.label is not None}
    n = float(np.mean(counts)) if counts else len(labels)
    return 1 / n if n > 1 else 0.5


def _agreement(wrong: NDArray[np.object_], weights: Floats, total: Floats) -> tuple[Floats, list[str | None]]:
    """Weighted share of the most frequent wrong answer of each case, and that answer."""
    agree = np.zeros(len(wrong))
    alternative: list[str | None] = [None] * len(wrong)
    for k, row in enumerate(wrong):
        shares: dict[str, float] = {}
        for answer, weight in zip(row, weights, strict=True):
            if answer:
                shares[answer] = shares.get(answer, 0.0) + weight
        if shares and total[k] > 0:
            most, answer = max((share, answer) for answer, share in shares.items())
            alternative[k], agree[k] = answer, most / total[k]
    agree[total <= 0] = math.nan
    return agree, alternative
