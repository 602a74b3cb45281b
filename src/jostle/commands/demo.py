"""`jostle demo`: the embedded items and the embedded model, from operators to report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .shared import EMBEDDED, resolve, settings

PAGE = Path("jostle-report.html")


@click.command("demo")
@click.option("--out", type=click.Path(path_type=Path), default=PAGE, show_default=True, help="File of the HTML page.")
@settings("demo")
def command(out: Path, **flags: Any) -> int:
    """Jostle 240 embedded sentiment items, predict with the embedded model, and report.

    Needs no network and no data, only the extra `models`. Besides the report on the terminal it writes one
    self-contained page. The same as: jostle run --task sst2 --data embedded --model embedded.
    """
    from ..config import SECTIONS
    from .run import run

    values = {setting.name: setting.default for setting in SECTIONS["run"]}
    values |= resolve("demo", flags, Path.cwd())
    return run(
        {**values, "task": "sst2", "data": EMBEDDED, "model": EMBEDDED, "out": None, "page": out, "dry_run": False}
    )
