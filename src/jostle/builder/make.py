"""Items -> rows, in the same order and with the same bytes whatever the order of the source or the processes."""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from ..errors import InputError
from ..items import AnyItem
from ..perturb import NotApplicable, Variant, expand, find
from ..perturb.checks import failed_checks
from ..tasks import Task
from .schema import original_row, variant_row

CHUNK = 2_000  # items a piece of work; pieces are the same for any number of processes
# Results that are made, then checked, then turned into rows. One operator after another, in blocks, takes a sixth less
# time than all operators and all steps for one item after another: the processor keeps the code that it runs at hand.
BLOCK = 128


@dataclass(frozen=True)
class BuildPlan:
    """What is built from the items.

    Args:
        task: Task of the items.
        split: Name of the split the rows go to.
        operators: Names or operators (`jostle.perturb.Operator`).
        seed: Seed of the variants.
        side: Side of a pair that is edited.
        rate: Share of words edited; None leaves it to each operator.
        originals: Whether the originals are rows too.
    """

    task: Task
    split: str
    operators: Sequence[Any]
    seed: int = 0
    side: str = "auto"
    rate: float | None = None
    originals: bool = True


Extra = Mapping[str, Sequence[Variant | NotApplicable]]
ByItem = Mapping[str | None, list[dict[str, Any]]]
Work = tuple[Sequence[AnyItem], BuildPlan, Extra]


@dataclass
class Made:
    """Rows of one piece of work, and what gave no row: by operator and reason."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    dropped: Counter[tuple[str, str]] = field(default_factory=Counter)


def make_rows(
    items: Sequence[AnyItem], plan: BuildPlan, processes: int = 1, extra: Extra | None = None
) -> Iterator[Made]:
    """Rows of all items, piece by piece.

    Args:
        items: The items, in any order; ids must be distinct.
        plan: What is built.
        processes: How many processes work on it; the rows are the same for any number.
        extra: Variants from elsewhere (a model paraphraser, an attack), or why there is none, by item id; they pass the
            same checks.

    Raises:
        InputError: Two items have one id, or two variants of an item one condition.
    """
    work = pieces(items, plan, extra)
    if processes <= 1 or len(work) <= 1:
        yield from map(make_piece, work)
        return
    context = multiprocessing.get_context("spawn")  # a fork of a process that has run torch may hang
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        yield from pool.map(make_piece, work)


def pieces(items: Sequence[AnyItem], plan: BuildPlan, extra: Extra | None = None) -> list[Work]:
    """The pieces of work, in the order of their rows.

    Raises:
        InputError: Two items have one id.
    """
    ordered = sorted(items, key=_order)
    ids = Counter(item.id for item in ordered)
    repeated = [name for name, count in ids.items() if count > 1]
    if repeated:
        raise InputError(f"Expected distinct item ids, but {repeated[0]!r} stands there {ids[repeated[0]]} times.")
    chunks = [ordered[start : start + CHUNK] for start in range(0, len(ordered), CHUNK)]
    return [(chunk, plan, _of(chunk, extra or {})) for chunk in chunks]


def _order(item: AnyItem) -> tuple[int, int, str]:
    """Numbers in number order, before other ids."""
    name = str(item.id)
    return (0, int(name), name) if name.isdigit() else (1, 0, name)


def _of(piece: Sequence[AnyItem], extra: Extra) -> Extra:
    return {str(item.id): extra[str(item.id)] for item in piece if str(item.id) in extra}


def make_piece(work: Work) -> Made:
    """Rows of one piece of work.

    Raises:
        InputError: Two variants of an item have one condition.
    """
    items, plan, extra = work
    made = Made()
    if plan.originals:
        made.rows += [original_row(item, plan.task, plan.split, plan.seed) for item in items]
    by_item: ByItem = {item.id: [] for item in items}
    for operator in [find(one) for one in plan.operators]:
        results = expand(items, [operator], plan.seed, plan.side, plan.rate)
        while block := list(islice(results, BLOCK)):
            _add(made, block, plan, by_item)
    made.rows += chain.from_iterable(by_item.values())
    for item in items:
        _add(made, extra.get(str(item.id), ()), plan, {item.id: made.rows})
    _refuse_repeats(made.rows)
    return made


def _add(made: Made, results: Sequence[Variant | NotApplicable], plan: BuildPlan, by_item: ByItem) -> None:
    """Add the row of each variant that keeps its promise to those of its item, and count what gives none."""
    variants = [result for result in results if isinstance(result, Variant)]
    failed = [failed_checks(variant) for variant in variants]
    for variant, names in zip(variants, failed, strict=True):
        if names:
            made.dropped[variant.condition, f"failed check: {names[0]}"] += 1
        else:
            by_item[variant.base.id].append(variant_row(variant, plan.task, plan.split))
    if len(variants) < len(results):
        none = (result for result in results if isinstance(result, NotApplicable))
        made.dropped.update((result.condition or result.operator, result.reason) for result in none)


def _refuse_repeats(rows: Sequence[Mapping[str, Any]]) -> None:
    keys = [row["key"] for row in rows]
    if len(set(keys)) == len(keys):
        return
    key, count = Counter(keys).most_common(1)[0]
    raise InputError(f"Expected one variant an item and condition, but {key!r} is there {count} times.")
