"""`jostle audit`: an evaluation set -> what in it can make its number lie."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, UsageError
from .forms import report_file
from .shared import csv_flags, csv_form, draw_on, pairs_of, resolve, say, settings

if TYPE_CHECKING:
    from rich.console import Console

    from ..audit.report import AuditReport

DUPLICATES = "duplicates"


class WithResults(click.Command):
    """A command whose `--results` takes all files up to the next flag, once FILE has been given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Write `--results A B` as `--results A --results B`."""
        return super().parse_args(ctx, _spread(args, self._valued()))

    def _valued(self) -> set[str]:
        options = [one for one in self.params if isinstance(one, click.Option) and not (one.is_flag or one.count)]
        return {name for option in options for name in option.opts}


def _spread(args: Sequence[str], valued: set[str]) -> list[str]:
    """Arguments with the flag in front of every file of results.

    >>> _spread(["set.csv", "--results", "a", "b", "--quiet"], {"--results"})
    ['set.csv', '--results', 'a', '--results', 'b', '--quiet']
    """
    made: list[str] = []
    given, last = False, ""  # whether FILE was given, and the flag before
    for k, arg in enumerate(args):
        if arg.startswith("-"):
            last = arg
        elif args[k - 1] in valued and k:
            pass  # the value of the flag before
        elif given and last == "--results":
            made.append("--results")
        else:
            given, last = True, ""
        made.append(arg)
    return made


@click.command("audit", cls=WithResults)
@click.argument("source", metavar="FILE")
@click.option("--map", "maps", multiple=True, metavar="FIELD=COLUMN", help="Column of a field; repeatable.")
@csv_flags
@click.option("--split", help="Split of a data set on the Hub or in a folder.")
@click.option("--results", multiple=True, type=click.Path(path_type=Path), metavar="FILE...",
              help="Results of two or more models on these cases: outcomes, logs, or a column a model.")  # fmt: skip
@click.option("--against", type=click.Path(path_type=Path), help="Training file or corpus to look for the cases in.")
@click.option("--baseline", type=click.Path(path_type=Path),
              help="Older report (--format json): say what is new since, and trip the gate on that alone.")  # fmt: skip
@report_file
@settings("audit")
def command(source: str, **flags: Any) -> int:
    """Audit the evaluation set FILE: what in it can make a score mean something else than it seems to?

    FILE is jsonl, ndjson, json, csv, tsv or parquet, the folder of a data set, or a Hub id. It needs
    `input` (or premise and hypothesis, question1 and question2, question and sentence, or `turns`) and may have id,
    label, expected, choices, answer; other names are taken where only one can be meant, and --map names the rest.
    """
    path = Path(source)
    values = resolve("audit", flags, path if path.exists() else Path.cwd(), flags["out"])
    for name in ("results", "against", "baseline"):
        for file in values[name] if name == "results" else [values[name]]:
            if file is not None and not file.exists():
                raise InputError(f"Expected a file for --{name}, but {file} does not exist.")
    report = _audit(source, values)
    draw_on(lambda to: _draw(report, values, to), values, values["out"])
    gate = report.gate(values["fail_on"])
    for reason in gate.incomplete:
        say(f"incomplete: {reason}")
    if gate.tripped:
        say(f"gate tripped: --fail-on {gate.fail_on}")
    return gate.exit_code


def _audit(source: str, values: dict[str, Any]) -> AuditReport:
    import dataclasses

    from ..audit import audit, load
    from ..audit.baseline import read_baseline
    from ..audit.describe import field_lines

    skip = [*values["skip"], *([DUPLICATES] if values["skip_duplicates"] else [])]
    if DUPLICATES in values["only"] and DUPLICATES in skip:
        raise UsageError("Expected duplicates in --only or left out, but got both.")
    baseline = None if values["baseline"] is None else read_baseline(values["baseline"])
    evalset = load(source, pairs_of("--map", values["maps"]), form=csv_form(values), split=values["split"])
    told = values["format"] == "text" and values["out"] is None  # the report on the terminal has the field map
    for line in () if told else field_lines(evalset):
        say(line if line.startswith("warning: ") else f"field map: {line}", values["quiet"])
    options = {
        "duplicates": {"threshold": values["duplicate_threshold"]},
        "class_balance": {name: values[name] for name in ("min_class_share", "min_class_count")},
        **({"leakage": {"against": values["against"]}} if values["against"] else {}),
    }
    report = audit(evalset, only=values["only"], skip=skip, options=options, results=values["results"])
    return dataclasses.replace(report, baseline=baseline)


def _draw(report: AuditReport, values: dict[str, Any], to: Console) -> None:
    """The report in the form of `--format`."""
    form = values["format"]
    if form == "text":
        from ..audit.text import print_audit

        print_audit(report, to)
    elif form == "json":
        import json

        document = report.to_dict(values["fail_on"])
        to.file.write(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    elif form == "html":
        from ..audit.page import to_html

        to.file.write(to_html(report))
    else:
        from ..audit.markdown import to_markdown

        to.file.write(to_markdown(report))
