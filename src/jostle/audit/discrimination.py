"""Discrimination: does the set tell models apart, case by case and as a whole?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..measures.verdicts import Verdicts, classify
from .base import Case, CheckResult, EvalSet, NotRun
from .discrimination_findings import findings, limitations, summary
from .discrimination_measured import Measured, stats
from .result_files import read_model_results
from .results import ModelResults, match_cases
from .scoring import Scorer, draw, score_cases

_TWO = 2


@dataclass(frozen=True)
class _Obtained:
    """Verdicts of the models on the cases, and how they were come by."""

    verdicts: Verdicts
    ordered: bool
    failures: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, Any] = field(default_factory=dict)


class DiscriminationCheck:
    """Whether cases tell models apart: from a scorer that runs the models, or from files of their results.

    Of the cases that every model has a verdict on, the same in all repeats, those at the ceiling (all models pass) and
    at the floor (all fail) say nothing about which model is better, and inverted ones say the opposite of the others;
    see `jostle.measures.verdicts.classify`. Every pair of models is compared by the exact McNemar test with Holm's
    adjustment, beside the smallest difference that the set could detect with 80 % power.

    Args:
        score: `score(case, model)` gives True or False, or a number. An exception leaves the case out and is told.
        models: With a scorer: two or more models, weakest first, as the scorer is to be given them. With results: the
            models to take, weakest first; all, ordered by their accuracy, by default.
        repeats: Scores of each case by each model. A case whose verdict is not the same in all is unstable, and left
            out; 1 cannot see that.
        max_workers: Scores at once; with 1 no thread is started. The scorer must be thread-safe above that.
        sample: Score so many cases, drawn by their ids and `sample_seed`; all by default.
        sample_seed: Seed of the sample.
        pass_threshold: Score from which on a case passes; True and False need none.
        max_non_discriminating_share: Share of measured cases at the ceiling or floor beyond which the check warns.
        results: Files with results of two or more models, or what `read_model_results` gave.

    Raises:
        UsageError: A scorer with fewer than two models or with results, models that share a name, or a number out of
            its range.

    >>> cases = [Case(f"case_{k}", "", {}) for k in range(4)]
    >>> check = DiscriminationCheck(lambda case, model: model > int(case.id[-1]), models=[1, 3])
    >>> check.run(EvalSet(cases, {}, "numbers")).summary.split(": ")[1]
    '2 discriminate, 2 do not (1 ceiling, 1 floor), 0 are inverted'
    """

    NAME = "discrimination"

    def __init__(
        self,
        score: Scorer | None = None,
        models: Sequence[Any] | None = None,
        repeats: int = 1,
        max_workers: int = 1,
        sample: int | None = None,
        sample_seed: int = 0,
        pass_threshold: float = 0.5,
        max_non_discriminating_share: float = 0.5,
        results: Sequence[str | Path] | ModelResults | None = None,
    ) -> None:
        self.score, self.models, self.results = score, models, results
        self.repeats, self.max_workers = repeats, max_workers
        self.sample, self.sample_seed = sample, sample_seed
        self.pass_threshold, self.max_non_discriminating_share = pass_threshold, max_non_discriminating_share
        self._check_models()
        counts = {"repeats": repeats, "max_workers": max_workers, "sample": 1 if sample is None else sample}
        for name, value in counts.items():
            if value < 1 or int(value) != value:
                raise UsageError(f"Expected `{name}` to be a whole number from 1 on, but got {value}.")
        if not 0 < max_non_discriminating_share <= 1:
            raise UsageError(
                "Expected `max_non_discriminating_share` to be above 0 and at most 1, but got "
                f"{max_non_discriminating_share}."
            )

    def _check_models(self) -> None:
        if self.score is not None and self.results is not None:
            raise UsageError("Expected a scorer or results, but got both. Leave one out.")
        names = [str(model) for model in self.models or ()]
        if len(names) < _TWO and (self.score is not None or self.models is not None):
            raise UsageError(
                f"Expected two or more models, weakest first, but got {len(names)}. One model tells nothing apart."
            )
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise UsageError(f"Expected models with distinct names, but got {repeated[0]!r} more than once.")

    def run(self, evalset: EvalSet) -> CheckResult:
        """Check the set.

        Raises:
            NotRun: Nothing to score with, one model only, or no case that every model has a verdict on.
            InputError: A file of results cannot be read.
        """
        cases = draw(evalset.cases, self.sample, self.sample_seed)
        obtained = self._scored(cases) if self.score is not None else self._read(cases)
        found = classify(obtained.verdicts, obtained.ordered)
        if not found.measured.any():
            raise NotRun(_nothing_measured(obtained, len(cases)), incomplete=True)
        measured = Measured(
            found=found,
            n_cases=len(evalset),
            sample_seed=self.sample_seed if len(cases) < len(evalset) else None,
            repeats=int(obtained.verdicts.count.max()),
            ordered=obtained.ordered,
            from_results=self.score is None,
            max_workers=self.max_workers,
            max_share=self.max_non_discriminating_share,
            failures=obtained.failures,
            numbers=obtained.numbers,
        )
        own = {"pass_threshold": self.pass_threshold, "max_workers": self.max_workers}
        return CheckResult(
            name=self.NAME,
            summary=summary(measured),
            findings=findings(measured),
            stats=stats(measured) | own | dict(obtained.numbers),
            limitations=limitations(measured),
        )

    def _scored(self, cases: Sequence[Case]) -> _Obtained:
        assert self.score is not None
        scored = score_cases(
            self.score, cases, self.models or (), self.repeats, self.max_workers, self.pass_threshold
        )  # fmt: skip
        n_calls = len(cases) * len(self.models or ()) * self.repeats
        return _Obtained(scored.verdicts, True, scored.failures, {"n_scores": n_calls})

    def _read(self, cases: Sequence[Case]) -> _Obtained:
        if not self.results:
            raise NotRun(
                "needs results of two or more models: --results FILE..., or from Python "
                "DiscriminationCheck(score, models).run(load(path)).",
                incomplete=False,
            )
        results = self._results()
        if len(results.models) < _TWO:
            raise NotRun(
                f"needs results of two or more models, but the files have one: {', '.join(results.models)}. Add a file "
                "of another model.",
                incomplete=True,
            )
        matched = match_cases(results, cases)
        numbers = {
            "matched_by": matched.by,
            "n_unmatched_cases": matched.n_unmatched_cases,
            "n_unmatched_items": matched.n_unmatched_items,
            "n_gold_differs": matched.n_gold_differs,
            "n_unparsed": results.n_unparsed,
            "notes": list(results.notes),
        }
        return _Obtained(matched.verdicts, self.models is not None, {}, numbers)

    def _results(self) -> ModelResults:
        if isinstance(self.results, ModelResults):
            return self.results
        names = None if self.models is None else [str(model) for model in self.models]
        return read_model_results(self.results or (), names, self.pass_threshold)


def _nothing_measured(obtained: _Obtained, n_cases: int) -> str:
    if obtained.failures:
        case, reason = next(iter(obtained.failures.items()))
        return f"no case has a score of every model; {len(obtained.failures)} failed, the first is {case}: {reason}"
    if not n_cases:
        return "the set has no case."
    if obtained.numbers.get("n_unmatched_cases") == n_cases:
        return (
            f"none of the {n_cases} cases is in the results, by id or by text. Give the results a column with the ids "
            "of the set, or with its texts."
        )
    lacks = (obtained.verdicts.count == 0).sum(axis=0)
    worst = int(lacks.argmax())
    return (
        f"no case has a stable verdict of every model: {obtained.verdicts.models[worst]} lacks {lacks[worst]} of "
        f"{n_cases}. Leave that model out."
    )


CHECK = DiscriminationCheck
