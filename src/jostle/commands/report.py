"""`jostle report`: outcomes, results.json or a folder of `run` -> report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .shared import emit, resolve, settings


@click.command("report")
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Write the report to this file instead of stdout.")
@settings("report")
def command(source: Path, out: Path | None, **flags: Any) -> int:
    """Report whether the score in SOURCE holds across conditions.

    SOURCE is an outcomes file (parquet, jsonl, csv), a folder that `jostle run` wrote, or a results.json:
    {"shift0": [true, false, ...], ...} or [{"condition": "shift0", "correct": true, "id": ...}, ...].
    """
    values = resolve("report", flags, source)
    from ..importers import read_results
    from ..report import build_report

    report = build_report(
        read_results(source),
        tolerance=values["tolerance"],
        n_resamples=values["resamples"],
        seed=values["seed"],
        flip_tolerance=values["flip_tolerance"],
        missing=values["missing"] or None,
        reference=values["reference"] or None,
    )
    return emit(report, values, out)
