"""Answers that can be had without the ability that the set is to measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .against import NGRAM, Overlap, overlap_with
from .base import CheckResult, EvalSet, Finding
from .finite import finite
from .leak_cues import Cue, class_cue, option_cues
from .leak_findings import (
    against_findings,
    baseline_findings,
    column_findings,
    cue_findings,
    place_findings,
)
from .leak_texts import Golds, announced, contained, in_columns, own_demonstration
from .one_side import Baseline, option_baselines, pair_baselines

LIMITATIONS = (
    "Where reading the input is the task (extraction, reading comprehension), the answer is meant to stand in it; the "
    "check cannot know. Answers that most inputs hold are told once.",
    "Texts are compared word by word. An answer that is paraphrased, translated, hinted at, or a number that is "
    "computed on the way is not seen; no finding is no proof of no leak.",
    "Short answers are looked for only where their words are rare in the inputs, numbers and the classes of a "
    "closed vocabulary only where the input announces them.",
    "A cue or a baseline tells that a guess without the question, or without the other side, beats chance. It does not "
    "tell that a model uses it. A baseline on hashed words is a lower bound: a stronger model may guess better.",
)


class LeakageCheck:
    """Find answers in the input, cues that give options away, labels that one side predicts, and cases seen before.

    * The gold answer stands in the input (in its instructions, its demonstrations or elsewhere), is announced there
      ("the answer is"), or stands in another column of the case.
    * Multiple choice: how often the longest option, the shortest, the one that shares most words with the question, or
      the only one that stands in the input is the gold, against 1 / number of options, by the exact binomial test.
      Classes: how often the only class that an input names is its own.
    * Baselines (cross-validated): pairs from one side alone, options without the question.
    * Overlap with a train file or a corpus: whole texts, or runs of words.

    Args:
        against: A file with train texts or a corpus.
        ngram: Words of a run that counts as overlap.
        baselines: Whether to train the baselines.
        min_gain: Points over a guess, the lower end of its interval, from which a cue or baseline is a warning.
        widespread: Share of cases that hold their own answer from which on that is told once, as information.

    Raises:
        UsageError: A share outside (0, 1], or fewer than 2 words of a run.

    >>> from jostle.audit.base import Case
    >>> cases = [Case("a", "Hint: the answer is Lake Baikal. Which lake is deepest?", {}, expected="Lake Baikal")]
    >>> [finding.kind for finding in LeakageCheck().run(EvalSet(cases, {}, "lakes.jsonl")).findings]
    ['answer_announced']
    """

    NAME = "leakage"

    def __init__(
        self,
        against: str | Path | None = None,
        ngram: int = NGRAM,
        baselines: bool = True,
        min_gain: float = 0.02,
        widespread: float = 0.5,
    ) -> None:
        if ngram < 2:  # noqa: PLR2004 - a single word is in every corpus
            raise UsageError(f"Expected runs of 2 words or more, but got {ngram}.")
        for name, value in (("min_gain", min_gain), ("widespread", widespread)):
            if not 0 < value <= 1:
                raise UsageError(f"Expected {name} above 0 and at most 1, but got {value}.")
        self.against, self.ngram, self.baselines = against, ngram, baselines
        self.min_gain, self.widespread = min_gain, widespread

    def run(self, evalset: EvalSet) -> CheckResult:
        """Look for leaks.

        Raises:
            InputError: The file to compare with cannot be read.
        """
        cases = evalset.cases
        golds = Golds(cases)
        announced_in, shown = list(announced(golds)), list(own_demonstration(golds))
        known = {place.case for place in (*announced_in, *shown)}
        inside = [place for place in contained(golds) if place.case not in known]
        columns = list(in_columns(golds))
        cues = _cues(evalset, golds)
        learned = _baselines(evalset) if self.baselines else []
        overlap = overlap_with(cases, self.against, self.ngram) if self.against is not None else None
        found = [
            *place_findings([*announced_in, *shown, *inside], cases, self.widespread),
            *(against_findings(overlap, cases, str(self.against), self.ngram) if overlap is not None else ()),
            *baseline_findings(learned, self.min_gain),
            *cue_findings(cues, cases, self.min_gain),
            *column_findings(columns, cases),
        ]
        stats = {
            "n_cases": len(cases),
            "n_with_gold": sum(bool(texts) for texts in golds.texts),
            "closed_vocabulary": golds.closed,
            "n_announced": len(announced_in),
            "n_in_input": len(inside),
            "n_own_demonstration": len(shown),
            "cues": {cue.name: cue.describe() for cue in cues},
            "baselines": {one.name: one.describe() for one in learned},
            "against": None if overlap is None else _overlap_stats(overlap, str(self.against), self.ngram),
        }
        return CheckResult(
            self.NAME,
            _summary(stats, cues, learned, found),
            found,
            finite(stats),
            list(self._notes(evalset, overlap, learned)),
        )

    def _notes(self, evalset: EvalSet, overlap: Overlap | None, learned: Sequence[Baseline]) -> Iterator[str]:
        yield from LIMITATIONS
        if overlap is None:
            yield "Whether a model has seen the cases in training was not looked at: give a train file or corpus."
        else:
            yield (
                f"Overlap with {self.against} is of texts of 5 words and more as runs of {self.ngram} words, of "
                "shorter ones as a whole. A reworded copy is not found, and a common quotation is."
            )
        if not self.baselines:
            yield "No baseline was trained, as asked."
        elif (evalset.pair_fields or evalset.has_choices) and not learned:
            yield "No baseline was trained: it needs labels or gold options, 100 cases, and 10 groups of them."


def _cues(evalset: EvalSet, golds: Golds) -> list[Cue]:
    if evalset.has_choices:
        return [cue for cue in option_cues(evalset.cases, golds.inputs) if cue.n]
    if not golds.closed or evalset.pair_fields:
        return []
    return [class_cue(evalset.cases, [texts[0] if texts else None for texts in golds.texts])]


def _baselines(evalset: EvalSet) -> list[Baseline]:
    return [*pair_baselines(evalset), *(option_baselines(evalset) if evalset.has_choices else ())]


def _overlap_stats(overlap: Overlap, source: str, ngram: int) -> Mapping[str, Any]:
    return {
        "source": source,
        "ngram": ngram,
        "n_documents": overlap.n_documents,
        "n_identical": len(overlap.identical),
        "n_normalised": len(overlap.normalised),
        "n_ngram": len(overlap.by_ngram),
        "n_one_side": len(overlap.one_side),
        "n_short": overlap.n_short,
    }


def _summary(
    stats: Mapping[str, Any], cues: Sequence[Cue], learned: Sequence[Baseline], found: Sequence[Finding]
) -> str:
    """One line: answers in inputs, cues, the best baseline, the overlap."""
    n = stats["n_announced"] + stats["n_in_input"] + stats["n_own_demonstration"]
    parts = [f"{n} of {stats['n_with_gold']} inputs hold their gold answer"]
    fired = sum(finding.kind.endswith("_cue") for finding in found)
    parts += [f"{fired} of {len(cues)} cues beat chance"] if cues else []
    if learned:
        best = max(learned, key=lambda one: one.gain)
        parts.append(f"{best.name} alone: {best.accuracy:.1%} right, a guess {best.guess:.1%}")
    if stats["against"] is not None:
        whole = stats["against"]["n_identical"] + stats["against"]["n_normalised"]
        parts.append(f"{whole} cases stand in {stats['against']['source']}, {stats['against']['n_ngram']} in part")
    return "; ".join(parts) + "."


CHECK = LeakageCheck
