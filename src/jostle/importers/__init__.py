"""Result files of any make -> outcomes.

One importer is one module here with `matches(path)` (a cheap look) and `read(path)`; the package finds it by listing
itself. jostle's own outcomes file is what is read when no importer claims the file.
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


def importers() -> Iterator[ModuleType]:
    """The importer modules, by name."""
    for info in pkgutil.iter_modules(__path__):
        yield importlib.import_module(f"{__name__}.{info.name}")


def read_results(path: str | Path) -> Outcomes:
    """Read a result file: outcomes, or whatever an importer recognises. A folder of `jostle run` is read by name.

    Raises:
        InputError: The file is missing, unreadable or of no known form.
    """
    path = Path(path)
    if path.is_dir():
        return replace(read_results(path / OUTCOMES_FILE), texts=_texts(path / VARIANTS_FILE))
    if not path.is_file():
        raise InputError(f"Expected a result file, but {path} does not exist.")
    claims = [module for module in importers() if module.matches(path)]
    result: Outcomes = claims[0].read(path) if claims else read_outcomes(path)
    return result


def _texts(path: Path) -> dict[tuple[str, str], str]:
    """What the model read, by item and condition, where a run has left it."""
    if not path.is_file():
        return {}
    own = ("item_id", "condition", "operator", "relation", "label")
    rows = read_parquet(path).to_pylist()
    return {(r["item_id"], r["condition"]): " | ".join(v for name, v in r.items() if name not in own) for r in rows}
