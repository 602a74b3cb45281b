"""What the tabs share: limits, the models that may be used, and how errors reach people."""

from __future__ import annotations

import functools
import gzip
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import gradio as gr
from gradio.utils import get_upload_folder

from jostle.errors import InputError, JostleError, ModelError, UsageError
from jostle.predict.embedded import EMBEDDED_ID

if TYPE_CHECKING:
    from jostle.predict.classify import Classifier

P = ParamSpec("P")
R = TypeVar("R")
MODELS_VARIABLE = "JOSTLE_SPACE_MODELS"
NO_MODEL = ""


@dataclass(frozen=True)
class Limits:
    """What one visitor may ask of the machine.

    Args:
        characters: Longest text of one field.
        options: Most options of a multiple-choice item.
        rows: Most rows of a file of items.
        outcomes: Most rows of a results file.
        cases: Most cases of a set to audit.
        megabytes: Largest file.
        seconds: Longest run.
        queue: Most requests that wait.
        at_once: Most requests of one kind that run side by side.
    """

    characters: int = 2000
    options: int = 10
    rows: int = 300
    outcomes: int = 200_000
    cases: int = 5000
    megabytes: int = 20
    seconds: float = 120.0
    queue: int = 32
    at_once: int = 2


LIMITS = Limits()


def allowed_models() -> list[str]:
    """Models that the operator of the Space allows: the variable JOSTLE_SPACE_MODELS, else the embedded one alone."""
    named = [name.strip() for name in os.environ.get(MODELS_VARIABLE, "").split(",")]
    return list(dict.fromkeys(name for name in named if name)) or [EMBEDDED_ID]


def model_choices() -> list[tuple[str, str]]:
    """The allowed models for a dropdown, by what people call them; paths of the server are not shown."""
    names = [Path(name).name if Path(name).is_dir() else name for name in allowed_models()]
    return [*zip(names, allowed_models(), strict=True), ("no model: variants only", NO_MODEL)]


_loading = Lock()
encoding = Lock()  # fast tokenizers refuse to be set up by two threads at once


@functools.cache
def _loaded(name: str) -> Classifier:
    from jostle.predict.classify import load_classifier

    return load_classifier(name, [])


def classifier_of(name: str) -> Classifier:
    """An allowed model under its own labels; its weights are the one thing that sessions share.

    Raises:
        UsageError: The model is not one that the operator allows.
        ModelError: It cannot be loaded.
    """
    if name not in allowed_models():
        raise UsageError(f"Expected a model out of {', '.join(allowed_models())}, but got {name!r}. Choose one.")
    with _loading:
        return _loaded(name)


def check_text(text: str, what: str) -> str:
    """A text within the limits.

    Raises:
        InputError: It is empty or too long.
    """
    if not text.strip():
        raise InputError(f"Expected a text as {what}, but got nothing. Type one or pick an example.")
    if len(text) > LIMITS.characters:
        raise InputError(
            f"Expected at most {LIMITS.characters:,} characters as {what}, but got {len(text):,}. Shorten it."
        )
    return text


def pairs_in(columns: str) -> dict[str, str]:
    """Columns by field, from `field=column, field=column`.

    Raises:
        InputError: A part without an equals sign, or with nothing beside it.
    """
    parts = [part.strip() for part in columns.split(",") if part.strip()]
    pairs = [(part.partition("=")[0].strip(), part.partition("=")[2].strip()) for part in parts]
    if not all(name and column for name, column in pairs):
        raise InputError(f"Expected columns as field=column, field=column, but got {columns!r}.")
    return dict(pairs)


def checked_file(path: str | None, what: str) -> Path:
    """An uploaded file within the limits.

    Raises:
        InputError: There is none, or it is too large.
    """
    if path is None:
        raise InputError(f"Expected a file with {what}, but got none. Upload one or pick the example.")
    size = _megabytes(Path(path))
    if size > LIMITS.megabytes:
        raise InputError(f"Expected a file of at most {LIMITS.megabytes} MB, but got {size:.0f} MB. Take fewer rows.")
    return Path(path)


def _megabytes(path: Path) -> float:
    """Size of a file, of a packed one unpacked: a small archive can hold gigabytes."""
    try:
        if path.suffix == ".eval":
            with zipfile.ZipFile(path) as archive:
                return sum(info.file_size for info in archive.infolist()) / 1e6
        if path.suffix == ".gz":
            with gzip.open(path) as unpacked:
                size = 0
                while size <= LIMITS.megabytes * 1e6 and (part := unpacked.read(1 << 20)):
                    size += len(part)
                return size / 1e6
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error):
        pass  # no archive after all: whoever reads it says so
    return path.stat().st_size / 1e6


def message(error: JostleError) -> str:
    """The text of an error for a toast, which is HTML: escaped, and without the folders of this server."""
    folder = re.escape(get_upload_folder()) + r"/(?:[0-9a-f]{16,}/)?"
    return escape(re.sub(folder, "", str(error)))


@contextmanager
def explained() -> Iterator[None]:
    """Errors that jostle raises on purpose, as messages that people see; any other error is a fault and stays one."""
    try:
        yield
    except JostleError as error:
        title = "The model cannot do this" if isinstance(error, ModelError) else "Check the input"
        raise gr.Error(message(error), duration=None, title=title, print_exception=False) from None


def guarded(function: Callable[P, R]) -> Callable[P, R]:
    """A handler whose errors are explained; see `explained`."""

    @functools.wraps(function)
    def handler(*args: P.args, **kwargs: P.kwargs) -> R:
        with explained():
            return function(*args, **kwargs)

    return handler


def to_view(element: str) -> str:
    """JavaScript that brings the result into view where it stands below the form, as on a phone."""
    return (
        f"() => {{ const shown = document.getElementById('{element}');"
        " if (shown && shown.getBoundingClientRect().top > window.innerHeight * 0.8)"
        " shown.scrollIntoView({ block: 'start' }); }"
    )
