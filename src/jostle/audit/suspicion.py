"""One score for how likely a case is bad, from the rules and from what models answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..measures.resample import Floats
from .base import Case
from .consensus import Consensus
from .flags import RULES, Flag

FEATURES = ("miss", "agree", "all_miss", "strong")
# Logistic regression on the expert labels of half of the subjects of MMLU-Redux (see docs/ambiguity.md, which has the
# figures on the other half). Written with one decimal; the intercept is that of a set with 6 % bad cases.
WEIGHTS: Mapping[str, float] = {"miss": 1.3, "agree": 0.7, "all_miss": 0.4, "strong": 3.4}
INTERCEPT = -3.3


@dataclass(frozen=True)
class Suspect:
    """A case in the ranked list.

    Args:
        case: Number of the case.
        score: Between 0 and 1; the share of bad cases at this score in the set that it was fitted on.
        reasons: Rules that flag it, and `models_agree_on_other` or `all_models_miss`; none where some models miss it.
        values: Share of models that miss it, share that agrees, and on which answer.
    """

    case: int
    score: float
    reasons: Sequence[str]
    values: Mapping[str, Any]


def features(n: int, found: Sequence[Flag], models: Consensus | None) -> Floats:
    """What the score is made of, shape (cases, 4): see `FEATURES`. Without results the first three are 0."""
    table = np.zeros((n, len(FEATURES)))
    if models is not None:
        table[:, 0] = np.nan_to_num(models.miss)
        table[:, 1] = np.nan_to_num(models.agree)
        table[:, 2] = models.all_miss
    for flag in found:
        grade = RULES[flag.kind].grade
        if grade in FEATURES:
            table[flag.case, FEATURES.index(grade)] = 1.0
    return table


def scores(table: Floats) -> Floats:
    """Score of every case: 1 / (1 + exp(-(intercept + weights . features)))."""
    score: Floats = 1 / (1 + np.exp(-(INTERCEPT + table @ np.array([WEIGHTS[name] for name in FEATURES]))))
    return score


def ranked(cases: Sequence[Case], found: Sequence[Flag], models: Consensus | None, agreed: float) -> list[Suspect]:
    """Cases with any sign against them, the most suspicious first; ties in the order of the set.

    Args:
        cases: The cases.
        found: Flags of the rules.
        models: Results of models.
        agreed: Share of the models that must agree on another answer to be a reason.
    """
    table = features(len(cases), found, models)
    score = scores(table)
    reasons: dict[int, list[str]] = {}
    for flag in found:
        if RULES[flag.kind].grade != "note" and flag.kind not in reasons.setdefault(flag.case, []):
            reasons[flag.case].append(flag.kind)
    if models is not None:
        for k in np.flatnonzero(table[:, 0] > 0):
            reasons.setdefault(int(k), []).extend(_model_reasons(models, int(k), agreed))
    order = sorted(reasons, key=lambda k: (-score[k], k))
    return [Suspect(k, float(score[k]), reasons[k], _values(models, k)) for k in order]


def _model_reasons(models: Consensus, k: int, agreed: float) -> list[str]:
    found = ["models_agree_on_other"] if models.agree[k] >= agreed else []
    return [*found, *(["all_models_miss"] if models.all_miss[k] else [])]


def _values(models: Consensus | None, k: int) -> dict[str, Any]:
    if models is None or np.isnan(models.miss[k]):
        return {}
    return {"miss": float(models.miss[k]), "agree": float(models.agree[k]), "alternative": models.alternative[k]}
