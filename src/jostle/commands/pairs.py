"""`jostle pairs`: contrast pairs -> report and gate, with `pin` and `check` beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import InputError, UsageError
from .forms import label_map, report_file
from .gates import chosen_gate
from .shared import draw_on, pairs_of, resolve, say, settings
from .subcommands import Lazy, WithSubcommands

if TYPE_CHECKING:
    from rich.console import Console

    from ..pairs.decide import Decision
    from ..pairs.gate import Gate
    from ..pairs.report import PairReport

SUBCOMMANDS = {
    "pin": Lazy("pairs_pin", "Pin reviewed pairs with their outcomes."),
    "check": Lazy("pairs_check", "Hold pinned pairs against a new run."),
}


@click.command("pairs", cls=WithSubcommands, subcommands=SUBCOMMANDS)
@click.argument("source", metavar="FILE", required=False, type=click.Path(path_type=Path))
@click.option("--map", "maps", multiple=True, metavar="FIELD=COLUMN", help="Column of a field; repeatable.")
@label_map
@click.option("--weight", "weights", multiple=True, metavar="OPERATOR=NUMBER",
              help="Weight of an operator in the operator-weighted rates, 1 for the others; repeatable.")  # fmt: skip
@click.option("--gate", type=click.Path(path_type=Path), help="Gate file, instead of [gate] in the settings file.")
@click.option("--fixtures", type=click.Path(path_type=Path), help="Pinned pairs, for max_new_failures of the gate.")
@click.option("--check-split", nargs=2, metavar="TRAIN TEST", type=click.Path(path_type=Path),
              help="Instead of a report: what two files share (families, bases). Exit 1 on any.")  # fmt: skip
@report_file
@settings("pairs")
def command(source: Path | None, check_split: tuple[Path, Path] | None, **flags: Any) -> int:
    """Report on the contrast pairs in FILE: do answers change when the meaning changes, and stay when it stays?

    FILE has a row for every pair (jsonl, json, csv, tsv, parquet) with base_label, edited_label, base_prediction,
    edited_prediction, and perhaps id, operator, family, relation, base_text, edited_text, base_confidence,
    edited_confidence, abstained, critical, reviewed; other columns are kept as evidence. Or it is an outcomes file or a
    folder of `jostle run`, whose variants are paired with their originals.
    """
    if (source is None) == (check_split is None):
        raise UsageError("Expected a FILE of pairs, or --check-split TRAIN TEST, but got both or neither.")
    if check_split is not None:
        return _check_split(check_split, flags)
    assert source is not None
    gate = chosen_gate(flags.pop("gate"), flags["config"], flags["no_config"], source)
    values = resolve("pairs", flags, source, flags["out"])
    report = _report(source, values, gate)
    decision = None if gate is None else _decision(gate, report, values["fixtures"])
    draw_on(lambda to: _draw(report, values, decision, to), values, values["out"])
    return _exit_code(report, decision, values["quiet"])


def _report(source: Path, values: dict[str, Any], gate: Gate | None) -> PairReport:
    from ..pairs import measure_pairs, read_pairs
    from ..pairs.report import check_operators

    pairs = read_pairs(
        source,
        pairs_of("--map", values["maps"]),
        label_map=pairs_of("--label-map", values["label_map"]),
        reference=values["reference"] or None,
        group=values["group"],
    )
    given, typed = {} if gate is None else dict(gate.weights), _weights(values["weights"])
    for names, where in ((given, f"[gate.weights] of {gate.source if gate else ''}"), (typed, "--weight")):
        check_operators(names, pairs, where)
    return measure_pairs(
        pairs,
        n_resamples=values["resamples"],
        seed=values["seed"],
        collapse=values["collapse"],
        threshold=values["abstain_below"] or None,
        weights=given | typed,
        critical=() if gate is None else gate.critical,
    )


def _weights(flags: tuple[str, ...]) -> dict[str, float]:
    weights = {}
    for name, text in pairs_of("--weight", flags).items():
        try:
            weights[name] = float(text)
        except ValueError:
            raise UsageError(f"Expected --weight {name}=NUMBER, but got {text!r}.") from None
    return weights


def _decision(gate: Gate, report: PairReport, fixtures: Path | None) -> Decision:
    from ..pairs.decide import decide, judge
    from ..pairs.fixtures import read_fixtures
    from ..pairs.recheck import recheck

    failures = None
    if fixtures is not None:
        found = recheck(read_fixtures(fixtures), report.pairs)
        if found.missing:
            raise InputError(
                f"Expected a row for each pair of {fixtures}, but {report.pairs.source} lacks {len(found.missing)} of "
                f"them, the first {found.missing[0]!r}."
            )
        failures = found.new_failures
    return decide(gate, report.values, judge(report.pairs, report.data), failures)


def _draw(report: PairReport, values: dict[str, Any], decision: Decision | None, to: Console) -> None:
    """The report in the form of `--format`."""
    form, show = values["format"], values["show"]
    rulings = [] if decision is None else decision.lines
    if form == "text":
        from ..pairs.text import print_pairs

        print_pairs(report, to, show, rulings)
    elif form == "json":
        import json

        gate = None
        if decision is not None:
            gate = decision.to_dict() | {"exit_code": _code(report, decision)}
            gate["incomplete"] = [*report.incomplete, *gate["incomplete"]]
        document = report.to_dict(gate, show)  # evidence may hold dates and bytes, which JSON has no form for
        to.file.write(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False, default=str) + "\n")
    elif form == "html":
        from ..pairs.page import to_html

        to.file.write(to_html(report, show, rulings))
    else:
        from ..pairs.markdown import to_markdown

        to.file.write(to_markdown(report, show, rulings))


def _code(report: PairReport, decision: Decision | None) -> int:
    return 3 if report.incomplete else 0 if decision is None else decision.exit_code


def _exit_code(report: PairReport, decision: Decision | None, quiet: bool) -> int:
    """The exit code, with its reasons on stderr."""
    for warning in report.pairs.warnings:
        say(f"warning: {warning}", quiet)
    for reason in report.incomplete:
        say(reason)
    for ruling in () if decision is None else (*decision.incomplete, *decision.tripped):
        say(f"gate: {ruling.line()}")
    return _code(report, decision)


def _check_split(files: tuple[Path, Path], flags: dict[str, Any]) -> int:
    import json

    from ..pairs.check_split import check_split
    from ..pairs.listing import to_markdown, to_text
    from ..pairs.split_report import headline, listings, to_dict
    from .shared import deliver

    values = resolve("pairs", flags, files[0], flags["out"])
    if values["format"] == "html":
        raise UsageError("Expected --format text, json or markdown with --check-split, but got html.")
    found = check_split(*files, pairs_of("--map", values["maps"]))
    if values["format"] == "json":
        text = json.dumps(to_dict(found), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    else:
        write = to_text if values["format"] == "text" else to_markdown
        text = write(headline(found), listings(found))
    deliver(text, values["out"], values["quiet"])
    return found.exit_code
