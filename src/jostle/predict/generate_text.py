"""Text to tokens and back, as a model's tokenizer and generation settings have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

_USED = (
    "bos_token_id", "decoder_start_token_id", "eos_token_id", "forced_bos_token_id", "output_attentions",
    "output_hidden_states", "pad_token_id", "transformers_version", "use_cache",
)  # fmt: skip
"""Of a model's own generation settings, those that do not change what is chosen, and the special tokens in use."""


@dataclass(frozen=True)
class Codec:
    """Tokens of prompts and answers.

    Args:
        model: A causal model or an encoder-decoder.
        tokenizer: Its tokenizer.
    """

    model: Any
    tokenizer: Any

    @cached_property
    def is_pair(self) -> bool:
        """Whether encoder and decoder are apart."""
        return bool(self.model.config.is_encoder_decoder)

    @cached_property
    def end_tokens(self) -> frozenset[int]:
        """Tokens that end a text: those of the generation settings (one or a list) and the tokenizer's own."""
        own = self.model.generation_config.eos_token_id
        ends = [*(own if isinstance(own, list) else [own]), self.tokenizer.eos_token_id]
        return frozenset(token for token in ends if token is not None)

    @cached_property
    def start_token(self) -> int | None:
        """What the tokenizer by itself puts before a text; what it would put behind is left out for causal models."""
        first = self.tokenizer.bos_token_id
        return first if first is not None and self._ids("a", special=True)[:1] == [first] else None

    def encode(self, prompt: str) -> list[int]:
        """Tokens of a prompt; the start token stands once, whether or not a chat template wrote it already."""
        if self.is_pair:
            return self._ids(prompt, special=True) if prompt else []
        ids, start = self._ids(prompt, special=False), self.start_token
        return ids if start is None or ids[:1] == [start] else [start, *ids]

    def encode_answer(self, text: str) -> list[int]:
        """Tokens of an answer by itself, as a decoder writes it."""
        return self._ids(text.strip(), special=False)

    def decode(self, tokens: Sequence[int]) -> str:
        """Text of tokens, without special ones."""
        ids = list(tokens)
        return str(self.tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False))

    def _ids(self, text: str, special: bool) -> list[int]:
        ids: list[int] = self.tokenizer(text, add_special_tokens=special, verbose=False)["input_ids"]
        return ids

    def settings(self) -> dict[str, Any]:
        """For a manifest: special tokens, and the generation settings of the model that have no effect here."""
        own: dict[str, Any] = self.model.generation_config.to_diff_dict()
        return {
            "kind": "encoder-decoder" if self.is_pair else "causal",
            "padding_side": "right" if self.is_pair else "left",
            "start_token": self.start_token,
            "end_tokens": sorted(self.end_tokens),
            "model_defaults_not_used": {
                name: value for name, value in own.items() if name not in _USED and not name.startswith("_")
            },
        }
