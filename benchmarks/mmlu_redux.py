"""How well the ambiguity check finds the questions of MMLU-Redux that experts found to be wrong.

    python benchmarks/mmlu_redux.py mmlu_redux.parquet mmlu_redux_14models.parquet

The first file has the questions with the experts' labels (`error_type_norm`), the second the answers of models. Rules
were written, and the weights of the score fitted, on half of the subjects (every other one by name); the figures of the
other half are the ones to quote. `--fit` prints the weights of a fit on the first half. Results are kept in
results/mmlu_redux.json.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jostle.audit import load
from jostle.audit.base import EvalSet
from jostle.audit.consensus import Consensus, consensus
from jostle.audit.flags import RULES, Flag, flags
from jostle.audit.suspicion import FEATURES, WEIGHTS, features, scores
from jostle.measures.intervals import wilson

RESULTS = Path(__file__).parent / "results" / "mmlu_redux.json"
PENALTY = 1.0  # of the squared weights, so that rare features keep finite ones
Bools = NDArray[np.bool_]


def halves(evalset: EvalSet) -> dict[str, Bools]:
    """The cases of every other subject, of the rest, and all."""
    subjects = sorted({case.metadata["subject"] for case in evalset.cases})
    first = np.array([subjects.index(case.metadata["subject"]) % 2 == 0 for case in evalset.cases])
    return {"tuned on": first, "held out": ~first, "all": np.ones(len(first), dtype=bool)}


def rates(flagged: Bools, bad: Bools) -> dict[str, Any]:
    """Precision with its interval, recall, and counts."""
    hits, n = int((flagged & bad).sum()), int(flagged.sum())
    low, high = wilson(hits, n)
    return {
        "n": n,
        "n_bad": hits,
        "precision": hits / n if n else None,
        "precision_ci": [low, high],
        "recall": hits / int(bad.sum()),
        "lift": hits / n / float(bad.mean()) if n else None,
    }


def at(score: NDArray[np.float64], bad: Bools, k: int) -> dict[str, Any]:
    """Bad cases among the k most suspicious, and how often the base rate that is; expected over the orders of ties."""
    last = np.sort(score)[::-1][k - 1]
    above, tied = score > last, score == last
    hits = float(bad[above].sum() + (k - above.sum()) * bad[tied].mean())
    return {
        "bad": hits,
        "of": k,
        "lift": hits / k / float(bad.mean()),
        "lift_ci": [e / bad.mean() for e in wilson(hits, k)],
    }


def fit(table: NDArray[np.float64], bad: Bools) -> NDArray[np.float64]:
    """Intercept and weights of a logistic regression, by Newton's method."""
    x = np.column_stack([np.ones(len(table)), table])
    penalty = np.diag([0.0, *[PENALTY] * table.shape[1]])
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ weights))
        gradient = x.T @ (bad - p) - penalty @ weights
        weights += np.linalg.solve((x.T * (p * (1 - p))) @ x + penalty, gradient)
    return weights


def measure(
    bad: Bools, found: list[Flag], models: Consensus, joined: NDArray[np.float64], chosen: Bools
) -> dict[str, Any]:
    """All figures on some of the cases."""
    by_grade = {grade: np.zeros(len(bad), dtype=bool) for grade in ("strong", "weak")}
    for flag in found:
        by_grade[RULES[flag.kind].grade][flag.case] = True
    own, has = bad[chosen], chosen & ~np.isnan(models.miss)
    return {
        "n": int(chosen.sum()),
        "n_bad": int(own.sum()),
        "base_rate": float(own.mean()),
        "rules: strong": rates(by_grade["strong"][chosen], own),
        "rules: any": rates((by_grade["strong"] | by_grade["weak"])[chosen], own),
        "rules by kind": {
            kind: rates(np.isin(np.flatnonzero(chosen), [f.case for f in found if f.kind == kind]), own)
            for kind in RULES
            if any(f.kind == kind and chosen[f.case] for f in found)
        },
        "models: all miss": rates(models.all_miss[has], bad[has]),
        "models: 80 % agree on another": rates(models.agree[has] >= 0.8, bad[has]),
        "models alone (share that misses)": {k: at(models.miss[has], bad[has], k) for k in (50, 100, 200)},
        "joined": {k: at(joined[has], bad[has], k) for k in (50, 100, 200)},
        "joined: any rule or 80 % agree or all miss": rates(
            (by_grade["strong"] | by_grade["weak"] | (models.agree >= 0.8) | models.all_miss)[has], bad[has]
        ),
    }


def main() -> None:
    """Print and keep the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument("models", type=Path)
    parser.add_argument(
        "--fit", action="store_true", help="print the weights fitted on the first half, and on the second"
    )
    given = parser.parse_args()
    evalset = load(given.questions)
    bad = np.array([case.metadata["error_type_norm"] != "ok" for case in evalset.cases])
    found, models = list(flags(evalset)), consensus(evalset.cases, [given.models])
    table = features(len(bad), found, models)
    parts = halves(evalset)
    has = ~np.isnan(models.miss)
    if given.fit:
        for name, chosen in parts.items():
            print(
                name,
                dict(zip(("intercept", *FEATURES), fit(table[chosen & has], bad[chosen & has]).round(2), strict=True)),
            )
    figures = {name: measure(bad, found, models, scores(table), chosen) for name, chosen in parts.items()}
    swapped = fit(table[parts["held out"] & has], bad[parts["held out"] & has])
    joined = np.column_stack([np.ones(len(table)), table]) @ swapped
    first = parts["tuned on"] & has
    figures["weights fitted on the held-out half, measured on the first"] = {
        "joined": {k: at(joined[first], bad[first], k) for k in (50, 100, 200)}
    }
    kinds = Counter(case.metadata["error_type_norm"] for case in evalset.cases)
    print(json.dumps(figures, indent=1))
    RESULTS.write_text(
        json.dumps({"labels": kinds, "weights": WEIGHTS, "figures": figures}, indent=2) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
