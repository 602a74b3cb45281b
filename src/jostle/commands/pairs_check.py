"""`jostle pairs check`: pinned pairs against a new run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from ..errors import UsageError
from .forms import form_for, label_map, report_file
from .gates import chosen_gate
from .shared import common, deliver, pairs_of, say


@click.command("check")
@click.argument("source", metavar="FIXTURES", type=click.Path(path_type=Path))
@click.option("--predictions", required=True, type=click.Path(path_type=Path), metavar="NEW",
              help="Pairs, outcomes, or rows of id, base_prediction and edited_prediction.")  # fmt: skip
@click.option("--map", "maps", multiple=True, metavar="FIELD=COLUMN", help="Column of a field of NEW; repeatable.")
@label_map
@click.option("--retrieved", multiple=True, metavar="COLUMN",
              help="Evidence that retrieval gave; repeatable. By default told by its name.")  # fmt: skip
@click.option("--corpus-revision", default="", help="Revision of the data now, for the report.")
@click.option("--model-revision", default="", help="Revision of the model now, for the report.")
@click.option("--max-new-failures", type=click.IntRange(min=0), help="Exit 1 above so many.  [default: 0]")
@click.option("--gate", type=click.Path(path_type=Path), help="Gate file; its max_new_failures counts here.")
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]),
              help="Form of the report.  [default: text]")  # fmt: skip
@report_file
@common
def command(source: Path, predictions: Path, maps: tuple[str, ...], **flags: Any) -> int:
    """Hold pinned pairs against a new run, after a change of data, model, prompt or retrieval.

    Lists what newly fails and what is fixed, with the pinned and the new evidence of each. Exit 1 when more pairs newly
    fail than allowed, 3 when a pinned pair has no new prediction.
    """
    from ..pairs.answers import read_answers
    from ..pairs.fixtures import read_fixtures
    from ..pairs.listing import to_markdown, to_text
    from ..pairs.recheck import recheck
    from ..pairs.recheck_report import headline, listings, ruled, to_dict

    form = form_for(flags["out"], flags["form"]) or "text"
    if form == "html":
        raise UsageError(f"Expected --out of .json, .md or text (there is no page of a check), but got {flags['out']}.")
    names = pairs_of("--label-map", flags["label_map"])
    fixtures = read_fixtures(source)
    found = recheck(fixtures, read_answers(predictions, fixtures, pairs_of("--map", maps), names), flags["retrieved"])
    for warning in found.warnings:
        say(f"warning: {warning}", flags["quiet"])
    decision = ruled(found, *_allowed(flags, source))
    now = {"corpus": flags["corpus_revision"], "model": flags["model_revision"]}
    if form == "json":
        document = to_dict(found, fixtures, now, (str(source), str(predictions)), decision)
        text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
    else:
        write = to_text if form == "text" else to_markdown
        text = write(headline(found, fixtures, now, str(source)), listings(found, decision))
    deliver(text, flags["out"], flags["quiet"])
    return decision.exit_code


def _allowed(flags: dict[str, Any], source: Path) -> tuple[int, str]:
    """How many new failures are allowed, and who says so: flag, then gate file, then settings, then 0."""
    gate = chosen_gate(flags["gate"], flags["config"], flags["no_config"], source)
    if flags["max_new_failures"] is not None:
        return flags["max_new_failures"], "--max-new-failures"
    if gate is None or gate.max_new_failures is None:
        return 0, "default"
    return gate.max_new_failures, gate.source
