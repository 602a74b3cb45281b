"""How the cases spread over classes, gold positions and lengths."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import UsageError
from ..measures.balance import (
    Balance,
    PositionBalance,
    class_balance,
    length_by_class,
    length_summary,
    position_balance,
)
from .base import Case, CheckResult, EvalSet, Finding
from .values import class_of

LIMITATIONS = (
    "The check sees whether classes are uneven, not whether they should be: where real inputs are uneven, a set that "
    "follows them may be right. Then read accuracy by class beside the average.",
    "The thresholds for small classes are conventions. How precise an accuracy is depends on the number of cases: "
    "`widest_interval_by_class` gives the width of its 95 % interval at worst.",
    "Classes are what the label column says; kinds of cases that no column names (topic, difficulty, language) are "
    "not seen.",
    "The test of gold positions is Pearson's chi-squared, an approximation; with fewer than five expected cases a "
    "position it is not made. An even spread does not say that a model has no preference for a position.",
    "Lengths are counted in words between spaces and in characters, not in a model's tokens; texts without spaces "
    "count as one word.",
)
RATIO = 3.0  # largest over smallest class from which the average is called uneven
ALPHA, MARGIN = 0.01, 0.05  # gold positions: uneven beyond chance, and by so much that answering blindly gains from it
FREE_TEXT = 0.5  # more classes per case than this: the labels are no classes
LENGTH_TELLS = 0.14  # epsilon squared that is by convention a large effect
FEW = 30
_TWO, _MANY = 2, 3


class ClassBalanceCheck:
    """Find classes that dominate or are too small to measure, gold options that favour a position, and lengths that
    tell the class.

    Args:
        min_class_share: Share of the labelled cases below which a class is small (with so many classes that an even
            share is below it: half the even share).
        min_class_count: Number of cases below which a class is small.

    Raises:
        UsageError: A share outside [0, 1], or a negative count.

    >>> cases = [Case(f"case_{k}", f"text {k}", {}, label="a" if k else "b") for k in range(10)]
    >>> [finding.kind for finding in ClassBalanceCheck().run(EvalSet(cases, {"label": "label"}, "set.csv")).findings]
    ['imbalance', 'small_class']
    """

    NAME = "class_balance"

    def __init__(self, min_class_share: float = 0.10, min_class_count: int = 5) -> None:
        if not 0 <= min_class_share <= 1 or min_class_count < 0:
            raise UsageError(
                "Expected min_class_share from 0 to 1 and min_class_count from 0 on, but got "
                f"{min_class_share} and {min_class_count}."
            )
        self.min_class_share, self.min_class_count = min_class_share, min_class_count

    def run(self, evalset: EvalSet) -> CheckResult:
        """Count classes, gold positions and lengths."""
        labels = class_labels(evalset)
        balance = class_balance(labels, self.min_class_share, self.min_class_count)
        texts = [case.text for case in evalset.cases]
        medians, tells = length_by_class(texts, labels)
        placed = [case for case in evalset.cases if case.choices is not None and case.answer_index is not None]
        positions = _positions(placed)
        found = [*_class_findings(evalset.cases, labels, balance, self.min_class_count)]
        found += _position_findings(positions)
        if tells >= LENGTH_TELLS and balance.n_labelled >= FEW and not _is_free_text(balance):
            found.append(_length_finding(medians, tells))
        stats = (balance.describe() if balance.counts else {"n_cases": len(labels), "n_labelled": 0}) | {
            "length": length_summary(texts),
            "words_median_by_class": {} if _is_free_text(balance) else medians,
            "length_epsilon_squared": tells,
            **_position_stats(positions),
        }
        return CheckResult(self.NAME, _summary(balance, positions, len(evalset)), found, stats, list(LIMITATIONS))


def class_labels(evalset: EvalSet) -> list[str | None]:
    """Class of each case; of multiple choice, what the label column says that was named beside the options."""
    column = evalset.field_map.get("label")
    if not evalset.has_choices:
        return [case.label for case in evalset.cases]
    return [None if column is None else class_of(case.metadata.get(column)) for case in evalset.cases]


def _positions(placed: Sequence[Case]) -> PositionBalance | None:
    if not placed:
        return None
    return position_balance(
        [case.answer_index for case in placed if case.answer_index is not None],
        [len(case.choices or ()) for case in placed],
    )


def _is_free_text(balance: Balance) -> bool:
    return len(balance.counts) > _MANY and len(balance.counts) > FREE_TEXT * balance.n_labelled


def _class_findings(
    cases: Sequence[Case], labels: Sequence[str | None], balance: Balance, min_count: int
) -> Iterator[Finding]:
    if not balance.counts:
        return
    values = balance.describe()
    n, classes = balance.n_labelled, len(balance.counts)
    if balance.n_unlabelled:
        missing = tuple(case.id for case, label in zip(cases, labels, strict=True) if label is None)
        yield Finding("unlabelled", f"{len(missing)} of {len(cases)} cases have no label.", missing, {}, "warning")
    if _is_free_text(balance):
        message = (
            f"{classes} different labels for {n} cases: they look like answers or ids, not like classes, so that "
            "their balance says nothing. Name the classes: --map label=COLUMN."
        )
        yield Finding("labels_are_no_classes", message, (), {"n_classes": classes}, "info")
        return
    names = list(balance.counts)
    largest, smallest = names[0], names[-1]
    if classes == 1:
        message = f"All {n} labelled cases have the class {largest!r}: a constant answer has the accuracy 1."
        yield Finding("single_class", message, (), {"subject": largest, "majority_share": 1.0})
    elif values["imbalance_ratio"] >= RATIO:
        message = (
            f"The classes are {values['imbalance_ratio']:.1f} to 1 ({largest!r} {balance.counts[largest]}, "
            f"{smallest!r} {balance.counts[smallest]}): always answering {largest!r} has the accuracy "
            f"{values['majority_share']:.2f}, where even classes would give {1 / classes:.2f}."
        )
        yield Finding("imbalance", message, (), {name: values[name] for name in ("imbalance_ratio", "majority_share")})
    yield from _spelled_alike(balance)
    yield from _small(cases, labels, balance, min_count)


def _small(cases: Sequence[Case], labels: Sequence[str | None], balance: Balance, min_count: int) -> Iterator[Finding]:
    small = [name for name in balance.counts if name in {*balance.small_by_share, *balance.small_by_count}]
    if len(small) > _MANY and len(small) > len(balance.counts) / 2:
        by_count = len(balance.small_by_count)
        message = (
            f"{len(small)} of {len(balance.counts)} classes are small ({by_count} below {min_count} cases, "
            f"{len(balance.small_by_share)} below a share of {balance.share_threshold:.3g}): accuracy by class means "
            "little in this set."
        )
        yield Finding("small_classes", message, (), {"classes": small})
        return
    members: defaultdict[str, list[str]] = defaultdict(list)
    for case, label in zip(cases, labels, strict=True):
        if label in small:
            members[label].append(case.id)
    for name in reversed(small):
        count = balance.counts[name]
        share = count / balance.n_labelled
        why = (
            [f"{count} {'case' if count == 1 else 'cases'}, below {min_count}"]
            if name in balance.small_by_count
            else []
        )
        why += (
            [f"{share:.1%} of the labelled cases, below {balance.share_threshold:.3g}"]
            if name in balance.small_by_share
            else []
        )
        message = (
            f"The class {name!r} is small: {'; '.join(why)}. Its accuracy can only be one of {count + 1} values, "
            f"{1 / count:.2f} apart."
        )
        values = {"class": name, "count": count, "share": share, "n_distinct_accuracies": count + 1}
        values |= {"below_count": name in balance.small_by_count, "below_share": name in balance.small_by_share}
        yield Finding("small_class", message, tuple(members[name]), values)


def _spelled_alike(balance: Balance) -> Iterator[Finding]:
    """Classes that differ in case, spaces or joining signs alone."""
    forms: defaultdict[str, list[str]] = defaultdict(list)
    for name in balance.counts:
        forms[" ".join(name.casefold().replace("_", " ").replace("-", " ").split()) or name].append(name)
    for names in forms.values():
        if len(names) > 1:
            written = ", ".join(f"{name!r} ({balance.counts[name]})" for name in names)
            message = f"One class seems to be written in {len(names)} ways: {written}."
            yield Finding("label_spelling", message, (), {"subject": "/".join(sorted(names)), "labels": names})


def _position_findings(positions: PositionBalance | None) -> Iterator[Finding]:
    if positions is None or not positions.df or positions.p_value >= ALPHA:
        return
    gain = positions.best_share - positions.chance
    if gain < MARGIN:
        return
    place = positions.counts.index(max(positions.counts))
    message = (
        f"The gold option stands at position {place + 1} in {positions.best_share:.1%} of {sum(positions.counts)} "
        f"cases, where an even spread gives {positions.chance:.1%} (chi-squared {positions.chi2:.1f}, df "
        f"{positions.df}, p = {positions.p_value:.2g}): answering that position blindly gains {100 * gain:.0f} points."
    )
    values = {"position": place + 1, "share": positions.best_share, "chance": positions.chance}
    yield Finding("gold_position", message, (), values | {"p_value": positions.p_value})


def _length_finding(medians: dict[str, float], tells: float) -> Finding:
    short, long = min(medians, key=lambda name: medians[name]), max(medians, key=lambda name: medians[name])
    message = (
        f"Length tells the class: it explains {tells:.0%} of the variation in words (median {medians[short]:g} for "
        f"{short!r}, {medians[long]:g} for {long!r})."
    )
    return Finding("length_by_class", message, (), {"epsilon_squared": tells, "words_median_by_class": medians}, "info")


def _position_stats(positions: PositionBalance | None) -> dict[str, Any]:
    if positions is None:
        return {}
    return {
        "gold_count_by_position": {str(k + 1): count for k, count in enumerate(positions.counts)},
        "position_chi2": positions.chi2 if positions.df else math.nan,
        "position_df": positions.df,
        "position_p_value": positions.p_value,
        "position_best_share": positions.best_share,
        "position_chance": positions.chance,
        "n_position_tested": positions.tested,
    }


def _summary(balance: Balance, positions: PositionBalance | None, n: int) -> str:
    parts = []
    if balance.counts:
        values = balance.describe()
        parts.append(
            f"{balance.n_labelled} labelled cases in {len(balance.counts)} "
            f"{'class' if len(balance.counts) == 1 else 'classes'}, largest to smallest "
            f"{values['imbalance_ratio']:.1f} to 1, majority {values['majority_share']:.1%}"
        )
    if positions is not None:
        spread = "/".join(map(str, positions.counts))
        tested = f"p = {positions.p_value:.2g}" if positions.df else "too few to test"
        parts.append(f"gold positions {spread} ({tested})")
    return f"{'; '.join(parts)}." if parts else f"{n} cases without classes or options: only lengths were measured."


CHECK = ClassBalanceCheck
