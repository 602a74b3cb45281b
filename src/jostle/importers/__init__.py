"""Result files of any make -> outcomes.

One importer is one module here with `matches(path)` (a cheap look) and `read(path, reading)`; the package finds it by
listing itself. Of several that claim a file the first by name reads it (`results_json` takes any object). jostle's own
outcomes file is what is read when none does.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from ..errors import InputError
from ..outcomes import OUTCOMES_FILE, VARIANTS_FILE, Outcomes, read_outcomes
from ..rows import read_parquet
from ._mapped import read_mapped
from ._merge import merged
from ._scored import Reading

__all__ = ["Reading", "importers", "read_files", "read_results"]
_PLAIN = Reading()


def importers() -> Iterator[ModuleType]:
    """The importer modules, by name."""
    for info in pkgutil.iter_modules(__path__):
        if not info.name.startswith("_"):
            yield importlib.import_module(f"{__name__}.{info.name}")


def read_results(path: str | Path, reading: Reading = _PLAIN) -> Outcomes:
    """Read a result file: outcomes, or whatever an importer recognises. A folder of `jostle run` is read by name.

    Raises:
        InputError: The file is missing, unreadable or of no known form.
    """
    path = Path(path)
    if not path.exists():
        raise InputError(f"Expected a result file, but {path} does not exist.")
    if reading.mapping:
        return read_mapped(path, reading.mapping)
    claims = [module for module in importers() if module.matches(path)]
    if path.is_dir() and not claims:
        return replace(read_results(path / OUTCOMES_FILE), texts=_texts(path / VARIANTS_FILE))
    result: Outcomes = claims[0].read(path, reading) if claims else read_outcomes(path)
    return result


def read_files(files: list[tuple[str | None, Path]], reading: Reading = _PLAIN) -> Outcomes:
    """Read one or several result files of the same items as one: each adds conditions, or a model.

    Items are matched by what names them (see `Reading`), never by their place in a file; those that not all files have
    are counted in the notes.

    Args:
        files: Path and name of each. A file with a name is a condition of that name; without, its conditions bear the
            name of its task where tasks differ.
        reading: How logs are read.

    Raises:
        InputError: A file cannot be read, two add the same condition of the same model, or no item is in two of them.
    """
    return merged([(name, read_results(path, reading)) for name, path in files])


def _texts(path: Path) -> dict[tuple[str, str], str]:
    """What the model read, by item and condition, where a run has left it."""
    if not path.is_file():
        return {}
    own = ("item_id", "condition", "operator", "relation", "label")
    rows = read_parquet(path).to_pylist()
    return {(r["item_id"], r["condition"]): " | ".join(v for name, v in r.items() if name not in own) for r in rows}
