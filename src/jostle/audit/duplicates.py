"""Cases that ask the same thing, and how much of an average they take."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from ..errors import MissingExtra, ModelError, UsageError
from ..measures.cosine_pairs import Vectors
from ..measures.duplicate_levels import LEVELS, Levels, duplicate_levels
from ..measures.fold import fold
from .base import Case, CheckResult, EvalSet, Finding
from .duplicates_findings import Told, counted, findings
from .similar import PACKAGED, Embedder, PackagedEncoder, SideEmbedder

LIMITATIONS = (
    "Cases that look alike are often meant to: contrast pairs, consistency tests, templates over many numbers. The "
    "check tells their weight in an average, not that a case is wrong. Read before deleting.",
    "A cosine is no judgement of meaning: a negated or reversed sentence is close to the original, and a paraphrase in "
    "other words can be far from it. The threshold is a convention; `scenarios_by_threshold` shows what it decides.",
    "Pairs near each other with another gold are told without a warning: sets like MNLI hold one premise with a "
    "hypothesis for each label.",
    "Clusters are linked through others: where A is like B and B like C, A and C can differ. The range of cosines "
    "within a cluster tells.",
    "The level `template` knows numbers in digits and words that this set writes with a capital within a sentence; "
    "names in texts without capitals, or that only begin sentences, are not seen.",
    "The level `typo` sees slips in texts that share 70 % of their character trigrams, or 55 % where they are short. "
    "Candidates come from MinHash, which misses one pair in twenty at 55 % and none at 70 %. Another word that is "
    "spelled alike passes for a slip.",
    "`effective_scenarios` takes cases of a cluster for one observation, `n_cases` takes them for independent; the "
    "truth lies between.",
    "A pair of texts is compared side by side in the order given; the same pair the other way round is not found.",
)
log = logging.getLogger("jostle")


class DuplicateCheck:
    """Find cases that ask the same thing: identical, normalised, template, typo and near-duplicates.

    Multiple-choice cases are compared with their options in any order, pairs with both sides, dialogues with all turns:
    cases are as alike as their least similar part. The levels are those of `jostle.measures.duplicate_levels`.

    Args:
        threshold: Cosine from which two cases are near-duplicates, in (0, 1].
        embedder: Any function from a list of texts to an array with a row for each; by default the packaged MiniLM
            encoder. Where its texts are cut, that is told: by its method `truncated(texts)` if it has one, otherwise
            by trying long texts with another ending.
        near: Whether to compare embeddings at all.

    Raises:
        UsageError: The threshold is outside (0, 1].

    >>> cases = [Case("a", "2 + 2?", {"input": "2 + 2?"}), Case("b", "2 + 2", {"input": "2 + 2"})]
    >>> result = DuplicateCheck(near=False).run(EvalSet(cases, {"input": "input"}, "sums.jsonl"))
    >>> result.stats["effective_scenarios"], [finding.kind for finding in result.findings]
    (1, ['normalised_identical'])
    """

    NAME = "duplicates"

    def __init__(self, threshold: float = 0.85, embedder: Embedder | None = None, near: bool = True) -> None:
        if not 0 < threshold <= 1:
            raise UsageError(f"Expected a duplicate threshold above 0 and at most 1, but got {threshold}.")
        self.threshold, self.embedder, self.near = threshold, embedder, near

    def run(self, evalset: EvalSet) -> CheckResult:
        """Compare all cases.

        Where the default encoder is not installed, the level `near` stands under `not_run` and the others are given.

        Raises:
            InputError: The embedder gives no vectors.
        """
        sides = sides_of(evalset)
        not_run: dict[str, str] = {}
        embed = self._embedder(not_run) if len(evalset) > 1 else None

        def vectors(chosen: Sequence[int]) -> list[Vectors]:
            assert embed is not None
            return embed([[side[k] for k in chosen] for side in sides])

        levels = duplicate_levels(
            sides,
            golds=[gold_of(case) for case in evalset.cases],
            raw=[_raw(case) for case in evalset.cases],
            embed=vectors if embed is not None else None,
            threshold=self.threshold,
        )
        cut = embed.cut if embed is not None else ()
        truncated = frozenset(k for side in sides for k, text in enumerate(side) if text in cut)
        told = Told(evalset.cases, levels, truncated, evalset.pair_fields is not None)
        return self._result(told, levels, not_run)

    def _embedder(self, not_run: dict[str, str]) -> SideEmbedder | None:
        if not self.near:
            return None
        try:
            return SideEmbedder(self.embedder if self.embedder is not None else PackagedEncoder())
        except (MissingExtra, ModelError) as error:
            not_run["near"] = f"{error} Or pass your own: DuplicateCheck(embedder=function)."
            return None

    def _result(self, told: Told, levels: Levels, not_run: dict[str, str]) -> CheckResult:
        found = findings(told)
        n_truncated = len(told.truncated)
        stats = levels.describe() | {
            "threshold": self.threshold,
            "embedder": None if "near" not in levels.clusters else PACKAGED if self.embedder is None else "given",
            "levels_run": [level for level in LEVELS if level in levels.clusters],
            "n_truncated": n_truncated,
            "n_repeated_options": sum(len(finding.case_ids) for finding in found if finding.kind == "repeated_options"),
        }
        notes = list(LIMITATIONS)
        if n_truncated:
            notes.insert(
                0,
                f"{counted(n_truncated, 'case')} compared on a truncated prefix: the embedder does not read the rest.",
            )
        if levels.n_left_out:
            notes.append(f"{levels.n_left_out} candidate pairs of the level `typo` were too many to be compared.")
        if not self.near:
            notes.append("Embeddings were not compared, as asked: rewordings are not found.")
        return CheckResult(self.NAME, summary(levels, found, not_run), found, stats, notes, not_run)


def sides_of(evalset: EvalSet) -> list[list[str]]:
    """The parts of the cases that must all agree: each input field, and the options in an order of their own."""
    names = list(dict.fromkeys(name for case in evalset.cases for name in case.fields))
    sides = [[_text(case.fields.get(name)) for case in evalset.cases] for name in names]
    if evalset.has_choices:
        sides.append(
            [" | ".join(sorted(case.choices or (), key=lambda text: (fold(text), text))) for case in evalset.cases]
        )
    return sides or [[case.text for case in evalset.cases]]


def _text(value: object) -> str:
    if value is None:
        return ""
    return "\n".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _raw(case: Case) -> tuple[object, ...]:
    return (*(_text(value) for value in case.fields.values()), case.choices)


def gold_of(case: Case) -> str | None:
    """The gold answer in a form in which equal answers are equal: folded, numbers as numbers.

    >>> gold_of(Case("a", "", {}, expected="4.0")) == gold_of(Case("b", "", {}, expected="4"))
    True
    """
    gold = case.gold if case.gold is not None else " | ".join(sorted(case.answers)) or None
    if gold is None:
        return None
    try:
        return repr(float(gold))
    except ValueError:
        return fold(gold)


def summary(levels: Levels, found: Sequence[Finding], not_run: dict[str, str]) -> str:
    """One line: cases, scenarios, clusters by level, contradictions."""
    stats = levels.describe()
    by_level = [f"{len(clusters)} {level}" for level, clusters in levels.clusters.items() if clusters]
    parts = [f"{counted(levels.n_cases, 'case')}, about {counted(stats['effective_scenarios'], 'scenario')}"]
    parts[0] += f" ({stats['redundant_share']:.0%} redundant)"
    parts.append(f"clusters: {', '.join(by_level)}" if by_level else "no duplicates")
    contradicting = sum(finding.kind == "contradicting_gold" for finding in found)
    parts += [f"{contradicting} with contradicting gold"] if contradicting else []
    parts += ["near-duplicates not run"] if not_run else []
    return "; ".join(parts) + "."


CHECK = DuplicateCheck
