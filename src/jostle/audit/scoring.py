"""Running a scorer: every case by every model, with repeats, in any order and by any number of workers."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from typing import Any

import numpy as np

from ..measures.verdicts import Verdicts
from .base import Case

Scorer = Callable[[Case, Any], Any]
_log = logging.getLogger("jostle")
_PER_WORKER = 64  # calls handed out at once, so that a long run holds few of them in memory and can be stopped


@dataclass(frozen=True)
class Scored:
    """What the scorer said.

    Args:
        verdicts: Passes and repeats by case and model; where a score is missing the count is 0.
        failures: By case without a score, the first reason in the order of models and repeats.
    """

    verdicts: Verdicts
    failures: Mapping[str, str]


def draw(cases: Sequence[Case], size: int | None, seed: int) -> list[Case]:
    """A random sample of cases in their order, which depends on their ids and the seed alone.

    Args:
        cases: All cases.
        size: How many to draw; None, or as many as there are, takes all.
        seed: Seed of the draw.

    >>> cases = [Case(f"case_{k}", "", {}) for k in range(9)]
    >>> sorted(case.id for case in draw(cases[::-1], 3, seed=0)) == sorted(case.id for case in draw(cases, 3, seed=0))
    True
    """
    if size is None or size >= len(cases):
        return list(cases)
    keys = [f"{seed} {case.id}".encode("utf-8", "surrogatepass") for case in cases]
    rank = sorted(range(len(cases)), key=lambda k: blake2b(keys[k], digest_size=8).digest())
    return [cases[k] for k in sorted(rank[:size])]


def score_cases(
    score: Scorer, cases: Sequence[Case], models: Sequence[Any], repeats: int, max_workers: int, pass_threshold: float
) -> Scored:
    """Call the scorer for every case, model and repeat. With one worker no thread is started.

    Args:
        score: `score(case, model)` gives True or False, or a number; None and nan are a missing score.
        cases: Cases with distinct ids.
        models: What the scorer is given as its model.
        repeats: Calls for each case and model.
        max_workers: Calls at once; the scorer must bear that.
        pass_threshold: Number from which on a case passes.

    Returns:
        The verdicts. A case that the scorer fails on (any exception, or a value that is no score) has none for that
        model, and its reason is kept.
    """
    passes = np.zeros((len(cases), len(models), repeats))
    reasons: dict[str, str] = {}
    calls = ((i, m, r) for i in range(len(cases)) for m in range(len(models)) for r in range(repeats))

    def call(place: tuple[int, int, int]) -> tuple[float, str]:
        return _verdict(score, cases[place[0]], models[place[1]], pass_threshold)

    for place, (passed, reason) in _in_order(call, calls, max_workers):
        passes[place] = passed
        if reason:
            reasons.setdefault(cases[place[0]].id, f"{models[place[1]]}: {reason}")
    missing = np.isnan(passes).any(axis=2)
    right = np.where(missing, 0.0, np.nansum(passes, axis=2))
    count = np.where(missing, 0.0, float(repeats))
    return Scored(Verdicts(right, count, [case.id for case in cases], [str(model) for model in models]), reasons)


_Place = tuple[int, int, int]


def _in_order(
    call: Callable[[_Place], tuple[float, str]], places: Iterator[_Place], max_workers: int
) -> Iterator[tuple[_Place, tuple[float, str]]]:
    """Calls and what they gave, in the order of the calls."""
    if max_workers == 1:
        yield from ((place, call(place)) for place in places)
        return
    with ThreadPoolExecutor(max_workers) as pool:
        n_done = 0
        while block := list(islice(places, max_workers * _PER_WORKER)):
            yield from zip(block, pool.map(call, block), strict=True)
            n_done += len(block)
            _log.info("discrimination: %d scores", n_done)


def _verdict(score: Scorer, case: Case, model: Any, threshold: float) -> tuple[float, str]:
    """1 or 0, or nan with the reason."""
    try:
        value = score(case, model)
    except Exception as error:  # whatever the user's scorer raises leaves one case out, and is told
        return math.nan, f"{type(error).__name__}: {error}"
    if value is None:
        return math.nan, "the score is None"
    if isinstance(value, (bool, np.bool_)):
        return float(value), ""
    try:
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        return math.nan, f"Expected True, False or a number, but the scorer gave {value!r:.60}"
    return (math.nan, "the score is nan") if math.isnan(number) else (float(number >= threshold), "")
