"""`jostle publish`: metrics, the Space or a built data set -> folders, or repositories on the Hub."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import UsageError
from .shared import resolve, say, settings

if TYPE_CHECKING:
    from ..publish import Bundle

WHAT = ("metrics", "dataset", "space")


@click.command("publish")
@click.argument("what", metavar="metrics|dataset|space", type=click.Choice(WHAT))
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option("--public", is_flag=True, help="New repositories for everyone; private otherwise.")
@click.option("--dry-run", is_flag=True, help="Print the files with their sizes, and do nothing else.")
@settings("publish")
def command(what: str, folder: Path | None, **flags: Any) -> int:
    """Publish the evaluate modules (metrics), the app (space), or a FOLDER of `jostle build` (dataset).

    --to is a folder if it has a slash, starts with a dot or exists; there each repository becomes a folder of its own.
    Anything else is an organisation or user of the Hub, whose token huggingface_hub finds (`hf auth login` or
    HF_TOKEN). Repositories are named by their folders: ORG/flip_rate, ORG/jostle, ORG/FOLDER. Modules and app are
    tagged with their version.
    """
    if (what == "dataset") != (folder is not None):
        raise UsageError(f"Expected a FOLDER with dataset alone, but got {what} and {folder or 'no folder'}.")
    values = resolve("publish", flags, Path.cwd())
    local, to = _target(values["to"])
    bundles = _bundles(what, folder)
    if values["dry_run"]:
        _list(bundles, to, local, values["public"])
    elif local:
        from ..publish import write_bundles

        for written in write_bundles(bundles, Path(to)):
            say(f"wrote {written}/", values["quiet"])
    else:
        _push(bundles, to, values)
    return 0


def _target(to: str) -> tuple[bool, str]:
    """Whether --to is a folder, and its name."""
    separators = {"/", os.sep}
    if to.startswith(".") or separators & set(to) or (to and Path(to).exists()):
        return True, to
    if not re.fullmatch(r"[A-Za-z0-9][\w.-]*", to):
        raise UsageError(f"Expected --to FOLDER (with a slash) or --to ORG, but got {to!r}.")
    return False, to


def _bundles(what: str, folder: Path | None) -> list[Bundle]:
    from ..publish import dataset_bundle, metric_bundles, space_bundle

    if folder is not None:
        return [dataset_bundle(folder)]
    return metric_bundles() if what == "metrics" else [space_bundle()]


def _list(bundles: list[Bundle], to: str, local: bool, public: bool) -> None:
    """What would be written or uploaded: a line for each repository, and one for each file."""
    for bundle in bundles:
        sizes = bundle.sizes()
        about = f"{len(sizes)} files, {sum(sizes.values()):,} bytes"
        if not local:
            about = ", ".join([bundle.kind, "public" if public else "private", *filter(None, [bundle.tag]), about])
        click.echo(f"{to.rstrip('/')}/{bundle.name} ({about})")
        for path, size in sorted(sizes.items()):
            click.echo(f"{size:12,}  {path}")


def _push(bundles: list[Bundle], org: str, values: dict[str, Any]) -> None:
    from ..publish import push, refuse_stale_tags

    refuse_stale_tags(bundles, org)
    for bundle in bundles:
        pushed = push(bundle, f"{org}/{bundle.name}", values["public"], values["quiet"])
        say(f"published {pushed}", values["quiet"])
