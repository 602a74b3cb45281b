"""Writing: the next token of every row, until the row's text ends."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ..tasks.prompts import Prompt, label_of
from .generate_state import State
from .protocol import Decoding, Finish, Request

_ENDS = (".", "!", ")", "\n", "。")  # after one of these a label is whole and is not part of a longer phrase
_LIKELIEST = 1024  # tokens, which together nearly always reach `top_p`


@dataclass
class Row:
    """One completion in the making.

    Args:
        request: What is completed.
        sample: Number of the sample.
        draws: Where its random numbers come from; None takes the likeliest token.
        prompt: Number of its prompt in the batch.
        tokens: What it wrote so far.
    """

    request: Request
    sample: int
    draws: Random | None
    prompt: int
    tokens: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Ending:
    """When a text is at its end.

    Args:
        decode: Text of token ids.
        end_tokens: Ids with which the model ends a text.
        decoding: Longest length, and strings to end before.
        stop: The caller's own condition.
    """

    decode: Callable[[Sequence[int]], str]
    end_tokens: Collection[int]
    decoding: Decoding
    stop: Callable[[Request, str], bool] | None = None

    def of(self, row: Row) -> tuple[str, Finish] | None:
        """The finished text and why it is finished, or None."""
        if row.tokens[-1] in self.end_tokens:
            return self.decode(row.tokens[:-1]), "stop"
        text = self.decode(row.tokens)
        blank = len(text) - len(text.lstrip())
        found = [place for place in (text.find(end, blank) for end in self.decoding.until) if place >= 0]
        if found:
            return text[: min(found)], "stop"
        if self.stop is not None and self.stop(row.request, text):
            return text, "decided"
        return (text, "length") if len(row.tokens) >= self.decoding.max_new_tokens else None


def write(state: State, rows: list[Row], ending: Ending) -> Iterator[tuple[Row, str, Finish]]:
    """Write all rows of a batch side by side and yield each when it is finished; finished rows leave the batch.

    Args:
        state: The prompts as read, each once.
        rows: The completions; those of one prompt share what was read.
        ending: When a text is at its end.
    """
    places = [row.prompt for row in rows]
    if places != list(range(len(state.logits))):
        state.select(places)
    while rows:
        tokens = next_tokens(state.logits, [row.draws for row in rows], ending.decoding)
        alive = []
        for place, (row, token) in enumerate(zip(rows, tokens, strict=True)):
            row.tokens.append(token)
            finished = ending.of(row)
            if finished is None:
                alive.append(place)
            else:
                yield row, *finished
        if alive and len(alive) < len(rows):
            state.select(alive)
        rows = [rows[place] for place in alive]
        if rows:
            state.feed([[row.tokens[-1]] for row in rows])


def next_tokens(logits: Any, draws: Sequence[Random | None], decoding: Decoding) -> list[int]:
    """The likeliest token of each row, or one drawn by the row's own next random number.

    A row's token is where its number in [0, 1) falls on the cumulated probabilities: it depends on no other row.
    """
    import torch

    if decoding.mode != "sample":
        likeliest: list[int] = logits.argmax(dim=-1).tolist()
        return likeliest
    weights = (logits.double() / decoding.temperature).softmax(dim=-1)
    if decoding.top_p < 1:
        weights = nucleus(weights, decoding.top_p)
    cumulated = weights.cumsum(dim=-1)
    numbers = torch.tensor([[own.random()] for own in draws if own is not None], dtype=torch.float64)
    # Up to the next token of weight above 0: one that top_p dropped adds nothing to the sum and is never met.
    targets = numbers.to(cumulated.device) * cumulated[:, -1:]
    places: list[int] = torch.searchsorted(cumulated, targets, right=True).flatten().tolist()
    return places


def nucleus(weights: Any, top_p: float) -> Any:
    """Probabilities with 0 for all but the likeliest tokens that together reach `top_p`.

    Tokens as likely as the last of them stay too: which one a sort puts first must not matter.
    """
    ranked = weights.topk(min(_LIKELIEST, weights.shape[-1])).values
    if bool((ranked.sum(dim=-1) < top_p).any()):  # rarely, and a sort of the whole vocabulary takes ten times as long
        ranked = weights.sort(dim=-1, descending=True).values
    before = ranked.cumsum(dim=-1) - ranked
    least = ranked.masked_fill(before >= top_p, 1.0).amin(dim=-1, keepdim=True)
    return weights.masked_fill(weights < least, 0.0)


def decided(text: str, prompt: Prompt) -> bool:
    """Whether a text so far gives a label and has come to the end of a phrase: for the `stop` of a predictor.

    Limitations: what a model would take back in a later sentence is not read.

    >>> from jostle.items import MCQItem
    >>> from jostle.tasks.prompts import make_prompt
    >>> prompt = make_prompt(MCQItem("2 + 2?", ("3", "4"), 1), "mcq")
    >>> decided("B", prompt), decided("B.", prompt), decided("Hm.", prompt)
    (False, True, False)
    """
    return text.rstrip(" ").endswith(_ENDS) and label_of(text, prompt).label is not None


@dataclass(frozen=True)
class Decided:
    """The `stop` of a run: whether a completion has given its label (see `decided`).

    The store knows a `stop` by the name of its class, so this name is part of every stored key.

    Args:
        prompts: What each prompt text asks.
    """

    prompts: Mapping[str, Prompt]

    def __call__(self, request: Request, text: str) -> bool:
        """Whether the answer to this request is decided by the text so far."""
        return decided(text, self.prompts[request.prompt])
