"""`jostle build`: items of a file -> a perturbed data set that `datasets` loads by name."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, UsageError
from .engines import ray_engine
from .models import model_options, model_variants
from .operators import chosen_operators
from .shared import load_items_of, pairs_of, progress, resolve, say, settings

if TYPE_CHECKING:
    from ..builder.write import Summary
    from ..loading import ItemSet

TASKS = ("sst2", "mnli", "qqp", "qnli", "mcq")


@click.command("build")
@click.option("--task", required=True, type=click.Choice(TASKS), help="Task of the items.")
@click.option("--data", required=True, help="File of items, Hub id, or `embedded`.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the data set.")
@click.option("--map", "maps", multiple=True, metavar="FIELD=COLUMN", help="Column of a field; repeatable.")
@click.option("--reviews", type=click.Path(path_type=Path), help="Review file: rows with key, status, reviewer, date.")
@click.option("--only-approved", is_flag=True, help="Only variants that the review file approves.")
@click.option("--allow-unlabelled", is_flag=True, help="Build from items without gold labels too (label -1).")
@click.option("--failing-for", type=click.Path(path_type=Path), metavar="RESULTS",
              help="Only variants that the model of these outcomes gets wrong, with their originals.")  # fmt: skip
@model_options
@click.option("--similarity", is_flag=True, help="Fill the column `similarity` (extra `models`).")
@click.option("--push", metavar="ORG/NAME", help="Publish the folder as a data set on the Hub.")
@click.option("--public", is_flag=True, help="Publish for everyone; private otherwise.")
@settings("build")
def command(maps: tuple[str, ...], **flags: Any) -> int:
    """Build paraphrased, perturbed and adversarial variants of a labelled set, with their lineage.

    OUT holds one parquet file per configuration ({task}-orig, -para, -pert, -adv, -contrast; {task}-all reads them all)
    and a card. A variant that fails a check is dropped and counted by reason. Several tasks may go to one folder.
    """
    if flags["push"] and flags["push"].count("/") != 1:
        raise UsageError(f"Expected --push ORG/NAME, but got {flags['push']!r}.")
    data = Path(flags["data"])
    values = resolve("build", flags, data if data.exists() else Path.cwd())
    items = load_items_of(values, pairs_of("--map", maps))
    for line in items.describe():
        say(line, values["quiet"])
    summary = _build(items, values)
    for config, rows in summary.rows.items():
        say(f"{config}: {rows} rows", values["quiet"])
    for (condition, reason), count in sorted(summary.dropped.items()):
        say(f"no variant {condition}: {reason} ({count})", values["quiet"])
    say(f"wrote {values['out']}/", values["quiet"])
    if values["push"]:
        from ..publish import dataset_bundle, push

        pushed = push(dataset_bundle(values["out"]), values["push"], values["public"], values["quiet"])
        say(f"published {pushed}", values["quiet"])
    return 0


def _build(items: ItemSet, values: dict[str, Any]) -> Summary:
    from ..builder import BuildPlan, build_dataset, make_rows
    from ..builder.card import record_build
    from ..builder.schema import split_name
    from ..perturb import NotApplicable
    from ..reviews import read_reviews
    from ..tasks import TASKS as KNOWN

    task, split = KNOWN[values["task"]], split_name(values["split"])
    chosen = _usable(items, values)
    if values["only_approved"] and values["reviews"] is None:
        raise UsageError("Expected --reviews FILE with --only-approved: nothing is approved without one.")
    operators = chosen_operators(values)
    if len(chosen) < len(items.items):
        say(f"{len(items.items) - len(chosen)} items without a gold label are left out", values["quiet"])
    if any(item.label is None for item in chosen):
        operators = [op for op in operators if op.kind in ("para", "pert") and op.relation == "invariant"]
    plan = BuildPlan(task, split, operators, values["seed"], values["side"], values["rate"] or None)
    extra: dict[str, list[Any]] = {}
    by_models, notes = model_variants(items, values)
    for variant in [*items.variants, *by_models]:
        item_id = variant.item_id if isinstance(variant, NotApplicable) else str(variant.base.id)
        extra.setdefault(item_id, []).append(variant)
    engine = ray_engine(values)
    reviews, steps = read_reviews(values["reviews"], values["only_approved"]), _transforms(values, task.fields)
    if engine is not None:
        from ..builder.make import pieces
        from ..integrations.ray_build import build_on_ray

        work = pieces(chosen, plan, extra)
        with progress("building", len(work), values["quiet"]) as advance:
            summary = build_on_ray(engine, work, plan, values["out"], reviews, steps, advance)
    else:
        with progress("building", len(chosen), values["quiet"]) as advance:
            made = make_rows(chosen, plan, values["processes"], extra)
            counted = (advance(len({row["item_id"] for row in piece.rows})) or piece for piece in made)
            summary = build_dataset(counted, task, split, values["out"], reviews, steps)
    record_build(values["out"], task, split, summary, _how(values, items.source) | {"notes": notes})
    return summary


def _usable(items: ItemSet, values: dict[str, Any]) -> list[Any]:
    """Labelled items; all of them with --allow-unlabelled."""
    labelled = [item for item in items.items if item.label is not None]
    if values["allow_unlabelled"]:
        return list(items.items)
    if not labelled:
        raise InputError(
            f"Expected gold labels, but none of the {len(items.items)} items of {items.source} has one: test splits of "
            "GLUE have none. Build from a validation split, or pass --allow-unlabelled."
        )
    return labelled


def _transforms(values: dict[str, Any], fields: tuple[str, ...]) -> list[Any]:
    from ..builder.failing import keep_failing, read_failing

    steps: list[Any] = []
    if values["failing_for"] is not None:
        steps.append(partial(keep_failing, failing=read_failing(values["failing_for"])))
    if values["similarity"]:
        from ..builder.similarity import add_similarity
        from ..predict.embed import load_encoder

        steps.append(partial(add_similarity, fields=fields, encoder=load_encoder()))
    return steps


def _how(values: dict[str, Any], source: str) -> dict[str, Any]:
    """What the card says about building it again."""
    from ..measures.version import __version__

    line = " ".join(["jostle", *(f"'{a}'" if " " in a else a for a in sys.argv[1:])])
    kept = ("seed", "variants", "operators", "side", "rate", "split", "limit")
    return {"jostle": __version__, "line": line, "source": source, **{name: values[name] for name in kept}}
