"""`jostle run` with a generative model: prompts, completions, labels, for one task or all four."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from .shared import emit, load_items_of, progress, say

if TYPE_CHECKING:
    from ..ask import Asked
    from ..loading import ItemSet
    from ..outcomes import Outcomes
    from ..predict.protocol import Decoding, Predictor
    from ..predict.store import Stored

ALL = ("mnli", "qqp", "qnli", "sst2")
STORE = "predictions.sqlite"
COMPLETIONS = "completions.parquet"


@dataclass(frozen=True)
class _Round:
    """One task with everything that is asked about its items."""

    items: ItemSet
    asked: Sequence[Asked]
    left_out: Mapping[str, Mapping[str, int]]


def run_generative(values: dict[str, Any], mapping: Mapping[str, str]) -> int:
    """Ask every prompt in every decoding, and report; gives the exit code."""
    from ..ask import joined
    from ..predict.store import PredictionStore, Stored

    decodings = _decodings(values)
    if values.get("resume"):
        _must_have_begun(values["out"])
    predictor, tokenizer = _predictor(values)
    rounds = {task: _round(values, task, mapping, tokenizer) for task in _tasks(values)}
    if values["dry_run"]:
        return _dry_run(rounds, decodings)
    with PredictionStore(values["out"] / STORE) as store:
        stored = Stored(predictor, store)
        answers = [_answer(stored, one, task, how, values) for task, one in rounds.items() for how in decodings]
    outcomes = _described(joined([part for part, _ in answers]), rounds, predictor, decodings)
    _write_completions([row for _, rows in answers for row in rows], values["out"])
    if stored.n_reused or values.get("resume"):
        say(f"reused {stored.n_reused} of {len(outcomes)} predictions in {values['out'] / STORE}", values["quiet"])
    return _finish(outcomes, rounds, stored, decodings, values)


def _must_have_begun(out: Path) -> None:
    """Refuse to resume what was never begun: a mistyped folder would start all over."""
    if not (out / STORE).is_file():
        raise UsageError(
            f"Expected --resume with the folder of a run that was begun, but {out} holds no {STORE}. "
            "Name its folder in --out, or leave --resume out."
        )


def _tasks(values: dict[str, Any]) -> tuple[str, ...]:
    return ALL if values["task"] == "all" else (values["task"],)


def _decodings(values: dict[str, Any]) -> list[Decoding]:
    from ..predict.protocol import MODES, Decoding

    modes = [mode.strip() for mode in values["decoding"].split(",")]
    strange = [mode for mode in modes if mode not in MODES]
    if strange:
        raise UsageError(f"Expected --decoding of {', '.join(MODES)}, but got {strange[0]!r}.")
    common = {"max_new_tokens": values["max_new_tokens"], "seed": values["seed"]}
    sampling = {"k": values["k"], "temperature": values["temperature"], "top_p": values["top_p"]}
    return [Decoding(mode, **common, **(sampling if mode == "sample" else {})) for mode in modes]


def _predictor(values: dict[str, Any]) -> tuple[Any, Any]:
    """The model, and the tokenizer whose chat template renders its prompts (None behind an endpoint)."""
    if values["base_url"]:
        from ..predict.endpoint import Endpoint

        return Endpoint(values["base_url"], values["model"]), None
    from ..predict.generate import load_generator

    generator = load_generator(values["model"])
    return generator, generator.tokenizer


def _round(values: dict[str, Any], task: str, mapping: Mapping[str, str], tokenizer: Any) -> _Round:
    from ..ask import ask, same_prompts, summed
    from ..run import plan
    from .run import variants_of

    one = {**values, "task": task, "data": str(values["data"]).replace("{task}", task)}
    items = load_items_of(one, mapping)
    for line in items.describe():
        say(f"{task}: {line}", values["quiet"])
    planned = plan(items.items, variants_of(items, one))
    wordings, symbols = (tuple(name.strip() for name in values[which].split(",")) for which in ("prompts", "symbols"))
    asked = ask(planned, task, wordings, symbols, values["label_orders"], tokenizer)
    return _Round(items, asked, summed([planned.not_applicable, same_prompts(asked)]))


def _answer(
    stored: Stored, one: _Round, task: str, decoding: Decoding, values: dict[str, Any]
) -> tuple[Outcomes, list[dict[str, Any]]]:
    """Outcomes and raw completions of one task in one decoding; finished ones come from the store."""
    from ..ask import outcomes_of, raw_rows
    from ..predict.generate_write import Decided

    requests = [asked.request for asked in one.asked]
    stop = Decided({asked.request.prompt: asked.prompt for asked in one.asked})
    with progress(f"{task}, {decoding.mode}", len(requests) * decoding.k, values["quiet"]) as advance:
        completions = list(stored.complete(requests, decoding, advance, stop))
    outcomes = outcomes_of(one.asked, completions, task, stored.name, decoding.mode)
    return outcomes, list(raw_rows(one.asked, completions, task, decoding.mode))


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
    from .run import report_on, write_run

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
    """How far single runs of some prompts disagree with the batched ones."""
    n = values["self_check"]
    if not n:
        return []
    if not hasattr(predictor, "self_check"):
        raise UsageError("Expected --self-check with a local model, but got an endpoint.")
    greedy = next((d for d in decodings if d.mode == "greedy"), None)
    if greedy is None:
        raise UsageError("Expected --self-check with greedy decoding, but it is not among --decoding.")
    lines = []
    for task, one in rounds.items():
        share = predictor.self_check([asked.request for asked in one.asked], n, greedy)
        lines.append(f"self-check {task}: {share:.3f} of {min(n, len(one.asked))} answers differ at batch size 1")
    return lines


def _dry_run(rounds: Mapping[str, _Round], decodings: Sequence[Decoding]) -> int:
    import click

    for task, one in rounds.items():
        conditions = list(dict.fromkeys(asked.condition for asked in one.asked))
        distinct = len({asked.request.prompt for asked in one.asked})
        click.echo(f"{task}: {len(one.items.items)} items, {len(one.asked)} prompts ({distinct} distinct) in "
                   f"{len(conditions)} conditions: {', '.join(conditions)}")  # fmt: skip
        for decoding in decodings:
            click.echo(f"  {decoding.mode}: {len(one.asked) * decoding.k} completions")
    return 0
