"""Sentences per second of the packaged encoder: one by one, by sentence-transformers, and ours.

    python benchmarks/embed.py --data path/to/glue

All run the same weights in float32 on one thread and give the same unit vectors, which is checked.
sentence-transformers gets all sentences in one call, at its own batch size and at others. CPU seconds, medians, in
turns. Without --data the texts of the embedded items are taken. Kept in results/embed.json.
"""

from __future__ import annotations

import os

os.environ |= {"OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from form import Row, in_turns, keep
from products import products
from sentences import FILES, described, sentences

from jostle.predict.embed import MAX_TOKENS, load_encoder
from jostle.predict.embedded import encoder_folder

SIZES = (8, 16, 32, 64)
OWN_SIZE = 32  # what sentence-transformers takes unless told otherwise
CLOSE = 1e-5


def ways(texts: list[str]) -> dict[str, Callable[[], Any]]:
    """What is timed, by name; the vectors of both libraries are compared first."""
    from sentence_transformers import SentenceTransformer

    encoder, theirs = load_encoder(), SentenceTransformer(str(encoder_folder()), device="cpu")

    def by_them(size: int) -> Any:
        return theirs.encode(texts, batch_size=size, normalize_embeddings=True, show_progress_bar=False)

    assert np.abs(encoder.encode(texts) - by_them(OWN_SIZE)).max() < CLOSE, "the vectors differ"
    tokens = encoder.tokenizer(texts, truncation=True, max_length=MAX_TOKENS)["input_ids"]
    return {
        "ours": lambda: encoder.encode(texts),
        **{f"sentence-transformers, {size} a batch": partial(by_them, size) for size in SIZES},
        "one by one": lambda: [encoder.encode([text]) for text in texts],
        "products of the weights alone": products(encoder.model, tokens, encoder.token_budget),
    }


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help=f"folder with {FILES}")
    parser.add_argument("--limit", type=int, default=600, help="sentences, at most")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    texts = sentences(options.data, options.limit)
    speeds = {name: len(texts) / seconds for name, seconds in in_turns(ways(texts), options.runs).items()}
    ours = speeds.pop("ours")
    note = f"{described(texts)}, all different; vectors equal to within {CLOSE:g}; the products are a limit"
    against = f"sentence-transformers, {OWN_SIZE} a batch"
    keep("embed", "Embedding sentences", [Row("packaged MiniLM", ours, "1/s", speeds, against, 1.15, note)])


if __name__ == "__main__":
    main()
