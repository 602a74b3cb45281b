"""The files of one repository on the Hub, and writing them as a folder."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import InputError


@dataclass(frozen=True)
class Bundle:
    """What one repository holds.

    Args:
        kind: `space` or `dataset`, as the Hub names them; an evaluate module is a Space.
        name: Name of the repository, without its organisation.
        files: By path in the repository: the file to copy, or the text to write.
        tag: Tag of this version; none for data sets, whose content is not that of a version of jostle.
    """

    kind: str
    name: str
    files: Mapping[str, Path | str]
    tag: str | None = None

    def read(self, path: str) -> bytes:
        """Content of one file, of what a link points to."""
        source = self.files[path]
        return source.encode() if isinstance(source, str) else source.read_bytes()

    def sizes(self) -> dict[str, int]:
        """Bytes of each file."""
        return {path: len(s.encode()) if isinstance(s, str) else s.stat().st_size for path, s in self.files.items()}

    def write(self, folder: Path) -> None:
        """Write all files below a folder."""
        for path in self.files:
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self.read(path))


def files_below(folder: Path) -> dict[str, Path]:
    """Files of a folder by their path in it, without hidden ones and caches; links count as what they point to.

    Raises:
        InputError: A link points nowhere.
    """
    found = {}
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        if path.is_dir() or any(part.startswith(".") or part == "__pycache__" for part in relative.parts):
            continue
        if not path.is_file():
            raise InputError(f"Expected a file, but the link {path} points nowhere. Make it anew or remove it.")
        if path.suffix != ".pyc":
            found[relative.as_posix()] = path
    return found


def write_bundles(bundles: Sequence[Bundle], to: Path) -> list[Path]:
    """Write each bundle as the folder `to/<name>`; a folder is whole or not there.

    Raises:
        InputError: Such a folder exists, so that more than the bundle would be in it; or it cannot be written.
    """
    folders = [to / bundle.name for bundle in bundles]
    for folder in folders:
        if folder.exists():
            raise InputError(f"Expected a new folder, but {folder} exists. Remove it or choose another --to.")
    try:
        to.mkdir(parents=True, exist_ok=True)
        for bundle, folder in zip(bundles, folders, strict=True):
            with tempfile.TemporaryDirectory(dir=to, prefix=f".{bundle.name}.") as temporary:
                written = Path(temporary) / bundle.name
                bundle.write(written)
                written.rename(folder)
    except OSError as error:
        raise InputError(f"Expected to write {to}, but {error.strerror or error}.") from None
    return folders
