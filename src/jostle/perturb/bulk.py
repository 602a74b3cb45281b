"""Edited texts by the thousand: what `apply` gives, without building items and variants."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from ..errors import UsageError
from ..items import Item
from .base import NotApplicable, Variant
from .contract import Operator, Params
from .engine import checked_operator, one, prepared
from .making import Job, carried_out
from .words import Passage

FIELD = "text"  # of the item that `apply` makes of a plain text


def texts(
    name: str | Operator,
    texts: Sequence[str],
    seed: int = 0,
    ids: Sequence[str] | None = None,
    task: str = "custom",
    rate: float | None = None,
    **params: Any,
) -> list[str | None]:
    """The texts after one operator, and None where it does not apply.

    Each text comes out as `apply` gives it for `Item(id, task, {"text": text})` with side `both`: by the same function
    and the same checks, whatever the other texts are. What was edited, and why not, is not kept: `expand` tells.

    Args:
        name: Name of an operator, or an `Operator`.
        texts: The texts.
        seed: Seed of the run.
        ids: An id for each text; "0", "1", ... by default.
        task: Where the texts come from, which some operators heed.
        rate: As in `apply`.
        **params: Parameters of the operator.

    Raises:
        UsageError: As in `apply`, or not as many ids as texts.

    Limitations: an operator on options, or one that changes the gold label, applies to no plain text.

    >>> texts("spelling", ["a color film", "a film"])
    ['a colour film', None]
    """
    operator = checked_operator(name, params)
    keys = [str(place) for place in range(len(texts))] if ids is None else ids
    if len(keys) != len(texts):
        raise UsageError(f"Expected one id for each of {len(texts)} texts, but got {len(keys)}. Give as many.")
    job = prepared(operator, seed, "both", rate)
    by_text = operator.edits is not None and operator.relabel is None and operator.covers(task)
    return list((_edited if by_text else _applied)(job, zip(keys, texts, strict=True), task, params))


def _edited(job: Job, rows: Iterable[tuple[str, str]], task: str, params: Params) -> Iterator[str | None]:
    """The short way, for an operator on single texts."""
    operator, rng, rate = job.operator, job.rng, job.rate
    assert operator.edits is not None
    ask = partial(operator.edits, **params) if params else operator.edits
    numbers, salt = operator.edits_numbers, job.salt(FIELD)
    for key, text in rows:
        rng.begin(key, salt)
        passage = Passage(text, task, FIELD, numbers)
        asked = ask(passage, rng, rate)
        if isinstance(asked, NotApplicable):
            yield None
            continue
        changed = carried_out(operator, passage, asked)
        yield None if changed == text else changed


def _applied(job: Job, rows: Iterable[tuple[str, str]], task: str, params: Params) -> Iterator[str | None]:
    """By items, for an operator that asks for more than a text."""
    for key, text in rows:
        made = one(job, Item(key, task, {FIELD: text}), params)
        yield made.text if isinstance(made, Variant) else None
