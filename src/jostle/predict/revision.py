"""Which weights a model has, a fingerprint of its files or the commit on the Hub, and which libraries ran it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from ..errors import ModelError

_SUFFIXES = (".safetensors", ".gguf", ".json", ".txt", ".model", ".spm", ".jinja", ".codes", ".tiktoken")
# What a training run leaves beside a model, and what has no effect on an answer.
_BY_PRODUCTS = ("all_results.json", "eval_results.json", "requirements.txt", "train_results.json", "trainer_state.json")
_TEMPLATES = "additional_chat_templates"
_DIGITS = 16
_OF_FILES = "sha256:"
_LIBRARIES = ("torch", "transformers", "tokenizers", "safetensors", "numpy")


def revision_of(name: str, config: Any) -> str:
    """What tells the weights that were loaded from others under the same name.

    Args:
        name: Folder, GGUF file or Hub id.
        config: Configuration of the loaded model, in which transformers notes the commit that it resolved.

    Returns:
        `sha256:` and digits for a folder or file; the commit for a Hub id, empty where it is not known.

    Raises:
        ModelError: A file of the model cannot be read.
    """
    path = Path(name)
    if path.exists():
        return fingerprint(path)
    return getattr(config, "_commit_hash", None) or _cached_commit(name)


def fingerprint(path: Path) -> str:
    """sha256 over the content of a model's weights, configuration and tokenizer, with the names of the files.

    Every file is read anew each time (about 1 s for 500 MB): neither its date nor its size would tell weights that
    were trained again. The name of the folder has no part in it, so that a copy has the same fingerprint.

    Args:
        path: Model folder, or a GGUF file.

    Returns:
        `sha256:` and the first sixteen hexadecimal digits.

    Raises:
        ModelError: A file cannot be read.

    Limitations: all files of the folder that could be the tokenizer's count, so that a file without effect may make
    another fingerprint; the other way round, the base of an adapter that lies elsewhere is not read.

    >>> folder = getfixture("tmp_path")
    >>> _ = (folder / "config.json").write_text("{}")
    >>> before = fingerprint(folder)
    >>> _ = (folder / "config.json").write_text("{ }")
    >>> len(before), before == fingerprint(folder)
    (23, False)
    """
    total = hashlib.sha256()
    for file in sorted(_files(path)) if path.is_dir() else [path]:
        # A single file may be renamed as a folder may: what it holds is what counts.
        name = file.relative_to(path).as_posix() if path.is_dir() else ""
        total.update(f"{name}\0{_sha256(file)}\n".encode())
    return f"{_OF_FILES}{total.hexdigest()[:_DIGITS]}"


def identity(name: str, revision: str) -> tuple[str, str]:
    """What tells a model from all others: its fingerprint alone, wherever it lies, else name and revision.

    >>> identity("./model", "sha256:0123"), identity("org/model", "a1b2")
    (('', 'sha256:0123'), ('org/model', 'a1b2'))
    """
    return ("" if revision.startswith(_OF_FILES) else name), revision


def library_versions() -> dict[str, str]:
    """Versions of what has a part in an answer.

    >>> sorted(library_versions()) == sorted(_LIBRARIES)
    True
    """
    return {name: metadata.version(name) for name in _LIBRARIES}


def _files(folder: Path) -> Iterator[Path]:
    for file in (*folder.iterdir(), *(folder / _TEMPLATES).glob("*.jinja")):
        if file.suffix in _SUFFIXES and file.name not in _BY_PRODUCTS and file.is_file():
            yield file


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"Expected a readable file of the model, but {path} gave: {error.strerror}.") from None


def _cached_commit(name: str) -> str:
    """Commit of a Hub model in the local cache, which is the one that was just loaded."""
    from huggingface_hub import try_to_load_from_cache

    path = try_to_load_from_cache(name, "config.json")
    return Path(path).parent.name if isinstance(path, str) else ""
