"""Groups of things that are linked to each other, directly or through others (connected components)."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]


class Links:
    """Union-find over `n` things that takes links in any number and order, a whole array of them at once.

    The group of a thing is known by its smallest member, so the order of the links changes nothing.

    >>> links = Links(4)
    >>> links.join([3, 1], [1, 0])
    >>> links.groups()
    [[0, 1, 3]]
    """

    def __init__(self, n: int) -> None:
        self._root = np.arange(n)  # may lag behind: of a joined group, only its root points further at once

    def join(self, first: Any, second: Any) -> None:
        """Link things to things, pair by pair."""
        a, b = self.of(first), self.of(second)
        while True:
            open_ = a != b
            if not open_.any():
                return
            a, b = a[open_], b[open_]
            np.minimum.at(self._root, np.maximum(a, b), np.minimum(a, b))
            self._shorten(np.unique(np.concatenate([a, b])))
            a, b = self._root[a], self._root[b]

    def of(self, things: Any) -> Indices:
        """The smallest member of the group of each of these things."""
        asked = np.asarray(things, dtype=np.intp)
        self._shorten(asked)
        found: Indices = self._root[asked]
        return found

    def _shorten(self, things: Indices) -> None:
        """Let these things point to their root; to touch all of them at every join would cost n each time."""
        while True:
            nearer = self._root[things]
            further = self._root[nearer]
            if np.array_equal(further, nearer):
                return
            self._root[things] = further

    @property
    def roots(self) -> Indices:
        """The smallest member of the group of each thing."""
        return self.of(np.arange(len(self._root)))

    def groups(self) -> list[list[int]]:
        """Groups of two and more, each sorted, in the order of their smallest members."""
        return grouped(self.roots.tolist())


def grouped(keys: Iterable[Hashable]) -> list[list[int]]:
    """Numbers of the things that have the same key, where there are two and more; None is no key.

    >>> grouped(["a", "b", "a", None, None])
    [[0, 2]]
    """
    found: dict[Hashable, list[int]] = {}
    for k, key in enumerate(keys):
        if key is not None:
            found.setdefault(key, []).append(k)
    return [group for group in found.values() if len(group) > 1]


def redundancy(groups: Iterable[Sequence[int]], n: int) -> Mapping[str, Any]:
    """How much of an average of `n` things its groups take.

    Returns:
        `n_clusters`, `n_cases` in them, `n_redundant` = sum of (size - 1), and `largest_share` = largest size / n, the
        weight of one scenario in the average.

    >>> redundancy([[0, 1, 2], [4, 5]], 10)
    {'n_clusters': 2, 'n_cases': 5, 'n_redundant': 3, 'largest_share': 0.3}
    """
    sizes = [len(group) for group in groups]
    return {
        "n_clusters": len(sizes),
        "n_cases": sum(sizes),
        "n_redundant": sum(sizes) - len(sizes),
        "largest_share": max(sizes, default=1) / n if n else math.nan,
    }
