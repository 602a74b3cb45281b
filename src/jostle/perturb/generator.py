"""The generator that operators draw from: cheap to seed, since each text of each item gets its own seed."""

from __future__ import annotations

import random
from hashlib import blake2b
from typing import Any, NoReturn

_MASK = (1 << 64) - 1
_UNIT = 2.0**-53
_MULTIPLIER, _INCREMENT = 6364136223846793005, 1442695040888963407  # Knuth, MMIX
_PRIME = (1 << 61) - 1
_STEP = 53  # bits that one step gives: the lowest 11 repeat soon


def hashed(key: str) -> int:
    """A number of 64 bits that stands for `key`, the same on every machine.

    >>> hashed("key") == hashed("key") != hashed("other")
    True
    """
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class Generator(random.Random):
    """A `random.Random` on a linear congruential generator of 64 bits that starts at the hash of its seed.

    The Mersenne Twister fills 624 words before the first draw, which takes longer than an edit; an operator draws a
    few times per text, for which the upper bits of this generator are as good. It can be seeded anew for every text.
    Draws depend on the seed alone, on every machine and version of Python.

    Args:
        x: The seed, by its `str`.

    Limitations: not for statistics on millions of draws, nor for secrets; the state cannot be read or set.

    >>> rng = Generator("key")
    >>> first = rng.random()
    >>> rng.seed("key")
    >>> rng.random() == first
    True
    """

    def seed(self, a: Any = "", version: int = 2) -> None:
        """Begin anew from `a`; `version` is there for the interface and has no effect."""
        self._at = hashed(str(a))
        self.gauss_next = None  # half of a pair that `gauss` of the standard library keeps

    def begin(self, key: str, salt: int) -> None:
        """Begin anew from `key`, in a third of the time that `seed` takes.

        Args:
            key: What differs from text to text, such as the id of an item.
            salt: `hashed` of what they share; other salts give unrelated draws for the same key.

        Limitations: keys meet by chance in one of 2 to the power of 61 pairs; no defence against keys made to meet.
        """
        number = int.from_bytes(key.encode("utf-8", "surrogatepass"), "little") % _PRIME
        product = (number ^ salt) * _MULTIPLIER
        self._at = (product ^ product >> 64) & _MASK  # the upper half too, so that each bit of the key counts for all
        self.gauss_next = None

    def random(self) -> float:
        """The next number in [0, 1), in steps of 2 to the power of -53."""
        self._at = at = self._at * _MULTIPLIER + _INCREMENT & _MASK
        return (at >> 11) * _UNIT

    def getrandbits(self, k: int, /) -> int:
        """An integer of `k` random bits.

        Raises:
            ValueError: `k` is negative.
        """
        if k < 0:
            raise ValueError(f"Expected a number of bits of 0 or more, but got {k}. Ask for 0 or more.")
        if 0 < k <= _STEP:
            self._at = at = self._at * _MULTIPLIER + _INCREMENT & _MASK
            return at >> 64 - k
        value, missing = 0, k
        while missing > 0:
            self._at = self._at * _MULTIPLIER + _INCREMENT & _MASK
            value = value << _STEP | self._at >> 64 - _STEP
            missing -= _STEP
        return value >> -missing

    def getstate(self) -> NoReturn:
        """Refused: the state is the seed and the number of draws.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError("Expected a new seed, but got a call for the state. Use seed(key) instead.")

    def setstate(self, state: object) -> NoReturn:
        """Refused, as `getstate`.

        Raises:
            NotImplementedError: Always.
        """
        self.getstate()
