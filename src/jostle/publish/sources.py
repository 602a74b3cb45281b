"""Where the files of each repository come from."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import requires
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..measures.version import __version__
from ..modules import modules_folder
from .bundle import Bundle, files_below

_PACKAGE = Path(__file__).resolve().parents[1]
_CLONE = _PACKAGE.parents[1]
_INSTALLED_APP = _PACKAGE / "_space"
_ADDED = ("_metrics", "_space")  # put into the package by the wheel
TAG = f"v{__version__}"


def metric_bundles() -> list[Bundle]:
    """Every evaluate module with its page, each a Space of its own."""
    folders = sorted(path for path in modules_folder().iterdir() if (path / f"{path.name}.py").is_file())
    return [Bundle("space", folder.name, files_below(folder), TAG) for folder in folders]


def space_bundle(clone: Path | None = None) -> Bundle:
    """The Space, with the package beside the app: the Hub installs what `requirements.txt` names before it copies the
    other files, so a wheel among them could not be installed, and jostle need not be on an index.

    Args:
        clone: Root folder of a clone; by default the app that the wheel holds, or the clone that is installed.

    Raises:
        InputError: Not a clone.
    """
    if clone is None and _INSTALLED_APP.is_dir():
        files, needed = files_below(_INSTALLED_APP), _needed_by_wheel()
    else:
        files, needed = _app_files(clone or _CLONE), _needed_by_clone(clone or _CLONE)
    own = {f"jostle/{path}": file for path, file in files_below(_PACKAGE).items() if path.split("/")[0] not in _ADDED}
    metrics = {f"jostle/_metrics/{path}": file for path, file in files_below(modules_folder()).items()}
    made: dict[str, Path | str] = {"requirements.txt": _requirements(needed, files["README.md"])}
    return Bundle("space", "jostle", files | own | metrics | made, TAG)


def _app_files(clone: Path) -> dict[str, Path]:
    app = clone / "spaces" / "jostle"
    if not (app / "app.py").is_file():
        raise InputError(
            f"Expected a clone of jostle with spaces/jostle/app.py, but {clone} has none. Name the root of a clone."
        )
    return files_below(app) | {"LICENSE": clone / "LICENSE"}


def _needed_by_clone(clone: Path) -> list[str]:
    project: dict[str, Any] = tomllib.loads((clone / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["models"]]


def _needed_by_wheel() -> list[str]:
    """The same from what pip knows, where `torch>=2.4; extra == 'models'` stands for the extra."""
    lines = [[part.strip() for part in line.split(";")] for line in requires("jostle") or []]
    return [line[0] for line in lines if len(line) == 1 or line[1].replace("'", '"') == 'extra == "models"']


def _requirements(needed: list[str], card: Path) -> str:
    """What jostle needs with the extra `models`, and the gradio that the card names."""
    version = re.search(r"^sdk_version: (\S+)$", card.read_text(encoding="utf-8"), flags=re.MULTILINE)
    if version is None:
        raise InputError(f"Expected a line sdk_version: VERSION, but {card} has none. Name the version of gradio.")
    return "".join(f"{line}\n" for line in sorted([*needed, f"gradio=={version.group(1)}"]))


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
