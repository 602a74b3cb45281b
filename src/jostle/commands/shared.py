"""Flags that commands share, where their values come from, and how a report leaves."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..config import SECTIONS, Setting, find_file, read_settings
from ..errors import UsageError
from ..printable import printable
from .forms import form_for
from .pipes import is_pipe, read_through

if TYPE_CHECKING:
    from rich.console import Console

    from ..csv_rows import CsvForm
    from ..loading import ItemSet
    from ..report import Report

Command = Callable[..., Any]
Advance = Callable[[int], None]
EMBEDDED = "embedded"  # in place of a file or a model
log = logging.getLogger("jostle")


def settings(section: str) -> Callable[[Command], Command]:
    """Add a flag for every setting of the section, and the flags that say where settings come from.

    The command gets them unresolved; `resolve` decides: flag, then file, then default, by whether the flag was typed.
    """

    def decorate(function: Command) -> Command:
        function = common(function)
        if any(setting.name == "fail_on" and "fragile" in setting.choices for setting in SECTIONS[section]):
            function = click.option("--fail-on-fragile", is_flag=True, help="The same as --fail-on fragile.")(function)
        for setting in reversed(SECTIONS[section]):
            function = _option(setting)(function)
        return function

    return decorate


def common(function: Command) -> Command:
    """Add the flags that every command has."""
    for flag in reversed(_COMMON):
        function = flag(function)
    return function


def _option(setting: Setting) -> Callable[[Command], Command]:
    kind: Any = click.Choice([c for c in setting.choices if c]) if setting.choices else setting.kind
    shown = "" if setting.default in ("", 0, 0.0) else f"  [default: {setting.default}]"
    flag = f"--{setting.name.replace('_', '-')}"
    if setting.kind is bool:
        return click.option(f"{flag}/--no-{flag[2:]}", setting.name, default=None, help=setting.help)
    names = [flag]
    if setting.kind is list:
        return click.option(*names, setting.name, multiple=True, callback=_listed, help=setting.help)
    return click.option(*names, setting.name, type=kind, default=None, help=setting.help + shown)


def _listed(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> list[str] | None:
    """Values of a flag that may be repeated or name several with commas; None where it was not typed."""
    return [part for value in values for part in value.split(",") if part] or None


def csv_flags(function: Command) -> Command:
    """Add what says how a csv file is written; `csv_form` reads it."""
    for flag in (
        click.option("--delimiter", help="What separates the cells of a csv file: one character, or `tab`."),
        click.option("--columns", metavar="NAME,NAME,...", help="Columns of a csv file without a header line."),
    ):
        function = flag(function)
    return function


def csv_form(values: Mapping[str, Any]) -> CsvForm:
    """How the csv file of a command is written."""
    from ..csv_rows import CsvForm

    delimiter = {"tab": "\t", "\\t": "\t"}.get(values.get("delimiter") or "", values.get("delimiter") or "")
    columns = [name.strip() for name in (values.get("columns") or "").split(",") if name.strip()]
    return CsvForm(tuple(columns), delimiter)


_COMMON = (
    click.option("--config", type=click.Path(path_type=Path), help="Settings file, instead of the one found upward."),
    click.option("--no-config", is_flag=True, help="Read no settings file."),
    click.option("-v", "--verbose", count=True, help="Log progress to stderr; -vv with tracebacks."),
    click.option("--quiet", is_flag=True, help="No progress and no messages on stderr, errors apart."),
    click.option("--no-color", is_flag=True, help="No colours."),
)


def resolve(section: str, flags: dict[str, Any], data: Path | None, report_to: Path | None = None) -> dict[str, Any]:
    """Settings of a section: typed flags over the settings file over the defaults.

    Args:
        section: Which settings.
        flags: All flags as they were typed.
        data: Where the settings file is looked for, upward.
        report_to: File that the report goes to: its name says the form as if it were typed.

    Raises:
        UsageError: A bad settings file, or a value outside what is allowed.
    """
    _logging(flags.pop("verbose"))
    config, no_config = flags.pop("config"), flags.pop("no_config")
    if flags.pop("fail_on_fragile", False):
        if flags["fail_on"] not in (None, "fragile"):
            raise UsageError(f"Expected --fail-on-fragile or --fail-on {flags['fail_on']}, but got both.")
        flags["fail_on"] = "fragile"
    path = None if no_config else config or (find_file(Path.cwd() if is_pipe(data) else data) if data else None)
    from_file = read_settings(path).get(section, {}) if path else {}
    if path:
        log.info("settings from %s", path)
    values = dict(flags)
    for setting in SECTIONS[section]:
        typed = flags[setting.name] if setting.name != "format" else form_for(report_to, flags["format"])
        if typed is None:
            values[setting.name] = from_file.get(setting.name, setting.default)
        else:
            values[setting.name] = setting.check(typed, f"--{setting.name.replace('_', '-')}")
    return values


def _logging(verbosity: int) -> None:
    if verbosity:
        level = logging.DEBUG if verbosity > 1 else logging.INFO
        logging.basicConfig(stream=sys.stderr, level=level, format="%(levelname)s %(name)s: %(message)s")


def pairs_of(flag: str, values: tuple[str, ...]) -> dict[str, str]:
    """`name=value` flags as a mapping.

    Raises:
        UsageError: No equals sign, or a name given twice.
    """
    result: dict[str, str] = {}
    for value in values:
        name, equals, target = value.partition("=")
        if not equals or not name or not target or name in result:
            raise UsageError(f"Expected {flag} NAME=VALUE, each name once, but got {value!r}.")
        result[name] = target
    return result


def load_items_of(values: dict[str, Any], mapping: Mapping[str, str]) -> ItemSet:
    """The items that `--data` names: a file, a Hub id, or the embedded ones."""
    from ..embedded_items import embedded_items
    from ..hub import load_hub_items
    from ..loading import load_items
    from ..rows import SUFFIXES

    name, limit = values["data"], values["limit"] or None
    if name == EMBEDDED:
        return embedded_items(values["task"], limit)
    if Path(name).exists() or name.count("/") != 1 or Path(name).suffix in SUFFIXES:
        form = csv_form(values)
        found: ItemSet = read_through([Path(name)], lambda ps: load_items(ps[0], values["task"], mapping, limit, form))
        return found
    return load_hub_items(name, values["task"], mapping, limit)


def say(message: str, quiet: bool = False) -> None:
    """A message to people, on stderr."""
    if not quiet:
        click.echo(printable(message), err=True)


def emit(report: Report, values: dict[str, Any], out: Path | None = None, page: Path | None = None) -> int:
    """Print or write the report in the wanted form, and the HTML page where one is wanted; gives the exit code."""
    gate = report.gate(values["fail_on"])
    if page is not None:
        from ..files import write_text
        from ..report.page import to_html

        say(f"wrote {write_text(page, to_html(report))}: open it in a browser", values["quiet"])
    draw_on(lambda to: render(report, values, to), values, out)
    for warning in report.warnings:
        say(f"warning: {warning}", values["quiet"])
    for reason in gate.incomplete:
        say(reason)
    if gate.tripped:
        say(f"gate tripped: --fail-on {gate.fail_on}")
    return gate.exit_code


def deliver(text: str, out: Path | None, quiet: bool) -> None:
    """Print a finished text to stdout, or write it to a file."""
    if out is None:
        sys.stdout.write(text)
        return
    from ..files import write_text

    say(f"wrote {write_text(out, text)}", quiet)


def draw_on(draw: Callable[[Console], None], values: Mapping[str, Any], out: Path | None = None) -> None:
    """Draw on stdout, or into a file that is whole or not there."""
    if out is None:
        with console(values["no_color"]) as stdout:
            draw(stdout)
        return
    from ..files import atomic_path

    with atomic_path(out) as temporary, temporary.open("w", encoding="utf-8") as file, console(True, file) as plain:
        draw(plain)
    say(f"wrote {out}", values["quiet"])


@contextmanager
def console(no_color: bool, file: Any = None) -> Iterator[Console]:
    """A console of the terminal's width, 80 columns elsewhere."""
    from rich.console import Console

    if file is None and sys.stdout.isatty():
        yield Console(no_color=no_color, highlight=False)
        return
    # Tables are padded to the full width; in a file or a pull request nobody wants the trailing spaces.
    buffer = io.StringIO()
    yield Console(file=buffer, no_color=True, width=80, highlight=False)
    lines = (line.rstrip() for line in buffer.getvalue().split("\n"))
    (sys.stdout if file is None else file).write("\n".join(lines))


def render(report: Report, values: dict[str, Any], to: Console) -> None:
    """The report in the form of `--format`."""
    form = values["format"]
    if form == "text":
        from ..report.text import print_report

        print_report(report, to, brief=values.get("brief", False))
    elif form == "json":
        import json

        to.file.write(
            json.dumps(report.to_dict(values["fail_on"]), ensure_ascii=False, indent=2, allow_nan=False) + "\n"
        )
    elif form == "html":
        from ..report.page import to_html

        to.file.write(to_html(report))
    else:
        from ..report.markdown import to_markdown

        to.file.write(to_markdown(report))


@contextmanager
def progress(description: str, total: int, quiet: bool) -> Iterator[Advance]:
    """A progress bar on stderr, only on a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True, disable=quiet or not sys.stderr.isatty())
    with bar:
        task = bar.add_task(description, total=total)
        yield lambda n: bar.update(task, advance=n)
