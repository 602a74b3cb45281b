"""Texts as vectors: the packaged encoder or a caller's own, each text once, and which texts it cut."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import InputError, MissingExtra
from ..measures.cosine_pairs import Vectors, unit

PACKAGED = "all-MiniLM-L6-v2"
Embedder = Callable[[list[str]], Any]
_PROBE = " After that came another ending, in words of its own."
_LONG = 500  # characters; no encoder in use cuts texts that are shorter
_SAME = 1e-6
log = logging.getLogger("jostle")


class PackagedEncoder:
    """The packaged MiniLM encoder, which reads the first 256 tokens of a text.

    Raises:
        MissingExtra: A package of the extra `embeddings` is not installed.
        ModelError: The weights are missing or altered.
    """

    def __init__(self) -> None:
        from ..predict.embed import load_encoder

        try:
            self._encoder = load_encoder()
        except MissingExtra as error:
            raise MissingExtra(error.package, extra="embeddings") from None
        except ModuleNotFoundError as error:
            if error.name is None:
                raise
            raise MissingExtra(error.name.split(".")[0], extra="embeddings") from None

    def __call__(self, texts: list[str]) -> Any:
        """Unit vectors, one row a text."""
        return self._encoder.encode(texts)

    def truncated(self, texts: list[str]) -> list[bool]:
        """Which texts are longer than what the encoder reads."""
        from ..predict.embed import MAX_TOKENS

        tokens = self._encoder.tokenizer(texts, truncation=False, verbose=False)["input_ids"]
        return [len(ids) > MAX_TOKENS for ids in tokens]


@dataclass
class SideEmbedder:
    """Vectors for the sides of cases, by any function from texts to an array.

    Args:
        embedder: Called once with all distinct texts. Where it has a method `truncated(texts)`, that tells which texts
            it cuts; otherwise long texts are tried with another ending.
        cut: Texts that the embedder cut, after a call.
    """

    embedder: Embedder
    cut: frozenset[str] = field(default=frozenset(), init=False)

    def __call__(self, sides: Sequence[Sequence[str]]) -> list[Vectors]:
        """Unit vectors of each side, the side with most distinct texts first; empty texts are like each other only.

        Raises:
            InputError: The embedder gives something else than a finite vector for each text.
        """
        texts = list(dict.fromkeys(text for side in sides for text in side if text.strip()))
        log.info("embedding %d distinct texts", len(texts))
        vectors = self._vectors(texts)
        self.cut = frozenset(self._truncated(texts, vectors))
        telling = sorted(sides, key=lambda side: -len(set(side)))
        if any(not text.strip() for side in sides for text in side):
            # One more coordinate for empty texts, which an embedder has no vector for.
            padded = np.zeros((len(texts) + 1, vectors.shape[1] + 1), dtype=np.float32)
            padded[:-1, :-1], padded[-1, -1] = vectors, 1
            vectors = padded
        place = {text: k for k, text in enumerate(texts)}
        return [vectors[[place.get(text, len(texts)) for text in side]] for side in telling]

    def _vectors(self, texts: list[str]) -> Vectors:
        if not texts:
            return np.zeros((0, 1), dtype=np.float32)
        try:
            return unit(self.embedder(texts), len(texts))
        except (TypeError, ValueError) as error:
            raise InputError(f"{error} Check the embedder: a function from a list of texts to an array.") from error

    def _truncated(self, texts: list[str], vectors: Vectors) -> list[str]:
        known = getattr(self.embedder, "truncated", None)
        if known is not None:
            return [text for text, cut in zip(texts, known(texts), strict=True) if cut] if texts else []
        long = sorted((k for k, text in enumerate(texts) if len(text) >= _LONG), key=lambda k: -len(texts[k]))
        if not long or not self._unread(texts, vectors, long[:1]):
            return []  # the longest is read to its end, so all are
        return [texts[k] for k in self._unread(texts, vectors, long)]

    def _unread(self, texts: list[str], vectors: Vectors, chosen: list[int]) -> list[int]:
        """Those of the chosen whose vector stays the same with another ending."""
        probed = self._vectors([texts[k] + _PROBE for k in chosen])
        return [k for k, vector in zip(chosen, probed, strict=True) if np.abs(vector - vectors[k]).max() < _SAME]
