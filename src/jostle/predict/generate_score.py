"""Scoring: log-likelihood of each answer after its prompt, with the prompt read once for all its answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import UsageError
from .generate_state import padded, read_prompts
from .protocol import LabelScore, Request

Encode = Callable[[str], list[int]]


@dataclass(frozen=True)
class Scorable:
    """A request in tokens.

    Args:
        prompt: What all answers share.
        answers: Label -> tokens that follow.
    """

    prompt: list[int]
    answers: Mapping[str, list[int]]


def scorable(request: Request, encode: Encode, encode_answer: Encode | None = None) -> Scorable:
    """Tokens of a prompt and of its answers.

    A causal model reads prompt and answer as one text, and a token may span the two. The prompt then ends where all
    of these texts still have the same tokens, and what follows is scored: likelihoods stay comparable.

    Args:
        request: With `answers`.
        encode: Tokens of a prompt.
        encode_answer: Tokens of an answer by itself, as the decoder of an encoder-decoder writes it.

    Raises:
        UsageError: The request has no answers, one of them has no tokens, or nothing of the prompt is left.
    """
    answers = request.answers or {}
    if not answers or not all(answers.values()):
        raise UsageError(
            f"Expected `answers` of request {request.key} to map labels to continuations, but got {dict(answers)}. "
            "Pass what the model would write for every label."
        )
    prompt = encode(request.prompt)
    if encode_answer is not None:
        own = {label: encode_answer(text) for label, text in answers.items()}
    else:
        whole = {label: encode(request.prompt + text) for label, text in answers.items()}
        shared = min(_common(prompt, ids) for ids in whole.values())
        prompt, own = prompt[:shared], {label: ids[shared:] for label, ids in whole.items()}
    if not prompt or not all(own.values()):
        raise UsageError(
            f"Expected a prompt and answers of at least one token each, but got {request.prompt!r} and "
            f"{dict(answers)} for request {request.key}. Write a longer prompt, or other answers."
        )
    return Scorable(prompt, own)


def _common(prompt: Sequence[int], whole: Sequence[int]) -> int:
    """How many tokens the prompt and the whole text begin with in common, at least one of the whole left over."""
    most = min(len(prompt), len(whole) - 1)
    return next((k for k in range(most) if prompt[k] != whole[k]), most)


def score_batch(model: Any, batch: Sequence[Scorable]) -> list[dict[str, LabelScore]]:
    """Scores of every answer of each request."""
    state = read_prompts(model, [one.prompt for one in batch])
    owners = [k for k, one in enumerate(batch) for _ in one.answers]
    answers = [ids for one in batch for ids in one.answers.values()]
    first = state.logits.log_softmax(dim=-1)
    sums = [float(first[owner, ids[0]]) for owner, ids in zip(owners, answers, strict=True)]
    longer = [k for k, ids in enumerate(answers) if len(ids) > 1]
    if longer:  # answers of one token need no second pass
        state.select([owners[k] for k in longer])
        for k, rest in zip(longer, _rest(state, [answers[k] for k in longer]), strict=True):
            sums[k] += rest
    scores = iter(LabelScore(total, len(ids)) for total, ids in zip(sums, answers, strict=True))
    return [{label: next(scores) for label in one.answers} for one in batch]


def _rest(state: Any, answers: Sequence[Sequence[int]]) -> list[float]:
    """Log-likelihood of every token of the answers but the first."""
    ids, _ = padded([answer[:-1] for answer in answers], "cpu")
    logs = state.feed(ids.tolist()).log_softmax(dim=-1)
    return [
        sum(float(logs[row, place, token]) for place, token in enumerate(answer[1:]))
        for row, answer in enumerate(answers)
    ]
