"""What the duplicate check says of each cluster."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..measures.duplicate_levels import SAME_TEXT, Cluster, Levels
from ..measures.fold import fold
from .base import Case, Finding, Severity

KINDS = {
    "identical": ("identical", "have the identical input"),
    "normalised": ("normalised_identical", "have the same input but for case, spaces or punctuation"),
    "template": ("template", "have the same input but for numbers or names"),
    "typo": ("typo_duplicates", "have the same input but for typing errors"),
    "near": ("near_duplicates", "are near-duplicates"),
}
GOLD = 40  # characters of a gold answer that are shown
_CAPITALISED = re.compile(r"\b[A-Z][a-z]{2,}\b")
MOST = 0.5  # a property that more than this share of the set has is told once


@dataclass(frozen=True)
class Told:
    """What the findings tell of.

    Args:
        cases: The cases.
        levels: Their clusters.
        truncated: Numbers of the cases of which the embedder read a prefix alone.
        pairs: Whether the cases are pairs of texts.
    """

    cases: Sequence[Case]
    levels: Levels
    truncated: frozenset[int]
    pairs: bool = False


def counted(n: int, word: str) -> str:
    """A number with its noun.

    >>> counted(1, "case"), counted(2, "case")
    ('1 case', '2 cases')
    """
    return f"{n} {word}" if n == 1 else f"{n} {word}s"


def findings(told: Told) -> list[Finding]:
    """Findings of all levels, contradicting gold first and templates last.

    A cluster of a level that is no more than one of a level told already is left out: identical cases within a
    normalised cluster, typos within a near one.
    """
    clusters = told.levels.clusters
    found = [
        *_of_level(told, clusters["normalised"], []),
        *_of_level(told, clusters["identical"], clusters["normalised"]),
        *_of_level(told, clusters["typo"], clusters.get("near", [])),
        *_of_level(told, clusters.get("near", []), []),
        *_repeated_options(told.cases),
        *_templates(told, clusters["template"]),
    ]
    order = ("contradicting_gold", "similar_text_other_gold")
    return sorted(found, key=lambda f: (order.index(f.kind) if f.kind in order else 2, f.severity != "warning"))


def _of_level(told: Told, clusters: Sequence[Cluster], within: Sequence[Cluster]) -> Iterator[Finding]:
    home = {k: number for number, cluster in enumerate(within) for k in cluster.members}
    for cluster in clusters:
        homes = {home.get(k) for k in cluster.members}
        if len(homes) > 1 or homes == {None}:
            yield _finding(told, cluster)


def _finding(told: Told, cluster: Cluster) -> Finding:
    kind, what = KINDS[cluster.level]
    size, n = len(cluster.members), len(told.cases)
    if cluster.cosines is not None:
        low, high = (f"{cosine:.2f}" for cosine in cluster.cosines)
        what += f" (cosine {low})" if low == high else f" (cosine {low} to {high})"
    parts = [f"{size} cases {what}: {100 * size / n:.2g} % of an average over {n} cases."]
    parts.append(_gold(told.cases, cluster))
    if cluster.differs:
        parts.append(f"They differ in {', '.join(cluster.differs)}: read before deleting.")
    elif cluster.level not in SAME_TEXT:
        parts.append("Read before deleting.")
    cut = len(told.truncated.intersection(cluster.members)) if cluster.level == "near" else 0
    if cut:
        parts.append(f"Compared on a truncated prefix: {cut} of them.")
    if cluster.gold == "contradicting":
        kind = "contradicting_gold" if cluster.level in SAME_TEXT else "similar_text_other_gold"
    values = {
        "level": cluster.level,
        "gold": cluster.gold,
        "share": size / n,
        "differs": list(cluster.differs),
        "n_truncated": cut,
    }
    if cluster.cosines is not None:
        values |= {"min_cosine": cluster.cosines[0], "max_cosine": cluster.cosines[1]}
    ids = tuple(told.cases[k].id for k in cluster.members)
    return Finding(kind, " ".join(part for part in parts if part), ids, values, _severity(cluster, told.pairs))


def _severity(cluster: Cluster, pairs: bool) -> Severity:
    """A template, and cases like a contrast pair (another text, another gold), are as a rule meant.

    So is one premise with a hypothesis for each label, which are often near each other.
    """
    meant = cluster.level == "template" or cluster.gold == "different"
    return "info" if meant or (pairs and cluster.level == "near" and cluster.gold == "contradicting") else "warning"


def _gold(cases: Sequence[Case], cluster: Cluster) -> str:
    golds = Counter(gold for k in cluster.members if (gold := cases[k].gold) is not None)
    shown = ", ".join(_short(gold) for gold in list(golds)[:3]) + (", ..." if len(golds) > 3 else "")  # noqa: PLR2004
    return {
        "shared": f"They share the gold {shown}.",
        "different": f"Their gold differs ({shown}), as the texts do.",
        "contradicting": f"Their gold contradicts: {shown}."
        if cluster.level in SAME_TEXT
        else f"Their gold differs ({shown}): one is wrong, or they do not ask the same.",
        "unlabelled": "",
    }[cluster.gold]


def _short(text: str) -> str:
    return repr(text if len(text) <= GOLD else text[: GOLD - 3] + "...")


def _templates(told: Told, clusters: Sequence[Cluster]) -> Iterator[Finding]:
    n, covered = len(told.cases), sum(len(cluster.members) for cluster in clusters)
    if covered <= MOST * n or len(clusters) == 1:
        yield from (_finding(told, cluster) for cluster in clusters)
        return
    largest = max(len(cluster.members) for cluster in clusters)
    message = (
        f"{counted(covered, 'case')} of {n} follow {counted(len(clusters), 'template')} (the same input but for "
        f"numbers or names), the largest {counted(largest, 'case')}: the set is made from templates."
    )
    yield Finding("template", message, (), {"n_cases": covered, "n_templates": len(clusters)}, "info")


def _repeated_options(cases: Sequence[Case]) -> Iterator[Finding]:
    """Cases that offer the same option twice; where it is the gold, two answers are right."""
    ids, at_gold = [], []
    for case in cases:
        options = [_option(option) for option in case.choices or ()]
        repeated = {option for option, count in Counter(options).items() if count > 1}
        if repeated:
            ids.append(case.id)
            if case.answer_index is not None and options[case.answer_index] in repeated:
                at_gold.append(case.id)
    if ids:
        message = (
            f"{counted(len(ids), 'case')} {'offers' if len(ids) == 1 else 'offer'} the same option twice, but for "
            f"case, spaces or punctuation; in {len(at_gold)} it is the gold, so that two answers are right."
        )
        yield Finding("repeated_options", message, tuple(ids), {"gold_repeated": at_gold})


def _option(text: str) -> str:
    """An option for comparison: words with a capital in front are lowered, for case tells others apart: Aa and AA, Sc
    and sC."""
    return fold(_CAPITALISED.sub(lambda match: match.group().lower(), text), case=True)
