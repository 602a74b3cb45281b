"""The generator of operators."""

import random

import pytest

from jostle.perturb.contract import seeded
from jostle.perturb.generator import Generator, hashed


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


def test_keys_and_salts_decide_and_begin_anew() -> None:
    def first(key: str, salt: int) -> float:
        rng.begin(key, salt)
        return rng.random()

    rng = Generator()
    one, other = hashed("0 typos"), hashed("1 typos")
    assert first("a", one) == first("a", one)
    assert len({first(key, salt) for key in ("", "a", "b", "ab", "\ud800", "a" * 1000) for salt in (one, other)}) == 12


def test_draws_of_a_key_are_fixed_across_machines() -> None:
    # "a" is byte 97; one product and one fold start the generator, and the draw follows by its recurrence.
    product = (97 ^ 5) * 6364136223846793005
    at = product % 2**64 ^ product // 2**64
    at = (at * 6364136223846793005 + 1442695040888963407) % 2**64
    rng = Generator()
    rng.begin("a", 5)
    assert rng.random() == (at >> 11) / 2**53


@pytest.mark.parametrize("pattern", ["{}", "row-{}", "{}-a-long-id-of-its-set", "{:08d}"])
def test_first_draws_of_counted_keys_are_even_and_unrelated(pattern: str) -> None:
    rng = Generator()
    salts = hashed("0\x1ftypos\x1ftext"), hashed("0\x1fhomoglyphs\x1ftext")
    counts = [[0] * 10 for _ in range(10)]
    following = [[0] * 10 for _ in range(10)]
    last = 0
    for item in range(20_000):
        drawn = []
        for salt in salts:
            rng.begin(pattern.format(item), salt)
            drawn.append(int(rng.random() * 10))
        counts[drawn[0]][drawn[1]] += 1
        following[last][drawn[0]] += 1
        last = drawn[0]
    # 200 expected in each cell of both tables; the standard deviation is sqrt(20,000 x 0.01 x 0.99) = 14.1.
    assert all(abs(count - 200) < 5 * 14.1 for rows in (counts, following) for row in rows for count in row)
