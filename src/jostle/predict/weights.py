"""What every loading of a model does: packages there, quiet, and an error of one line where weights will not do."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..errors import JostleError, MissingExtra, ModelError
from ..network import model_source

WRITER = "a model that writes text"


def require_packages() -> None:
    """See that torch and transformers are installed.

    Raises:
        MissingExtra: One of them is not.
    """
    for package in ("torch", "transformers"):
        if importlib.util.find_spec(package) is None:
            raise MissingExtra(package, extra="models")


@contextmanager
def loading(name: str, what: str, advice: str = "") -> Iterator[None]:
    """Load a model in here, quietly: whatever goes wrong becomes one error.

    Args:
        name: Folder, file or Hub id.
        what: What is expected there, such as "a sequence classifier".
        advice: What to do where it is something else.

    Raises:
        ModelError: It cannot be loaded, or the Hub cannot be reached.
    """
    from safetensors import SafetensorError

    with model_source(name):
        try:
            with quiet():
                yield
        except JostleError:
            raise
        except (OSError, ValueError, KeyError, RuntimeError, ImportError, SafetensorError) as error:
            raise ModelError(
                f"Expected {what} at {name}, but it cannot be loaded: {first_line(error)} {advice}".rstrip()
            ) from error


def refuse_missing(name: str, what: str, info: Mapping[str, Any], advice: str = "") -> None:
    """Refuse weights that are not in the files: they would be random.

    Args:
        name: Folder, file or Hub id.
        what: What is expected there.
        info: What transformers says about loading them.
        advice: What to do.

    Raises:
        ModelError: There are some.
    """
    missing = sorted(info["missing_keys"])
    if missing:
        raise ModelError(
            f"Expected {what} at {name}, but its weights lack {', '.join(missing[:3])}: they would be random. "
            f"{advice}".rstrip()
        )


def refuse_empty_vocabulary(name: str, tokenizer: Any) -> None:
    """Refuse a tokenizer that knows special tokens alone, as transformers makes one where its files are missing.

    Raises:
        ModelError: It is one.
    """
    if len(tokenizer) <= len(tokenizer.all_special_tokens):
        raise ModelError(
            f"Expected the model's tokenizer at {name}, but its vocabulary is not there: every word would be unknown. "
            "Save it beside the model with tokenizer.save_pretrained."
        )


@contextmanager
def quiet() -> Iterator[None]:
    """Without transformers' own bar (on a terminal it stays) and report: what matters in it becomes an error here."""
    from transformers.utils import logging

    verbosity, bar = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    if not sys.stderr.isatty():
        logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bar:
            logging.enable_progress_bar()


def first_line(error: Exception) -> str:
    """What an error says first, or its kind where it says nothing."""
    return next(iter(str(error).splitlines()), type(error).__name__)
