"""The generator of operators."""

import random

import pytest

from jostle.perturb.contract import seeded
from jostle.perturb.generator import Generator


def test_seed_decides_and_begins_anew() -> None:
    rng = Generator("a")
    first = [rng.random() for _ in range(20)]
    rng.seed("b")
    other = [rng.random() for _ in range(20)]
    rng.seed("a")
    assert [rng.random() for _ in range(20)] == first != other


def test_draws_are_fixed_across_machines() -> None:
    # blake2b, 8 bytes, of "key" starts the generator; the two draws follow by its recurrence.
    from hashlib import blake2b

    at = int.from_bytes(blake2b(b"key", digest_size=8).digest(), "little")
    expected = []
    for _ in range(2):
        at = (at * 6364136223846793005 + 1442695040888963407) % 2**64
        expected.append((at >> 11) / 2**53)
    rng = Generator("key")
    assert [rng.random(), rng.random()] == expected


def test_all_methods_of_random_work_and_follow_the_seed() -> None:
    def draws(rng: random.Random) -> list[object]:
        values = [rng.randrange(7), rng.choice("abc"), rng.sample(range(50), 5), rng.gauss(0, 1), rng.getrandbits(70)]
        rng.shuffle(order := list(range(9)))
        return [*values, order, rng.uniform(2, 3), rng.gauss(0, 1)]

    assert draws(Generator("x")) == draws(Generator("x")) != draws(Generator("y"))


def test_first_draws_of_many_seeds_are_even() -> None:
    counts = [0] * 10
    for item in range(10_000):
        counts[int(seeded(0, "typos", str(item), "text").random() * 10)] += 1
    # 1,000 of each expected; the standard deviation is sqrt(10,000 x 0.1 x 0.9) = 30.
    assert all(abs(count - 1000) < 5 * 30 for count in counts)


def test_bits_are_even_and_within_range() -> None:
    rng = Generator("bits")
    values = [rng.getrandbits(5) for _ in range(3200)]
    # 100 of each expected; the standard deviation is sqrt(3200 x 1/32 x 31/32) = 9.8.
    assert {value.bit_length() <= 5 for value in values} == {True}
    assert all(abs(values.count(k) - 100) < 5 * 9.8 for k in range(32))
    assert rng.getrandbits(0) == 0
    with pytest.raises(ValueError, match="but got -1"):
        rng.getrandbits(-1)


def test_state_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="Use seed"):
        Generator("a").getstate()
