"""The tab Report: results files in, verdict out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import gradio as gr
from report_files import Given, read_uploads
from report_view import comparison_html, report_html
from shared import LIMITS, explained, to_view

from jostle.errors import InputError
from jostle.files import write_text
from jostle.measures.options import Options
from jostle.outcomes import Outcomes
from jostle.report import Report, build_report
from jostle.report.compare import compare_outcomes
from jostle.report.model import Comparison, strict
from jostle.report.page import to_html

EXAMPLE = Path(__file__).parent / "examples" / "outcomes.parquet"
ABOUT = """Upload the outcomes of a run (`outcomes.parquet`, csv, jsonl), a `results.json`, \
`{"orig": [true, false, ...], "typos": [true, true, ...]}`, or logs of lm-evaluation-harness (`samples_*.jsonl`) or \
Inspect AI (`.eval`, `.json`), and see whether the score holds.

* **Conditions of one model**: put all its files under *Results*. Items are matched by their content; logs of the same \
task get names in the settings.
* **Two models**: put the other's files under *Compare with*."""
FILES = [".parquet", ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".eval", ".gz"]
MISSING = [("automatic", ""), ("error: refuse", "error"), ("intersect: items with all conditions", "intersect"),
           ("pairwise: each condition with its originals", "pairwise")]  # fmt: skip
MATCH = [("question and options", "content"), ("their id in the log", "id")]
EMPTY = '<p class="waiting">The verdict will stand here.</p>'


def report_tab() -> None:
    """Build the tab; call it inside a `gr.Tab`."""
    gr.Markdown(ABOUT)
    with gr.Row():
        with gr.Column(scale=1, min_width=300):
            first = gr.File(label="Results", file_count="multiple", file_types=FILES, height=170)
            second = gr.File(label="Compare with (optional)", file_count="multiple", file_types=FILES, height=170)
            settings = _settings()
            with gr.Row():
                run = gr.Button("Report", variant="primary", elem_id="report-run")
                example = gr.Button("Example", elem_id="report-example")
        with gr.Column(scale=3, min_width=300):
            shown = gr.HTML(EMPTY, elem_id="report-result")
            downloads = _downloads()
    for button in (run, example):
        button.click(None, js=to_view("report-result"))
    wiring: dict[str, Any] = {"outputs": [shown, *downloads], "show_progress_on": shown}
    run.click(make_report, [first, second, *settings], api_name="report", **wiring)
    example.click(example_report, None, api_name="report_example", **wiring)


def _settings() -> list[Any]:
    with gr.Accordion("Settings", open=False):
        return [
            gr.Number(0.03, label="Tolerance", info="Accuracy difference that would matter", minimum=0.0, maximum=1.0),
            gr.Dropdown(MISSING, value="", label="Items that lack a condition", filterable=False),
            gr.Textbox(label="Reference condition", placeholder="orig, where there is one", max_lines=1),
            gr.Number(0, label="Seed of the bootstrap", precision=0),
            gr.Textbox("", label="Conditions, one a file", placeholder="orig, para/prompt2", max_lines=1),
            gr.Textbox("", label="Metrics of a log", info="Separated by ;", placeholder="all 0/1 scores", max_lines=1),
            gr.Dropdown(MATCH, value="content", label="Items of logs are the same by", filterable=False),
        ]


def _downloads() -> list[Any]:
    names = {"html": "Report as HTML", "json": "Report as JSON", "comparison": "Comparison as JSON"}
    with gr.Row():
        return [
            gr.DownloadButton(label, visible=False, size="sm", elem_id=f"report-{name}")
            for name, label in names.items()
        ]


def make_report(
    first: list[str] | None,
    second: list[str] | None,
    tolerance: float,
    missing: str,
    reference: str,
    seed: float,
    names: str = "",
    metrics: str = "",
    match: str = "content",
) -> Iterator[list[Any]]:
    """Report on the results of one model, and compare them with another's where there are some."""
    with explained():
        options = {"missing": missing or None, "reference": (reference or "").strip() or None, "seed": int(seed)}
        given = Given(names, metrics, match)
        results = _read(first, given)
        report = build_report(results, tolerance=tolerance, **options)  # type: ignore[arg-type]
        comparisons = _compared(results, _read(second, given), int(seed)) if second else []
        yield from _delivered(report, comparisons)


def example_report() -> Iterator[list[Any]]:
    """Report on the example."""
    yield from make_report([str(EXAMPLE)], None, 0.03, "", "", 0)


def _read(paths: list[str] | None, given: Given) -> Outcomes:
    outcomes = read_uploads(paths, given)
    if len(outcomes) > LIMITS.outcomes:
        raise InputError(
            f"Expected at most {LIMITS.outcomes:,} rows, but {outcomes.source} has {len(outcomes):,}. Run "
            "`jostle report` on your own machine: it has no such limit."
        )
    return outcomes


def _compared(first: Outcomes, second: Outcomes, seed: int) -> list[Comparison]:
    names = (first.source, second.source) if first.source != second.source else ("first file", "second file")
    return compare_outcomes(first, second, names, Options(missing="pairwise", seed=seed))


def _delivered(report: Report, comparisons: list[Comparison]) -> Iterator[list[Any]]:
    """The page and the files to download, which are removed when gradio has taken its copies."""
    before = comparison_html(comparisons) if comparisons else ""
    with TemporaryDirectory(prefix="jostle-report-") as name:
        folder = Path(name)
        html = write_text(folder / "jostle-report.html", to_html(report))
        data = write_text(folder / "jostle-report.json", _json(report.to_dict()))
        files = [gr.DownloadButton(value=str(path), visible=True) for path in (html, data)]
        if comparisons:
            path = write_text(folder / "jostle-comparison.json", _json([strict(asdict(made)) for made in comparisons]))
            files.append(gr.DownloadButton(value=str(path), visible=True))
        else:
            files.append(gr.DownloadButton(value=None, visible=False))
        yield [report_html(report, before), *files]


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
