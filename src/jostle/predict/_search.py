"""The search of an attack on one item, as a generator: it yields texts and is sent their scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..items import Item
from ..perturb import Change, NotApplicable, Operator, Variant, apply
from ._candidates import NAME, Slot

Texts = tuple[str, ...]
Valid = Callable[[Variant], bool]
_DIGITS = 4  # probabilities differ in later digits when a model runs other batches


class Score(NamedTuple):
    """Probability of the gold label, and whether it is still the likeliest."""

    gold: float
    held: bool


class State(NamedTuple):
    """Replacements made so far, and the probability of the gold label after them."""

    variant: Variant | None
    taken: tuple[tuple[Slot, str], ...]
    gold: float

    def order(self) -> tuple[float, int]:
        """Lowest probability of the gold label first, then fewest edits."""
        return round(self.gold, _DIGITS), len(self.taken)


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of the search.

    Args:
        width: States kept after each word; 1 is a greedy search.
        queries: Most distinct inputs an item may cost.
        edits: Most words to edit.
    """

    width: int
    queries: int
    edits: int


class Found(NamedTuple):
    """How the search ended: the variant that flips the label, or the strongest that does not, or why none."""

    success: bool
    queries: int
    variant: Variant | NotApplicable


Search = Generator[list[Texts], list[Score], Found]
Asking = Generator[list[Texts], list[Score], list[Score]]


def _rewrite(
    item: Item, sides: tuple[str, ...], rng: object, rate: float, *, changes: Mapping[str, list[Change]]
) -> Mapping[str, list[Change]]:
    return changes


TARGETED = Operator(
    NAME,
    "adv",
    "invariant",
    ("*",),
    "The same text with a few words replaced, each so that the model under attack is less sure of the gold label.",
    (
        "The edits are chosen against one model: another may not see them as hard.",
        "What keeps the meaning is the list of replacements and the `valid` filter; nothing else checks it.",
    ),
    rewrite=_rewrite,
)


def edit_limit(item: Item, fields: Iterable[str], rate: float) -> int:
    """Most words to edit: the share `rate` of the words of the fields, rounded up."""
    return math.ceil(rate * sum(len(item.fields[field].split()) for field in fields))


def search(item: Item, slots: Sequence[Slot], limits: Limits, valid: Valid, seed: int, side: str) -> Search:
    """Try words from the most to the least important, and stop at the first change of the label."""
    seen: dict[Texts, Score] = {}
    (start,) = yield from _ask(seen, [tuple(item.fields.values())])
    if not start.held:
        return Found(False, 1, none_of(item, "already wrong"))
    beam, tried = [State(None, (), start.gold)], list[State]()
    for slot in (yield from _ranked(item, slots, seen, limits)):
        options = [made for state in beam for made in _options(item, state, slot, limits, valid, seed, side)]
        new = [option for option in options if _texts(option) not in seen]
        room = limits.queries - len(seen)
        scores = yield from _ask(seen, [_texts(option) for option in new[:room]])
        scored = [o._replace(gold=s.gold) for o, s in zip(new, scores, strict=False)]
        flipped = [o for o, s in zip(scored, scores, strict=True) if not s.held]
        if flipped:
            return _found(True, seen, min(flipped, key=State.order))
        if len(new) > room:
            return Found(False, len(seen), none_of(item, "budget spent"))
        tried = sorted(tried + scored, key=State.order)[:1]
        beam = sorted(beam + scored, key=State.order)[: limits.width]
    return _found(False, seen, tried[0]) if tried else Found(False, len(seen), none_of(item, "no candidates"))


def _found(success: bool, seen: Mapping[Texts, Score], state: State) -> Found:
    assert state.variant is not None
    return Found(success, len(seen), state.variant)


def _ask(seen: dict[Texts, Score], texts: Sequence[Texts]) -> Asking:
    """Scores of the texts; only those not seen before are asked for."""
    new = list(dict.fromkeys(text for text in texts if text not in seen))
    if new:
        seen.update(zip(new, (yield new), strict=True))
    return [seen[text] for text in texts]


def _ranked(
    item: Item, slots: Sequence[Slot], seen: dict[Texts, Score], limits: Limits
) -> Generator[list[Texts], list[Score], list[Slot]]:
    """Slots by how little of the gold label is left without their words."""
    without = {_without(item, slot): None for slot in slots}
    room = limits.queries - len(seen)
    yield from _ask(seen, list(without)[:room])
    lowest = Score(1.0, True)  # beyond the budget: last, where they will not be reached
    return sorted(slots, key=lambda slot: round(seen.get(_without(item, slot), lowest).gold, _DIGITS))


def _without(item: Item, slot: Slot) -> Texts:
    """The item without the words of the slot, nor the space they leave over."""
    text = item.fields[slot.field]
    head, rest = text[: slot.start], text[slot.end :]
    if not head or head.endswith(" "):
        rest = rest.removeprefix(" ")
    return tuple(head + rest if field == slot.field else other for field, other in item.fields.items())


def _options(
    item: Item, state: State, slot: Slot, limits: Limits, valid: Valid, seed: int, side: str
) -> Iterable[State]:
    """The state with each replacement of the slot, where there is room for it and the variant is valid."""
    if len(state.taken) >= limits.edits or any(slot.overlaps(other) for other, _ in state.taken):
        return
    for replacement in slot.replacements:
        taken = (*state.taken, (slot, replacement))
        changes: dict[str, list[Change]] = {}
        for place, put in taken:
            changes.setdefault(place.field, []).append(Change(place.start, place.end, put))
        variant = apply(TARGETED, item, seed=seed, side=side, changes=changes)
        if isinstance(variant, Variant) and valid(variant):
            yield State(variant, taken, math.nan)


def _texts(state: State) -> Texts:
    assert state.variant is not None
    return tuple(state.variant.item.fields.values())


def none_of(item: Item, reason: str) -> NotApplicable:
    """The reason why an item has no variant."""
    return NotApplicable(reason, NAME, TARGETED.condition, item.id)
