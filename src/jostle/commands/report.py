"""`jostle report`: outcomes, results.json, a folder of `run`, or logs of other harnesses -> report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .results import given_files, read_given, result_files
from .shared import emit, resolve, settings


@click.command("report")
@result_files
@click.option("--out", type=click.Path(path_type=Path), help="Write the report to this file instead of stdout.")
@settings("report")
def command(out: Path | None, **flags: Any) -> int:
    """Report whether the score in FILES holds across conditions.

    Each of FILES is an outcomes file (parquet, jsonl, csv), a folder that `jostle run` wrote, a results.json
    ({"shift0": [true, false, ...], ...} or [{"condition": "shift0", "correct": true, "id": ...}, ...]), or a log of
    lm-evaluation-harness (samples_*.jsonl) or Inspect AI (.eval, .json). Several files of the same items add
    conditions, or models.
    """
    files = given_files(flags)
    values = resolve("report", flags, files[0][1])
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
    return emit(report, values, out)
