"""What the leakage check says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from .against import Overlap
from .base import Case, Finding
from .duplicates_findings import counted
from .leak_cues import CUES, Cue, hit_ids, ids_of
from .leak_texts import Place
from .one_side import Baseline

ALPHA = 0.05
_SHOWN = 60
_PARTS = {
    "announced": ("answer_announced", "announce the gold answer in the input"),
    "demonstrations": ("answer_in_demonstrations", "have their own question or gold answer in the demonstrations"),
    "instructions": ("answer_in_instructions", "have the gold answer in the instructions before the question"),
    "input": ("answer_in_input", "have the gold answer in the input"),
}
_SIDES = {
    "answer_only": "Each option by its own words",
    "options_only": "The options without the question",
}


def place_findings(places: Sequence[Place], cases: Sequence[Case], widespread: float) -> Iterator[Finding]:
    """Gold answers in inputs, by part of the input; what most of the set has is told once, as information."""
    by_part: defaultdict[str, list[Place]] = defaultdict(list)
    for place in places:
        by_part[place.where].append(place)
    for where, (kind, text) in _PARTS.items():
        held = by_part.get(where, [])
        if not held:
            continue
        share = len(held) / len(cases)
        usual = where == "input" and share >= widespread and len(cases) > 1
        verbatim = sum(place.level == "verbatim" for place in held)
        values = {"n": len(held), "share": share, "n_verbatim": verbatim}
        message = f"{counted(len(held), 'case')} ({share:.1%}) {text if len(held) > 1 else _singular(text)}"
        example = f' First: {cases[held[0].case].id}, "{_short(held[0].evidence)}".'
        if usual:
            message += ": reading it off is the task, or the set measures nothing else."
            yield Finding("answers_in_inputs_widespread", message + example, (), values, "info")
        else:
            yield Finding(kind, message + "." + example, ids_of({place.case for place in held}, cases), values)


def _singular(text: str) -> str:
    return text.replace("announce ", "announces ", 1).replace("have ", "has ", 1).replace("their", "its")


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def column_findings(places: Sequence[Place], cases: Sequence[Case]) -> Iterator[Finding]:
    """Columns that hold gold answers."""
    columns: defaultdict[str, set[int]] = defaultdict(set)
    for place in places:
        columns[place.where].add(place.case)
    for name, held in columns.items():
        message = (
            f"The column {name!r} holds the gold answer of {counted(len(held), 'case')}: a leak if it goes into the "
            "prompt, harmless otherwise."
        )
        yield Finding("answer_in_column", message, ids_of(held, cases), {"column": name, "n": len(held)}, "info")


def cue_findings(cues: Sequence[Cue], cases: Sequence[Case], min_gain: float) -> Iterator[Finding]:
    """Cues that point to the gold more often than chance, after Holm's adjustment."""
    for cue in cues:
        numbers = cue.describe()
        above = numbers["share_ci_low"] > cue.expected + min_gain
        if not (cue.told and above and cue.p_value <= ALPHA):
            continue
        kind = "class_named_cue" if cue.name == "class_named" else f"{cue.name}_cue"
        subject = (
            "The only class that an input names" if cue.name == "class_named" else f"The option that {CUES[cue.name]}"
        )
        message = (
            f"{subject} is the gold in {numbers['share']:.0%} of {counted(len(cue.told), 'case')} (95 % interval "
            f"{numbers['share_ci_low']:.0%} to {numbers['share_ci_high']:.0%}; chance {cue.expected:.0%}; exact "
            f"p = {cue.p_value:.2g}, Holm)."
        )
        ids = tuple(hit_ids(cue, cases)) if cue.name in ("only_in_input", "class_named") else ()
        # A class that its input names is often the topic and not a leak: for people to look at.
        yield Finding(kind, message, ids, numbers, "info" if cue.name == "class_named" else "warning")


def baseline_findings(learned: Sequence[Baseline], min_gain: float) -> Iterator[Finding]:
    """Baselines whose gain over a guess is beyond its interval."""
    for one in sorted(learned, key=lambda baseline: -baseline.gain):
        if not (one.gain_low > min_gain and one.p_value <= ALPHA):
            continue
        of_options = one.name in _SIDES
        subject = _SIDES.get(one.name, f"The {one.name} alone")
        guess = "chance" if of_options else "the majority class"
        message = (
            f"{subject}: a linear model on words is right in {one.accuracy:.1%} of {counted(one.n, 'held-out case')} "
            f"(95 % interval {one.low:.1%} to {one.high:.1%}), {guess} in {one.guess:.1%}: {100 * one.gain:+.1f} "
            f"points ({100 * one.gain_low:+.1f} to {100 * one.gain_high:+.1f})."
        )
        kind = f"{one.name}_predicts_gold" if of_options else "one_side_predicts_gold"
        yield Finding(kind, message, (), {"baseline": one.name, **one.describe()})


def against_findings(overlap: Overlap, cases: Sequence[Case], source: str, ngram: int) -> Iterator[Finding]:
    """Cases that stand in another file, by level."""
    n = len(cases)
    for kind, held, text in (
        ("in_other_file", overlap.identical, "as it is"),
        ("in_other_file_normalised", overlap.normalised, "but for case, spaces or punctuation"),
    ):
        if held:
            message = (
                f"The whole input of {counted(len(held), 'case')} ({len(held) / n:.1%}) stands in {source} {text}."
            )
            yield Finding(kind, message, ids_of(set(held), cases), {"n": len(held), "share": len(held) / n})
    partly = overlap.by_ngram
    if partly:
        shares = [float(overlap.covered[k]) for k in partly]
        half = sum(share >= 0.5 for share in shares)  # noqa: PLR2004 - most of a text
        message = (
            f"{counted(len(partly), 'case')} ({len(partly) / n:.1%}) {'shares' if len(partly) == 1 else 'share'} a run "
            f"of {ngram} words (or a whole shorter text) with {source}; {half} of them half of all runs or more."
        )
        values = {
            "n": len(partly),
            "n_half": half,
            "covered": {cases[k].id: s for k, s in zip(partly, shares, strict=True)},
        }
        yield Finding("ngrams_in_other_file", message, tuple(cases[k].id for k in partly), values)
    sides = overlap.one_side - set(partly)
    if sides:
        message = (
            f"{counted(len(sides), 'case')} {'has' if len(sides) == 1 else 'have'} one side of the pair in {source}."
        )
        yield Finding("side_in_other_file", message, ids_of(set(sides), cases), {"n": len(sides)}, "info")
