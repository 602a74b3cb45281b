"""`jostle build` on a Ray: pieces of items -> one parquet file a piece and configuration, by the code of any build."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..builder import BuildPlan
from ..builder.base import content_hash
from ..builder.make import Extra, Work, make_piece
from ..builder.write import Summary, Transform, remove_other_shards, require_variants, shard, write_rows
from ..items import AnyItem
from ..perturb import find
from ..reviews import Reviews
from .partitions import Partitions, Record, digest_of
from .ray_engine import Advance, Engine

Piece = tuple[Sequence[AnyItem], Extra]


@dataclass(frozen=True)
class BuildStage:
    """Makes and writes the rows of one piece; every worker has one."""

    plan: BuildPlan
    reviews: Reviews | None
    transforms: Sequence[Transform]

    def __call__(self, piece: Piece, folder: Path) -> Record:
        """Write the piece into a folder; what its files hold."""
        items, extra = piece
        made = make_piece((items, self.plan, extra))
        summary = vars(write_rows([made], self.plan.task, folder, self.reviews, self.transforms))
        return {**summary, "dropped": [[*key, count] for key, count in summary["dropped"].items()]}


def build_on_ray(
    engine: Engine,
    work: Sequence[Work],
    plan: BuildPlan,
    out: Path,
    reviews: Reviews | None = None,
    transforms: Sequence[Transform] = (),
    advance: Advance = lambda n: None,
) -> Summary:
    """Write the rows of a local build, in as many files as there are pieces; what is finished is not made again.

    Args:
        engine: Where the work is done.
        work: Pieces, in the order of their rows (`builder.make.pieces`).
        plan: What is built.
        out: Folder of the data set, on storage that all workers see.
        reviews: As in `build_dataset`.
        transforms: As in `build_dataset`.
        advance: Is told of every piece that is finished.

    Raises:
        InputError: No row was made, or the folder cannot be written.
        JostleError: As in `Engine.finish`.

    Limitations: an operator of the user's own is known by its file alone: what that imports may change unseen.
    """
    out = out.resolve()
    total, task, split = len(work), plan.task, plan.split

    def place(number: int, name: str) -> Path:
        return shard(out, Path(name).stem, split, number, total)

    digest = _digest(work, plan, reviews, transforms)
    mine = Partitions.of(out, f"{task.name}-{split}", digest, total, place)
    pieces = [(items, extra) for items, _, extra in work]
    records = engine.finish(mine, pieces, partial(BuildStage, plan, reviews, transforms), advance)
    summary = Summary()
    for record in records:
        summary.add(_summary(record))
    require_variants(summary)
    mine.move()
    files = [place(k, f"{config}.parquet") for k, record in enumerate(records) for config in record["rows"]]
    remove_other_shards(files, split)
    mine.remove_others()
    return summary


def _summary(record: Record) -> Summary:
    counts: dict[str, Any] = {name: Counter(record[name]) for name in ("rows", "by_operator", "sizes")}
    dropped = Counter({(condition, reason): count for condition, reason, count in record["dropped"]})
    return Summary(**counts, dropped=dropped, examples=record["examples"])


def _digest(work: Sequence[Work], plan: BuildPlan, reviews: Reviews | None, transforms: Sequence[Transform]) -> str:
    """What the rows depend on: code, settings and items."""
    settings = (plan.split, plan.seed, plan.side, plan.rate, plan.originals, reviews)
    return digest_of(
        content_hash(plan.task.name, None),
        repr(settings),
        *map(_operator, plan.operators),
        *map(_step, transforms),
        *(repr((items, sorted(extra.items()))) for items, _, extra in work),
    )


def _step(step: Transform) -> str:
    """Name of a step, and the variants that it keeps."""
    known = step if isinstance(step, partial) else partial(step)
    return repr((known.func.__qualname__, sorted(known.keywords.get("failing", ()))))


def _operator(operator: Any) -> str:
    """Name and source of an operator."""
    known = find(operator)
    function = known.edits or known.vary or known.rewrite
    try:
        source = Path(inspect.getfile(function)).read_text(encoding="utf-8")  # type: ignore[arg-type]
    except (TypeError, OSError):
        source = repr(known)  # never alike in two processes: its partitions are made again
    return f"{known.name}\0{source}"
