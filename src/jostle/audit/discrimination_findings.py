"""What the discrimination check says: summary, findings, numbers and limitations; a sample says so first in each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..measures.discriminate import LIMITATIONS, separation
from ..measures.verdicts import CEILING, FLOOR, INVERTED, MISSING, UNSTABLE
from .base import Finding
from .discrimination_measured import Measured
from .finite import finite

_SHOWN = 3
_FEW = 2  # models


def summary(measured: Measured) -> str:
    """One line: how many cases of how many tell the models apart, and how many were left out."""
    found = measured.found
    taken = f"SAMPLE of {measured.n_taken} of {measured.n_cases}" if measured.sampled else str(measured.n_cases)
    size = f"{taken} cases x {len(found.verdicts.models)} models"
    size += f" x {measured.repeats} repeats" if measured.repeats > 1 else ""
    same = found.count(CEILING, FLOOR)
    said = (
        f"{size}: {found.count(0)} discriminate, {same} do not ({found.count(CEILING)} ceiling, {found.count(FLOOR)} "
        f"floor), {found.count(INVERTED)} are inverted"
    )
    left = {"unstable": found.count(UNSTABLE), "not measured": found.count(MISSING)}
    return "; ".join([said, *(f"{n} {what}" for what, n in left.items() if n)])


def findings(measured: Measured) -> list[Finding]:
    """What was found, the gravest first."""
    found = [
        _share(measured),
        _kind(measured, INVERTED, "weaker models pass and stronger ones fail: look at the gold and the grader first."),
        _kind(measured, FLOOR, "no model passes: too hard, or the gold or the grader is wrong."),
        _missing(measured),
        _order(measured),
        _resolution(measured),
        _kind(measured, CEILING, "every model passes: no evidence on which is better.", warn=False),
        _kind(measured, UNSTABLE, "the repeats of a model differ: left out of all other figures.", warn=False),
    ]
    return [finding for finding in found if finding is not None]


def _finding(
    measured: Measured, kind: str, message: str, ids: Sequence[str], values: Mapping[str, Any], warn: bool
) -> Finding:
    said = finite(dict(values))
    return Finding(kind, measured.opening + message, tuple(ids), said, "warning" if warn else "info")


def _share(measured: Measured) -> Finding | None:
    numbers = separation(measured.found)
    share, low, high = (numbers[f"non_discriminating_share{end}"] for end in ("", "_ci_low", "_ci_high"))
    if share <= measured.max_share:
        return None
    message = (
        f"{share:.0%} of {measured.n_measured} measured cases (95% interval {low:.0%} to {high:.0%}) give all models "
        f"the same verdict, more than {measured.max_share:.0%}: as evidence on which model is better the set counts "
        f"{measured.n_measured - measured.found.count(CEILING, FLOOR)} cases."
    )
    values = {"share": share, "ci_low": low, "ci_high": high, "max_share": measured.max_share}
    return _finding(measured, "non_discriminating", message, (), values, warn=True)


def _kind(measured: Measured, kind: int, means: str, warn: bool = True) -> Finding | None:
    ids = measured.found.ids(kind)
    if not ids:
        return None
    by = ""
    if kind == INVERTED and measured.found.rule == "item_rest":
        means = "the models that pass them do worse on the others: look at the gold and the grader first."
        by = " by the correlation with the score on the other cases"
    elif kind == INVERTED and len(measured.found.verdicts.models) > _FEW:
        n_clear = separation(measured.found)["n_item_rest_negative"]
        means += f" {n_clear} of all cases go against the score on the others (correlation below 0 at the 5% level)."
    message = f"{len(ids)} {'case is' if len(ids) == 1 else 'cases are'} {_SAID[kind]}{by}: {means}"
    return _finding(measured, _KIND[kind], message, ids, {"n": len(ids), "n_measured": measured.n_measured}, warn)


_SAID = {INVERTED: "inverted", FLOOR: "at the floor", CEILING: "at the ceiling", UNSTABLE: "unstable"}
_KIND = {INVERTED: "inverted", FLOOR: "floor", CEILING: "ceiling", UNSTABLE: "unstable"}


def _missing(measured: Measured) -> Finding | None:
    ids = measured.found.ids(MISSING)
    if not ids:
        return None
    lacks = (measured.found.verdicts.count == 0).sum(axis=0)
    worst = int(np.argmax(lacks))
    unmatched = measured.numbers.get("n_unmatched_cases", 0)
    why = f"; {unmatched} are not in the results" if unmatched else ""
    why += f"; {measured.name(worst)} lacks most ({lacks[worst]})" if lacks[worst] > unmatched else ""
    reasons = [f"{case}: {reason}" for case, reason in list(measured.failures.items())[:_SHOWN]]
    why += f". The scorer failed on {len(measured.failures)}: {'; '.join(reasons)}" if reasons else ""
    message = f"{len(ids)} of {measured.n_taken} cases are not measured, for want of a score of every model{why}."
    return _finding(measured, "not_measured", message, ids, {"n": len(ids), "n_lacking": lacks.tolist()}, warn=True)


def _order(measured: Measured) -> Finding | None:
    """Models that were said to be weaker and are better."""
    wrong = [pair for pair in measured.found.pairs if pair.told_apart and pair.difference < 0]
    if not wrong or not measured.ordered:
        return None
    worst = min(wrong, key=lambda pair: pair.difference)
    message = (
        f"{measured.name(worst.weaker)} stands before {measured.name(worst.stronger)}, weakest first, but passes "
        f"{-worst.difference:.1%} more of the cases (Holm p = {worst.p_value_holm:.2g}): turn the order round, or find "
        "out why; inverted cases are only as good as the order."
    )
    return _finding(measured, "order_contradicted", message, (), {"n_pairs": len(wrong)}, warn=True)


def _resolution(measured: Measured) -> Finding:
    """What the set could detect, beside the differences that the models show."""
    numbers = separation(measured.found)
    least, n = numbers["smallest_detectable_difference"], measured.n_measured
    if math.isnan(least):
        said = f"{n} measured cases could show no difference between two models as significant"
    else:
        said = f"The smallest difference that {n} measured cases show in 80 of 100 comparisons is {least:.1%}"
    apart = f"{numbers['n_pairs_told_apart']} of {numbers['n_pairs']} pairs of models are told apart (McNemar, Holm)"
    message = f"{said}; {apart}."
    if len(measured.found.verdicts.models) > _FEW:
        message += f" Neighbours in the ranking differ by {numbers['median_neighbour_difference']:.1%} (median)."
    needed = numbers["items_needed_for_one_point"]
    message += f" To detect one point it takes {needed:,} such cases." if needed else ""
    keys = ("smallest_detectable_difference", "median_discordance", "median_neighbour_difference", "n_pairs_told_apart")
    return _finding(measured, "resolution", message, (), {key: numbers[key] for key in keys}, warn=False)


def limitations(measured: Measured) -> list[str]:
    """What the check cannot tell, a sample's own limit first."""
    said = []
    if measured.sampled:
        said.append(
            f"Only a SAMPLE of {measured.n_taken} of {measured.n_cases} cases was taken (seed {measured.sample_seed}). "
            "Every figure is that of the sample; a bad case that was not drawn is not reported."
        )
    said += LIMITATIONS
    if measured.repeats == 1:
        said.append("Every case has one verdict of each model: what another run would change is not seen.")
    else:
        said.append(
            "Leaving out unstable cases keeps those that a model always passes, so the share that does not "
            "discriminate grows with the repeats; non_discriminating_share_by_majority does not."
        )
    if not measured.ordered:
        said.append("The order of the models is that of their accuracy on these cases, for none was given.")
    if measured.found.rule == "item_rest":
        said.append("Of cases that have nothing to do with the others, 5 in 100 would count as inverted by chance.")
    elif len(measured.found.verdicts.models) > _FEW:
        said.append("The more models, the more cases have some pair the wrong way round; the worst are listed first.")
    if measured.max_workers > 1:
        said.append("The scorer was called by several threads; whether it bears that cannot be seen from here.")
    if measured.numbers.get("n_gold_differs"):
        said.append(
            f"{measured.numbers['n_gold_differs']} cases have another gold in the results, and were scored by that one."
        )
    return said
