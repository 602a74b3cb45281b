"""Numbers written another way: 12 and twelve, 12,000 and 12000."""

from __future__ import annotations

import random
from collections.abc import Mapping

from ..items import AnyItem, MCQItem
from ._mentions import Mention, mentions
from .base import Change, NotApplicable
from .words import draw, not_english

KIND = "pert"
RELATION = "invariant"
TASKS = ("*",)
EDITS_NUMBERS = True
Group = list[tuple[str, Mention]]

_TRADED = ("words", "figures")
PROMISE = "The same numbers, written in words instead of figures or the other way round, on all sides of an item alike."
LIMITATIONS = (
    "English only. Whole numbers from 2 to 99 change between words and figures, larger ones lose or get their commas.",
    "Years, dates, times, ranges, amounts with a unit sign, numbers beside a name (Apollo 13) or in arithmetic are "
    "left alone, as far as their neighbours show it.",
    "A number that another side of a pair mentions is changed on both or not at all; so with `side` auto, which edits "
    "one side, numbers that both sides share stay. Where another side counts in words that are not read here "
    "(a dozen, half, a couple), all numbers stay.",
    "Counts of one text that are written alike change together or not at all, so that '2 or three' does not come out; "
    "a small `rate` can still leave some behind.",
    "In a task about form (how many digits, which spelling) the gold label would change.",
)


def rewrite(
    item: AnyItem, sides: tuple[str, ...], rng: random.Random, rate: float
) -> Mapping[str, list[Change]] | NotApplicable:
    """Write numbers another way, each value everywhere or nowhere.

    Args:
        item: The item.
        sides: Fields that may be edited.
        rng: Draws the values when `rate` allows fewer than there are.
        rate: At most this share of the words of these fields is edited, but one value always may.
    """
    found = {name: mentions(text) for name, text in item.fields.items()}
    if not any(found[name] for name in sides):
        return _why_none(item, sides)
    if isinstance(item, MCQItem):
        options = [mention for choice in item.choices for mention in mentions(choice)]
        if options:
            return NotApplicable("option quotes a number")
    groups = _groups(found, sides)
    if isinstance(groups, NotApplicable):
        return groups
    most = max(1, int(rate * sum(len(item.fields[name].split()) for name in sides)))
    chosen: Group = []
    for group in draw(rng, groups):
        if not chosen or (len(chosen) + len(group) <= most and _goes_with(group, chosen)):
            chosen += group
    return {name: [mention.change for field, mention in chosen if field == name and mention.change] for name in sides}


def _why_none(item: AnyItem, sides: tuple[str, ...]) -> NotApplicable:
    refusals = [not_english(item.fields[name]) for name in sides]
    return next((refusal for refusal in refusals if refusal), NotApplicable("no number"))


def _groups(found: Mapping[str, list[Mention]], sides: tuple[str, ...]) -> list[Group] | NotApplicable:
    """For each value that may change: its numbers in all fields."""
    values = dict.fromkeys(mention.value for name in sides for mention in found[name])
    reason = "number of a form that must stay"
    groups: list[Group] = []
    for value in values:
        if value is None:
            continue
        here = [(name, mention) for name in found for mention in found[name] if mention.value == value]
        if any(name not in sides for name, _ in here) or _counted_otherwise(found, {name for name, _ in here}):
            reason = "number that may stand on another side"
        elif all(mention.change for _, mention in here):
            groups.append(here)
    return _unmixed(found, groups) or NotApplicable("number beside others that must stay" if groups else reason)


def _unmixed(found: Mapping[str, list[Mention]], groups: list[Group]) -> list[Group]:
    """The groups that leave no number behind that was written the same way in the same field: no "2 or three"."""
    changing = [mention for group in groups for _, mention in group]
    left = {(name, m.form) for name in found for m in found[name] if m.form and all(m is not c for c in changing)}
    kept = [group for group in groups if all((name, mention.form) not in left for name, mention in group)]
    return kept if len(kept) == len(groups) else _unmixed(found, kept)


def _goes_with(group: Group, chosen: Group) -> bool:
    """Whether a group changes in the direction of the chosen ones: figures and words do not trade places in a field."""
    forms = {name: mention.form for name, mention in chosen if mention.form in _TRADED}
    return all(forms.get(name, mention.form) == mention.form for name, mention in group if mention.form in _TRADED)


def _counted_otherwise(found: Mapping[str, list[Mention]], fields: set[str]) -> bool:
    """Whether a field without this value counts in words that have no value here ("a dozen")."""
    return any(mention.value is None for name in found if name not in fields for mention in found[name])
