"""`jostle run`: items of a file -> variants -> a model's predictions -> report."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from .engines import must_have_begun, ray_engine
from .models import model_options, model_variants
from .operators import variants_of
from .pipes import read_through
from .run_folder import report_on, write_run
from .shared import EMBEDDED, csv_flags, emit, load_items_of, log, pairs_of, progress, resolve, say, settings

if TYPE_CHECKING:
    from ..integrations.ray_engine import Engine
    from ..loading import ItemSet
    from ..outcomes import Outcomes
    from ..perturb import NotApplicable, Variant
    from ..predict.classify import Classifier

CLASSIFY = "classify"
GOLD_FROM_BASE = (
    "Items without a gold label were given the model's own answer to their original: their accuracy is consistency, "
    "not correctness."
)
TASKS = ("sst2", "mnli", "qqp", "qnli", "mcq", "all", "custom")


@click.command("run")
@click.option("--task", required=True, type=click.Choice(TASKS), help="Task of the items.")
@click.option("--data", help="File of items (jsonl, json, csv, tsv, parquet), Hub id, or `embedded`.")
@click.option("--variants-from", type=click.Path(path_type=Path), metavar="FILE",
              help="Variants that somebody else made, with their originals, instead of --data.")  # fmt: skip
@click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Only these rows of --variants-from; repeatable.")
@click.option("--base-where", multiple=True, metavar="COLUMN=VALUE", help="Rows of it that are the originals.")
@click.option("--gold", multiple=True, metavar="VALUE=LABEL", help="Label of a value of its label column; repeatable.")
@click.option("--variants-kind", type=click.Choice(["para", "pert", "adv"]), default="adv", show_default=True,
              help="Kind of its variants that keep the label.")  # fmt: skip
@click.option("--gold-from-base", is_flag=True,
              help="Take the model's answer to the original as the gold of variants that have none.")  # fmt: skip
@click.option("--model", required=True, help="Model folder, Hub id, or `embedded` for the sentiment model.")
@click.option("--map", "maps", multiple=True, metavar="FIELD=COLUMN", help="Column of a field; repeatable.")
@click.option("--label-map", multiple=True, metavar="MODEL=TASK", help="Task label of a model label; repeatable.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("jostle-out"), show_default=True,
              help="Folder for outcomes, variants, manifest and reports.")  # fmt: skip
@csv_flags
@model_options
@click.option("--resume", is_flag=True,
              help="Go on with the run in --out, which must be there. Finished answers of a generative model "
              "and of --engine ray are reused with or without it; --decoding classify keeps none otherwise and "
              "refuses it.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Say what would be done and how long it takes, and stop.")
@settings("run")
def command(maps: tuple[str, ...], label_map: tuple[str, ...], **flags: Any) -> int:
    """Jostle the items of a file, predict with a local model, and report whether the score holds.

    Every variant keeps what its operator promises; an operator that does not fit an item gives no variant, which is
    counted. Operators of your own: --operators path/to/file.py:name.
    """
    if (flags["data"] is None) == (flags["variants_from"] is None):
        raise UsageError("Expected either --data or --variants-from, but got both or neither.")
    data = Path(flags["data"] or flags["variants_from"])
    values = resolve("run", flags, data if data.exists() else Path.cwd())
    return run(values, pairs_of("--map", maps), pairs_of("--label-map", label_map))


def run(
    values: dict[str, Any], mapping: Mapping[str, str] | None = None, label_map: Mapping[str, str] | None = None
) -> int:
    """Load items and model, then execute; gives the exit code."""
    if values["decoding"] != CLASSIFY:
        from .generative import run_generative

        return run_generative(values, mapping or {}, label_map or {})
    engine = ray_engine(values)
    if values.get("resume"):
        must_have_begun(values["out"], engine)
    if values["task"] in ("all", "mcq"):
        raise UsageError(f"Expected --decoding greedy, sample or score with --task {values['task']}, but got classify.")
    items = (
        _variants_from(values, mapping or {}) if values.get("variants_from") else load_items_of(values, mapping or {})
    )
    for line in items.describe():
        say(line, values["quiet"])
    classifier = _classifier(values, items, label_map or {}, engine)
    by_models, notes = model_variants(items, values)
    items = dataclasses.replace(items, made_by=notes)
    return execute(items, [*variants_of(items, values), *by_models], classifier, values)


def _variants_from(values: dict[str, Any], mapping: Mapping[str, str]) -> ItemSet:
    from ..variant_files import VariantFile, load_variants

    rules = {name: pairs_of(f"--{name.replace('_', '-')}", values[name]) for name in ("where", "base_where", "gold")}
    how = VariantFile(values["task"], mapping, **rules, kind=values["variants_kind"])
    if values["task"] == "custom":
        raise UsageError("Expected --task sst2, mnli, qqp or qnli with --variants-from, but got custom.")
    found: ItemSet = read_through([values["variants_from"]], lambda paths: load_variants(paths[0], how))
    return found


def _classifier(
    values: dict[str, Any], items: ItemSet, label_map: Mapping[str, str], engine: Engine | None
) -> Classifier:
    from ..predict.classify import TOKEN_BUDGET, load_classifier
    from ..predict.embedded import EMBEDDED_ID

    name = EMBEDDED_ID if values["model"] == EMBEDDED else values["model"]
    limit, budget = values["max_length"] or None, values["token_budget"] or TOKEN_BUDGET
    load = partial(load_classifier, name, items.labels, label_map, limit, budget)
    classifier = load()
    for output, label in classifier.label_map.items():
        say(f"label map: {output} -> {label}", values["quiet"])
    if not items.labels:
        _same_labels(items, classifier)
    if engine is None or values["dry_run"]:  # how long it takes is measured here
        return classifier
    from ..integrations.ray_run import RayClassifier

    return RayClassifier.of(classifier, engine, load, values["out"])


def _same_labels(items: ItemSet, classifier: Classifier) -> None:
    """Refuse gold labels that the model never gives: every prediction would count as wrong."""
    from ..errors import ModelError

    strange = sorted({item.label for item in items.items if item.label is not None} - set(classifier.labels))
    if strange:
        flags = " ".join(f"--label-map {name}=..." for name in classifier.label_map)
        raise ModelError(
            f"Expected gold labels in {items.source} out of the model's {', '.join(classifier.labels)}, but got "
            f"{strange[0]!r}. Say which is which: {flags}"
        )


def execute(
    items: ItemSet, variants: Sequence[Variant | NotApplicable], classifier: Classifier, values: dict[str, Any]
) -> int:
    """Predict, write and report; gives the exit code."""
    from .. import run as runner

    planned = runner.plan(items.items, variants, unlabelled=values.get("gold_from_base", False))
    encoded = classifier.encode([row.texts for row in planned.rows])
    if values["dry_run"]:
        return _dry_run(planned, encoded, classifier, values)
    log.info("%d rows, %d distinct inputs", len(planned.rows), len(encoded.sequences))
    with progress("predicting", len(encoded.sequences), values["quiet"]) as advance:
        outcomes = runner.classify(planned, classifier, encoded, values["task"], advance)
    outcomes = described(outcomes, items, classifier, values.get("gold_from_base", False))
    report = report_on(outcomes, values)
    if values["out"] is not None:
        record = runner.manifest(values, classifier, outcomes)
        write_run(values, runner.rows_read(planned), outcomes, report, record)
    return emit(report, values, page=values.get("page"))


def described(outcomes: Outcomes, items: ItemSet, classifier: Classifier, gold_from_base: bool) -> Outcomes:
    """The outcomes with where they came from, for every report that will be made of them."""
    source = f"{items.source}, task {items.task}, model {classifier.name}"
    return dataclasses.replace(
        outcomes, source=source, notes=[*outcomes.notes, *_notes(items, classifier, gold_from_base)]
    )


def _notes(items: ItemSet, classifier: Classifier, gold_from_base: bool) -> list[str]:
    labels = ", ".join(f"{output} -> {label}" for output, label in classifier.label_map.items())
    notes = [f"Labels of the model: {labels}. Inputs up to {classifier.max_length} tokens, float32."]
    notes += [f"Left out: {note}." for note in items.notes]
    notes += [f"{note[0].upper()}{note[1:]}." for note in items.made_by]
    if gold_from_base:
        notes.append(GOLD_FROM_BASE)
    elif items.n_unlabelled:
        notes.append(f"{items.n_unlabelled} items without a gold label were left out.")
    return notes


def _dry_run(planned: Any, encoded: Any, classifier: Classifier, values: dict[str, Any]) -> int:
    from ..measures.drift import items_needed

    n_items = len({row.base.id for row in planned.rows})
    conditions = planned.conditions
    seconds = classifier.seconds(encoded)
    discordance = 0.1
    needed = items_needed(discordance, len(conditions), values["tolerance"]) if len(conditions) > 1 else float("nan")
    click.echo(f"items      {n_items}")
    click.echo(
        f"variants   {len(planned.rows) - n_items} in {len(conditions) - 1} conditions: {', '.join(conditions[1:])}"
    )
    click.echo(f"forwards   {len(encoded.sequences)} distinct inputs of {len(planned.rows)} rows")
    click.echo(f"time       about {seconds:.0f} s here, from a sample of the inputs")
    click.echo(
        f"items for a verdict of INVARIANT: about {needed:,.0f}, if two conditions differ on {discordance:.0%} of "
        f"the items and drift is 0 (80 % power, tolerance {values['tolerance']:g})"
    )
    return 0
