"""Writing files so that they are whole or not there."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .errors import InputError


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """A temporary path beside `path` that takes its place when the block ends without an error.

    A link stays, and what it points to is replaced. A device or pipe (`/dev/stdout`, `>(tee x)`) is written to.

    Raises:
        InputError: The folder cannot be made or written.
    """
    if _is_stream(path):
        with _streamed(path) as temporary:
            yield temporary
        return
    path = path.resolve() if path.is_symlink() else path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError(f"Expected to write {path}, but {error.strerror or error}.") from None
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise InputError(f"Expected to write {path}, but {error.strerror or error}.") from None
    finally:
        temporary.unlink(missing_ok=True)


def _is_stream(path: Path) -> bool:
    return path.is_relative_to("/dev") or (path.exists() and not path.is_file() and not path.is_dir())


@contextmanager
def _streamed(path: Path) -> Iterator[Path]:
    """A temporary path elsewhere whose content goes to a device or pipe when the block ends without an error."""
    with tempfile.TemporaryDirectory() as folder:
        temporary = Path(folder) / "content"
        temporary.touch()
        yield temporary
        try:
            with temporary.open("rb") as content, path.open("wb") as stream:
                shutil.copyfileobj(content, stream)
        except OSError as error:
            raise InputError(f"Expected to write {path}, but {error.strerror or error}.") from None


def write_text(path: str | Path, text: str) -> Path:
    """Write a text file as UTF-8, whole or not at all."""
    path = Path(path)
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
