"""What every predictor is given and gives back, whether it runs here or behind an endpoint."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ..errors import UsageError

Mode = Literal["greedy", "sample", "score"]
Finish = Literal["stop", "decided", "length", "scored"]
MODES: tuple[Mode, ...] = ("greedy", "sample", "score")


@dataclass(frozen=True)
class Request:
    """One prompt.

    Args:
        key: Names it in the run, and seeds its samples: another key draws other samples of the same prompt.
        prompt: The text that the model continues, rendered by the model's chat template where it has one.
        answers: Label -> continuation of the prompt, to score; other modes do not read it.
    """

    key: str
    prompt: str
    answers: Mapping[str, str] | None = None


Advance = Callable[[int], object]
Stop = Callable[[Request, str], bool]


@dataclass(frozen=True)
class Decoding:
    """How an answer is taken from a model; nothing is left to the model's own defaults.

    Args:
        mode: `greedy` takes the likeliest token, `sample` draws, `score` compares the log-likelihood of the answers.
        k: Samples of each prompt; 1 unless sampling.
        temperature: What logits are divided by before sampling; above 0.
        top_p: Sampling keeps the likeliest tokens that together reach this probability; 1 keeps all.
        max_new_tokens: Longest completion, in tokens.
        seed: Seed of the samples.
        until: A completion ends before the first of these strings that follows anything but white space.

    Raises:
        UsageError: A value is out of its range, or `k` is above 1 without sampling.

    >>> Decoding("sample", k=10, temperature=0.7).settings()["do_sample"]
    True
    """

    mode: Mode = "greedy"
    k: int = 1
    temperature: float = 1.0
    top_p: float = 1.0
    max_new_tokens: int = 16
    seed: int = 0
    until: tuple[str, ...] = ("\n",)

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UsageError(f"Expected a decoding mode of {', '.join(MODES)}, but got {self.mode!r}. Choose one.")
        self._check("k", self.k >= 1, "at least 1")
        self._check("max_new_tokens", self.max_new_tokens >= 1, "at least 1")
        self._check("until", all(self.until), "without an empty string")
        if self.mode == "sample":
            usable = math.isfinite(self.temperature) and self.temperature > 0
            self._check("temperature", usable, "a number above 0 for sampling", " For temperature 0 use 'greedy'.")
            self._check("top_p", 0 < self.top_p <= 1, "above 0 and at most 1")
        else:
            self._check("k", self.k == 1, f"1 with {self.mode!r}", " More would be copies: use 'sample'.")

    def _check(self, name: str, holds: bool, what: str, advice: str = "") -> None:
        if not holds:
            raise UsageError(f"Expected `{name}` to be {what}, but got {getattr(self, name)}.{advice}")

    def settings(self) -> dict[str, Any]:
        """All that has an effect in this mode, for a manifest or the key of a stored prediction."""
        record: dict[str, Any] = {"mode": self.mode, "do_sample": self.mode == "sample"}
        if self.mode == "score":
            return record
        record |= {"num_beams": 1, "max_new_tokens": self.max_new_tokens, "until": list(self.until)}
        if self.mode == "sample":
            record |= {"k": self.k, "temperature": self.temperature, "top_p": self.top_p, "seed": self.seed}
        return record


@dataclass(frozen=True)
class LabelScore:
    """Log-likelihood of an answer after the prompt.

    Args:
        logprob: Natural logarithm, summed over the tokens.
        tokens: How many tokens that are.
    """

    logprob: float
    tokens: int

    @property
    def mean(self) -> float:
        """Log-likelihood per token."""
        return self.logprob / self.tokens


@dataclass(frozen=True)
class Completion:
    """What a model answers.

    Args:
        key: Of the request.
        sample: Number of the sample, from 0.
        text: What the model wrote, without special tokens; in the mode `score` the likeliest answer.
        label_scores: Label -> score, in the mode `score`.
        finish: `stop`: the model or one of `until` ended it; `decided`: the caller's `stop` did; `length`: it was cut
            at `max_new_tokens`; `scored`: nothing was written.
    """

    key: str
    sample: int
    text: str
    label_scores: Mapping[str, LabelScore] | None = None
    finish: Finish = "stop"


class Predictor(Protocol):
    """Anything that answers requests."""

    name: str
    revision: str

    def complete(
        self,
        requests: Sequence[Request],
        decoding: Decoding,
        advance: Advance = lambda n: None,
        stop: Stop | None = None,
    ) -> Iterator[Completion]:
        """Yield every completion when it is finished, in any order.

        Args:
            requests: Prompts with keys that differ.
            decoding: How to answer.
            advance: Is told how many completions were finished.
            stop: Whether a text so far decides the answer, so that the rest need not be written.
        """
        ...

    def manifest(self) -> dict[str, Any]:
        """What a reader needs to run the same model again."""
        ...


def label_probabilities(scores: Mapping[str, LabelScore], per_token: bool = False) -> dict[str, float]:
    """Probabilities of the labels among themselves, from their log-likelihoods: they sum to 1.

    Args:
        scores: Label -> score.
        per_token: Compare the means per token, so that long answers are not at a disadvantage.

    Limitations: uncalibrated, and relative to the answers given: what the model would rather write is not seen.

    >>> scores = {"yes": LabelScore(-1.0, 1), "no": LabelScore(-1.0, 1), "not sure": LabelScore(-2.0, 2)}
    >>> {label: round(p, 3) for label, p in label_probabilities(scores).items()}
    {'yes': 0.422, 'no': 0.422, 'not sure': 0.155}
    >>> round(label_probabilities(scores, per_token=True)["not sure"], 3)
    0.333
    """
    logs = {label: score.mean if per_token else score.logprob for label, score in scores.items()}
    most = max(logs.values())
    weights = {label: math.exp(log - most) for label, log in logs.items()}
    return {label: weight / sum(weights.values()) for label, weight in weights.items()}
