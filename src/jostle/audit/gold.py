"""Gold answers that are missing, impossible, several or contradicted."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ..measures.fold import fold
from ..measures.links import grouped
from ..measures.words import skim
from .base import Case, EvalSet
from .duplicates import gold_of, sides_of

PLACEHOLDERS = frozenset(("-", "--", "?", "??", "tbd", "todo", "fixme", "xxx", "n/a", "null", "nan", "placeholder"))
_ALTERNATIVES = re.compile(r"\sor\s|;\s|\beither\b|\balso\s+(?:correct|acceptable|accepted)\b", re.IGNORECASE)
_SHORT_GOLD = 12  # words; a longer reference answer is an explanation, where "or" means nothing


def has_gold(case: Case) -> bool:
    """Whether a case says anything about its gold answer."""
    return (
        case.answer_index is not None or bool(case.answers) or any((case.expected or "").strip() or (case.label or ""))
    )


def missing(cases: Sequence[Case]) -> list[int]:
    """Cases without a gold answer, in a set where others have one."""
    without = [k for k, case in enumerate(cases) if not has_gold(case)]
    return without if len(without) < len(cases) else []


def placeholders(cases: Sequence[Case]) -> Iterator[tuple[int, str]]:
    """Gold answers that stand for one that nobody has written yet."""
    for k, case in enumerate(cases):
        gold = case.expected if case.expected is not None else case.label
        if case.choices is None and gold is not None and gold.strip().casefold() in PLACEHOLDERS:
            yield k, gold


def impossible(cases: Sequence[Case]) -> Iterator[tuple[int, str]]:
    """Multiple-choice cases whose gold is none of the options."""
    for k, case in enumerate(cases):
        if case.choices is None:
            continue
        index = case.answer_index
        if index is not None and not 0 <= index < len(case.choices):
            yield k, f"option {index} of {len(case.choices)}"
        elif index is None and not case.answers and (case.expected or case.label):
            yield k, str(case.expected or case.label)


def several(cases: Sequence[Case]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Cases that list several different gold answers, or whose short gold answer names alternatives."""
    for k, case in enumerate(cases):
        distinct = tuple({fold(answer): answer for answer in case.answers}.values())
        if len(distinct) > 1:
            yield k, distinct
        elif case.choices is None and _names_alternatives(case.expected or ""):
            yield k, (str(case.expected),)


def _names_alternatives(text: str) -> bool:
    return len(text.split()) <= _SHORT_GOLD and _ALTERNATIVES.search(text) is not None


def contradictory(evalset: EvalSet) -> Iterator[tuple[list[int], list[str]]]:
    """Cases with the same input (and options, in any order) but for case, spaces and punctuation, and other golds."""
    cases = evalset.cases
    groups: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    sides = sides_of(evalset)
    alike = grouped(tuple(skim(side[k]) for side in sides) for k in range(len(cases)))  # few are folded, which is dear
    for k in (k for group in alike for k in group):
        groups[tuple(fold(side[k]) for side in sides)].append(k)
    for group in groups.values():
        golds: Mapping[str | None, str] = {
            gold_of(cases[k]): str(cases[k].gold) for k in group if _is_possible(cases[k])
        }
        shown = [text for gold, text in golds.items() if gold is not None]
        if len(group) > 1 and len(shown) > 1:
            yield group, shown


def _is_possible(case: Case) -> bool:
    return case.choices is None or case.answer_index is None or 0 <= case.answer_index < len(case.choices)


def spellings(cases: Sequence[Case]) -> list[list[str]]:
    """Classes that differ in case or spaces alone."""
    forms: defaultdict[str, set[str]] = defaultdict(set)
    for case in cases:
        if case.label is not None and case.choices is None:
            forms[" ".join(case.label.casefold().split())].add(case.label)
    return [sorted(group) for _, group in sorted(forms.items()) if len(group) > 1]
