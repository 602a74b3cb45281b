"""What a predictor of free text is asked, and what it answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ..errors import UsageError

MODES = ("greedy", "sample", "score")
Advance = Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Request:
    """One input of a model.

    Args:
        key: Names the request; no two of a run are alike. With the seed it decides what is sampled.
        prompt: What the model reads: text to go on with, or the user's turn of a chat.
        options: Answers to score; needed in mode `score` alone.
    """

    key: str
    prompt: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decoding:
    """How answers are taken from a model; every parameter is explicit, none is left to the model's own defaults.

    Args:
        mode: `greedy` (the likeliest token each time), `sample`, or `score` (log-likelihood of the options).
        k: Samples a request; 1 unless the mode is `sample`.
        temperature: Of sampling, above 0.
        top_p: Of sampling: the smallest set of tokens with this probability, in (0, 1].
        max_new_tokens: Longest answer.
        seed: Of sampling.

    Raises:
        UsageError: A value is out of its range.

    >>> Decoding("sample", k=10).samples, Decoding("greedy").samples
    (range(0, 10), range(0, 1))
    """

    mode: str = "greedy"
    k: int = 1
    temperature: float = 1.0
    top_p: float = 1.0
    max_new_tokens: int = 16
    seed: int = 0

    def __post_init__(self) -> None:
        _check(self.mode in MODES, "decoding", f"one of {', '.join(MODES)}", self.mode)
        _check(self.k >= 1, "k", "at least 1", self.k)
        _check(self.k == 1 or self.mode == "sample", "k", f"1 when decoding is {self.mode}", self.k)
        _check(0 < self.temperature < math.inf, "temperature", "above 0 (greedy decoding has a mode)", self.temperature)
        _check(0 < self.top_p <= 1, "top_p", "in (0, 1]", self.top_p)
        _check(self.max_new_tokens >= 1, "max_new_tokens", "at least 1", self.max_new_tokens)

    @property
    def samples(self) -> range:
        """Numbers of the samples of a request."""
        return range(self.k)


@dataclass(frozen=True, slots=True)
class Completion:
    """One finished answer.

    Args:
        key: Of its request.
        sample: Which of the k samples.
        text: What the model wrote; in mode `score` the likeliest option.
        scores: Probability of each option, in mode `score`.
        finish: Why it ended: `stop`, `length`, `decided`, `scored`, or the word of the server.
    """

    key: str
    sample: int
    text: str
    scores: Mapping[str, float] | None = None
    finish: str = ""


class Predictor(Protocol):
    """A model that completes prompts, wherever it runs."""

    @property
    def name(self) -> str:
        """What the user called the model."""

    @property
    def revision(self) -> str:
        """All else that decides what it answers: commit of the weights, dtype, address, format of the prompt."""

    def complete(
        self, requests: Sequence[Request], decoding: Decoding, advance: Advance = lambda n: None
    ) -> Iterator[Completion]:
        """Every completion of every request as it is finished, in any order.

        Args:
            requests: What to complete; their keys differ.
            decoding: How.
            advance: Called with the number of requests that were finished.
        """

    def manifest(self) -> dict[str, Any]:
        """What a reader needs to run the same model again."""


def _check(good: bool, name: str, expected: str, value: object) -> None:
    if not good:
        raise UsageError(f"Expected {name} to be {expected}, but got {value!r}.")
