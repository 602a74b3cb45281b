"""The tables of a pair report, the same for the terminal, Markdown and the page."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ..measures.pairs import SIDES
from ..report.sections import Section
from ..report.table_rows import interval, number
from .failures import TITLES
from .report import FailingPair, PairReport

FAMILIES_SHOWN = 5
CRITICAL = " (critical)"
SENSITIVITY = (
    "A model that always changes its answer keeps the relation of every pair whose gold changes, one that never does "
    "that of every pair whose gold stays: each passes one half, so a single figure over both rewards whichever half is "
    "larger."
)
COUNTERS: Mapping[str, str] = {
    "base_only_error": "base-only error",
    "edited_only_error": "edited-only error",
    "both_wrong_expected_relation": "both wrong, expected relation",
    "relation_failure": "relation failure",
}


def sections(report: PairReport) -> Iterator[Section]:
    """Accuracy, sides and relation, operators, families, and confidence."""
    yield accuracy(report)
    yield sides(report)
    yield counters(report)
    yield operators(report)
    worst = families(report)
    if worst:
        yield worst
    yield confidence(report)


def accuracy(report: PairReport) -> Section:
    """The three accuracies over all pairs, families and operators, and for the two kinds of pairs apart."""
    v, rows = report.values, []
    totals = {"": v["n_pairs"], "family_mean_": v["n_families"], "operator_weighted_": len(v["by_operator"])}
    titles = ("all pairs", "each family once", "operators, weighted" if report.weights else "each operator once")
    for prefix, title in zip(totals, titles, strict=True):
        if prefix == "operator_weighted_" and totals[prefix] == 1:
            continue  # one operator is all pairs: the same rates, whose intervals by another draw would only puzzle
        cells = [_rate(v, f"{prefix}{name}_accuracy") for name in ("side", "relation", "pair")]
        rows.append([title, str(totals[prefix]), *(cell for both in cells for cell in both)])
    for kind, title in (("sensitivity", "gold changes"), ("invariance", "gold stays")):
        cells = [("", ""), _rate(v, f"{kind}_accuracy"), _rate(v, f"{kind}_pair_accuracy")]
        rows.append([title, str(v[f"n_{kind}"]), *(cell for both in cells for cell in both)])
    return Section(
        "Accuracy",
        ("", "n", "side", "95% CI", "relation", "95% CI", "pair", "95% CI"),
        rows,
        "side: right answers; relation: answers that change with the gold and stay with it; pair: both sides right; n: "
        f"pairs, families, operators. {SENSITIVITY}",
    )


def _rate(values: Mapping[str, Any], key: str) -> tuple[str, str]:
    return number(values[key]), interval([values[f"{key}_ci_low"], values[f"{key}_ci_high"]], digits=2)


def sides(report: PairReport) -> Section:
    """Which sides are right, by whether the relation is kept."""
    v, rows = report.values, []
    for side in SIDES:
        silent = int(v["abstained_by_side"][side])
        kept, failed = v["table"][side]["kept"], v["table"][side]["failed"] - silent
        rows.append([side.replace("_only_", "-only ").replace("_", " "), kept, failed, silent, kept + failed + silent])
    rows.append(["all", *(sum(row[k] for row in rows) for k in range(1, 5))])
    return Section(
        "Sides and relation (pairs)",
        ("", "relation kept", "failed", "abstained", "all"),
        [[str(cell) for cell in row] for row in rows],
        "abstained: no answer on a side, which counts as an error there and keeps no relation",
    )


def counters(report: PairReport) -> Section:
    """The classic counters, which overlap."""
    v = report.values
    rows = [[title, str(v[key]), _share(v[key], v["n_pairs"])] for key, title in COUNTERS.items()]
    legend = "these overlap: an edited-only error is often a relation failure too; abstentions count in them"
    return Section("Counters", ("", "pairs", "share"), rows, legend)


def _share(n: int, of: int) -> str:
    return number(n / of if of else math.nan)


def operators(report: PairReport) -> Section:
    """Counts and rates of every operator, critical ones first, then those with the lowest pair accuracy."""
    by, critical = report.values["by_operator"], critical_operators(report)
    rows = []
    for name in sorted(by, key=lambda name: (name not in critical, by[name]["pair_accuracy"], name)):
        own = by[name]
        title = (name or "(not stated)") + (CRITICAL if name in critical else "")
        relation, pair = _rate(own, "relation_accuracy"), _rate(own, "pair_accuracy")
        counts = [str(own["n_pairs"]), str(own["n_failures"])]
        rows.append([title, *counts, number(own["side_accuracy"]), *relation, *pair])
    columns = ("operator", "pairs", "fail", "side", "relation", "95% CI", "pair", "95% CI")
    return Section("By operator", columns, rows, "fail: pairs with an error, a failed relation or an abstention")


def critical_operators(report: PairReport) -> set[str]:
    """Operators that are named as critical, or all of whose pairs are marked so."""
    names, marked = report.data.operator_names, report.critical_pairs
    plain = {names[k] for k in set(report.data.operators[~marked].tolist())}
    return {names[k] for k in set(report.data.operators[marked].tolist())} - plain


def families(report: PairReport) -> Section | None:
    """The families that fail most; nothing where none fails, or where they are no groups of pairs."""
    by = report.values["by_family"]
    failing = [name for name in by if by[name]["pair_accuracy"] < 1]
    if not failing or len(by) in (1, report.values["n_pairs"]):
        return None
    worst = sorted(failing, key=lambda name: (by[name]["pair_accuracy"], -by[name]["n_pairs"], name))[:FAMILIES_SHOWN]
    keys = ("side_accuracy", "relation_accuracy", "pair_accuracy")
    return Section(
        "Families that fail most",
        ("family", "pairs", "side", "relation", "pair"),
        [[name, str(by[name]["n_pairs"]), *(number(by[name][key]) for key in keys)] for name in worst],
        f"{len(worst)} of {len(failing)} families with a failing pair, of {len(by)} families",
    )


def confidence(report: PairReport) -> Section:
    """Coverage, the accuracies where both sides were answered, and what became of the confidence."""
    v = report.values
    answered, known = v["n_pairs"] - v["n_abstained"], v["n_pairs"] - v["n_missing_confidence"]
    change = "-" if math.isnan(v["mean_confidence_change"]) else f"{v['mean_confidence_change']:+.3f}"
    rows = [
        ["coverage", number(v["coverage"]), str(v["n_pairs"]), "pairs answered on both sides"],
        ["  no answer to base", _share(v["n_abstained_base"], v["n_pairs"]), str(v["n_pairs"]), ""],
        ["  no answer to edited", _share(v["n_abstained_edited"], v["n_pairs"]), str(v["n_pairs"]), ""],
        ["relation, answered", number(v["relation_accuracy_answered"]), str(answered), "of the answered pairs"],
        ["pair, answered", number(v["pair_accuracy_answered"]), str(answered), "of the answered pairs"],
        ["confidence change", change, str(known), "mean, edited minus base"],
        ["collapse", number(v["collapse_rate"]), str(v["n_still_right"]),
         f"still right, fell by more than {report.options.collapse:g}"],
    ]  # fmt: skip
    threshold = "" if report.threshold is None else f"predictions below {report.threshold:g} are abstentions"
    return Section("Confidence and abstention", ("", "value", "of pairs", "meaning"), rows, threshold)


def failure_rows(report: PairReport) -> list[tuple[str, str, str]]:
    """Failure type with its operators, number, and what it usually calls for."""
    rows = []
    for one in report.failure_types():
        named = ", ".join(f"{name} {n}" for name, n in one.operators)
        rows.append((one.title + (f" ({named})" if named else ""), str(one.n), one.calls_for))
    return rows


def failing_line(pair: FailingPair) -> str:
    """A failing pair in a line: id, operator, what is wrong, golds and answers."""
    row = pair.row
    golds = f"{row.base_label} > {row.edited_label}"
    answers = ((row.base_prediction, row.base_abstained), (row.edited_prediction, row.edited_abstained))
    said = " > ".join("no answer" if silent or text is None else text for text, silent in answers)
    mark = "critical, " if pair.critical else ""
    operator = f"{row.operator}: " if row.operator else ""
    return f"{row.id}: {operator}{mark}{TITLES[pair.kind]}; gold {golds}, answered {said}"
