"""The tab Jostle: one item or a file of them, its variants, and what a model says of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gradio as gr
from batch import Batch, batch_notes_html, read_items, rows_of, run_batch
from form import EXAMPLES, TASK_NAMES, fields_for, operator_inputs, operator_names, operators_for, text_inputs
from gradio.events import api
from item_view import jostled_html
from one_item import jostle_item, make_item
from report_view import report_html
from shared import LIMITS, allowed_models, checked_file, explained, guarded, model_choices, to_view
from steps import Result, Step, Stop, in_steps

from jostle.embedded_items import embedded_items
from jostle.files import write_text
from jostle.loading import ItemSet
from jostle.outcomes import OUTCOMES_FILE, VARIANTS_FILE
from jostle.perturb import of_kinds
from jostle.report.page import to_html
from jostle.run import write_variants

FILES = [".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet"]
EXAMPLE_ITEMS = 60
WAITING = '<p class="waiting">Press <b>Jostle</b>, or one of the examples: the verdict will stand here.</p>'
CANCELLED = '<div class="verdict inconclusive"><strong>Cancelled</strong>Nothing was measured.</div>'
_SHOWN = "jostle-result"


def jostle_tab() -> None:
    """Build the tab; call it inside a `gr.Tab`."""
    with gr.Row():
        with gr.Column(scale=2, min_width=300):
            gr.Markdown("Try an example:")
            with gr.Row(elem_classes="examples"):
                examples = [gr.Button(one.name, size="sm", min_width=80) for one in EXAMPLES]
            task = gr.Radio([(name, key) for key, name in TASK_NAMES.items()], value="sst2", label="Task")
            with gr.Tabs():
                with gr.Tab("One item"):
                    texts = text_inputs(EXAMPLES[0])
                    go = gr.Button("Jostle", variant="primary", elem_id="jostle-run")
                with gr.Tab("A file of items"):
                    file, columns, buttons = _file_inputs()
            model = gr.Dropdown(model_choices(), value=allowed_models()[0], label="Model", filterable=False)
            with gr.Accordion("Operators", open=False):
                operators = operator_inputs("sst2")
            seed = gr.Number(0, label="Seed", precision=0)
        with gr.Column(scale=3, min_width=300):
            shown = gr.HTML(WAITING, elem_id=_SHOWN)
            downloads = _downloads()
            with gr.Accordion("As JSON", open=False, visible=False) as data_box:
                data = gr.JSON(label="Variants and predictions", show_label=False)
    common = [model, seed, *operators]
    results = [shown, data, data_box, *downloads]
    _wire_item(go, [task, *texts, *common], results)
    _wire_examples(examples, [task, *texts, *operators], results, model, seed)
    for button in (go, *examples, *buttons[:2]):
        button.click(None, js=to_view(_SHOWN))
    _wire_file(buttons, [task, file, columns, *common], results, [task, *texts, *operators])
    task.input(_changed, task, [*texts, *operators], api_visibility="private", show_progress="hidden")
    api(jostle_one, api_name="jostle")


def _file_inputs() -> tuple[gr.File, gr.Textbox, list[gr.Button]]:
    file = gr.File(
        label=f"Items with gold labels; the first {LIMITS.rows} rows are taken", file_types=FILES, height=170
    )
    columns = gr.Textbox(label="Columns, where they have other names", placeholder="sentence=text, label=gold")
    run = gr.Button("Jostle the file", variant="primary", elem_id="batch-run")
    with gr.Row():
        example = gr.Button("Example items", size="md", elem_id="batch-example", min_width=120)
        cancel = gr.Button("Cancel", size="md", variant="stop", elem_id="batch-cancel", min_width=120)
    return file, columns, [run, example, cancel]


def _downloads() -> list[Any]:
    names = {"outcomes": "Outcomes (parquet)", "variants": "Variants (parquet)", "page": "Report (HTML)"}
    with gr.Row():
        return [
            gr.DownloadButton(text, visible=False, size="sm", elem_id=f"batch-{name}") for name, text in names.items()
        ]


def _wire_item(go: gr.Button, inputs: list[Any], results: list[Any]) -> None:
    go.click(guarded(_one), inputs, results, api_visibility="private", show_progress_on=results[0])


def _wire_examples(buttons: list[gr.Button], form: list[Any], results: list[Any], model: Any, seed: Any) -> None:
    for button, example in zip(buttons, EXAMPLES, strict=True):
        button.click(
            guarded(partial(_example, example.name)), [model, seed], [*results, *form], api_visibility="private",
            show_progress_on=results[0],
        )  # fmt: skip


def _wire_file(buttons: list[gr.Button], inputs: list[Any], results: list[Any], form: list[Any]) -> None:
    run, example, cancel = buttons
    hidden: dict[str, Any] = {"show_progress": "hidden", "concurrency_id": "batch", "concurrency_limit": 1}
    quick: dict[str, Any] = {"queue": False, "show_progress": "hidden", "api_visibility": "private"}
    stop = gr.State(_new_stop)  # a factory: every session has its own
    for button, function, given, filled, name in (
        (run, _file, inputs, results, {"api_name": "jostle_file"}),
        (example, _example_file, inputs[3:5], [*results, *form], {"api_visibility": "private"}),
    ):
        asked = button.click(_asked, stop, results[0], **quick)
        asked.then(function, [stop, *given], filled, **hidden, **name)
    cancel.click(_cancelled, stop, None, **quick)


def _new_stop() -> Stop:
    return Stop()


def _asked(stop: Stop) -> str:
    """The click on a run, before its turn has come."""
    stop.asked = False
    return _progress(Step(0.0, "waiting for its turn"))


def _cancelled(stop: Stop) -> None:
    """The click on Cancel; the run of this session looks at it between two steps."""
    stop.asked = True


def _changed(task: str) -> list[Any]:
    """Another task was chosen: other fields, other operators."""
    return [*fields_for(task), *operators_for(task)]


def _one(task: str, first: str, second: str, options: str, gold: str, model: str, seed: float,
         *operators: list[str]) -> list[Any]:  # fmt: skip
    item = make_item(task, (first, second), options, gold)
    found = jostle_item(item, _chosen(operators), model, int(seed or 0))
    return [jostled_html(found), found.to_dict(), gr.Accordion(visible=True), *_hidden()]


def _example(name: str, model: str, seed: float) -> list[Any]:
    example = next(one for one in EXAMPLES if one.name == name)
    task, given = example.task, (example.texts, example.options, example.gold)
    form = [task, *fields_for(task, *given), *operators_for(task)]
    return [*_one(task, *example.texts, *given[1:], model, seed, *operator_names(task)), *form]


def _chosen(groups: Iterable[list[str]]) -> list[str]:
    return [name for group in groups for name in group or []]


def _hidden() -> list[Any]:
    return [gr.DownloadButton(visible=False) for _ in range(3)]


def jostle_one(
    task: str, texts: list[str], operators: list[str], seed: int = 0, gold: str = "", options: str = "",
    model: str = "",
) -> dict[str, Any]:  # fmt: skip
    """Vary one item and ask a model about every variant.

    Args:
        task: sst2, mnli, qqp, qnli or mcq.
        texts: Texts in the order of the task's fields.
        operators: Names of operators; empty for all that are meant for the task.
        seed: Seed of the operators.
        gold: Gold label, or letter of the right option; empty for none.
        options: Options of multiple choice, one a line.
        model: One of the allowed models; empty for the first of them.
    """
    with explained():
        item = make_item(task, texts, options, gold)
        names = operators or [one.name for one in of_kinds(task, ("para", "pert", "adv", "contrast"))]
        return jostle_item(item, names, model or allowed_models()[0], seed).to_dict()


def _file(stop: Stop, task: str, path: str | None, columns: str, model: str, seed: float,
          *operators: list[str]) -> Iterator[list[Any]]:  # fmt: skip
    """Run a file in steps: progress first, the report and the files to download at the end."""
    with explained():
        items = read_items(checked_file(path, "items"), task, columns or "")
        yield from _batch(stop, items, _chosen(operators), model, int(seed or 0))


def _example_file(stop: Stop, model: str, seed: float) -> Iterator[list[Any]]:
    """The embedded items of sentiment, with the operators that are meant for them."""
    with explained():
        items = replace(embedded_items("sst2", EXAMPLE_ITEMS), variants=())
        form = ["sst2", *fields_for("sst2"), *operators_for("sst2")]
        for results in _batch(stop, items, _chosen(operator_names("sst2")), model, int(seed or 0)):
            yield [*results, *form]
            form = [gr.skip()] * len(form)  # the form is the visitor's own again


def _batch(stop: Stop, items: ItemSet, operators: list[str], model: str, seed: int) -> Iterator[list[Any]]:
    for step in in_steps(lambda tell: run_batch(items, operators, model, seed, tell), LIMITS.seconds, stop):
        if step is None:
            yield [CANCELLED, None, gr.Accordion(visible=False), *_hidden()]
        elif isinstance(step, Result):
            yield from _delivered(step.value)
        else:
            yield [_progress(step), None, gr.Accordion(visible=False), *_hidden()]


def _progress(step: Step) -> str:
    share = round(100 * step.share)
    return (
        f'<div class="progress"><label for="batch-progress">{share} %: {escape(step.doing)}</label>'
        f'<progress id="batch-progress" max="100" value="{share}"></progress></div>'
    )


def _delivered(batch: Batch) -> Iterator[list[Any]]:
    """The result and its files, which are removed when gradio has taken its copies."""
    notes = batch_notes_html(batch)
    with TemporaryDirectory(prefix="jostle-batch-") as name:
        folder = Path(name)
        files: list[Path | None] = [None, write_variants(rows_of(batch), folder), None]
        html = f'<div class="report">{notes}</div>'
        if batch.report is not None and batch.outcomes is not None:
            files[0] = batch.outcomes.write(folder / OUTCOMES_FILE)
            files[2] = write_text(folder / "jostle-report.html", to_html(batch.report))
            html = report_html(batch.report) + html
        assert files[1] == folder / VARIANTS_FILE
        buttons = [gr.DownloadButton(value=str(path) if path else None, visible=path is not None) for path in files]
        yield [html, None, gr.Accordion(visible=False), *buttons]
