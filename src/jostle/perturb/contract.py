"""What an operator states about itself; a module, an object or a user's file becomes one `Operator`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..errors import UsageError
from ..items import Item, MCQItem
from .base import Change, NotApplicable
from .generator import Generator

KINDS: Final = ("para", "pert", "adv")
RELATIONS: Final = ("invariant", "changed")
STATED: Final = ("KIND", "RELATION", "TASKS", "PROMISE", "LIMITATIONS")

TextFunction = Callable[..., list[Change] | NotApplicable]
ItemFunction = Callable[..., MCQItem | NotApplicable]
Params = Mapping[str, Any]
VariantsFunction = Callable[[MCQItem], Sequence[Params] | NotApplicable]
RewriteFunction = Callable[..., Mapping[str, list[Change]] | NotApplicable]
RelabelFunction = Callable[[Item], str | NotApplicable]


@dataclass(frozen=True, slots=True)
class Operator:
    """One way to vary an item, with its promise and its limitations.

    Args:
        name: Name in conditions and on the command line.
        kind: `para` (another wording), `pert` (surface noise) or `adv` (adversarial).
        relation: `invariant` (the gold label holds) or `changed`.
        tasks: Tasks it applies to; `("*",)` for all.
        promise: One sentence: what stays true of the variant.
        limitations: Sentences on where the promise may fail; at least one.
        rate: Share of the words it edits unless the caller says otherwise.
        edits: `edits(passage, rng, rate, **params)` for an operator on texts.
        vary: `vary(item, rng, **params)` for an operator that moves the options of multiple-choice items.
        rewrite: `rewrite(item, sides, rng, rate, **params)` for an operator that must see all texts of an item at
            once (a number that stands on both sides); gives changes by field.
        relabel: `relabel(item)` for the relation `changed`: the gold label that the edit leads to, or why it is
            not certain.
        fields: Fields that side `auto` means for a task, where they are not those that the task names.
        variants: For an operator with several variants of one item: the parameters of each.
        pattern: Condition name as a format string of the parameters, where it is not kind/name.
        edits_numbers: Whether it may edit plain numbers (12, 1,000), which are protected from all others.

    Raises:
        UsageError: A statement is missing or not one of the allowed values.
    """

    name: str
    kind: str
    relation: str
    tasks: tuple[str, ...]
    promise: str
    limitations: tuple[str, ...]
    rate: float = 1.0
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    edits: TextFunction | None = None
    vary: ItemFunction | None = None
    rewrite: RewriteFunction | None = None
    relabel: RelabelFunction | None = None
    variants: VariantsFunction | None = None
    pattern: str = ""
    edits_numbers: bool = False
    parameters: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Check the statements."""
        _one_of(self, "kind", KINDS)
        _one_of(self, "relation", RELATIONS)
        for attribute in ("tasks", "limitations"):
            value = getattr(self, attribute)
            if not isinstance(value, tuple) or not value or not all(isinstance(v, str) and v for v in value):
                raise UsageError(_wrong(self, attribute, "a non-empty tuple of texts", value))
        functions = [f for f in (self.edits, self.vary, self.rewrite) if f is not None]
        if len(functions) != 1:
            raise UsageError(
                f"Expected operator {self.name!r} to have one of `edits`, `vary`, `rewrite`, but got {len(functions)}."
            )
        if (self.relation == "changed") != (self.relabel is not None):
            raise UsageError(f"Expected operator {self.name!r} to have `relabel` just when RELATION is 'changed'.")
        object.__setattr__(self, "parameters", _parameters(functions[0]))

    @property
    def condition(self) -> str:
        """Name of the condition in the outcomes table, `kind/name`."""
        return f"{self.kind}/{self.name}"

    @property
    def group(self) -> str:
        """The kind, or `contrast` for an operator that changes the gold label."""
        return "contrast" if self.relation == "changed" else self.kind

    def condition_of(self, params: Params) -> str:
        """Name of the condition of one variant: `shift2` for shift=2, else `kind/name`."""
        return self.pattern.format(**params) if self.pattern and params else self.condition

    def covers(self, task: str) -> bool:
        """Whether the operator is meant for `task`; items of a task without a name (`custom`) may use any."""
        return task == "custom" or "*" in self.tasks or task in self.tasks


def operator_from(name: str, source: object) -> Operator:
    """Read an operator out of a module, class or object that states KIND, RELATION, TASKS, PROMISE,
    LIMITATIONS.

    Raises:
        UsageError: A statement or the function is missing; the message names it.
    """
    missing = [attribute for attribute in STATED if not hasattr(source, attribute)]
    if not any(hasattr(source, function) for function in ("edits", "vary", "rewrite")):
        missing.append("edits, vary or rewrite")
    if missing:
        raise UsageError(
            f"Expected operator {name!r} to state {', '.join(missing)}, but got none. Add what is missing."
        )
    kind, relation, tasks, promise, limitations = (getattr(source, attribute) for attribute in STATED)
    return Operator(
        name, kind, relation, tasks, promise, limitations,
        rate=getattr(source, "RATE", 1.0),
        fields=getattr(source, "FIELDS", {}),
        edits=getattr(source, "edits", None),
        vary=getattr(source, "vary", None),
        rewrite=getattr(source, "rewrite", None),
        relabel=getattr(source, "relabel", None),
        variants=getattr(source, "VARIANTS", None),
        pattern=getattr(source, "CONDITION", ""),
        edits_numbers=getattr(source, "EDITS_NUMBERS", False),
    )  # fmt: skip


def _one_of(operator: Operator, attribute: str, allowed: tuple[str, ...]) -> None:
    value = getattr(operator, attribute)
    if value not in allowed:
        raise UsageError(_wrong(operator, attribute, f"one of {', '.join(allowed)}", value))


def _wrong(operator: Operator, attribute: str, expected: str, value: object) -> str:
    return f"Expected {attribute.upper()} of operator {operator.name!r} to be {expected}, but got {value!r}."


def _parameters(function: Callable[..., object] | None) -> frozenset[str]:
    if function is None:
        return frozenset()
    parameters = inspect.signature(function).parameters.values()
    return frozenset(p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY)


def seeded(seed: int, operator: str, item_id: str, part: str) -> Generator:
    """A generator that depends on these four alone: not on row order, process or hash seed."""
    return Generator(f"{seed}\x1f{operator}\x1f{item_id}\x1f{part}")
