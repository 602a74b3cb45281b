"""Loading a model that writes text: from a folder, a GGUF file or the Hub; code of its repository is never run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import ModelError, UsageError
from . import smollm
from .generate_state import cache_argument, start_tokens
from .revision import revision_of
from .weights import WRITER, first_line, loading, refuse_empty_vocabulary, refuse_missing, require_packages

DTYPES = ("float32", "bfloat16", "float16")


def load_parts(name: str, dtype: str, device: str) -> tuple[Any, Any, str]:
    """Model in evaluation mode, tokenizer and revision.

    Args:
        name: Folder, GGUF file, Hub id, or `embedded`.
        dtype: One of `DTYPES`.
        device: Where torch runs it.

    Raises:
        MissingExtra: A package is not installed.
        ModelError: There is no such model, it does not write text, or its weights are incomplete or pickled.
        UsageError: `dtype` or `device` is unknown.
    """
    if dtype not in DTYPES:
        raise UsageError(f"Expected `dtype` to be one of {', '.join(DTYPES)}, but got {dtype!r}. Choose one of them.")
    require_packages()
    if name == smollm.EMBEDDED_NAME:
        model, tokenizer = _load(str(smollm.embedded_folder()), dtype)
        revision = smollm.REVISION
    else:
        model, tokenizer = _load(name, dtype)
        revision = revision_of(name, model.config)
    _check(name, model, tokenizer)
    return _moved(model, device).eval(), tokenizer, revision


def _load(name: str, dtype: str) -> tuple[Any, Any]:
    """Model and tokenizer, or an error that says why not."""
    path = Path(name)
    gguf = path.suffix == ".gguf"
    if not path.exists() and (name.count("/") != 1 or name.startswith((".", "/", "~")) or gguf):
        raise ModelError(
            f"Expected a model folder, a .gguf file, a Hub id ORG/NAME or {smollm.EMBEDDED_NAME!r}, but got {name}, "
            "which is none of these. Check the path."
        )
    what = f"{WRITER}, with safetensors weights or as GGUF,"
    with loading(name, what, "Point to another model, or convert this one."):
        import torch

        return smollm.read_gguf(path, getattr(torch, dtype)) if gguf else _read_safetensors(name, getattr(torch, dtype))


def _read_safetensors(name: str, dtype: Any) -> tuple[Any, Any]:
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer

    # Said aloud: where it is left open, transformers asks on a terminal whether to run the repository's code.
    safe: dict[str, Any] = {"local_files_only": Path(name).is_dir(), "trust_remote_code": False}
    config = AutoConfig.from_pretrained(name, **safe)
    kind = AutoModelForSeq2SeqLM if config.is_encoder_decoder else AutoModelForCausalLM
    model, info = kind.from_pretrained(name, dtype=dtype, use_safetensors=True, output_loading_info=True, **safe)
    refuse_missing(name, WRITER, info)
    return model, AutoTokenizer.from_pretrained(name, **safe)


def _check(name: str, model: Any, tokenizer: Any) -> None:
    refuse_empty_vocabulary(name, tokenizer)
    if not cache_argument(model):
        raise ModelError(
            f"Expected a model with a key-value cache, but got a {type(model).__name__} at {name}, which has none. "
            "Choose another model."
        )
    if model.config.is_encoder_decoder and not start_tokens(model):
        raise ModelError(
            f"Expected decoder_start_token_id in the configuration at {name}, but got none. Add it to config.json."
        )


def _moved(model: Any, device: str) -> Any:
    try:
        return model.to(device)
    except (RuntimeError, AssertionError) as error:
        raise UsageError(
            f"Expected `device` to be one that torch can use here, but got {device!r}: {first_line(error)} Use 'cpu'."
        ) from error
