"""Rules of the ambiguity check: what each looks for, how much it says, and the cases that it flags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from . import clarity, gold, options
from .base import Case, EvalSet

Grade = Literal["strong", "weak", "note"]


@dataclass(frozen=True)
class Rule:
    """What a rule says of the cases that it flags.

    Args:
        grade: `strong`, more often wrong than not in the experts' labels, or wrong by logic: a warning. `weak`, of use
            to an editor, but no sign of a wrong gold in the experts' labels: information. `note`: no fault, but the
            scorer must know.
        text: What is the matter, after "3 cases".
    """

    grade: Grade
    text: str


@dataclass(frozen=True)
class Flag:
    """A case that a rule flags, and the words that it found."""

    kind: str
    case: int
    evidence: str = ""


RULES = {
    "impossible_gold": Rule("strong", "with a gold answer that is none of the options"),
    "missing_gold": Rule("strong", "without a gold answer, where others have one"),
    "placeholder_gold": Rule("strong", "whose gold answer stands for one that nobody has written"),
    "contradicting_gold": Rule("strong", "with the input of another but another gold"),
    "gold_option_twice": Rule("strong", "whose gold option stands twice, or in an equivalent form"),
    "several_gold_options": Rule("strong", "with several gold options"),
    "statements_absent": Rule("strong", "whose options name numbered statements that the question does not have"),
    "no_question": Rule("strong", "asking nothing: a statement with short options"),
    "refers_to_other_item": Rule("strong", "referring to another question or to a chapter"),
    "lost_exponent": Rule("strong", "with a power of ten that lost its exponent (2.2 x 1014)"),
    "question_in_option": Rule("strong", "with the question at the start of an option"),
    "lone_number_option": Rule("strong", "with a bare number among options of several words"),
    "equal_options": Rule("weak", "with two options that are equal or equivalent, neither the gold"),
    "material_absent": Rule("weak", "referring to a figure, table or passage that a short input cannot hold"),
    "letters_impossible": Rule("weak", "with an option made of letters of which one is its own or no option's"),
    "above_not_last": Rule("weak", "with an option such as 'all of the above' that has plain options below it"),
    "several_gold_answers": Rule("note", "with several gold answers: the scorer must accept any"),
}  # fmt: skip

_ON_TEXT: dict[str, Callable[[str], str | None]] = {
    "refers_to_other_item": clarity.other_item,
    "material_absent": clarity.absent_material,
}
_ON_OPTIONS: dict[str, Callable[[str, Sequence[str]], str | None]] = {
    "statements_absent": options.absent_statements,
    "no_question": clarity.no_question,
    "lost_exponent": clarity.lost_exponent,
    "question_in_option": clarity.stem_in_option,
    "lone_number_option": lambda _, own: clarity.lone_number(own),
    "letters_impossible": lambda _, own: options.bad_letters(own),
    "above_not_last": lambda _, own: options.above_not_last(own),
}


def flags(evalset: EvalSet) -> Iterator[Flag]:
    """All flags of a set, rule by rule and case by case."""
    cases = evalset.cases
    yield from _gold_flags(evalset)
    for k, case in enumerate(cases):
        if case.choices is not None:
            yield from _option_flags(k, case, case.choices)
        if case.choices is not None or (case.expected is not None and not evalset.pair_fields):
            for kind, find in _ON_TEXT.items():
                found = find(case.text)
                if found is not None:
                    yield Flag(kind, k, found)


def _gold_flags(evalset: EvalSet) -> Iterator[Flag]:
    cases = evalset.cases
    yield from (Flag("impossible_gold", k, text) for k, text in gold.impossible(cases))
    yield from (Flag("missing_gold", k) for k in gold.missing(cases))
    yield from (Flag("placeholder_gold", k, text) for k, text in gold.placeholders(cases))
    for group, golds in gold.contradictory(evalset):
        yield from (Flag("contradicting_gold", k, " / ".join(golds)) for k in group)
    for k, answers in gold.several(cases):
        kind = "several_gold_answers" if cases[k].choices is None else "several_gold_options"
        yield Flag(kind, k, " / ".join(answers))


def _option_flags(k: int, case: Case, own: Sequence[str]) -> Iterator[Flag]:
    same = list(options.same_options(own))
    at_gold = [pair for pair in same if case.answer_index in pair[:2]]
    if same:
        i, j, _ = (at_gold or same)[0]
        yield Flag("gold_option_twice" if at_gold else "equal_options", k, f"{own[i]} = {own[j]}")
    for kind, find in _ON_OPTIONS.items():
        found = find(case.text, own)
        if found is not None:
            yield Flag(kind, k, found)
