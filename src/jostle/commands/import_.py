"""`jostle import`: logs of other harnesses -> one outcomes file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .results import given_files, read_given, result_files
from .shared import resolve, say, settings


@click.command("import")
@result_files
@click.option("--to", type=click.Path(path_type=Path), required=True, help="Outcomes file to write (parquet).")
@settings("import")
def command(to: Path, **flags: Any) -> int:
    """Read the logs FILES of other harnesses into one outcomes file, for `jostle report`, `pairs` and `compare`.

    FILES are logs of lm-evaluation-harness (samples_*.jsonl, .gz), Inspect AI (.eval, .json), HELM (run folders),
    OpenAI evals (.jsonl) and promptfoo (.json), or plain tables with --map. Several files of the same items add
    conditions, or models; items are matched by their content, never by their order.
    """
    files = given_files(flags)
    values = resolve("import", flags, files[0][1])
    outcomes = read_given(files, values)
    outcomes.write(to)
    quiet = values["quiet"]
    for note in outcomes.notes:
        say(note, quiet)
    for place, reasons in outcomes.counts.items():
        say(f"left out ({place}): {', '.join(f'{reason}: {n}' for reason, n in reasons.items())}", quiet)
    for row in (
        outcomes.to_arrow().group_by("conditions").aggregate([([], "count_all")]).sort_by("conditions").to_pylist()
    ):
        say(f"{row['conditions']}: {row['count_all']:,} rows", quiet)
    say(f"wrote {to}: {len(outcomes):,} rows", quiet)
    return 0
