"""The audit joined with stability: which cases cause most of the drift, and whether the audit flagged them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ..errors import InputError
from ..importers import read_results
from ..measures.align import align
from ..measures.inputs import by_group, to_rows
from ..measures.intervals import wilson
from ..measures.options import Options
from ..measures.table import Table
from ..outcomes import Outcomes
from .base import CheckResult, EvalSet, Finding, NotRun
from .finite import finite
from .long_results import is_long, named_models

NAME = "stability"
LIMITATIONS = (
    "A case that loses answers under a variant may be hard, flawed, or have a flawed variant; the table does not say "
    "which.",
    "Right answers alone can be lost: cases that every model has wrong cannot show drift here.",
    "That flagged cases lose more answers does not say that the flaw is why. Flags of the discrimination check do not "
    "count in that comparison: they come from the same answers.",
)
_FROM_ANSWERS = ("discrimination",)
MOST = 10


@dataclass(frozen=True)
class Drift:
    """What an item loses and gains over models and conditions, in answers (shares of samples add up).

    Attributes:
        kept_or_lost: Answers that are right under the reference, counted once for each other condition.
        lost: Of these, what is wrong under the condition.
        gained: What is wrong under the reference and right under the condition.
    """

    kept_or_lost: float = 0.0
    lost: float = 0.0
    gained: float = 0.0


def read_conditions(paths: Sequence[str | Path]) -> list[Outcomes]:
    """The outcomes of those files that have several conditions, with a name for each model.

    Raises:
        InputError: A file cannot be read.
    """
    found = [named_models(read_results(path), path) for path in map(Path, paths) if is_long(path)]
    return [outcomes for outcomes in found if len(_conditions(outcomes)) > 1]


def _conditions(outcomes: Outcomes) -> set[str]:
    return set(outcomes.columns["conditions"].to_pylist())


def drift_by_item(tables: Sequence[Outcomes], reference: str | None = None) -> dict[str, Drift]:
    """What every item loses and gains against the reference condition, over all models, tasks and decodings.

    Raises:
        NotRun: No table has the reference and another condition.
        InputError: Rows that cannot be laid out by item and condition.
    """
    name = reference or "orig"
    usable = [one for one in tables if name in _conditions(one) and len(_conditions(one)) > 1]
    if not usable:
        names = sorted({condition for one in tables for condition in _conditions(one)})
        found = ", ".join(names) or "none"
        raise NotRun(f"needs results under {name} and another condition, but got {found}.", incomplete=False)
    sums: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for outcomes in usable:
        try:
            groups = [_aligned(arrays, reference) for _, arrays in by_group(outcomes.columns)]
        except ValueError as error:
            raise InputError(f"{outcomes.source}: {error}") from None
        for item, values in (pair for table in groups for pair in _changes(table)):
            sums[item] = [a + b for a, b in zip(sums[item], values, strict=True)]
    return {item: Drift(*values) for item, values in sorted(sums.items())}


def _aligned(arrays: Mapping[str, pa.Array], reference: str | None) -> Table:
    options = Options(missing="pairwise", reference=reference)
    return align(to_rows(arrays, options), options.missing, options.reference)


def _changes(table: Table) -> Iterator[tuple[str, list[float]]]:
    """Answers right under the reference, lost and gained of every item; nothing where there is one condition."""
    if table.reference is None or len(table.conditions) < 2:  # noqa: PLR2004 - one condition has no drift
        return
    anchor = table.x[:, [table.reference]]
    change = anchor - np.delete(table.x, table.reference, axis=1)  # nan where an item lacks a condition
    held = np.where(np.isnan(change), 0.0, anchor)
    parts = (held, np.maximum(change, 0.0), np.maximum(-change, 0.0))
    sums = np.column_stack([np.nansum(part, axis=1) for part in parts])
    yield from zip(table.items, sums.tolist(), strict=True)


def flags_by_case(checks: Sequence[CheckResult]) -> dict[str, list[str]]:
    """What the warnings of an audit say of each case: `check: kind`, each once."""
    flags: defaultdict[str, list[str]] = defaultdict(list)
    for check in checks:
        for finding in check.warnings:
            for case in dict.fromkeys(finding.case_ids):
                said = f"{check.name}: {finding.kind}"
                flags[case] += [] if said in flags[case] else [said]
    return dict(flags)


def stability(
    tables: Sequence[Outcomes],
    checks: Sequence[CheckResult],
    evalset: EvalSet | None = None,
    reference: str | None = None,
    most: int = MOST,
) -> CheckResult:
    """The cases that cause most of the drift, and whether the other checks flagged them.

    A case's part is the number of answers, over models and conditions, that are right under the reference and wrong
    under the condition. Flagged and other cases are compared by the share of cases that lose any, with the one-sided
    exact (hypergeometric) p-value. What the discrimination check flags is named but not compared: a case that a strong
    model has wrong by chance is both inverted and likely to change.

    Args:
        tables: Outcomes under the reference and other conditions (see `read_conditions`); item ids are those of the
            cases.
        checks: Results of the other checks; their warnings are the flags.
        evalset: The set, to count items that are no case of it.
        reference: Condition to compare with; `orig` by default.
        most: How many cases are named.

    Raises:
        NotRun: No two conditions to compare, or no item of the outcomes is a case of the set.
        InputError: As `drift_by_item`.
    """
    drift = drift_by_item(tables, reference)
    known = None if evalset is None else {case.id for case in evalset.cases}
    strange = 0 if known is None else sum(item not in known for item in drift)
    if strange and strange == len(drift):
        raise NotRun("none of the items with conditions has the id of a case.", incomplete=True)
    flags = flags_by_case(checks)
    ranked = sorted(drift, key=lambda item: (-drift[item].lost, -drift[item].kept_or_lost, item))
    top = [item for item in ranked[:most] if drift[item].lost > 0]
    compared = _compare(drift, flags_by_case([check for check in checks if check.name not in _FROM_ANSWERS]))
    lost = math.fsum(one.lost for one in drift.values())
    numbers = finite({
        "n_items": len(drift),
        "n_items_not_in_set": strange,
        "n_lost": lost,
        "n_gained": math.fsum(one.gained for one in drift.values()),
        "n_right_under_reference": math.fsum(one.kept_or_lost for one in drift.values()),
        "n_items_that_lose": sum(one.lost > 0 for one in drift.values()),
        "top_share_of_lost": math.fsum(drift[item].lost for item in top) / lost if lost else None,
        "top": [_line(item, drift[item], flags) for item in top],
    } | compared)  # fmt: skip
    return CheckResult(NAME, _summary(numbers), _findings(numbers, top), numbers, LIMITATIONS)


def _line(item: str, drift: Drift, flags: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    return {
        "case_id": item,
        "n_lost": drift.lost,
        "n_gained": drift.gained,
        "n_right_under_reference": drift.kept_or_lost,
        "flags": list(flags.get(item, ())),
    }


def _compare(drift: Mapping[str, Drift], flags: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Cases that lose an answer, among the flagged and among the others, of those that have one to lose."""
    able = {item: one.lost > 0 for item, one in drift.items() if one.kept_or_lost > 0}
    result: dict[str, Any] = {}
    counts = {}
    for name, group in (("flagged", [i for i in able if i in flags]), ("other", [i for i in able if i not in flags])):
        losing = sum(able[item] for item in group)
        low, high = wilson(losing, len(group))
        counts[name] = (losing, len(group))
        result |= {f"n_{name}": len(group), f"n_{name}_that_lose": losing}
        result |= {f"{name}_losing_share": losing / len(group) if group else math.nan}
        result |= {f"{name}_losing_share_ci_low": low, f"{name}_losing_share_ci_high": high}
    (hits, drawn), (rest, others) = counts["flagged"], counts["other"]
    return result | {"p_value": hypergeometric_tail(hits, drawn, hits + rest, drawn + others)}


def hypergeometric_tail(hits: int, drawn: int, successes: int, total: int) -> float:
    """P(X >= hits) where `drawn` of `total` are drawn and `successes` of the total count; nan for an empty side.

    >>> round(hypergeometric_tail(3, 3, 4, 8), 4)
    0.0714
    """
    if not 0 < drawn < total:
        return math.nan
    tail = range(max(hits, drawn - (total - successes)), min(drawn, successes) + 1)
    logs = [_log_ways(successes, k) + _log_ways(total - successes, drawn - k) - _log_ways(total, drawn) for k in tail]
    return min(1.0, math.fsum(map(math.exp, logs)))


def _log_ways(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)


def _summary(numbers: Mapping[str, Any]) -> str:
    if not numbers["n_lost"]:
        return f"{numbers['n_items']} items under several conditions: no right answer is lost"
    flagged = sum(bool(line["flags"]) for line in numbers["top"])
    return (
        f"{numbers['n_items']} items under several conditions: {numbers['n_lost']:g} of "
        f"{numbers['n_right_under_reference']:g} right answers are lost; the {len(numbers['top'])} items that lose "
        f"most hold {numbers['top_share_of_lost']:.0%} of that, and the audit flagged {flagged} of them"
    )


def _findings(numbers: Mapping[str, Any], top: Sequence[str]) -> list[Finding]:
    if not top:
        return []
    worst = numbers["top"][0]
    flags = ", ".join(worst["flags"]) or "nothing that the audit flagged"
    message = (
        f"{len(top)} of {numbers['n_items_that_lose']} cases that lose answers hold {numbers['top_share_of_lost']:.0%} "
        f"of the drift; most: {worst['case_id']}, {worst['n_lost']:g} of {worst['n_right_under_reference']:g} "
        f"({flags})."
    )
    found = [Finding("drift_items", message, tuple(top), {"top": numbers["top"]}, "info")]
    if numbers["n_flagged"] and numbers["n_other"]:
        said = (
            f"{numbers['n_flagged_that_lose']} of {numbers['n_flagged']} flagged cases lose an answer "
            f"({numbers['flagged_losing_share']:.0%}), and {numbers['n_other_that_lose']} of {numbers['n_other']} "
            f"others ({numbers['other_losing_share']:.0%}); p = {numbers['p_value']:.2g}."
        )
        values = {key: numbers[key] for key in ("flagged_losing_share", "other_losing_share", "p_value")}
        found.append(Finding("drift_of_flagged", said, (), values, "info"))
    return found
