"""The matrix products of a model's weights alone: what no way of batching its inputs can beat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from jostle.predict.batches import batches_by_length


def products(model: Any, sequences: Sequence[Sequence[int]], token_budget: int) -> Callable[[], None]:
    """A run of the products of all layers for these tokens, in batches of like length and without padding.

    Args:
        model: A model of the BERT kind.
        sequences: Token ids.
        token_budget: Tokens a batch.
    """
    counts = [sum(len(sequences[k]) for k in batch) for batch in batches_by_length(sequences, token_budget)]
    matrices = [weight for name, weight in model.named_parameters() if weight.dim() == 2 and "encoder.layer" in name]
    inputs = {width: torch.rand(max(counts), width) for width in {weight.shape[1] for weight in matrices}}

    def run() -> None:
        with torch.inference_mode():
            for count in counts:
                for weight in matrices:
                    torch.nn.functional.linear(inputs[weight.shape[1]][:count], weight)

    run()
    return run
