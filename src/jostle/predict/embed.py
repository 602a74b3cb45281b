"""Sentence embeddings by the packaged MiniLM encoder."""
# torch and transformers take seconds to import, so only once an encoder is wanted

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .batches import batches_by_length
from .embedded import encoder_folder, read_encoder

MAX_TOKENS = 256


@dataclass(frozen=True)
class Encoder:
    """A sentence encoder: mean of the token vectors, at unit length.

    Args:
        model: A BERT encoder in float32.
        tokenizer: Its tokenizer.
        token_budget: Tokens a batch, padding included.
    """

    model: Any
    tokenizer: Any
    token_budget: int = 1024

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, one row a text; equal texts are run once.

        Texts over 256 tokens are cut.
        """
        import torch

        distinct: dict[str, int] = {}
        of_text = [distinct.setdefault(text, len(distinct)) for text in texts]
        tokens = self.tokenizer(list(distinct), truncation=True, max_length=MAX_TOKENS)
        sequences = [{name: tokens[name][k] for name in tokens} for k in range(len(distinct))]
        vectors = np.zeros((len(distinct), self.model.config.hidden_size), dtype=np.float32)
        with torch.inference_mode():
            for batch in batches_by_length([s["input_ids"] for s in sequences], self.token_budget):
                inputs = self.tokenizer.pad([sequences[k] for k in batch], return_tensors="pt")
                hidden = self.model(**inputs).last_hidden_state
                mask = inputs["attention_mask"].unsqueeze(-1)
                mean = (hidden * mask).sum(dim=1) / mask.sum(dim=1)
                vectors[batch] = torch.nn.functional.normalize(mean, dim=1).numpy()
        return vectors[of_text]


def load_encoder(folder: Path | None = None) -> Encoder:
    """The packaged encoder, or a copy of it in a folder; its weights are checked against their sha256.

    Raises:
        MissingExtra: A package is not installed.
        ModelError: The weights are missing or altered.
    """
    from transformers import AutoTokenizer, BertConfig, BertModel

    folder = encoder_folder() if folder is None else folder
    weights = {name.removeprefix("bert."): tensor for name, tensor in read_encoder(folder).items()}
    model = BertModel(BertConfig.from_pretrained(folder, local_files_only=True))
    model.load_state_dict(weights, strict=True, assign=True)
    return Encoder(model.eval(), AutoTokenizer.from_pretrained(folder, local_files_only=True))
