"""`jostle run` with a generative model: prompts, completions, labels, for one task or all four."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from .engines import ray_engine
from .generative_flags import STORE, Ways, asked_ways
from .operators import variants_of
from .run_folder import report_on, write_run
from .shared import emit, load_items_of, progress, say

if TYPE_CHECKING:
    from ..ask import Asked
    from ..loading import ItemSet
    from ..outcomes import Outcomes
    from ..predict.generate_write import Decided
    from ..predict.protocol import Decoding, Predictor
    from ..predict.stored import Stored

COMPLETIONS = "completions.parquet"


@dataclass(frozen=True)
class _Round:
    """One task with everything that is asked about its items."""

    items: ItemSet
    asked: Sequence[Asked]
    left_out: Mapping[str, Mapping[str, int]]


def run_generative(
    values: dict[str, Any], mapping: Mapping[str, str], label_map: Mapping[str, str] | None = None
) -> int:
    """Ask every prompt in every decoding, and report; gives the exit code."""
    from ..ask import joined
    from ..predict.store import PredictionStore
    from ..predict.stored import Stored

    ways = asked_ways({**values, "label_map": label_map})
    decodings = ways.decodings
    predictor, tokenizer = _predictor(values)
    rounds = {task: _round(values, task, mapping, ways, tokenizer) for task in ways.tasks}
    if values["dry_run"]:
        return _dry_run(rounds, decodings, predictor, values["out"])
    with PredictionStore(values["out"] / STORE) as store:
        stored = Stored(predictor, store)
        answers = [_answer(stored, one, task, how, values) for task, one in rounds.items() for how in decodings]
    outcomes = _described(joined([part for part, _ in answers]), rounds, predictor, decodings)
    _write_completions([row for _, rows in answers for row in rows], values["out"])
    if stored.n_reused or values.get("resume"):
        say(f"reused {stored.n_reused} of {len(outcomes)} predictions in {values['out'] / STORE}", values["quiet"])
    return _finish(outcomes, rounds, stored, decodings, values)


def _predictor(values: dict[str, Any]) -> tuple[Any, Any]:
    """The model, and the tokenizer whose chat template renders its prompts (None behind an endpoint)."""
    engine = ray_engine(values)
    if values["base_url"]:
        if engine is not None:
            raise UsageError("Expected --engine local with --base-url, whose server does the work, but got ray.")
        from ..predict.endpoint import Endpoint

        return Endpoint(values["base_url"], values["model"]), None
    from ..predict.generate import TOKEN_BUDGET, load_generator

    limit, budget = values["max_length"] or None, values["token_budget"] or TOKEN_BUDGET
    load = partial(load_generator, values["model"], max_length=limit, token_budget=budget)
    generator = load()
    if engine is None or values["dry_run"]:  # how long it takes is measured here
        return generator, generator.tokenizer
    from ..integrations.ray_generate import RayGenerator

    return RayGenerator.of(generator, engine, load, values["out"]), generator.tokenizer


def _round(values: dict[str, Any], task: str, mapping: Mapping[str, str], ways: Ways, tokenizer: Any) -> _Round:
    from ..ask import ask, same_prompts, summed
    from ..run import plan

    one = {**values, "task": task, "data": str(values["data"]).replace("{task}", task)}
    items = load_items_of(one, mapping)
    for line in items.describe():
        say(f"{task}: {line}", values["quiet"])
    planned = plan(items.items, variants_of(items, one))
    asked = ask(planned, task, ways.wordings, ways.symbols, values["label_orders"], tokenizer)
    return _Round(items, asked, summed([planned.not_applicable, same_prompts(asked)]))


def _answer(
    stored: Stored, one: _Round, task: str, decoding: Decoding, values: dict[str, Any]
) -> tuple[Outcomes, list[dict[str, Any]]]:
    """Outcomes and raw completions of one task in one decoding; finished ones come from the store."""
    from ..ask import outcomes_of, raw_rows

    requests = [asked.request for asked in one.asked]
    with progress(f"{task}, {decoding.mode}", len(requests) * decoding.k, values["quiet"]) as advance:
        completions = list(stored.complete(requests, decoding, advance, _stop(one)))
    outcomes = outcomes_of(one.asked, completions, task, stored.name, decoding.mode)
    return outcomes, list(raw_rows(one.asked, completions, task, decoding.mode))


def _stop(one: _Round) -> Decided:
    from ..predict.generate_write import Decided

    return Decided({asked.request.prompt: asked.prompt for asked in one.asked})


def _write_completions(rows: list[dict[str, Any]], folder: Path) -> None:
    """What the model wrote, word for word: labels and reasons stand in the outcomes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from ..files import atomic_path

    with atomic_path(folder / COMPLETIONS) as temporary:
        pq.write_table(pa.Table.from_pylist(rows), temporary)


def _described(
    outcomes: Outcomes, rounds: Mapping[str, _Round], predictor: Predictor, decodings: Sequence[Decoding]
) -> Outcomes:
    from ..ask import summed

    # Items are left out before they are asked about, so once for all decodings.
    counts = summed([*(one.left_out for one in rounds.values()), outcomes.counts])
    sources = ", ".join(dict.fromkeys(one.items.source for one in rounds.values()))
    notes = [f"Decoding {d.mode}: {_settings(d)}." for d in decodings]
    notes.append("Greedy answers can differ between machines and precisions; --self-check measures it here.")
    source = f"{sources}, model {predictor.name}"
    return replace(outcomes, source=source, notes=[*outcomes.notes, *notes], counts=counts)


def _settings(decoding: Decoding) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in decoding.settings().items() if name != "mode")


def _finish(
    outcomes: Outcomes,
    rounds: Mapping[str, _Round],
    stored: Stored,
    decodings: Sequence[Decoding],
    values: dict[str, Any],
) -> int:
    from ..run import manifest

    report = report_on(outcomes, values)
    checks = _self_check(stored.predictor, rounds, decodings, values)
    record = {
        **manifest(values, stored, outcomes),
        "decodings": [decoding.settings() for decoding in decodings],
        "self_check": checks,
        "predictions_reused": stored.n_reused,
    }
    rows = [row for one in rounds.values() for row in _rows(one)]
    write_run(values, rows, outcomes, report, record)
    for line in checks:
        say(line, values["quiet"])
    return emit(report, values, page=values.get("page"))


def _rows(one: _Round) -> Iterator[dict[str, Any]]:
    """What the model was asked, for `variants.parquet`."""
    for asked in one.asked:
        item = asked.row.item
        yield {"item_id": asked.row.base.id, "condition": asked.condition, "operator": asked.row.operator,
               "relation": asked.row.relation, "label": item.label, "prompt": asked.request.prompt}  # fmt: skip


def _self_check(
    predictor: Any, rounds: Mapping[str, _Round], decodings: Sequence[Decoding], values: dict[str, Any]
) -> list[str]:
    """How far single runs of some prompts disagree with the batched ones, read greedily."""
    n = values["self_check"]
    lines = []
    for task, one in rounds.items() if n else ():
        greedy = next(decoding for decoding in decodings if decoding.mode == "greedy")
        share = predictor.self_check([asked.request for asked in one.asked], n, greedy)
        lines.append(f"self-check {task}: {share:.3f} of {min(n, len(one.asked))} answers differ at batch size 1")
    return lines


def _dry_run(rounds: Mapping[str, _Round], decodings: Sequence[Decoding], predictor: Predictor, out: Path) -> int:
    import click

    for task, one in rounds.items():
        conditions = list(dict.fromkeys(asked.condition for asked in one.asked))
        distinct = len({asked.request.prompt for asked in one.asked})
        click.echo(f"{task}: {len(one.items.items)} items, {len(one.asked)} prompts ({distinct} distinct) in "
                   f"{len(conditions)} conditions: {', '.join(conditions)}")  # fmt: skip
        for decoding in decodings:
            time = _time(one, decoding, predictor)
            click.echo(f"  {decoding.mode}: {len(one.asked) * decoding.k} completions, {time}")
    if (out / STORE).is_file():
        click.echo(f"less what is finished in {out / STORE}")
    return 0


def _time(one: _Round, decoding: Decoding, predictor: Any) -> str:
    """How long a task takes in one decoding."""
    if not hasattr(predictor, "seconds"):
        return "time not known: nothing was sent to the endpoint"
    seconds = predictor.seconds([asked.request for asked in one.asked], decoding, _stop(one))
    return f"about {seconds:.0f} s here, from a sample of the prompts"
