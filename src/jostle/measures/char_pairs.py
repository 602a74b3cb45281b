"""Texts that are the same but for a few characters: shared character trigrams, found by MinHash and then counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .links import Links

JACCARD, SHORT_JACCARD = 0.7, 0.55  # of trigrams: a slip takes up to six of them, which is much in a short text
SHORT = 50  # trigrams
BANDS, ROWS = 31, 4  # a pair with Jaccard J meets in a band with 1 - (1 - J^4)^31: 0.95 at 0.55, 0.9998 at 0.7
BUCKET = 64  # larger buckets are split by the rows of the next band
DEPTH = 5  # bands that a bucket may be split by
MOST_PAIRS = 300_000  # counted pairs, a few seconds; a set made from one template can have far more candidates
_CHUNK = 2_000_000  # trigrams handled at once
_PAIRS = 20_000  # candidate pairs counted at once
_ESTIMATE = 0.18  # four standard errors of a share out of 124

_EMPTY = np.uint32(np.iinfo(np.uint32).max)
Indices = NDArray[np.intp]


@dataclass(frozen=True)
class GramSets:
    """The distinct character trigrams of texts, one text after the other.

    Args:
        keys: Text number * 2^32 + 32-bit hash of the trigram, ascending.
        starts: Where each text begins in `keys`, and at the end their number.
    """

    keys: NDArray[np.uint64]
    starts: NDArray[np.int64]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Distinct trigrams of each text."""
        return np.diff(self.starts)


def gram_sets(texts: Sequence[str]) -> GramSets:
    """Trigrams of the texts, each with a space at both ends; an empty text has none.

    >>> gram_sets(["cat", "", "aaaa"]).sizes.tolist()
    [3, 0, 3]
    """
    parts = [_keys(texts[start:stop], start) for start, stop in _chunks(texts)]
    keys = np.concatenate([np.zeros(0, np.uint64), *parts])
    return GramSets(keys, np.searchsorted(keys, np.arange(len(texts) + 1, dtype=np.uint64) << np.uint64(32)))


def _chunks(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    start = size = 0
    for k, text in enumerate(texts):
        size += len(text) + 3
        if size > _CHUNK:
            yield start, k + 1
            start, size = k + 1, 0
    if start < len(texts):
        yield start, len(texts)


def _keys(texts: Sequence[str], first: int) -> NDArray[np.uint64]:
    lengths = [len(text) + 3 if text else 1 for text in texts]
    joined = "".join(f" {text} \0" if text else "\0" for text in texts)
    points = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)
    owner = np.repeat(np.arange(first, first + len(texts), dtype=np.uint64), lengths)[:-2]
    inside = (points[:-2] != 0) & (points[1:-1] != 0) & (points[2:] != 0)
    code = (points[:-2] << np.uint64(42)) | (points[1:-1] << np.uint64(21)) | points[2:]
    keys = np.sort(((owner << np.uint64(32)) | _mix(code))[inside])
    return keys[np.r_[True, keys[1:] != keys[:-1]]] if len(keys) else keys


def _mix(code: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A well-mixed 32-bit hash of each code (splitmix64)."""
    x = code + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (x ^ (x >> np.uint64(31))) >> np.uint64(32)


def signatures(sets: GramSets) -> NDArray[np.uint32]:
    """MinHash signatures, one row a hash function and one column a text: the share of equal rows estimates Jaccard."""
    factors = np.random.default_rng(0).integers(1 << 16, 1 << 32, BANDS * ROWS, dtype=np.uint32) | np.uint32(1)
    found = np.full((BANDS * ROWS, len(sets.starts) - 1), _EMPTY, dtype=np.uint32)
    filled = np.flatnonzero(sets.sizes)
    for texts in np.array_split(filled, len(sets.keys) // _CHUNK + 1) if len(filled) else ():
        if not len(texts):
            continue
        begin, end = sets.starts[texts[0]], sets.starts[texts[-1] + 1]
        hashes, offsets = sets.keys[begin:end].astype(np.uint32), sets.starts[texts] - begin
        for k, factor in enumerate(factors):
            mixed = hashes * factor
            mixed ^= mixed >> np.uint32(15)
            mixed *= np.uint32(0x2C1B3C6D)
            found[k, texts] = np.minimum.reduceat(mixed, offsets)
    return found


def jaccard(sets: GramSets, first: Indices, second: Indices) -> NDArray[np.float64]:
    """Shared trigrams / all trigrams of each pair; 1 where both texts are empty.

    >>> jaccard(gram_sets(["cat", "cats", "", ""]), np.array([0, 2]), np.array([1, 3])).tolist()
    [0.4, 1.0]
    """
    parts = [slice(start, start + _PAIRS) for start in range(0, len(first), _PAIRS)]
    return np.concatenate([np.zeros(0), *(_jaccard(sets, first[part], second[part]) for part in parts)])


def _jaccard(sets: GramSets, first: Indices, second: Indices) -> NDArray[np.float64]:
    size = sets.sizes[second]
    pair = np.repeat(np.arange(len(second)), size)
    place = np.arange(len(pair)) - np.repeat(np.cumsum(size) - size, size) + sets.starts[second][pair]
    wanted = (sets.keys[place] & np.uint64(0xFFFFFFFF)) | (first.astype(np.uint64) << np.uint64(32))[pair]
    found = np.searchsorted(sets.keys, wanted)
    there = found < len(sets.keys)
    there[there] = sets.keys[found[there]] == wanted[there]
    shared = np.bincount(pair[there], minlength=len(second))
    either = sets.sizes[first] + size - shared
    return np.where(either == 0, 1.0, shared / np.maximum(either, 1))


def link_alike(
    sides: Sequence[GramSets], apart: NDArray[np.int64], confirm: Callable[[int, int], bool]
) -> tuple[Links, int]:
    """Link things whose sides all share most trigrams, and of which `confirm` says so too.

    Most is a Jaccard of 0.7, and 0.55 where one of the texts has fewer than 50 trigrams.

    Candidates come from MinHash (31 bands of 4), so a pair just above the threshold can be missed; what is linked was
    counted. A bucket of more than 64 texts is split by the next bands, which keeps pairs that are most alike.

    Args:
        sides: For each side, the trigrams of n texts; their order decides which pairs are left out where some are.
        apart: Things of different numbers are never compared.
        confirm: Told the numbers of two things, whether they count.

    Returns:
        The links, and how many candidate pairs were not counted because there were more than 300,000.

    >>> sets = gram_sets(["the cat sat on the mat", "a dog", "the cat sat on teh mat"])
    >>> link_alike([sets], np.zeros(3, dtype=int), lambda i, j: True)[0].groups()
    [[0, 2]]
    """
    found = _Search(sides, np.minimum.reduce([signatures(side) for side in sides]), confirm)
    for band in range(BANDS):
        found.meet(band, apart.astype(np.uint64))
    return found.links, found.left_out


class _Search:
    def __init__(
        self,
        sides: Sequence[GramSets],
        signature: NDArray[np.uint32],
        confirm: Callable[[int, int], bool],
    ) -> None:
        self.sides, self.confirm = sides, confirm
        self.needed = [np.where(side.sizes < SHORT, SHORT_JACCARD, JACCARD) for side in sides]
        self.lowest = np.minimum.reduce(self.needed)
        self.by_row, self.by_text = signature, np.ascontiguousarray(signature.T)
        self.links = Links(signature.shape[1])
        self.counted = self.left_out = 0
        # Pairs that were counted, as one number each: those of earlier bands sorted, those of this one as they came.
        self.before, self.now = np.zeros(0, dtype=np.int64), [np.zeros(0, dtype=np.int64)]

    def meet(self, band: int, key: NDArray[np.uint64]) -> None:
        """Compare texts that agree in a band, and in large buckets in the next ones too."""
        texts = np.arange(len(key))
        for depth in range(DEPTH):
            rows = (np.arange(ROWS) + (band + depth) * ROWS) % len(self.by_row)
            for row in self.by_row[rows][:, texts]:
                key = (key ^ row) * np.uint64(0x9E3779B97F4A7C15)
                key ^= key >> np.uint64(29)
            order = np.argsort(key, kind="stable")
            texts, key = texts[order], key[order]
            _, bucket, sizes = np.unique(key, return_inverse=True, return_counts=True)
            large = (sizes > BUCKET)[bucket] if depth + 1 < DEPTH else np.zeros(len(key), dtype=bool)
            self._neighbours(texts[~large], bucket[~large])
            texts, key = texts[large], key[large]
        self.before, self.now = np.sort(np.concatenate([self.before, *self.now])), self.now[:1]

    def _neighbours(self, texts: Indices, bucket: Indices) -> None:
        for lag in range(1, BUCKET):
            same = bucket[lag:] == bucket[:-lag]
            if not same.any():
                break
            self._link(texts[:-lag][same], texts[lag:][same])

    def _link(self, first: Indices, second: Indices) -> None:
        """Link the pairs that are alike, out of those not linked yet."""
        for start in range(0, len(first), _PAIRS):
            a, b = np.sort([first[start : start + _PAIRS], second[start : start + _PAIRS]], axis=0)
            fresh = self.links.of(a) != self.links.of(b)
            a, b = a[fresh], b[fresh]
            needed = np.minimum(self.lowest[a], self.lowest[b])
            alike = (self.by_text[a] == self.by_text[b]).mean(axis=1) >= needed - _ESTIMATE
            a, b = self._new(a[alike], b[alike])
            if self.counted + len(a) > MOST_PAIRS:
                self.left_out += len(a)
                continue
            self.counted += len(a)
            for side, limit in zip(self.sides, self.needed, strict=True):
                alike = jaccard(side, a, b) >= np.minimum(limit[a], limit[b])
                a, b = a[alike], b[alike]
            sure = np.array([self.confirm(i, j) for i, j in zip(a.tolist(), b.tolist(), strict=True)], dtype=bool)
            self.links.join(a[sure], b[sure])

    def _new(self, first: Indices, second: Indices) -> tuple[Indices, Indices]:
        """The pairs that no earlier band had."""
        code = first * len(self.by_text) + second
        place = np.searchsorted(self.before, code)
        new = place == len(self.before)
        new[~new] = self.before[place[~new]] != code[~new]
        self.now.append(code[new])
        return first[new], second[new]
