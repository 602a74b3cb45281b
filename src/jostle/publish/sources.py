"""Where the files of each repository come from."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..measures.version import __version__
from ..modules import modules_folder
from .bundle import Bundle, files_below

_PACKAGE = Path(__file__).resolve().parents[1]
_CLONE = _PACKAGE.parents[1]
TAG = f"v{__version__}"


def metric_bundles() -> list[Bundle]:
    """Every evaluate module with its page, each a Space of its own."""
    folders = sorted(path for path in modules_folder().iterdir() if (path / f"{path.name}.py").is_file())
    return [Bundle("space", folder.name, files_below(folder), TAG) for folder in folders]


def space_bundle(clone: Path = _CLONE) -> Bundle:
    """The Space, with the package beside the app: the Hub installs what `requirements.txt` names before it copies the
    other files, so a wheel among them could not be installed, and jostle need not be on an index.

    Raises:
        InputError: Not a clone: the Space is no part of the installed package.
    """
    app = clone / "spaces" / "jostle"
    if not (app / "app.py").is_file():
        raise InputError(
            f"Expected a clone of jostle with spaces/jostle/app.py, but {clone} has none. Install jostle from a clone "
            "with: pip install --editable ."
        )
    package = {f"jostle/{path}": file for path, file in files_below(_PACKAGE).items()}
    metrics = {f"jostle/_metrics/{path}": file for path, file in files_below(modules_folder()).items()}
    made: dict[str, Path | str] = {"requirements.txt": _requirements(clone, app / "README.md")}
    files = files_below(app) | package | metrics | made | {"LICENSE": clone / "LICENSE"}
    return Bundle("space", app.name, files, TAG)


def _requirements(clone: Path, card: Path) -> str:
    """What jostle needs with the extra `models`, and the gradio that the card names."""
    project: dict[str, Any] = tomllib.loads((clone / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = re.search(r"^sdk_version: (\S+)$", card.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if version is None:
        raise InputError(f"Expected a line sdk_version: VERSION, but {card} has none. Name the version of gradio.")
    needed = [*project["dependencies"], *project["optional-dependencies"]["models"], f"gradio=={version.group(1)}"]
    return "".join(f"{line}\n" for line in sorted(needed))


def dataset_bundle(folder: Path) -> Bundle:
    """A folder that `jostle build` wrote.

    Raises:
        InputError: It is not one.
    """
    files = files_below(folder)
    if "README.md" not in files or not any(path.endswith(".parquet") for path in files):
        raise InputError(
            f"Expected a folder with README.md and parquet files, but {folder} is none. Write one with: jostle build"
        )
    return Bundle("dataset", folder.resolve().name, files)
