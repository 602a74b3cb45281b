"""Batches of prompts: identical ones once, of like length together, under a budget of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..errors import InputError, UsageError
from .generate_score import Scorable, scorable
from .generate_text import Codec
from .protocol import Decoding, Request


@dataclass(frozen=True)
class Unit:
    """One prompt in a batch.

    Args:
        tokens: The prompt.
        requests: Those that have it.
        rows: Its completions: request and number of the sample. To score there is one for each answer.
        new: Most tokens that follow the prompt.
        scored: Tokens of the answers, in the mode `score`.
    """

    tokens: list[int]
    requests: Sequence[Request]
    rows: Sequence[tuple[Request, int]]
    new: int
    scored: Scorable | None = None


def make_units(requests: Sequence[Request], decoding: Decoding, codec: Codec, token_budget: int) -> list[Unit]:
    """The distinct prompts with all that is asked of each.

    Raises:
        UsageError: Keys repeat, or answers to score are missing.
    """
    if len({request.key for request in requests}) < len(requests):
        raise UsageError("Expected requests with keys that differ, but got repeated keys. Give each its own.")
    if decoding.mode == "score":
        return [_scored(request, codec) for request in requests]
    same: dict[str, list[Request]] = {}
    for request in requests:
        same.setdefault(request.prompt, []).append(request)
    return [unit for owners in same.values() for unit in _written(owners, decoding, codec, token_budget)]


def _scored(request: Request, codec: Codec) -> Unit:
    scored = scorable(request, codec.encode, codec.encode_answer if codec.is_pair else None)
    new = max(map(len, scored.answers.values()))
    return Unit(scored.prompt, [request], [(request, 0)] * len(scored.answers), new, scored)


def _written(owners: list[Request], decoding: Decoding, codec: Codec, token_budget: int) -> Iterator[Unit]:
    """One unit, or several where the samples do not fit into one batch; read greedily, one completion serves all."""
    tokens, new = codec.encode(owners[0].prompt), decoding.max_new_tokens
    drawn = owners if decoding.mode == "sample" else owners[:1]
    rows = [(owner, sample) for owner in drawn for sample in range(decoding.k)]
    most = max(1, token_budget // (len(tokens) + new))
    for start in range(0, len(rows), most):
        yield Unit(tokens, owners, rows[start : start + most], new)


def work(units: Iterable[Unit]) -> int:
    """Tokens to read and, at most, to write: what the time of a run grows with."""
    return sum(len(unit.tokens) + len(unit.rows) * unit.new for unit in units)


def batches(units: Sequence[Unit], token_budget: int, batch_size: int | None) -> Iterator[list[Unit]]:
    """Units of like length, longest first; those of one length by content, so that the order given has no effect.

    Args:
        units: Prompts.
        token_budget: Tokens a batch over all its completions, padding included.
        batch_size: Most prompts a batch.
    """
    batch: list[Unit] = []
    rows = longest = 0
    for unit in sorted(units, key=lambda unit: (-len(unit.tokens), unit.tokens)):
        rows += len(unit.rows)
        longest = max(longest, unit.new)
        if batch and (rows * (len(batch[0].tokens) + longest) > token_budget or len(batch) == batch_size):
            yield batch
            batch, rows, longest = [], len(unit.rows), unit.new
        batch.append(unit)
    if batch:
        yield batch


def grouped(in_batches: Iterable[Sequence[Unit]], size: int) -> list[list[Request]]:
    """Requests in groups of so many whole batches: a group that is run alone comes to the same batches.

    A request whose samples stand in two batches keeps them in one group, which then has more.
    """
    groups: list[dict[str, Request]] = []
    count = 0
    for batch in in_batches:
        own = {request.key: request for unit in batch for request in unit.requests}
        if groups and (count < size or not own.keys().isdisjoint(groups[-1])):
            groups[-1] |= own
            count += 1
        else:
            groups.append(own)
            count = 1
    return [list(group.values()) for group in groups]


def check_lengths(units: Sequence[Unit], codec: Codec, max_length: int) -> None:
    """Hold every prompt, with what may follow it, against the model's limit.

    Raises:
        InputError: A prompt is empty or too long.
    """
    empty = [unit.requests[0].key for unit in units if not unit.tokens]
    if empty:
        raise InputError(f"Expected prompts with text, but got an empty one for {empty[0]}. Write a prompt.")
    long = [unit for unit in units if len(unit.tokens) + (0 if codec.is_pair else unit.new) > max_length]
    if long:
        worst = max(long, key=lambda unit: len(unit.tokens))
        more = "" if codec.is_pair else f", with {worst.new} to follow"
        raise InputError(
            f"Expected prompts that fit into {max_length} tokens, but got {len(long)} that do not, the longest with "
            f"{len(worst.tokens)}{more} (item {worst.requests[0].key}). Leave these items out, or use a model that "
            "reads longer texts: a cut prompt would be another question."
        )
