"""Batches of sequences of like length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def batches_by_length(lengths: Sequence[int], token_budget: int) -> Iterator[list[int]]:
    """Numbers of the sequences in batches, longest first, so that little is padded.

    Args:
        lengths: Tokens of each sequence.
        token_budget: Tokens a batch, padding included; a longer sequence is a batch of its own.

    >>> list(batches_by_length([3, 9, 4, 5], token_budget=10))
    [[1], [3, 2], [0]]
    """
    batch: list[int] = []
    for k in sorted(range(len(lengths)), key=lambda k: -lengths[k]):
        if batch and (len(batch) + 1) * lengths[batch[0]] > token_budget:
            yield batch
            batch = []
        batch.append(k)
    if batch:
        yield batch
