"""A command that takes arguments of its own and has subcommands beside them."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, NamedTuple

import click


class Lazy(NamedTuple):
    """A subcommand that is imported when it is called: its module in `jostle.commands`, and its line of help."""

    module: str
    help: str


class WithSubcommands(click.Command):
    """A command whose first argument may be the name of a subcommand; anything else is its own.

    A file that has the name of a subcommand is given as `./pin`.
    """

    def __init__(self, *args: Any, subcommands: Mapping[str, Lazy], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.subcommands = subcommands

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Leave everything behind the name of a subcommand to it."""
        if args and args[0] in self.subcommands:
            ctx.meta[__name__] = args[0], args[1:]
            return []
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the subcommand, or the command itself."""
        if __name__ not in ctx.meta:
            return super().invoke(ctx)
        name, args = ctx.meta[__name__]
        command: click.Command = importlib.import_module(f"jostle.commands.{self.subcommands[name].module}").command
        # The parent is skipped, or the usage line would show its own arguments: `pairs [FILE] pin`.
        with command.make_context(f"{ctx.info_name} {name}", args, parent=ctx.parent) as inner:
            return command.invoke(inner)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of subcommands below the options."""
        with formatter.section(f"Commands ({ctx.command_path} COMMAND --help tells more)"):
            formatter.write_dl([(name, lazy.help) for name, lazy in self.subcommands.items()])
        super().format_epilog(ctx, formatter)
