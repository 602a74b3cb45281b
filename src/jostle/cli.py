"""The command line. Nothing heavy is imported before a command needs it: `jostle --help` answers at once."""

from __future__ import annotations

import importlib
import re
import sys
import traceback
from keyword import iskeyword
from typing import NoReturn

import click

from .errors import JostleError
from .measures.version import __version__
from .printable import printable

# Module and help line of every command: static, so that the help page imports none of them.
COMMANDS = {
    "demo": "Jostle the embedded items with the embedded model and report.",
    "run": "Jostle a file of items, predict with a model, and report.",
    "build": "Build a perturbed data set with a card, for `datasets` and the Hub.",
    "report": "Report on outcomes, a results.json, or a folder of `run`.",
    "compare": "Compare results of two or more models on the same items.",
    "history": "Tabulate and plot drift, flips and R over dated reports.",
    "import": "Read logs of other harnesses into one outcomes file.",
    "pairs": "Report on contrast pairs, pin them, and hold them to a gate.",
    "audit": "Audit an evaluation set: can it measure anything?",
    "publish": "Publish the metrics, the Space or a built data set, on the Hub or as folders.",
}
EXIT_CODES = """
\b
Exit codes:
  0  done, and the gate is not tripped
  1  the gate is tripped (--fail-on)
  2  usage error or bad configuration
  3  could not finish, or nothing was measured
"""


class Commands(click.Group):
    """A group that imports a command's module when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the workflow."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in COMMANDS:
            return None
        own = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name
        module = importlib.import_module(f"jostle.commands.{own}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help table, without importing the commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="jostle")
def cli() -> None:
    """Does the score of an evaluation hold when the meaning holds?"""


def main() -> NoReturn:
    """Run the command line and exit with the code of the contract."""
    flags = [flag for flag in sys.argv if re.fullmatch(r"-v+|--verbose", flag)]
    verbose = sum(1 if flag == "--verbose" else len(flag) - 1 for flag in flags) > 1
    try:
        code = cli.main(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(_fail("interrupted: nothing was reported", 3))
    except JostleError as error:
        sys.exit(_fail(str(error), error.exit_code, verbose))
    except BrokenPipeError:
        sys.exit(0)
    except Exception as error:  # 1 would mean a tripped gate
        hint = "" if verbose else " (-vv shows where)"
        sys.exit(_fail(f"unexpected {type(error).__name__}: {error}{hint}", 3, verbose))


def _fail(message: str, code: int, verbose: bool = False) -> int:
    if verbose:
        click.echo(traceback.format_exc(), err=True)
    click.echo(f"Error: {printable(message)}", err=True)
    return code


if __name__ == "__main__":  # `python -m jostle.cli`, as `python -m jostle`
    main()
