"""`jostle pairs pin`: reviewed pairs with their outcomes -> a file of fixtures."""

from __future__ import annotations

from pathlib import Path

import click

from .forms import label_map as label_flag
from .shared import pairs_of, say


@click.command("pin")
@click.argument("source", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--corpus-revision", required=True, help="Revision of the data or of the corpus that was searched.")
@click.option("--model-revision", required=True, help="Revision of the model.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="File of fixtures (jsonl).")
@click.option("--map", "maps", multiple=True, metavar="FIELD=COLUMN", help="Column of a field; repeatable.")
@label_flag
@click.option(
    "--reviews", type=click.Path(path_type=Path), help="Review file: rows with key (id of a pair) and status."
)
@click.option("--allow-unreviewed", is_flag=True, help="Pin pairs that no person has reviewed too.")
@click.option("--quiet", is_flag=True, help="No messages on stderr, errors apart.")
def command(
    source: Path,
    corpus_revision: str,
    model_revision: str,
    out: Path,
    maps: tuple[str, ...],
    label_map: tuple[str, ...],
    reviews: Path | None,
    allow_unreviewed: bool,
    quiet: bool,
) -> int:
    """Pin reviewed pairs of FILE with what the model said to them, for `jostle pairs check`.

    FILE has a row for every pair, with a column `reviewed`, or is an outcomes table or a folder of `jostle run` (with
    --reviews or --allow-unreviewed). Pairs that the review file rejects are left out.
    """
    from ..pairs import read_pairs
    from ..pairs.fixtures import passing, pin, write_fixtures
    from ..pairs.reviewed import with_reviews
    from ..reviews import read_reviews

    pairs = read_pairs(source, pairs_of("--map", maps), label_map=pairs_of("--label-map", label_map))
    for warning in pairs.warnings:
        say(f"warning: {warning}", quiet)
    decisions = read_reviews(reviews)
    if decisions is not None:
        n_read = len(pairs)
        pairs = with_reviews(pairs, decisions)
        say(f"{n_read - len(pairs)} of {n_read} pairs are left out, since the review rejects them", quiet)
    fixtures = pin(pairs, corpus_revision, model_revision, allow_unreviewed=allow_unreviewed)
    write_fixtures(fixtures, out)
    failing = int((~passing(pairs)).sum())
    say(f"pinned {len(pairs)} pairs, {failing} of them failing: wrote {out}", quiet)
    return 0
