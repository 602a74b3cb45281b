"""What the ambiguity check says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from .base import Case, Finding, Severity
from .consensus import Consensus
from .duplicates_findings import counted
from .flags import RULES, Flag
from .ratings import Rated
from .suspicion import Suspect

_SHOWN = 60
_MOST = 0.5  # of the set; what more cases have is how the set is made, and told once


def rule_findings(found: Sequence[Flag], cases: Sequence[Case]) -> Iterator[Finding]:
    """One finding for each rule, strong ones first."""
    by_kind: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for flag in found:
        by_kind[flag.kind].setdefault(flag.case, flag.evidence)
    order = {"strong": 0, "weak": 1, "note": 2}
    for kind in sorted(by_kind, key=lambda name: order[RULES[name].grade]):
        held, rule = by_kind[kind], RULES[kind]
        first = min(held)
        message = f"{counted(len(held), 'case')} {rule.text}. First: {cases[first].id}"
        message += f', "{_short(held[first])}".' if held[first] else "."
        usual = len(held) > _MOST * len(cases) and rule.grade == "note"
        ids = () if usual else tuple(cases[k].id for k in sorted(held))
        severity: Severity = "warning" if rule.grade == "strong" else "info"
        yield Finding(kind, message, ids, {"n": len(held), "grade": rule.grade}, severity)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def model_findings(
    models: Consensus, suspects: Sequence[Suspect], cases: Sequence[Case], agreed: float
) -> Iterator[Finding]:
    """Cases on which models agree on another answer, and others that all of them miss; the most suspicious first."""
    agree = [one for one in suspects if "models_agree_on_other" in one.reasons]
    if agree:
        answers = {cases[one.case].id: one.values["alternative"] for one in agree}
        verb = "has" if len(agree) == 1 else "have"
        message = (
            f"{counted(len(agree), 'case')} {verb} another answer than the gold from {agreed:.0%} or more of the "
            f"{len(models.models)} models, weighted by their accuracy: the gold may be wrong. Read these first."
        )
        yield Finding("models_agree_on_other", message, tuple(answers), {"n": len(agree), "alternative": answers})
    missed = [one for one in suspects if "all_models_miss" in one.reasons and one not in agree]
    if missed:
        verb = "is" if len(missed) == 1 else "are"
        message = (
            f"{counted(len(missed), 'case')} more {verb} missed by all {len(models.models)} models, which do not agree "
            "on another answer: hard, unclear, or without a right answer."
        )
        yield Finding("all_models_miss", message, tuple(cases[one.case].id for one in missed), {"n": len(missed)})


def rating_findings(ratings: Sequence[Rated], cases: Sequence[Case]) -> Iterator[Finding]:
    """Cases on which the raters do not tell the gold."""
    tail = "a gold made from them is a toss-up."
    for one in ratings:
        if not one.unclear:
            continue
        n = int(np.isfinite(one.spread).sum())
        what = {
            "numbers": f"have the middle of the scale ({one.middle:g}) within the 95 % interval of their mean rating"
            if one.middle is not None
            else "",
            "classes": "have no class that more than 60 % of their raters chose",
            "spread": "are beyond the usual spread of ratings",
        }[one.kind]
        message = f"{counted(len(one.unclear), 'case')} of {n} rated in {one.column!r} {what}: {tail}"
        values = {"column": one.column, "n": len(one.unclear), "share": len(one.unclear) / n}
        yield Finding("raters_disagree", message, tuple(cases[k].id for k in one.unclear), values)


def spelling_findings(groups: Sequence[Sequence[str]]) -> Iterator[Finding]:
    """Classes that are written in several ways."""
    for group in groups:
        shown = ", ".join(repr(form) for form in group)
        message = f"One class is written {shown}: a scorer that compares texts takes them for different classes."
        yield Finding("label_spellings", message, (), {"forms": list(group)})
