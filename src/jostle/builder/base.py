"""What a builder class needs: base items of a task, and a hash of where rows come from."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from ..errors import InputError
from ..items import AnyItem
from ..measures.version import __version__

_PACKAGE = Path(__file__).resolve().parents[1]


def base_items(task: str, split: str, file: Path | None) -> Sequence[AnyItem]:
    """Labelled items of a task: of a local file, or of a split on the Hub.

    Raises:
        InputError: No item has a gold label (test splits of GLUE have none).
    """
    from ..hub import load_hub_items
    from ..loading import load_items
    from ..tasks import TASKS

    source = load_hub_items(TASKS[task].hub_id[0], task, {}, split=split) if file is None else load_items(file, task)
    labelled = [item for item in source.items if item.label is not None]
    if not labelled:
        raise InputError(f"Expected gold labels, but {source.source} has none: test splits of GLUE are not labelled.")
    return labelled


def content_hash(task: str, file: Path | None) -> str:
    """Hash of everything rows depend on: version, code and lexicons of the package, and the source."""
    digest = hashlib.blake2b(f"{__version__}/{task}".encode(), digest_size=16)
    for part in ("perturb", "builder", "tasks", "data/lexicon"):
        for path in sorted((_PACKAGE / part).rglob("*")):
            if path.is_file() and path.suffix in (".py", ".tsv", ".txt"):
                digest.update(path.read_bytes())
    if file is not None:
        digest.update(file.read_bytes())
    return digest.hexdigest()
