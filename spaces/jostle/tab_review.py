"""The tab Review: a person says of each variant and contrast pair whether its label is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gradio as gr
from review_session import Session, agreement
from review_view import CSS, agreement_html, panel
from shared import checked_file, explained, guarded

from jostle.embedded_items import TASKS
from jostle.errors import InputError
from jostle.review_queue import example_cases, read_cases
from jostle.reviews import APPROVED, REJECTED, UNSURE, Reviews, read_reviews

MOST = 5_000  # cases in one queue
WHAT = "variants or contrast pairs"
FILES = [".parquet", ".jsonl", ".json", ".csv", ".tsv"]
KEYS = (Path(__file__).parent / "review_keys.js").read_text(encoding="utf-8")
BUTTONS = ((APPROVED, "Yes (Y)", "yes"), (REJECTED, "No (N)", "no"), (UNSURE, "Unsure (U)", "unsure"))
ABOUT = (
    "Labels become human-checked here. Read the base and the variant, say whether the label is right, and export the "
    "review file, which `jostle build --reviews FILE --only-approved` and `jostle pairs pin --reviews FILE` read."
)


def review_tab() -> None:
    """Build the tab; call it inside a `gr.Tab`."""
    state = gr.State(Session())  # frozen; every step gives another one
    with gr.Accordion("What to review") as source:
        gr.Markdown(ABOUT)
        with gr.Row():
            with gr.Column(min_width=260):
                files = gr.File(
                    label="Data set, variants or pairs", file_count="multiple", file_types=FILES, height=150
                )
            with gr.Column(min_width=260):
                task = gr.Dropdown(list(TASKS), value=TASKS[0], label="Or the embedded items of", filterable=False)
                example = gr.Button("Review the example", elem_id="review-example")
    with gr.Column(visible=False) as work:
        shown = gr.HTML(css_template=CSS, js_on_load=KEYS, elem_id="review-panel")
        with gr.Row():
            answers = [gr.Button(label, elem_id=f"review-{name}", min_width=90) for _, label, name in BUTTONS]
        with gr.Row():
            back = gr.Button("← Back", size="sm", elem_id="review-back", min_width=90)
            on = gr.Button("Next →", size="sm", elem_id="review-next", min_width=90)
        _key_switch()
        reviewer = _after(state, shown)
    for button, (status, _, name) in zip(answers, BUTTONS, strict=True):
        _quick(button, partial(decide, status), [state, reviewer], [state, shown], f"review_{name}")
    _quick(back, partial(move, -1), [state], [state, shown], "review_back")
    _quick(on, partial(move, 1), [state], [state, shown], "review_next")
    started = [state, shown, work, source]
    files.upload(load_files, [files], started, api_name="review_files")
    example.click(load_example, [task], started, api_name="review_example")


def _key_switch() -> None:
    """Keys of one letter must be easy to switch off, for people who speak to their computer (WCAG 2.1.4)."""
    gr.Checkbox(
        True, label="Keys Y, N, U, ← and → answer and move", elem_id="review-keys", container=False, interactive=True
    )


def _quick(button: gr.Button, function: Callable[..., Any], inputs: list[Any], outputs: list[Any], name: str) -> None:
    """A click that only changes the session: no queue, and a second click before the answer is shown does nothing."""
    button.click(function, inputs, outputs, api_name=name, queue=False, show_progress="hidden", trigger_mode="once")


def _after(state: gr.State, shown: gr.HTML) -> gr.Textbox:
    """Export, resume and compare; gives the box with the reviewer's name."""
    with gr.Row():
        reviewer = gr.Textbox(label="Reviewer", placeholder="Your name, as it goes into the file", min_width=260)
        export = gr.Button("Export the review file", variant="primary", elem_id="review-export", min_width=260)
    written = gr.File(label="Review file", interactive=False, visible=False)
    with gr.Accordion("Go on from an earlier file, or compare with another reviewer", open=False), gr.Row():
        with gr.Column(min_width=260):
            earlier = gr.File(label="Go on from an earlier review file", file_types=FILES, height=150)
        with gr.Column(min_width=260):
            other = gr.File(label="Another reviewer's file", file_types=FILES, height=150)
    compared = gr.HTML(css_template=CSS, elem_id="review-agreement")
    export.click(export_file, [state, reviewer], [written], api_name="review_export")
    earlier.upload(resume, [earlier, state], [state, shown], api_name="review_resume")
    other.upload(compare, [other, state, reviewer], [compared], api_name="review_agreement")
    return reviewer


@guarded
def load_files(files: Sequence[str]) -> tuple[Any, ...]:
    """Start a review of uploaded files."""
    return _started(Session(read_cases([checked_file(name, WHAT) for name in files])))


@guarded
def load_example(task: str) -> tuple[Any, ...]:
    """Start a review of the embedded items."""
    return _started(Session(example_cases(task)))


def _started(session: Session) -> tuple[Any, ...]:
    if len(session.cases) > MOST:
        raise InputError(
            f"Expected at most {MOST:,} variants in a queue, but got {len(session.cases):,}. Build a part of them with "
            "--limit, or upload one configuration."
        )
    return session, panel(session), gr.Column(visible=True), gr.Accordion(open=False)


def decide(status: str, session: Session, reviewer: str) -> tuple[Session, str]:
    """Answer the case that is shown and go on to the next."""
    moved = session.decide(status, reviewer.strip())
    return moved, panel(moved)


def move(step: int, session: Session) -> tuple[Session, str]:
    """Go back or on without an answer."""
    moved = session.move(step)
    return moved, panel(moved)


def export_file(session: Session, reviewer: str) -> Iterator[Any]:
    """Write the review file for download; it is removed when gradio has taken its copy."""
    with explained(), TemporaryDirectory(prefix="jostle-review-") as folder:
        yield gr.File(str(session.export(Path(folder) / "reviews.jsonl", reviewer)), visible=True)


@guarded
def resume(file: str | None, session: Session) -> tuple[Session, str]:
    """Take the decisions of an earlier review file and go to the first open case."""
    resumed, stale = session.resume(_reviews(file))
    if stale:
        gr.Warning(f"{stale} decisions are about texts that are others now: these cases are open again.")
    return resumed, panel(resumed)


@guarded
def compare(file: str | None, session: Session, reviewer: str) -> str:
    """Agreement with another reviewer."""
    return agreement_html(agreement(session, reviewer, _reviews(file)))


def _reviews(file: str | None) -> Reviews:
    reviews = read_reviews(checked_file(file, "review decisions"))
    assert reviews is not None  # it is None for no path alone
    return reviews
