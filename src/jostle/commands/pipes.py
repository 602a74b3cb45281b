"""Input that can be read only once, such as `<(zcat x.jsonl.gz)` or `/dev/stdin`: read as the file that it would be."""

from __future__ import annotations

import dataclasses
import gzip
import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError, JostleError

_MAGIC = {b"PAR1": ".parquet", b"PK\x03\x04": ".eval"}
_GZIP = b"\x1f\x8b"


def is_pipe(path: Path) -> bool:
    """Whether there is something under this name that is neither a file nor a folder."""
    return path.exists() and not path.is_file() and not path.is_dir()


def read_through(paths: Sequence[Path], read: Callable[[list[Path]], Any]) -> Any:
    """What `read` makes of files, pipes among which are copied to a temporary file with the ending of their content.

    Args:
        paths: Files, folders and pipes.
        read: Reads all of them; gives a dataclass with a `source`, in which the pipes bear their own names, as they do
            in errors.

    Raises:
        InputError: A pipe is empty, or its content is of no known form.
    """
    with tempfile.TemporaryDirectory(prefix="jostle-") as folder:
        names: dict[str, str] = {}
        readable = list(paths)
        for k, path in enumerate(paths):
            if is_pipe(path):
                readable[k] = _copy(path, Path(folder) / str(k))
                names[str(readable[k])] = str(path)
        try:
            found = read(readable)
        except JostleError as error:
            if names:
                error.args = (_named(str(error), names),)
            raise
        return dataclasses.replace(found, source=_named(found.source, names)) if names else found


def _named(text: str, names: dict[str, str]) -> str:
    for copy, name in names.items():
        text = text.replace(copy, name)
    return text


def _copy(path: Path, target: Path) -> Path:
    try:
        content = path.read_bytes()
        if content.startswith(_GZIP):
            content = gzip.decompress(content)
    except (OSError, EOFError) as error:
        raise InputError(f"Expected a readable pipe, but {path} cannot be read: {error}.") from None
    target.mkdir()
    copy = target / f"input{_suffix(content, path)}"
    copy.write_bytes(content)
    return copy


def _suffix(content: bytes, path: Path) -> str:
    """The ending of a file with this content.

    >>> _suffix(b'{"a": 1}\\n{"a": 2}\\n', Path("p")), _suffix(b'[{"a": 1}]', Path("p")), _suffix(b"a,b\\n", Path("p"))
    ('.jsonl', '.json', '.csv')
    """
    for magic, suffix in _MAGIC.items():
        if content.startswith(magic):
            return suffix
    text = content.decode("utf-8-sig", errors="replace").lstrip()
    first = text.split("\n", 1)[0]
    if text.startswith(("{", "[")):
        return ".json" if _is_one_value(text) else ".jsonl"
    if "\t" in first:
        return ".tsv"
    if "," in first or ";" in first:
        return ".csv"
    what = f"begins with {first!r:.60}" if text else "is empty"
    raise InputError(
        f"Expected jsonl, json, csv, tsv or parquet from {path}, but it {what}. Save it to a file and name that."
    )


def _is_one_value(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
