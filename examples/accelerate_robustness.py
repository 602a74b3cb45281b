"""Robustness of a model in a hand-written loop with Accelerate, on one process or several.

    python examples/accelerate_robustness.py
    accelerate launch --cpu --num_processes 2 examples/accelerate_robustness.py

`gather_for_metrics` drops the rows that a sampler repeats to fill the last batch; `gather` keeps them, and an item
would count twice. Items and conditions travel as numbers, for tensors are all that can be gathered cheaply.
"""

from __future__ import annotations

import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader
from transformers import DataCollatorWithPadding

from jostle.embedded_items import embedded_items
from jostle.integrations.perturbed import LABEL_COLUMNS, PerturbedSet
from jostle.predict.embedded import load_embedded

N_ITEMS = 41  # not a multiple of the batch, so that the last one is filled up


def main() -> None:
    """Predict on all processes, gather, and compute once."""
    accelerator = Accelerator()
    model, tokenizer = load_embedded()
    items = embedded_items("sst2", N_ITEMS)
    robust = PerturbedSet.of(items.items, items.labels, ["typos", "distractor"], variants=items.variants[: 2 * N_ITEMS])
    loader = DataLoader(robust.dataset(tokenizer), batch_size=8, collate_fn=DataCollatorWithPadding(tokenizer))
    model, loader = accelerator.prepare(model, loader)
    gathered: list[list[torch.Tensor]] = []
    for batch in loader:
        columns = [batch.pop(name) for name in LABEL_COLUMNS]
        with torch.inference_mode():
            predictions = model(**batch).logits.argmax(dim=-1)
        gathered.append(accelerator.gather_for_metrics([predictions, *columns]))
    if accelerator.is_main_process:
        found = robust.numbers(*(torch.cat(column).cpu() for column in zip(*gathered, strict=True)))
        print({name: round(value, 4) for name, value in found.items()})
    accelerator.end_training()


if __name__ == "__main__":
    main()
