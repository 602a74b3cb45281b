"""Batches of token sequences of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def batches_by_length(sequences: Sequence[Sequence[int]], token_budget: int) -> Iterator[list[int]]:
    """Numbers of the sequences in batches, longest first, so that little is padded.

    Sequences of one length are ordered by content: the last digits of a model's output depend on the batch, and the
    batch must not depend on the order of the rows.

    Args:
        sequences: Token ids.
        token_budget: Tokens a batch, padding included; a longer sequence is a batch of its own.

    >>> list(batches_by_length([[1] * 3, [1] * 9, [1] * 4, [1] * 5], token_budget=10))
    [[1], [3, 2], [0]]
    """
    batch: list[int] = []
    for k in sorted(range(len(sequences)), key=lambda k: (-len(sequences[k]), sequences[k])):
        if batch and (len(batch) + 1) * len(sequences[batch[0]]) > token_budget:
            yield batch
            batch = []
        batch.append(k)
    if batch:
        yield batch
