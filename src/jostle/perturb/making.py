"""Make what an operator asks for: choose the fields, seed the generator, check the edits, rebuild the item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ..errors import JostleError
from ..items import AnyItem, MCQItem
from .base import Change, Edit, NotApplicable, reordered
from .contract import Operator, Params
from .generator import Generator, hashed
from .protect import touches
from .sides import chosen_fields
from .words import Passage

Names = tuple[str, ...]
Made = tuple[AnyItem, tuple[Edit, ...], Names]  # the item, its edits, the fields they stand in
Asked = list[Change] | NotApplicable
# `Edit(*given)` in less than half of its time: every variant pays it.
_new_edit: Callable[[tuple[str, int, int, str, str]], Edit] = partial(tuple.__new__, Edit)


class Job:
    """One operator, prepared: what its variants depend on beside item and parameters.

    The generator is seeded anew for each text, so the order in which items come does not matter.

    Args:
        operator: The operator.
        seed: Seed of the run.
        side: Fields to edit, as in `apply`.
        rate: Share of the words to edit.
    """

    __slots__ = ("anywhere", "condition", "operator", "rate", "rng", "salts", "seed", "side")

    def __init__(self, operator: Operator, seed: int, side: str, rate: float) -> None:
        """Keep the settings, and work out what is the same for all items."""
        self.operator = operator
        self.seed = seed
        self.side = side
        self.rate = rate
        self.rng = Generator()
        self.salts: dict[str, int] = {}
        self.condition = operator.condition
        self.anywhere = operator.covers("")

    def salt(self, part: str) -> int:
        """What the generators of all items have in common for a part (a field, the options)."""
        if part not in self.salts:
            self.salts[part] = hashed(f"{self.seed}\x1f{self.operator.name}\x1f{part}")
        return self.salts[part]

    def generator(self, item: AnyItem, part: str) -> Generator:
        """The generator for a part of an item: seed, operator, item id and part decide."""
        self.rng.begin(key_of(item), self.salt(part))
        return self.rng


def make(job: Job, item: AnyItem, params: Params) -> Made | NotApplicable:
    """The item after the operator, or the reason why there is none.

    Raises:
        JostleError: The operator asks for what it may not do.
    """
    if job.operator.vary is not None:
        return _varied(job, item, params)
    # A multiple-choice item is one for operators, whatever the name of its set.
    task = "mcq" if isinstance(item, MCQItem) else item.task
    if not (job.anywhere or job.operator.covers(task)):
        return NotApplicable("not for this task")
    own = job.operator.fields.get(task) if job.side == "auto" else None
    fields = own or chosen_fields(item, job.side)
    if isinstance(fields, NotApplicable):
        return fields
    if not fields:
        return NotApplicable("no text to edit")
    ask = _by_field if job.operator.edits is not None else _by_item
    return ask(job, item, fields, task, params)


def key_of(item: AnyItem) -> str:
    """What the generator is seeded with: the id, or the question of an item that has none."""
    return item.id if item.id is not None else item.fields["question"]


def _varied(job: Job, item: AnyItem, params: Params) -> Made | NotApplicable:
    if not isinstance(item, MCQItem):
        return NotApplicable("not a multiple-choice item")
    operator = job.operator
    assert operator.vary is not None
    varied = operator.vary(item, job.generator(item, "choices"), **params)
    if isinstance(varied, NotApplicable):
        return varied
    back = reordered(varied, item.order)
    if (back.choices, back.question, back.answer_index) != (item.choices, item.question, item.answer_index):
        raise JostleError(
            f"Expected operator {operator.name!r} to move options only (or relabel them), but got {varied}. "
            "Correct the operator."
        )
    same = (varied.choices, varied.labels) == (item.choices, item.labels)
    return NotApplicable("nothing to change") if same else (varied, (), ())


def _by_field(job: Job, item: AnyItem, fields: Names, task: str, params: Params) -> Made | NotApplicable:
    """Ask the operator about each field by itself."""
    operator = job.operator
    ask, numbers = operator.edits, operator.edits_numbers
    assert ask is not None
    outcome = Outcome(item)
    texts = outcome.texts
    for name in fields:
        passage = Passage(texts[name], task, name, numbers)
        asked = ask(passage, job.generator(item, name), job.rate, **params)
        outcome.add(operator, passage, asked)
    return outcome.made()


def _by_item(job: Job, item: AnyItem, fields: Names, task: str, params: Params) -> Made | NotApplicable:
    """Ask the operator about the whole item."""
    operator = job.operator
    assert operator.rewrite is not None
    asked = operator.rewrite(item, fields, job.generator(item, "item"), job.rate, **params)
    if isinstance(asked, NotApplicable):
        return asked
    outcome = Outcome(item)
    for name, changes in asked.items():
        outcome.add(operator, Passage(outcome.texts[name], task, name, operator.edits_numbers), changes)
    return outcome.made()


class Outcome:
    """What comes of an item while its fields are edited."""

    __slots__ = ("edited", "edits", "item", "refusal", "texts")

    def __init__(self, item: AnyItem) -> None:
        """Begin with the item as it is."""
        self.item = item
        self.texts = dict(item.fields)
        self.edits: list[Edit] = []
        self.edited: Names = ()
        self.refusal: NotApplicable | None = None

    def add(self, operator: Operator, passage: Passage, asked: Asked) -> None:
        """Make the changes in one field, sorted, without those that change nothing.

        Raises:
            JostleError: The operator asks for changes out of bounds, overlapping, or within a protected span.
        """
        if isinstance(asked, NotApplicable):
            self.refusal = self.refusal or asked
            return
        edits: list[Edit] = []
        changed = carried_out(operator, passage, asked, edits)
        if changed != passage.text:
            self.texts[passage.field] = changed
            self.edits += edits
            self.edited += (passage.field,)

    def made(self) -> Made | NotApplicable:
        """The edited item, or why there is none."""
        if not self.edits:
            return self.refusal or NotApplicable("nothing to change")
        return self.item.with_fields(self.texts), tuple(self.edits), self.edited


def carried_out(
    operator: Operator, passage: Passage, asked: Sequence[Change], edits: list[Edit] | None = None
) -> str:  # fmt: skip
    """The text after the changes; those that change something are noted in `edits`, where it is given.

    Raises:
        JostleError: The operator asks for changes out of bounds, overlapping, or within a protected span.
    """
    text, spans = passage.text, passage.protected
    last, size, done = 0, len(text), ""
    for start, end, replacement in sorted(asked) if len(asked) > 1 else asked:
        if not last <= start <= end <= size:
            raise JostleError(_broken(operator, "apart and within the text", (start, end, replacement)))
        if spans and touches(spans, start, end):
            raise JostleError(_broken(operator, "outside protected spans", (start, end, replacement)))
        original = text[start:end]
        if original != replacement:
            if edits is not None:
                edits.append(_new_edit((passage.field, start, end, original, replacement)))
            done += text[last:start] + replacement  # longer by growth in place, not by copies
            last = end
    return done + text[last:]


def _broken(operator: Operator, expected: str, change: tuple[int, int, str]) -> str:
    return f"Expected edits of operator {operator.name!r} to be {expected}, but got {change}. Correct the operator."
