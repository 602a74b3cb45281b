"""All pairs of vectors whose cosine reaches a threshold, block by block: time n^2, memory of one block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Pairs = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]
ROWS, COLUMNS = 512, 2048  # 4 MB of cosines at a time: the scan reads them while they are still in the cache
TOLERANCE = 1e-6  # a vector's cosine with itself is 1 but for rounding
_UNSURE = 1e-4  # above the rounding of float32 sums of some hundred products
_GATHERED = 4096  # pairs whose vectors are copied at once
_DENSE = 0.004  # from this share of pairs on, a product of the whole block is cheaper than one of each pair
_HEAD = 3  # bounds take one in so many dimensions, which tells nearly all pairs of texts to be below 0.85
_LEAST_DIMENSIONS = 96  # with fewer, the product takes no longer than the look at it
_PATIENCE = 4  # blocks whose bounds told too little before bounds have to be worth it


def unit(vectors: Any, n: int | None = None) -> Vectors:
    """Vectors at length 1, as float32; a vector of zeros stays, and its cosine with anything is 0.

    Args:
        vectors: n x d.
        n: How many there should be.

    Raises:
        ValueError: Not n rows of numbers, or a value that is not finite.

    >>> unit([[3, 4], [0, 0]]).tolist()
    [[0.6000000238418579, 0.800000011920929], [0.0, 0.0]]
    """
    found = np.asarray(vectors, dtype=np.float32)
    if found.ndim != 2 or (n is not None and len(found) != n):  # noqa: PLR2004 - rows and columns
        expected = "one vector for each text" if n is None else f"{n} vectors, one for each text"
        raise ValueError(f"Expected {expected}, but got an array of the shape {found.shape}.")
    if not np.isfinite(found).all():
        row = int((~np.isfinite(found).all(axis=1)).argmax())
        raise ValueError(f"Expected finite vectors, but vector {row} has nan or infinite values.")
    found = found / np.maximum(np.abs(found).max(axis=1, keepdims=True, initial=0), np.finfo(np.float32).tiny)
    length = np.linalg.norm(found, axis=1, keepdims=True)
    return np.ascontiguousarray(found / np.where(length == 0, 1, length), dtype=np.float32)


def cosine_pairs(sides: Sequence[Vectors], threshold: float) -> Iterator[Pairs]:
    """Pairs i < j with cosine >= threshold, in arrays of first, second and cosine.

    Things of several sides (premise and hypothesis) are as alike as their least similar side: the minimum counts.
    Cosines near the threshold are computed again in float64, so that the size of the blocks decides nothing.

    Args:
        sides: For each side, n unit vectors (see `unit`); one that tells things apart best stands first.
        threshold: In (-1, 1].

    Yields:
        A block's pairs; blocks without any are left out. Beside the vectors it takes less than 100 MB.

    >>> [(i.tolist(), j.tolist()) for i, j, _ in cosine_pairs([unit([[1, 0], [1, 0.1], [0, 1]])], 0.9)]
    [([0], [1])]
    """
    n, bounds = len(sides[0]), _Bounds(sides[0])
    buffer = np.empty(ROWS * COLUMNS, dtype=np.float32)
    for top in range(0, n, ROWS):
        for left in range(top, n, COLUMNS):
            rows, columns = slice(top, min(top + ROWS, n)), slice(left, min(left + COLUMNS, n))
            shape = (rows.stop - top, columns.stop - left)
            block = buffer[: shape[0] * shape[1]].reshape(shape)
            if bounds.pay:
                bounds.fill(block, rows, columns)
                likely = _likely(block, (top, left), threshold)
                if bounds.tell(likely / block.size):
                    yield from _of_block(sides, block, (top, left), threshold, sides) if likely else ()
                    continue
            np.matmul(sides[0][rows], sides[0][columns].T, out=block)
            if _likely(block, (top, left), threshold):
                yield from _of_block(sides, block, (top, left), threshold, sides[1:])


@dataclass
class _Bounds:
    """Upper bounds of cosines from some of the dimensions, by Cauchy and Schwarz: x.y <= head.head + |rest| |rest|."""

    side: Vectors
    dimensions: int = field(init=False)
    rest: NDArray[np.float32] = field(init=False)
    told: int = 0
    failed: int = 0

    def __post_init__(self) -> None:
        self.dimensions = max(1, self.side.shape[1] // _HEAD)
        self.rest = np.linalg.norm(self.side[:, self.dimensions :], axis=1, keepdims=True)

    @property
    def pay(self) -> bool:
        """Whether they save time, as far as the blocks so far can tell."""
        return self.side.shape[1] >= _LEAST_DIMENSIONS and self.failed <= max(self.told, _PATIENCE)

    def fill(self, block: NDArray[np.float32], rows: slice, columns: slice) -> None:
        """Write the bounds of a block."""
        np.matmul(self._head(rows), self._head(columns).T, out=block)

    def _head(self, part: slice) -> Vectors:
        return np.concatenate([self.side[part, : self.dimensions], self.rest[part]], axis=1)

    def tell(self, share: float) -> bool:
        """Whether so few pairs are left that each is looked at on its own."""
        few = share <= _DENSE
        self.told, self.failed = self.told + few, self.failed + (not few)
        return few


def _likely(block: NDArray[np.float32], corner: tuple[int, int], threshold: float) -> int:
    """How many pairs of a block may reach the threshold; pairs that stand elsewhere too are taken out."""
    if corner[0] == corner[1]:  # a thing is no pair with itself, and the lower triangle repeats the upper
        block[np.tril_indices(block.shape[0], 0, block.shape[1])] = -2
    return int(np.count_nonzero(block >= threshold - _UNSURE)) if block.max() >= threshold - _UNSURE else 0


def _of_block(
    sides: Sequence[Vectors],
    block: NDArray[np.float32],
    corner: tuple[int, int],
    threshold: float,
    further: Sequence[Vectors],
) -> Iterator[Pairs]:
    """Pairs of a block of bounds or of cosines of the first side; those of `further` are yet to be looked at."""
    flat = np.flatnonzero(block >= threshold - _UNSURE)
    cosine = block.reshape(-1)[flat].astype(np.float64) if len(further) < len(sides) else np.ones(len(flat))
    for side in further:
        cosine = np.minimum(cosine, _further(side, corner, block.shape, flat))
        kept = cosine >= threshold - _UNSURE
        flat, cosine = flat[kept], cosine[kept]
    first, second = corner[0] + flat // block.shape[1], corner[1] + flat % block.shape[1]
    unsure = np.abs(cosine - threshold) < _UNSURE
    if unsure.any():
        cosine[unsure] = np.minimum.reduce([_dots(side, first[unsure], second[unsure]) for side in sides])
    kept = cosine >= threshold - TOLERANCE
    if kept.any():
        yield first[kept], second[kept], np.minimum(cosine[kept], 1)


def _further(side: Vectors, corner: tuple[int, int], shape: tuple[int, int], flat: NDArray[np.intp]) -> Any:
    """Cosines of one more side for some pairs of a block."""
    if len(flat) > _DENSE * shape[0] * shape[1]:
        block = side[corner[0] : corner[0] + shape[0]] @ side[corner[1] : corner[1] + shape[1]].T
        return block.reshape(-1)[flat]
    return _dots(side, corner[0] + flat // shape[1], corner[1] + flat % shape[1])


def _dots(side: Vectors, first: NDArray[np.intp], second: NDArray[np.intp]) -> NDArray[np.float64]:
    found = np.empty(len(first))
    for start in range(0, len(first), _GATHERED):
        part = slice(start, start + _GATHERED)
        pair = (side[first[part]].astype(np.float64), side[second[part]].astype(np.float64))
        found[part] = np.einsum("nd,nd->n", *pair)
    return found


def cosine_range(sides: Sequence[Vectors], members: Sequence[int]) -> tuple[float, float]:
    """Lowest and highest cosine between any two of the members, two and more, each as `cosine_pairs` takes it.

    >>> cosine_range([unit([[1, 0], [0, 1], [1, 0]])], [0, 1, 2])
    (0.0, 1.0)
    """
    low, high = np.inf, -np.inf
    index = np.asarray(members, dtype=np.intp)
    for top in range(0, len(index), ROWS):
        for left in range(top, len(index), COLUMNS):
            rows, columns = index[top : top + ROWS], index[left : left + COLUMNS]
            block = np.minimum.reduce([side[rows] @ side[columns].T for side in sides])
            pairs = block[np.triu_indices(len(rows), 1, len(columns))] if left == top else block
            if pairs.size:
                low, high = min(low, float(pairs.min())), max(high, float(pairs.max()))
    return max(low, -1.0), min(high, 1.0)
