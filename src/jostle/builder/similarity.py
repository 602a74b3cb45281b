"""Semantic similarity of a variant to its original, by sentence embeddings: it catches junk, not changed meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..predict.embed import Encoder


def add_similarity(rows: list[dict[str, Any]], fields: Sequence[str], encoder: Encoder) -> list[dict[str, Any]]:
    """Fill the column `similarity`: cosine between the joined texts of variant and original, 1.0 for originals.

    Limitation: cosine does not see negation or roles ("never boring" / "always boring" is .94).
    """
    texts = [" ".join(str(row[name]) for name in fields) for row in rows]
    vectors = encoder.encode(texts)
    original = {row["item_id"]: k for k, row in enumerate(rows) if row["kind"] == "orig"}
    return [_with(row, float(vectors[k] @ vectors[original[row["item_id"]]])) for k, row in enumerate(rows)]


def _with(row: Mapping[str, Any], similarity: float) -> dict[str, Any]:
    return {**row, "similarity": similarity}
