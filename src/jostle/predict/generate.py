"""Local generative models, causal and encoder-decoder: greedy, sampled, or scoring the answers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ..errors import UsageError
from ..perturb.contract import seeded
from .generate_batches import Unit, batches, check_lengths, grouped, make_units, work
from .generate_load import load_parts
from .generate_score import score_batch
from .generate_state import read_prompts
from .generate_text import Codec
from .generate_write import Ending, Row, write
from .protocol import Advance, Completion, Decoding, Request, Stop
from .revision import library_versions

TOKEN_BUDGET = 8192  # tokens a batch over all completions: sampling on a CPU takes half as long as with 2048
_TIMED_PROMPTS, _TIMED_SAMPLES = 4, 10  # what an estimate of the time may cost
_UNLIMITED = 10**9  # tokenizers that know no limit give a number far above


@dataclass(frozen=True)
class LocalGenerator:
    """A `transformers` model that answers prompts.

    A prompt is read once for all its samples, and identical prompts once for all their keys. A sample depends on the
    prompt, the key, the seed and its number: not on the batch, nor on what else is in the run.

    Args:
        model: A causal model or an encoder-decoder, in evaluation mode.
        tokenizer: Its tokenizer.
        name: What the user called the model.
        revision: Which weights these are (see `revision.revision_of`).
        max_length: Most tokens of a prompt and its completion (encoder-decoder: of a prompt alone).
        token_budget: Tokens a batch over all its completions, padding included.
        batch_size: Most prompts a batch; None leaves it to the budget.

    Limitations: floating point differs between machines and batch sizes by parts in a million, which can turn a near
    tie, in a lower precision more often (see `self_check`). Repetition penalties and other settings that the model's
    authors advise are not applied.
    """

    model: Any
    tokenizer: Any
    name: str
    revision: str = ""
    max_length: int = _UNLIMITED
    token_budget: int = TOKEN_BUDGET
    batch_size: int | None = None

    def complete(
        self,
        requests: Sequence[Request],
        decoding: Decoding,
        advance: Advance = lambda n: None,
        stop: Stop | None = None,
    ) -> Iterator[Completion]:
        """Yield every completion when it is finished, those of long prompts first.

        Args:
            requests: Prompts with keys that differ.
            decoding: How to answer.
            advance: Is told how many completions were finished.
            stop: Whether a text so far decides the answer, so that the rest need not be written. Requests with the
                same prompt are taken to be decided by the same texts.

        Raises:
            UsageError: Keys repeat, or answers to score are missing.
            InputError: A prompt is empty or too long; nothing was run.
        """
        return self._run(self._checked(requests, decoding), decoding, advance, stop)

    def groups(self, requests: Sequence[Request], decoding: Decoding, size: int) -> list[list[Request]]:
        """Requests in groups of `size` whole batches: a group that is run alone is run in the same batches.

        Raises:
            UsageError: As in `complete`.
            InputError: As in `complete`.
        """
        order = {request.key: k for k, request in enumerate(requests)}
        in_batches = batches(self._checked(requests, decoding), self.token_budget, self.batch_size)
        return [sorted(group, key=lambda one: order[one.key]) for group in grouped(in_batches, size)]

    def _checked(self, requests: Sequence[Request], decoding: Decoding) -> list[Unit]:
        units = self._units(requests, decoding)
        check_lengths(units, self._codec, self.max_length)
        return units

    def _run(
        self, units: Sequence[Unit], decoding: Decoding, advance: Advance, stop: Stop | None
    ) -> Iterator[Completion]:
        for batch in batches(units, self.token_budget, self.batch_size):
            done = self._scored(batch) if decoding.mode == "score" else self._written(batch, decoding, stop)
            for completion in done:
                advance(1)
                yield completion

    def _written(self, batch: Sequence[Unit], decoding: Decoding, stop: Stop | None) -> Iterator[Completion]:
        rows = [
            Row(request, sample, seeded(decoding.seed, "generate", request.key, str(sample)), k)
            if decoding.mode == "sample"
            else Row(request, sample, None, k)
            for k, unit in enumerate(batch)
            for request, sample in unit.rows
        ]
        state = read_prompts(self.model, [unit.tokens for unit in batch])
        for row, text, finish in write(state, rows, Ending(self._codec.decode, self._codec.end_tokens, decoding, stop)):
            owners = [row.request] if decoding.mode == "sample" else batch[row.prompt].requests
            yield from (Completion(owner.key, row.sample, text, None, finish) for owner in owners)

    def _scored(self, batch: Sequence[Unit]) -> Iterator[Completion]:
        all_scores = score_batch(self.model, [unit.scored for unit in batch if unit.scored is not None])
        for unit, scores in zip(batch, all_scores, strict=True):
            (request,) = unit.requests
            likeliest = max(scores, key=lambda label: scores[label].logprob)
            yield Completion(request.key, 0, (request.answers or {})[likeliest].strip(), scores, "scored")

    @cached_property
    def _codec(self) -> Codec:
        return Codec(self.model, self.tokenizer)

    def self_check(
        self, requests: Sequence[Request], n: int, decoding: Decoding | None = None, stop: Stop | None = None
    ) -> float:
        """Share of texts that come out otherwise when prompts run one at a time.

        Args:
            requests: Those of the run.
            n: How many of them to run twice, evenly spread: in batches, and at batch size 1.
            decoding: Greedy by default.
            stop: As in the run.

        Raises:
            UsageError: `n` is below 1, or there are no requests.
        """
        if n < 1 or not requests:
            raise UsageError(f"Expected at least 1 request to check, but got {n} of {len(requests)}. Ask for more.")
        chosen = [requests[k * len(requests) // n] for k in range(n)] if n < len(requests) else list(requests)
        runs = []
        for own in (self, replace(self, batch_size=1)):
            done = own.complete(chosen, decoding or Decoding(), stop=stop)
            runs.append({(one.key, one.sample): one.text for one in done})
        return sum(runs[1][key] != text for key, text in runs[0].items()) / len(runs[0])

    def seconds(self, requests: Sequence[Request], decoding: Decoding, stop: Stop | None = None) -> float:
        """Estimated time for all requests, from answering four of them after one to warm up.

        Scaled by tokens: those of every prompt, and for each of its completions as many as may follow.

        Raises:
            InputError: A prompt is empty or too long.
        """
        short = replace(decoding, k=min(decoding.k, _TIMED_SAMPLES))
        chosen = list({request.prompt: request for request in requests}.values())
        chosen = chosen[:: max(1, len(chosen) // _TIMED_PROMPTS)][:_TIMED_PROMPTS]
        check_lengths(units := self._units(requests, decoding), self._codec, self.max_length)
        for _ in self.complete(chosen[:1], short, stop=stop):
            pass
        start = time.perf_counter()
        for _ in self.complete(chosen, short, stop=stop):
            pass
        return (time.perf_counter() - start) * work(units) / max(work(self._units(chosen, short)), 1)

    def _units(self, requests: Sequence[Request], decoding: Decoding) -> list[Unit]:
        return make_units(requests, decoding, self._codec, self.token_budget)

    def manifest(self) -> dict[str, Any]:
        """What a reader needs to run the same model again; `Decoding.settings` says the rest."""
        return {
            "model": self.name,
            "revision": self.revision,
            "dtype": str(self.model.dtype).removeprefix("torch."),
            "device": str(self.model.device),
            "max_length": self.max_length if self.max_length < _UNLIMITED else None,
            "token_budget": self.token_budget,
            "batch_size": self.batch_size,
            "chat_template": bool(self.tokenizer.chat_template),
            **self._codec.settings(),
            "versions": library_versions(),
        }


def load_generator(
    name: str,
    device: str = "cpu",
    dtype: str = "float32",
    max_length: int | None = None,
    token_budget: int = TOKEN_BUDGET,
    batch_size: int | None = None,
) -> LocalGenerator:
    """Load a model that writes text from a folder, a GGUF file, by Hub id, or the embedded one.

    Weights are read from safetensors or GGUF only, code of the model's repository is never run, and nothing is fetched
    for a folder, a file or the embedded model.

    Args:
        name: Folder, `.gguf` file, Hub id, or `embedded` for SmolLM2-135M-Instruct.
        device: Where torch runs it, such as `cpu` or `cuda`.
        dtype: `float32`, `bfloat16` or `float16`; in the lower ones a batch changes more answers.
        max_length: Most tokens of prompt and completion; the model's own limit by default.
        token_budget: Tokens a batch over all its completions, padding included.
        batch_size: Most prompts a batch; None leaves it to the budget.

    Raises:
        ModelError: There is no such model, it does not write text, or its weights are incomplete or pickled.
        MissingExtra: torch, transformers, or a package of the embedded model is not installed.
        UsageError: An argument is out of its range.
    """
    sizes = (max_length, token_budget, batch_size)
    if any(size is not None and size < 1 for size in sizes):
        raise UsageError(f"Expected `max_length`, `token_budget` and `batch_size` of at least 1, but got {sizes}.")
    model, tokenizer, revision = load_parts(name, dtype, device)
    positions = getattr(model.config, "max_position_embeddings", None) or _UNLIMITED
    limit = min(tokenizer.model_max_length, positions, max_length or _UNLIMITED)
    return LocalGenerator(model, tokenizer, name, revision, limit, token_budget, batch_size)
