"""A batch of prompts inside a model: read once, repeated for every sample, then continued token by token."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Protocol


class State(Protocol):
    """A batch whose rows were read up to the same point; `logits` are those of each row's next token, in float32."""

    logits: Any

    def select(self, rows: Sequence[int]) -> None:
        """Keep these rows, in this order; a row may be named more than once."""
        ...

    def feed(self, tokens: Sequence[Sequence[int]]) -> Any:
        """Continue every row by as many tokens; logits of shape (rows, tokens, vocabulary)."""
        ...


def read_prompts(model: Any, prompts: Sequence[Sequence[int]]) -> State:
    """Run the prompts through the model, once each.

    Args:
        model: A causal model or an encoder-decoder.
        prompts: Token ids, none empty.
    """
    return PairState(model, prompts) if model.config.is_encoder_decoder else CausalState(model, prompts)


def padded(rows: Sequence[Sequence[int]], device: Any, left: bool = False) -> tuple[Any, Any]:
    """Token ids and attention mask, both of shape (rows, longest). The filler is masked, so that any id will do."""
    import torch

    longest = max(map(len, rows))
    gaps = [[0] * (longest - len(row)) for row in rows]
    ids = [[*gap, *row] if left else [*row, *gap] for row, gap in zip(rows, gaps, strict=True)]
    ones = [[1] * len(row) for row in rows]
    mask = [[*gap, *one] if left else [*one, *gap] for one, gap in zip(ones, gaps, strict=True)]
    return torch.tensor(ids, device=device), torch.tensor(mask, device=device)


def cache_argument(model: Any) -> str:
    """What the model calls its key-value cache, which differs between versions of transformers; "" if it has none."""
    names = inspect.signature(model.forward).parameters
    return next((name for name in ("cache", "past_key_values") if name in names), "")


class CausalState:
    """Rows of a causal model: padded on the left, so that their ends are aligned, with positions that skip the padding.

    Args:
        model: The model.
        prompts: Token ids.
    """

    def __init__(self, model: Any, prompts: Sequence[Sequence[int]]) -> None:
        self._model = model
        names = inspect.signature(model.forward).parameters
        self._with_positions = "position_ids" in names
        self._last_only = {"logits_to_keep": 1} if "logits_to_keep" in names else {}
        self._cache_name, self._cache = cache_argument(model), None
        ids, self._mask = padded(prompts, model.device, left=True)
        positions = (self._mask.cumsum(dim=1) - 1).clamp_min(0)
        self.logits = self._forward(ids, positions, **self._last_only)[:, -1]

    def _forward(self, ids: Any, positions: Any, **more: Any) -> Any:
        import torch

        if self._with_positions:
            more["position_ids"] = positions
        if self._cache is not None:
            more[self._cache_name] = self._cache
        with torch.inference_mode():
            output = self._model(input_ids=ids, attention_mask=self._mask, use_cache=True, **more)
        self._cache = output[self._cache_name]
        return output.logits.float()

    def select(self, rows: Sequence[int]) -> None:
        """Keep these rows, in this order; a row may be named more than once."""
        self._mask, self.logits = _chosen(rows, self._cache, self._mask, self.logits)

    def feed(self, tokens: Sequence[Sequence[int]]) -> Any:
        """Continue every row by as many tokens; logits of shape (rows, tokens, vocabulary)."""
        import torch

        ids = torch.tensor(tokens, device=self._mask.device)
        positions = self._mask.sum(dim=1, keepdim=True) + torch.arange(ids.shape[1], device=ids.device)
        self._mask = torch.cat([self._mask, torch.ones_like(ids)], dim=1)
        logits = self._forward(ids, positions)
        self.logits = logits[:, -1]
        return logits


class PairState:
    """Rows of an encoder-decoder: the encoder reads the prompt, the decoder starts with the model's start tokens.

    Args:
        model: The model.
        prompts: Token ids for the encoder.
    """

    logits: Any

    def __init__(self, model: Any, prompts: Sequence[Sequence[int]]) -> None:
        import torch

        self._model = model
        self._cache_name, self._cache = cache_argument(model), None
        ids, self._mask = padded(prompts, model.device)
        with torch.inference_mode():
            self._read = model.get_encoder()(input_ids=ids, attention_mask=self._mask).last_hidden_state
        self.feed([start_tokens(model)] * len(prompts))

    def select(self, rows: Sequence[int]) -> None:
        """Keep these rows, in this order; a row may be named more than once."""
        self._mask, self._read, self.logits = _chosen(rows, self._cache, self._mask, self._read, self.logits)

    def feed(self, tokens: Sequence[Sequence[int]]) -> Any:
        """Continue every row by as many tokens; logits of shape (rows, tokens, vocabulary)."""
        import torch
        from transformers.modeling_outputs import BaseModelOutput

        more: dict[str, Any] = {} if self._cache is None else {self._cache_name: self._cache}
        with torch.inference_mode():
            output = self._model(
                encoder_outputs=BaseModelOutput(last_hidden_state=self._read), attention_mask=self._mask,
                decoder_input_ids=torch.tensor(tokens, device=self._mask.device), use_cache=True, **more,
            )  # fmt: skip
        self._cache = output[self._cache_name]
        logits = output.logits.float()
        self.logits = logits[:, -1]
        return logits


def start_tokens(model: Any) -> list[int]:
    """What the decoder of an encoder-decoder starts with: the start token, and the language where one is forced."""
    own = model.generation_config
    start = [token for token in (own.decoder_start_token_id, model.config.decoder_start_token_id) if token is not None]
    forced = [] if own.forced_bos_token_id is None else [own.forced_bos_token_id]
    return start[:1] + forced


def _chosen(rows: Sequence[int], cache: Any, *tensors: Any) -> list[Any]:
    """The tensors' rows; those of the cache are chosen in place."""
    import torch

    with torch.inference_mode():
        index = torch.tensor(rows, device=tensors[0].device)
        cache.reorder_cache(index)
        return [tensor.index_select(0, index) for tensor in tensors]
