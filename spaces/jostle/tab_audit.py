"""The tab Audit: an evaluation set in, what in it can make its number lie out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gradio as gr
from shared import LIMITS, checked_file, explained, pairs_in, to_view

from jostle.audit import EvalSet, audit, load
from jostle.audit.page import to_fragment, to_html
from jostle.audit.report import AuditReport
from jostle.audit.run import check_classes
from jostle.errors import InputError, JostleError
from jostle.files import write_text

EXAMPLE = Path(__file__).parent / "examples" / "flawed_set.jsonl"
EXAMPLE_RESULTS = EXAMPLE.with_name("flawed_set_results.csv")
ABOUT = """Upload an evaluation set, see what each column was taken for, and find what in it can make a score mean \
something else than it seems to: cases that stand twice, answers that the question gives away, golds that several \
options satisfy, classes too small to measure. With results of two or more models: cases that tell nobody apart."""
FILES = [".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".parquet"]
RESULT_FILES = [*FILES, ".eval", ".gz"]
EMPTY = '<p class="waiting">The findings will stand here.</p>'
_SHOWN = "audit-result"


def audit_tab() -> None:
    """Build the tab; call it inside a `gr.Tab`."""
    gr.Markdown(ABOUT)
    with gr.Row():
        with gr.Column(scale=1, min_width=300):
            file = gr.File(label=f"Evaluation set, up to {LIMITS.cases:,} cases", file_types=FILES, height=170)
            fields = gr.Textbox(
                label="Field map",
                placeholder="input=question, label=gold",
                info="How the columns were read; correct it where it is wrong.",
                elem_id="audit-fields",
            )
            seen = gr.HTML(elem_id="audit-columns")
            results = gr.File(
                label="Results of models (optional)", file_count="multiple", file_types=RESULT_FILES, height=170
            )
            settings = _settings()
            with gr.Row():
                run = gr.Button("Audit", variant="primary", elem_id="audit-run")
                example = gr.Button("Example", elem_id="audit-example")
        with gr.Column(scale=3, min_width=300):
            shown = gr.HTML(EMPTY, elem_id=_SHOWN)
            downloads = _downloads()
    for button in (run, example):
        button.click(None, js=to_view(_SHOWN))
    file.upload(read_fields, file, [fields, seen], api_name="audit_fields", show_progress_on=seen)
    file.clear(lambda: ["", ""], None, [fields, seen], api_visibility="private")
    wiring: dict[str, Any] = {"outputs": [shown, *downloads], "show_progress_on": shown}
    run.click(make_audit, [file, fields, results, *settings], api_name="audit", **wiring)
    example.click(example_audit, None, api_name="audit_example", **wiring)


def _settings() -> list[Any]:
    with gr.Accordion("Settings", open=False):
        return [
            gr.CheckboxGroup(list(check_classes()), label="Leave out"),
            gr.Number(0.85, label="Near duplicates from this cosine on", minimum=0.01, maximum=1.0),
            gr.Number(0.10, label="A class is small below this share", minimum=0.0, maximum=1.0),
            gr.Number(5, label="A class is small below this number of cases", precision=0, minimum=0),
        ]


def _downloads() -> list[Any]:
    names = {"html": "Audit as HTML", "json": "Audit as JSON"}
    with gr.Row():
        return [
            gr.DownloadButton(text, visible=False, size="sm", elem_id=f"audit-{name}") for name, text in names.items()
        ]


def read_fields(path: str | None) -> list[str]:
    """How the columns of a file are read, as text that can be corrected, and the notes; or why they cannot be."""
    try:
        file = checked_file(path, "cases")
        evalset = _named(load(file), file)
    except JostleError as error:  # no toast: the columns can still be named, and the message says how
        name = Path(path).name if path else ""
        return ["", f"<p>{escape(str(error).replace(str(path), name))}</p>"]
    notes = "".join(f"<li>{escape(note)}</li>" for note in evalset.notes)
    return [_as_text(evalset), f"<p>{len(evalset):,} cases</p><ul>{notes}</ul>"]


def _as_text(evalset: EvalSet) -> str:
    return ", ".join(f"{name}={column}" for name, column in evalset.field_map.items())


def make_audit(
    path: str | None,
    fields: str,
    results: list[str] | None,
    skip: list[str],
    threshold: float,
    share: float,
    count: float,
) -> Iterator[list[Any]]:
    """Audit one file, with results of models where there are some."""
    with explained():
        file = checked_file(path, "cases")
        evalset = load(file, pairs_in(fields))
        if len(evalset) > LIMITS.cases:
            raise InputError(
                f"Expected at most {LIMITS.cases:,} cases, but {file.name} has {len(evalset):,}. Run `jostle audit` on "
                "your own machine: it has no such limit."
            )
        named = _named(evalset, file)
        options = {
            "duplicates": {"threshold": threshold},
            "class_balance": {"min_class_share": share, "min_class_count": int(count)},
        }
        files = [checked_file(one, "results") for one in results or []]
        yield from _delivered(audit(named, skip=skip, options=options, results=files))


def _named(evalset: EvalSet, file: Path) -> EvalSet:
    """The set under the name of its file: the folders of this server are nobody's business."""
    notes = [note.replace(str(file), file.name) for note in evalset.notes]
    return EvalSet(evalset.cases, evalset.field_map, file.name, notes)


def example_audit() -> Iterator[list[Any]]:
    """Audit a set that was made to have every flaw, with the answers of three made-up models."""
    yield from make_audit(str(EXAMPLE), "label=topic", [str(EXAMPLE_RESULTS)], [], 0.85, 0.10, 5)


def _delivered(report: AuditReport) -> Iterator[list[Any]]:
    """The page and the files to download, which are removed when gradio has taken its copies."""
    with TemporaryDirectory(prefix="jostle-audit-") as name:
        html = write_text(Path(name) / "jostle-audit.html", to_html(report))
        text = json.dumps(report.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        data = write_text(Path(name) / "jostle-audit.json", text)
        files = [gr.DownloadButton(value=str(path), visible=True) for path in (html, data)]
        yield [f'<div class="report audit">{to_fragment(report)}</div>', *files]
