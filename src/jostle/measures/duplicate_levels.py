"""Cases that ask the same thing, level by level: identical, normalised, template, typo and near."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .char_pairs import gram_sets, link_alike
from .cosine_pairs import TOLERANCE, Vectors, cosine_pairs, cosine_range
from .fold import NUMBERS, differences, fold, is_template, name_words, skeleton
from .links import Links, grouped, redundancy
from .typos import same_but_for_typos

LEVELS = ("identical", "normalised", "template", "typo", "near")
SAME_TEXT = frozenset(("identical", "normalised"))
THRESHOLDS = (0.8, 0.85, 0.9, 0.95)  # at which the number of scenarios is told beside the threshold chosen
ENOUGH = 20  # distinct golds of one cluster are compared with each other
Embed = Callable[[Sequence[int]], Sequence[Vectors]]


@dataclass(frozen=True)
class Cluster:
    """Cases that are linked on one level, directly or through others.

    Args:
        level: One of `LEVELS`.
        members: Numbers of the cases, ascending.
        gold: `shared`, `contradicting`, `different` (and the texts differ in what `differs` names, or are one template)
            or `unlabelled`.
        differs: In which of negation, numbers and names the texts are not alike.
        cosines: Lowest and highest cosine between any two members, on the level `near`.
    """

    level: str
    members: tuple[int, ...]
    gold: str
    differs: tuple[str, ...] = ()
    cosines: tuple[float, float] | None = None


@dataclass(frozen=True)
class Levels:
    """What was found on each level.

    Args:
        n_cases: Cases compared.
        clusters: Clusters by level; `near` is absent where there were no vectors.
        scenarios: Cases by scenario: linked on any level but `template`.
        families: The same, `template` included.
        by_threshold: Number of scenarios by cosine threshold, without templates.
        n_near_pairs: Pairs of distinct texts at or above the threshold.
        n_left_out: Candidate pairs of the level `typo` that were too many to count.
    """

    n_cases: int
    clusters: Mapping[str, Sequence[Cluster]]
    scenarios: Sequence[Sequence[int]]
    families: Sequence[Sequence[int]]
    by_threshold: Mapping[float, int]
    n_near_pairs: int
    n_left_out: int

    def describe(self) -> dict[str, Any]:
        """The numbers, as they stand in a report.

        Returns:
            `n_cases`; `effective_scenarios` = n - sum over scenarios of (size - 1), the number of scenarios;
            `effective_with_templates`, the same where a template counts as one; `effective_by_weight` = n^2 / sum of
            size^2, how many equally weighted scenarios an average rests on (Kish, for cases of a scenario that agree
            completely); `redundant_share` = redundant / n; `largest_share`, the weight of the largest scenario;
            `by_level`, with `n_clusters`, `n_cases`, `n_redundant`, `largest_share` and `n_contradicting` of each;
            `scenarios_by_threshold`; and `n_near_pairs`.
        """
        n = self.n_cases
        whole = redundancy(self.scenarios, n)
        squares = n - whole["n_cases"] + sum(len(group) ** 2 for group in self.scenarios)
        return {
            "n_cases": n,
            "effective_scenarios": n - whole["n_redundant"],
            "effective_with_templates": n - redundancy(self.families, n)["n_redundant"],
            "effective_by_weight": n**2 / squares if n else math.nan,
            "redundant_share": whole["n_redundant"] / n if n else math.nan,
            "largest_share": whole["largest_share"],
            "by_level": {
                level: dict(redundancy([c.members for c in found], n))
                | {"n_contradicting": sum(c.gold == "contradicting" for c in found)}
                for level, found in self.clusters.items()
            },
            "scenarios_by_threshold": {f"{threshold:g}": count for threshold, count in self.by_threshold.items()},
            "n_near_pairs": self.n_near_pairs,
        }


def duplicate_levels(
    sides: Sequence[Sequence[str]],
    *,
    golds: Sequence[str | None] | None = None,
    raw: Sequence[Hashable] | None = None,
    embed: Embed | None = None,
    threshold: float = 0.85,
) -> Levels:
    """Find cases that ask the same thing.

    * `identical`: every side is the same text.
    * `normalised`: the same after `fold` (case, spaces, sentence punctuation, Unicode forms).
    * `template`: the same but for numbers and names.
    * `typo`: the same but for typing errors: trigrams with Jaccard >= 0.7 (0.55 in short texts), and only words that
      are slips differ.
    * `near`: cosine >= threshold on every side.

    The order of the cases changes nothing but their numbers.

    Args:
        sides: For each part of a case that must agree (premise and hypothesis; question and options), n texts.
        golds: Gold answers, None where there is none.
        raw: What must be equal to be identical, by default the sides.
        embed: Unit vectors of the cases asked for, an array for each side, the most telling side first.
        threshold: Cosine from which two cases are near-duplicates, in (0, 1].

    Raises:
        ValueError: Sides of different lengths, or a threshold outside (0, 1].

    >>> found = duplicate_levels([["What is 2 + 2?", "what is 2 + 2", "What is 3 + 4?"]], golds=["4", "5", "7"])
    >>> [(c.level, c.members, c.gold) for level in found.clusters.values() for c in level]
    [('normalised', (0, 1), 'contradicting'), ('template', (0, 1, 2), 'different')]
    >>> found.describe()["effective_scenarios"]
    2
    """
    if not 0 < threshold <= 1:
        raise ValueError(f"Expected `threshold` to be above 0 and at most 1, but got {threshold}.")
    if len({len(side) for side in sides}) != 1 or len(golds or sides[0]) != len(sides[0]):
        raise ValueError("Expected sides and golds of one length each, but got different ones.")
    return _Comparison(sides, golds, raw, threshold).run(embed)


class _Comparison:
    def __init__(
        self,
        sides: Sequence[Sequence[str]],
        golds: Sequence[str | None] | None,
        raw: Sequence[Hashable] | None,
        threshold: float,
    ) -> None:
        self.n, self.sides, self.threshold = len(sides[0]), sides, threshold
        self.golds = golds if golds is not None else [None] * self.n
        self.raw = raw if raw is not None else list(zip(*sides, strict=True))
        self.names = name_words(text for side in sides for text in side)
        self.keys = list(zip(*([fold(text) for text in side] for side in sides), strict=True))
        # One case for each folded text, in the order of these texts: no result depends on the order of the cases.
        cases: dict[tuple[str, ...], list[int]] = {}
        for k, key in enumerate(self.keys):
            cases.setdefault(key, []).append(k)
        self.cases_of = [cases[key] for key in sorted(cases)]
        self.first_of = [min(group, key=lambda k: tuple(side[k] for side in sides)) for group in self.cases_of]

    def run(self, embed: Embed | None) -> Levels:
        identical = grouped(self.raw)
        normalised = [g for g in grouped(self.keys) if len({self.raw[k] for k in g}) > 1]
        template = [g for g in grouped(self._masks()) if len({self.keys[k] for k in g}) > 1]
        typos, left_out = self._typos()
        found = {
            "identical": [self._cluster("identical", group) for group in identical],
            "normalised": [self._cluster("normalised", group) for group in normalised],
            "template": [self._cluster("template", group) for group in template],
            "typo": [self._cluster("typo", group) for group in sorted(map(self._all, typos.groups()))],
        }
        by_threshold: dict[float, int] = {}
        n_pairs = 0
        linked = typos
        if embed is not None and len(self.first_of) > 1:
            vectors = embed(self.first_of)
            near, n_pairs = self._near(vectors)
            alike = sorted((self._all(group), group) for group in near[self.threshold].groups())
            found["near"] = [self._cluster("near", cases, cosine_range(vectors, group)) for cases, group in alike]
            for links in near.values():
                links.join(np.arange(len(typos.roots)), typos.roots)
            by_threshold = {level: len(np.unique(links.roots)) for level, links in sorted(near.items())}
            linked = near[self.threshold]
        elif embed is not None:
            found["near"] = []
        scenarios = Links(self.n)
        for group in [*self.cases_of, *map(self._all, linked.groups())]:
            scenarios.join(group[:-1], group[1:])
        groups = scenarios.groups()
        for group in template:
            scenarios.join(group[:-1], group[1:])
        return Levels(self.n, found, groups, scenarios.groups(), by_threshold, n_pairs, left_out)

    def _all(self, group: Sequence[int]) -> list[int]:
        """The cases of some folded texts."""
        return sorted(case for k in group for case in self.cases_of[k])

    def _masks(self) -> list[tuple[str, ...] | None]:
        found = []
        for k, key in enumerate(self.keys):
            masks = [skeleton(side[k], self.names, text) for side, text in zip(self.sides, key, strict=True)]
            mask = tuple(mask or text for mask, text in zip(masks, key, strict=True))
            found.append(mask if any(masks) and is_template(" ".join(mask)) else None)
        return found

    def _typos(self) -> tuple[Links, int]:
        keys = [self.keys[k] for k in self.first_of]
        if not keys:
            return Links(0), 0
        words = [[text.split() for text in key] for key in keys]
        numbers: dict[tuple[str, ...], int] = {}
        apart = [numbers.setdefault(tuple(NUMBERS.findall("\n".join(key))), len(numbers)) for key in keys]

        def confirm(i: int, j: int) -> bool:
            return all(map(same_but_for_typos, words[i], words[j]))

        sides = [gram_sets(side) for side in zip(*keys, strict=True)]
        return link_alike(sides, np.array(apart), confirm)

    def _near(self, vectors: Sequence[Vectors]) -> tuple[dict[float, Links], int]:
        """Links of the folded texts at each threshold, and the number of pairs at the one chosen."""
        found = {level: Links(len(self.first_of)) for level in {*THRESHOLDS, self.threshold}}
        n_pairs = 0
        for first, second, cosine in cosine_pairs(vectors, min(found)):
            for level, links in found.items():
                # what `cosine_pairs` takes for the lowest threshold holds for all
                reached = cosine >= level - TOLERANCE
                links.join(first[reached], second[reached])
                n_pairs += int(reached.sum()) if level == self.threshold else 0
        return found, n_pairs

    def _cluster(self, level: str, members: Sequence[int], cosines: tuple[float, float] | None = None) -> Cluster:
        differs: list[str] = []
        if level not in SAME_TEXT:
            differs = differences(("\n".join(side[k] for side in self.sides) for k in members), self.names)
        golds = {gold for k in members if (gold := self.golds[k]) is not None}
        if level not in SAME_TEXT:
            golds = _but_for_typos(golds)
        gold = ("unlabelled", "shared")[len(golds)] if len(golds) < 2 else "contradicting"  # noqa: PLR2004
        if gold == "contradicting" and (differs or level == "template"):
            gold = "different"
        return Cluster(level, tuple(members), gold, tuple(differs), cosines)


def _but_for_typos(golds: set[str]) -> set[str]:
    """One of the golds that are the same but for typing errors, which go with those of the texts."""
    kept: list[str] = []
    for gold in sorted(golds):
        if not any(same_but_for_typos(gold.split(), other.split()) for other in kept[:ENOUGH]):
            kept.append(gold)
    return set(kept)
