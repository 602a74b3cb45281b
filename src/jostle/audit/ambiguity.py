"""Gold answers that are wrong, missing, contradicted, or not the only right ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import UsageError
from .ambiguity_findings import model_findings, rating_findings, rule_findings, spelling_findings
from .base import CheckResult, EvalSet, Finding
from .consensus import FEWEST_MODELS, Consensus, consensus
from .duplicates_findings import counted
from .finite import finite
from .flags import RULES, flags
from .gold import has_gold, spellings
from .ratings import Rated, rated
from .suspicion import Suspect, ranked

LIMITATIONS = (
    "The rules see form, not meaning: a gold answer that is wrong, or an option that is also right, is found only "
    "where the texts tell. On MMLU-Redux they find 9 % of the questions that experts reject (docs/ambiguity.md).",
    "A flagged case is one to read, not one to delete.",
    "Several options can be right without being equal, and equal ones that differ by design (upper and lower case in "
    "genetics, units) can look alike.",
)
OF_MODELS = (
    "Models that agree against the gold may share a mistake: they were trained on much the same texts. On MMLU-Redux "
    "experts reject 4 in 10 of the questions that all of 14 models miss; the others are hard.",
    "The score was fitted to MMLU-Redux and 14 strong models. Take its order, not its value, on other sets and models.",
)


class AmbiguityCheck:
    """Find cases whose gold several answers satisfy, no answer satisfies, or strong models and raters contradict.

    * Gold: missing, none of the options, a placeholder, several, another than that of the same input elsewhere; classes
      that differ in spelling.
    * Options: equal or equivalent (1/2, 0.5 and 50 %; 1 km and 1000 m), "all of the above" with options below it,
      "both A and C" that names itself, statements that the question does not have.
    * Question: asks nothing, refers to another or to material that is not there, lost an exponent.
    * Ratings: where the file has those of several people, cases on which they do not tell the gold.
    * Models: where results are given, cases that all miss or on which they agree on another answer, and a list of all
      cases with any sign against them, ranked by a score.

    Args:
        results: Files with results of three or more models; see `jostle.audit.result_files.read_model_results`.
        agreed: Weighted share of the models that agree on another answer, from which a case is a finding.
        listed: Length of the ranked list in `stats["ranking"]`.

    Raises:
        UsageError: A share outside (0, 1].

    >>> from jostle.audit.base import Case
    >>> options = ("1/2", "0.5", "2")
    >>> cases = [Case("a", "A half?", {"input": "A half?"}, choices=options, answer_index=0, label="0")]
    >>> [finding.kind for finding in AmbiguityCheck().run(EvalSet(cases, {"input": "input"}, "s.jsonl")).findings]
    ['gold_option_twice']
    """

    NAME = "ambiguity"

    def __init__(self, results: Sequence[str | Path] | None = None, agreed: float = 0.8, listed: int = 100) -> None:
        if not 0 < agreed <= 1:
            raise UsageError(f"Expected agreed above 0 and at most 1, but got {agreed}.")
        self.results, self.agreed, self.listed = list(results or ()), agreed, listed

    def run(self, evalset: EvalSet) -> CheckResult:
        """Look for doubtful gold answers.

        Raises:
            InputError: The results cannot be read.
        """
        cases = evalset.cases
        found = list(flags(evalset))
        models = consensus(cases, self.results) if self.results else None
        if models is not None and (len(models.models) < FEWEST_MODELS or not models.n_matched):
            few, models = models, None
        else:
            few = None
        suspects = ranked(cases, found, models, self.agreed)
        ratings = rated(cases)
        findings = [
            *rule_findings(found, cases),
            *(model_findings(models, suspects, cases, self.agreed) if models is not None else ()),
            *(rating_findings(ratings, cases)),
            *spelling_findings(spellings(cases)),
        ]
        stats = {
            "n_cases": len(cases),
            "n_with_gold": sum(map(has_gold, cases)),
            "n_flagged": len({flag.case for flag in found if RULES[flag.kind].grade != "note"}),
            "n_by_rule": dict(sorted(Counter(kind for kind, _ in {(f.kind, f.case) for f in found}).items())),
            "ratings": [_of_ratings(one) for one in ratings],
            "models": None if models is None else _of_models(models),
            "ranking": [_listed(one, evalset) for one in suspects[: self.listed]],
        }
        return CheckResult(
            self.NAME, _summary(stats, findings, models), findings, finite(stats), _notes(evalset, models, few)
        )  # fmt: skip


def _of_ratings(one: Rated) -> dict[str, Any]:
    return {
        "column": one.column,
        "kind": one.kind,
        "n_rated": int(np.isfinite(one.spread).sum()),
        "median_spread": float(np.nanmedian(one.spread)),
        "n_unclear": len(one.unclear),
        "middle": one.middle,
    }


def _of_models(models: Consensus) -> dict[str, Any]:
    return {
        "weights": dict(zip(models.models, models.weights.tolist(), strict=True)),
        "n_matched": models.n_matched,
        "matched_by": models.by,
        "n_all_miss": int(models.all_miss.sum()),
    }


def _listed(one: Suspect, evalset: EvalSet) -> dict[str, Any]:
    case = evalset.cases[one.case]
    return {"id": case.id, "score": one.score, "reasons": list(one.reasons), "gold": case.label, **one.values}


def _notes(evalset: EvalSet, models: Consensus | None, few: Consensus | None) -> list[str]:
    notes = list(LIMITATIONS)
    if models is not None:
        notes += OF_MODELS
        if models.n_matched < len(evalset):
            notes.append(f"{counted(len(evalset) - models.n_matched, 'case')} without results of models.")
    elif few is not None:
        notes.append(
            f"The results were not compared with the gold: they have {counted(len(few.models), 'model')} and "
            f"{few.n_matched} matched cases, and it takes {FEWEST_MODELS} models."
        )
    else:
        notes.append("What models answer was not compared with the gold: give results of three models or more.")
    if not any(map(has_gold, evalset.cases)):
        notes.append("No case has a gold answer: whether it is right was not looked at.")
    return notes


def _summary(stats: dict[str, Any], found: Sequence[Finding], models: Consensus | None) -> str:
    """One line: cases that rules flag, and models and raters against the gold."""
    parts = [f"{stats['n_flagged']} of {counted(stats['n_cases'], 'case')} flagged by rules"]
    if models is not None:
        against = sum(len(one.case_ids) for one in found if one.kind == "models_agree_on_other")
        parts.append(
            f"{len(models.models)} models agree against the gold of {against}, all miss {stats['models']['n_all_miss']}"
        )
    unclear = sum(one["n_unclear"] for one in stats["ratings"])
    parts += [f"raters do not tell the gold of {unclear}"] if stats["ratings"] else []
    return "; ".join(parts) + "."


CHECK = AmbiguityCheck
