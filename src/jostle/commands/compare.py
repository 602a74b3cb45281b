"""`jostle compare`: results of two or more models or revisions on the same items, paired."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .forms import label_map, report_file
from .results import read_given, reading_flags
from .shared import draw_on, pairs_of, resolve, say, settings

if TYPE_CHECKING:
    from rich.console import Console

    from ..compare import ComparisonReport


@click.command("compare")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--name", "named", multiple=True, metavar="NAME=FILE", help="A file under a name of its own; repeatable.")
@reading_flags
@label_map
@report_file
@settings("compare")
def command(files: tuple[Path, ...], named: tuple[str, ...], out: Path | None, **flags: Any) -> int:
    """Compare result FILES of models or revisions on the same items and conditions, each with the first.

    FILES are outcomes, folders of `jostle run`, or logs of other harnesses: see `jostle report`. One file is enough
    where its column `models` names several. Differences are paired, with intervals over families. Of three files or
    more the order is tested too: how often it changes.
    """
    values = resolve("compare", flags, files[0] if files else Path.cwd(), out)
    from ..compare import build_comparison, by_model, relabel
    from ..measures.options import Options

    given = [*((_name(path), path) for path in files), *((n, Path(p)) for n, p in pairs_of("--name", named).items())]
    if not given:
        raise click.UsageError("Expected two result files or more, or one with a column `models`, but got none.")
    reading = {key: values.pop(key) for key in ("metrics", "match", "maps")}
    sides = [(name, read_given([(None, path)], dict(reading))) for name, path in given]
    if len(sides) == 1:
        sides = by_model(sides[0][1])
        if len(sides) < 2:  # noqa: PLR2004
            raise click.UsageError(
                "Expected two result files or more, or one with several `models`, but "
                f"{given[0][1]} has {len(sides)} of them. Give a second file, or --map models=COLUMN."
            )
    sides = relabel(sides, pairs_of("--label-map", values.pop("label_map")))
    options = Options(
        n_resamples=values["resamples"],
        seed=values["seed"],
        missing=values["missing"] or "pairwise",
        reference=values["reference"] or None,
    )
    report = build_comparison(sides, options)
    draw_on(lambda to: _draw(report, values, to), values, out)
    for reason in report.drops(values["fail_on"], values["max_drop"]):
        say(f"gate tripped: {reason}")
    for reason in report.incomplete:
        say(reason)
    return report.gate(values["fail_on"], values["max_drop"]).exit_code


def _name(path: Path) -> str:
    """A run is called by its folder, a file by its name without what comes after the first dot."""
    return path.name if path.is_dir() else path.name.split(".")[0]


def _draw(report: ComparisonReport, values: dict[str, Any], to: Console) -> None:
    """The comparison in the form of `--format`."""
    from ..compare import render

    form = values["format"]
    if form == "text":
        render.print_comparison(report, to)
    elif form == "json":
        import json

        document = report.to_dict(values["fail_on"], values["max_drop"])
        to.file.write(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    else:
        to.file.write(render.to_html(report) if form == "html" else render.to_markdown(report))
