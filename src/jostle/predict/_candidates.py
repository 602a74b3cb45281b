"""What an attack may put in the place of each word: slips of the hand, and what operators offer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..errors import UsageError
from ..items import Item
from ..perturb import Change, NotApplicable, Operator, Passage
from ..perturb._important import FUNCTION_WORDS
from ..perturb._letters import KINDS, slips
from ..perturb.contract import seeded
from ..perturb.registry import find

NAME = "targeted"
_JOINED = r"[\w'\u2019\u00ad\u0300-\u036f\u200b-\u200d]"
_WORD = re.compile(rf"(?<!{_JOINED})[a-z]{{4,25}}+(?!{_JOINED}| n['\u2019]t)")
_DRAWS = 4  # how often an operator is asked: each draw may offer other words for the same place


class Slot(NamedTuple):
    """A place in a field and what may stand there instead."""

    field: str
    start: int
    end: int
    replacements: tuple[str, ...]

    def overlaps(self, other: Slot) -> bool:
        """Whether both take the same characters."""
        return self.field == other.field and self.start < other.end and other.start < self.end


def substitution_operators(names: Iterable[str]) -> tuple[Operator, ...]:
    """The operators of these names.

    Raises:
        UsageError: There is none of that name, or it changes the label, or it moves options.
    """
    operators = tuple(map(find, names))
    for operator in operators:
        if operator.relation != "invariant" or operator.vary is not None:
            raise UsageError(
                f"Expected operators that edit texts and keep the label, but got {operator.name!r}. Leave it out."
            )
    return operators


def slots_of(
    item: Item, fields: tuple[str, ...], operators: Iterable[Operator], letters: bool, per_word: int, seed: int
) -> list[Slot]:
    """Places outside protected spans with up to `per_word` replacements of each source, in text order."""
    places: dict[tuple[str, int, int], dict[str, None]] = {}
    if letters:
        for field in fields:
            for span, slipped in _slips(item, field, per_word, seed):
                places[field, *span] = dict.fromkeys(slipped)
    for operator in operators:
        offered: dict[tuple[str, int, int], dict[str, None]] = {}
        for field, change in _offers(operator, item, fields, seed):
            offered.setdefault((field, change.start, change.end), {})[change.replacement] = None
        for place, forms in offered.items():
            places.setdefault(place, {}).update(dict.fromkeys(list(forms)[:per_word]))
    return [Slot(*place, tuple(places[place])) for place in sorted(places)]


def _slips(item: Item, field: str, per_word: int, seed: int) -> Iterator[tuple[tuple[int, int], list[str]]]:
    passage = Passage(item.fields[field], item.task, field)
    for span in passage.free(_WORD):
        word = passage.text[slice(*span)]
        if word in FUNCTION_WORDS:
            continue
        forms = slips(word, KINDS)
        if len(forms) > per_word:
            forms = seeded(seed, NAME, item.id, f"{field} {word}").sample(forms, per_word)
        if forms:
            yield span, forms


def _offers(operator: Operator, item: Item, fields: tuple[str, ...], seed: int) -> Iterator[tuple[str, Change]]:
    """What an operator would change, whole words only, over a few draws."""
    if not operator.covers(item.task):
        return
    passages = {field: Passage(item.fields[field], item.task, field) for field in fields}
    for draw in range(_DRAWS):
        for field, changes in _asked(operator, item, passages, seed + draw).items():
            passage = passages.get(field)
            for change in changes:
                if passage and change.start < change.end and passage.is_free(change.start, change.end):
                    yield field, change


def _asked(operator: Operator, item: Item, passages: Mapping[str, Passage], seed: int) -> Mapping[str, list[Change]]:
    if operator.rewrite is not None:
        rng = seeded(seed, operator.name, item.id, "item")
        rewritten = operator.rewrite(item, tuple(passages), rng, 1.0)
        return {} if isinstance(rewritten, NotApplicable) else rewritten
    assert operator.edits is not None
    found: dict[str, list[Change]] = {}
    for field, passage in passages.items():
        asked = operator.edits(passage, seeded(seed, operator.name, item.id, field), 1.0)
        found[field] = [] if isinstance(asked, NotApplicable) else asked
    return found
