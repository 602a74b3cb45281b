"""A predictor that asks another one only for what a store does not hold yet."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from typing import Any

from ..errors import ModelError, UsageError
from .protocol import Advance, Completion, Decoding, Predictor, Request, Stop
from .revision import identity
from .store import Key, PredictionStore, Setting

_ROWS, _SECONDS = 50, 1.0  # a commit without a write-ahead log waits for the disk, so rows are gathered


class Stored:
    """A predictor that asks another one only for what a store does not hold yet.

    What is known is a matter of the model and its revision, the prompt and the answers to score, and the decoding; of
    the request's key and the seed only where samples are drawn. Prompts alike are asked once where nothing is drawn.
    More samples than are stored cost the request anew, and those stored stay.

    Args:
        predictor: Where new predictions come from.
        store: Where all of them are kept.

    `n_reused` counts the completions that were stored before they were asked for.

    Limitations: tells models apart by fingerprint, or name and revision, alone, and the callers' `stop` by its name.
    Without a write-ahead log (see `PredictionStore.has_log`) a killed process may lose its last second or 50
    completions.
    """

    def __init__(self, predictor: Predictor, store: PredictionStore) -> None:
        self.name, self.revision = predictor.name, predictor.revision
        self.predictor, self._store = predictor, store
        self.n_reused = 0

    def manifest(self) -> dict[str, Any]:
        """What a reader needs to run the same model again."""
        return self.predictor.manifest()

    def complete(
        self,
        requests: Sequence[Request],
        decoding: Decoding,
        advance: Advance = lambda n: None,
        stop: Stop | None = None,
    ) -> Iterator[Completion]:
        """Yield every completion in the order of the requests and samples; each is stored before that.

        Raises:
            UsageError: Two requests have one key.
            ModelError: The predictor left a completion out.
            InputError: The store cannot be read or written.
        """
        keys = self._keys(requests, decoding, stop)
        known = self._store.get(key for own in keys.values() for key in own)
        self.n_reused += sum(key in known for own in keys.values() for key in own)
        rest = {own[0].prompt: r for r in requests if not known.keys() >= set(own := keys[r.key])}
        advance((len(requests) - len(rest)) * decoding.k)
        with closing(self._ask(list(rest.values()), keys, decoding, advance, stop)) as finished:
            for request in requests:
                for key in keys[request.key]:
                    while key not in known:
                        known.update(_next(finished, request, key.sample))
                    yield replace(known[key], key=request.key)

    def _keys(self, requests: Sequence[Request], decoding: Decoding, stop: Stop | None) -> dict[str, list[Key]]:
        """The names of every request's predictions."""
        setting = setting_of(self, decoding, stop)
        keys: dict[str, list[Key]] = {}
        for request in requests:
            prompt = prompt_hash(request, decoding)
            keys[request.key] = [Key(setting, prompt, sample) for sample in range(decoding.k)]
        if len(keys) < len(requests):
            raise UsageError(
                f"Expected a key for each of {len(requests)} requests, but got {len(keys)} different ones."
            )
        return keys

    def _ask(
        self,
        requests: Sequence[Request],
        keys: Mapping[str, Sequence[Key]],
        decoding: Decoding,
        advance: Advance,
        stop: Stop | None,
    ) -> Generator[Mapping[Key, Completion]]:
        """What the predictor finishes, once it is stored; what is left is stored when the generator is closed."""
        rows = 1 if self._store.has_log else _ROWS
        gathered: dict[Key, Completion] = {}
        start = time.monotonic()
        try:
            for done in self.predictor.complete(requests, decoding, advance, stop) if requests else ():
                gathered[keys[done.key][done.sample]] = done
                if len(gathered) >= rows or time.monotonic() - start > _SECONDS:
                    full, gathered, start = gathered, {}, time.monotonic()
                    yield self._store.put(full)
        finally:
            left = self._store.put(gathered) if gathered else {}
        yield left


def setting_of(predictor: Predictor, decoding: Decoding, stop: Stop | None = None) -> Setting:
    """What a prediction depends on beside its request: all settings but k, which decides how many there are."""
    settings = decoding.settings()
    settings.pop("k", None)
    seed = settings.pop("seed", 0)
    settings["stop"] = stop and getattr(stop, "__qualname__", type(stop).__qualname__)
    return Setting(*identity(predictor.name, predictor.revision), json.dumps(settings), seed)


def prompt_hash(request: Request, decoding: Decoding) -> bytes:
    """Hash of what a prediction depends on in its request: the prompt, the answers to score, the key in sampling."""
    answers = sorted((request.answers or {}).items()) if decoding.mode == "score" else []
    key = request.key if decoding.mode == "sample" else ""
    return sha256(json.dumps([request.prompt, answers, key]).encode()).digest()


def _next(finished: Iterator[Mapping[Key, Completion]], request: Request, sample: int) -> Mapping[Key, Completion]:
    try:
        return next(finished)
    except StopIteration:
        raise ModelError(
            f"Expected a completion for {request.key!r}, sample {sample}, but the model gave none. Run again."
        ) from None
