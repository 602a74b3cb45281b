"""GLUE robustness ratio: accuracy on variants over accuracy on the originals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .agreement import majority_answers
from .align import align
from .intervals import wilson
from .options import Options, plain
from .resample import Floats, percentile_interval, resample_totals, sum_by
from .table import KINDS, Rows, Table, kind_of

NAME = "robustness_ratio"
LIMITATIONS = (
    "The ratio is relative, and 1 for a model that ignores its input: read it with the ratio above chance.",
    "It compares items that have all four kinds; the coverage says how many those are.",
)

Bools = NDArray[np.bool_]
_ALL = ("orig", *KINDS)


def ratio(rows: Rows, options: Options) -> dict[str, Any]:
    """R = (A_para + A_pert + A_adv) / (3 A_orig).

    A is the accuracy on originals and on paraphrased, perturbed and adversarial variants. 1 means that variants are
    answered as well as originals, below 1 worse, above 1 better (`exceeds_one`). The headline uses *matched* items,
    those that have all four kinds (several variants of a kind: their mean), for operators that apply mostly to hard
    items would make a perfectly robust model look fragile; `robustness_ratio_all_rows` is the plain formula. With
    samples an item is right by the majority of its parsed labels; a tie among m labels is worth 1/m when the gold is
    one of them. The kind is read off the condition's name (`para/...`).

    Returns:
        The ratio keys (see the metric card); nan with `undefined_reason` where a kind is missing or A_orig is 0.

    Limitations: R is relative: a model at chance that ignores its input has R = 1, see
    `robustness_ratio_above_chance`. The interval is a family bootstrap and is too narrow below 30 families.

    Reference: Joshi et al. 2026, arXiv:2601.07239.
    """
    table = align(rows, options.missing, options.reference)
    return plain(table.counts() | table_ratio(table, options))  # type: ignore[no-any-return]


def table_ratio(table: Table, options: Options) -> dict[str, Any]:
    """The robustness ratio of outcomes that are aligned already."""
    credit, n_ties = vote_credit(table)
    by_kind = kind_means(table, credit)
    present = ~np.isnan(by_kind)
    matched: Bools = np.asarray(present.all(axis=1))
    accuracy = np.array([by_kind[matched, k].mean() if matched.any() else math.nan for k in range(4)])
    overall = np.array([by_kind[present[:, k], k].mean() if present[:, k].any() else math.nan for k in range(4)])
    reason = undefined_reason(present, matched, accuracy)
    value = math.nan if reason else _ratio(accuracy)
    low, high = (math.nan, math.nan) if reason else _interval(table, by_kind, matched, options)
    n_items = len(table.items)
    return {
        "robustness_ratio": value,
        "robustness_ratio_ci_low": low,
        "robustness_ratio_ci_high": high,
        "robustness_ratio_all_rows": _ratio(overall) if overall[0] > 0 else math.nan,
        "robustness_ratio_above_chance": math.nan if reason else _above_chance(table, accuracy, int(matched.sum())),
        **{f"accuracy_{kind}": float(a) for kind, a in zip(_ALL, accuracy, strict=True)},
        "coverage_by_kind": {kind: float(present[:, k].mean()) if n_items else 0.0 for k, kind in enumerate(_ALL)},
        "n_matched": int(matched.sum()),
        "n_ties": n_ties,
        "unparsed_by_variant": _unparsed(table),
        "exceeds_one": bool(value > 1),
        "undefined_reason": reason,
        "degenerate": bool(reason) or n_items == 1,
    }


def _ratio(accuracy: Floats) -> float:
    return float(accuracy[1:].sum() / (3 * accuracy[0]))


def vote_credit(table: Table) -> tuple[Floats, int]:
    """Majority-vote credit of every cell in [0, 1] (nan where absent), and the number of ties."""
    shape = (len(table.items), len(table.conditions))
    if not table.rows.sampled:
        return table.x, 0
    votes = majority_answers(table)
    gold_votes = _gold_votes(table).reshape(shape)
    right = (gold_votes > 0) & (gold_votes == votes.top)
    credit = np.divide(right, votes.n_winners, out=np.zeros(shape), where=votes.n_winners > 0)
    return np.where(table.count > 0, credit, np.nan), int((votes.n_winners > 1).sum())


def _gold_votes(table: Table) -> Floats:
    right = table.rows.predictions == table.rows.references
    size = len(table.items) * len(table.conditions)
    return np.bincount(table.cell[right], minlength=size).astype(np.float64)


def kind_means(table: Table, credit: Floats) -> Floats:
    """Mean credit of each item over its variants of each kind, shape (items, 4); nan where it has none."""
    result = np.full((len(table.items), len(_ALL)), np.nan)
    for k, kind in enumerate(_ALL):
        columns = [c for c, name in enumerate(table.conditions) if _kind(table, c, name) == kind]
        here = ~np.isnan(credit[:, columns])
        n = here.sum(axis=1)
        total = np.where(here, credit[:, columns], 0.0).sum(axis=1)
        np.divide(total, n, out=result[:, k], where=n > 0)
    return result


def _kind(table: Table, column: int, name: str) -> str:
    return "orig" if column == table.reference else kind_of(name)


def undefined_reason(present: Bools, matched: Bools, accuracy: Floats) -> str:
    """Why there is no ratio, or nothing: of presence (items, 4), matched items and accuracy by kind."""
    absent = [kind for k, kind in enumerate(_ALL) if not present[:, k].any()]
    if absent:
        return f"no rows of kind {', '.join(absent)}"
    if not matched.any():
        return "no item has all four kinds"
    return "accuracy on the originals of the matched items is 0" if accuracy[0] == 0 else ""


def _interval(table: Table, by_kind: Floats, matched: Bools, options: Options) -> tuple[float, float]:
    totals = sum_by(table.families[matched], by_kind[matched], table.n_families)
    families = np.unique(table.families[matched])
    drawn = resample_totals(totals[families], options.n_resamples, options.seed)
    with np.errstate(invalid="ignore", divide="ignore"):
        replicates = drawn[:, 1:].sum(axis=1) / (3 * drawn[:, 0])
    return percentile_interval(np.where(np.isinf(replicates), np.nan, replicates))


def _above_chance(table: Table, accuracy: Floats, n: int) -> float:
    """(mean variant accuracy - chance) / (A_orig - chance); nan unless A_orig is surely above chance."""
    gold = np.zeros(len(table.items), dtype=np.int64)
    gold[table.rows.items] = table.rows.references
    chance = float(np.bincount(gold).max() / len(gold))
    if wilson(accuracy[0] * n, n)[0] <= chance:
        return math.nan
    return float((accuracy[1:].mean() - chance) / (accuracy[0] - chance))


def _unparsed(table: Table) -> dict[str, float]:
    """Share of unparsed rows of each kind."""
    kind = np.array([_ALL.index(k) if (k := _kind(table, c, n)) else -1 for c, n in enumerate(table.conditions)])
    of_row = kind[table.rows.conditions] if len(kind) else np.zeros(0, dtype=int)
    shares = {}
    for index, name in enumerate(_ALL):
        here = of_row == index
        shares[name] = float((table.rows.predictions[here] < 0).mean()) if here.any() else math.nan
    return shares


MEASURE = ratio
