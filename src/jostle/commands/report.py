"""`jostle report`: outcomes, results.json, a folder of `run`, or logs of other harnesses -> report."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from .forms import report_file
from .results import given_files, read_given, result_files
from .shared import emit, resolve, say, settings


@click.command("report")
@result_files
@report_file
@click.option("--junit", type=click.Path(path_type=Path), help="Also write JUnit XML: a test for each group.")
@click.option("--sarif", type=click.Path(path_type=Path), help="Also write SARIF: a result for each group.")
@click.option("--model-index", is_flag=True, help="Print the `model-index` YAML of a model card instead.")
@click.option("--model-name", default="", help="With --model-index: the model, where FILES do not say it.")
@click.option("--data-set", default="", help="With --model-index: the data set, where FILES do not say a task.")
@settings("report")
def command(out: Path | None, junit: Path | None, sarif: Path | None, model_index: bool, **flags: Any) -> int:
    """Report whether the score in FILES holds across conditions.

    Each of FILES is an outcomes file (parquet, jsonl, csv), a folder that `jostle run` wrote, a results.json
    ({"shift0": [true, false, ...], ...} or [{"condition": "shift0", "correct": true, "id": ...}, ...]), or a log of
    another harness: lm-evaluation-harness (samples_*.jsonl), Inspect AI (.eval, .json), HELM, OpenAI evals or
    promptfoo. Several files of the same items add conditions, or models.
    """
    files = given_files(flags)
    values = resolve("report", flags, files[0][1], out)
    from ..report import build_report

    report = build_report(
        read_given(files, values),
        tolerance=values["tolerance"],
        n_resamples=values["resamples"],
        seed=values["seed"],
        flip_tolerance=values["flip_tolerance"],
        missing=values["missing"] or None,
        reference=values["reference"] or None,
    )
    _for_ci(report, junit, sarif, values)
    if model_index:
        from ..report.model_index import to_model_index

        sys.stdout.write(to_model_index(report, values["model_name"], values["data_set"]))
        return int(report.gate(values["fail_on"]).exit_code)
    return emit(report, values, out)


def _for_ci(report: Any, junit: Path | None, sarif: Path | None, values: dict[str, Any]) -> None:
    """Write the files that CI systems read."""
    from ..report.ci_files import write_junit, write_sarif

    if junit is not None:
        say(f"wrote {write_junit(report, junit, values['fail_on'])}", values["quiet"])
    if sarif is not None:
        say(f"wrote {write_sarif(report, sarif)}", values["quiet"])
