"""The blocked search for pairs against all pairs in float64."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.measures import cosine_pairs as module
from jostle.measures.cosine_pairs import TOLERANCE, cosine_pairs, cosine_range, unit

Found = dict[tuple[int, int], float]


def blocked(sides: list[Any], threshold: float) -> Found:
    parts = list(cosine_pairs(sides, threshold))
    found = [(i, j, c) for a, b, cosines in parts for i, j, c in zip(a.tolist(), b.tolist(), cosines, strict=True)]
    assert len(found) == len({(i, j) for i, j, _ in found})
    return {(i, j): float(c) for i, j, c in found}


def brute(sides: list[Any], threshold: float) -> Found:
    cosine = np.minimum.reduce([side.astype(np.float64) @ side.astype(np.float64).T for side in sides])
    i, j = np.nonzero(np.triu(cosine >= threshold - TOLERANCE, 1))
    return {(int(a), int(b)): float(cosine[a, b]) for a, b in zip(i, j, strict=True)}


@given(
    st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 3), st.sampled_from([-0.5, 0.0, 0.5, 0.9, 1.0]),
    st.sampled_from(["no bounds", "bounds", "bounds tell everything", "bounds tell nothing"]),
)  # fmt: skip
def test_blocks_find_what_all_pairs_find(seed: int, n: int, n_sides: int, threshold: float, way: str) -> None:
    rng = np.random.default_rng(seed)
    # few directions, so that cosines fall on the threshold and vectors repeat
    sides = [unit(rng.integers(-1, 2, (n, 4))) for _ in range(n_sides)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "ROWS", 3)
        patch.setattr(module, "COLUMNS", 7)
        patch.setattr(module, "_GATHERED", 5)
        patch.setattr(module, "_LEAST_DIMENSIONS", 5 if way == "no bounds" else 1)
        patch.setattr(module, "_DENSE", {"bounds tell everything": 1.0, "bounds tell nothing": -1.0}.get(way, 0.2))
        found = blocked(sides, threshold)
    expected = brute(sides, threshold)
    assert found.keys() == expected.keys()
    assert [found[pair] for pair in expected] == pytest.approx([min(c, 1) for c in expected.values()], abs=1e-6)


def test_real_block_sizes_find_the_planted_pairs() -> None:
    rng = np.random.default_rng(0)
    vectors = unit(rng.standard_normal((3000, 64)))
    vectors[2500:2600] = unit(vectors[:100] + 0.3 * unit(rng.standard_normal((100, 64))))
    found = blocked([vectors], 0.85)
    assert found.keys() == brute([vectors], 0.85).keys()
    assert {(k, 2500 + k) for k in range(100)} <= found.keys()


def planted(dimensions: int, spread: float = 0.0) -> Any:
    """Random directions, around one of them where `spread` is above 0, and a near-duplicate of each of the first."""
    rng = np.random.default_rng(3)
    vectors = unit(spread + rng.standard_normal((3000, dimensions)))
    vectors[2900:] = unit(vectors[:100] + 0.3 * unit(rng.standard_normal((100, dimensions))))
    return vectors


@pytest.mark.parametrize(("spread", "products"), [(0.0, 0), (3.0, 5)], ids=["bounds tell", "bounds tell nothing"])
def test_whole_blocks_are_multiplied_only_where_bounds_leave_many_pairs(
    spread: float, products: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Around one direction the cosines are near 9 / 10, so no bound is below 0.85.
    vectors, filled, multiplied = planted(384, spread), list[int](), list[int]()
    matmul, fill = np.matmul, module._Bounds.fill
    monkeypatch.setattr(module._Bounds, "fill", lambda *given: filled.append(1) or fill(*given))
    monkeypatch.setattr(module.np, "matmul", lambda *given, **out: multiplied.append(1) or matmul(*given, **out))
    found = blocked([vectors], 0.95)
    assert found.keys() == brute([vectors], 0.95).keys()
    assert len(filled) >= 5
    assert (len(multiplied) - len(filled) > 0) is (products > 0)


def test_things_of_two_sides_are_as_alike_as_the_less_similar_one() -> None:
    same = unit([[1, 0], [1, 0], [1, 0]])
    other = unit([[1, 0], [1, 1], [0, 1]])
    # second sides: cos 45 degrees = 0.7071 between neighbours, 0 between the outer ones
    assert blocked([same, other], 0.7) == {
        (0, 1): pytest.approx(0.70711, abs=1e-5),
        (1, 2): pytest.approx(0.70711, abs=1e-5),
    }
    assert blocked([same, other], 0.71) == {}


def test_order_of_things_changes_only_their_numbers() -> None:
    rng = np.random.default_rng(1)
    vectors = unit(rng.standard_normal((700, 6)))
    order = rng.permutation(700)
    place = np.argsort(order)
    moved = {tuple(sorted((int(place[i]), int(place[j])))) for i, j in blocked([vectors], 0.8)}
    assert moved == set(blocked([vectors[order]], 0.8))


def test_a_vector_is_like_its_copy_at_threshold_one() -> None:
    vector = np.random.default_rng(2).standard_normal(384)
    assert blocked([unit([vector, 7 * vector, -vector])], 1.0).keys() == {(0, 1)}


def test_extra_memory_stays_that_of_a_block_even_where_all_pairs_count() -> None:
    dense = unit(np.ones((4096, 16)))
    tracemalloc.start()
    try:
        n = sum(len(first) for first, _, _ in cosine_pairs([dense, dense], 0.9))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert n == 4096 * 4095 // 2
    assert peak < 100e6


def test_range_over_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS", 3)
    monkeypatch.setattr(module, "COLUMNS", 5)
    sides = [unit(np.random.default_rng(k).standard_normal((20, 3))) for k in range(2)]
    members = [1, 3, 4, 6, 8, 9, 13, 17, 19]
    cosine = np.minimum.reduce([side[members] @ side[members].T for side in sides])
    values = cosine[np.triu_indices(len(members), 1)]
    assert cosine_range(sides, members) == pytest.approx((values.min(), values.max()), abs=1e-6)


def test_unit_vectors() -> None:
    found = unit([[3e30, 4e30], [0, 0], [1e-30, 0]])
    assert found.dtype == np.float32
    assert found.tolist() == [pytest.approx([0.6, 0.8]), [0, 0], [1, 0]]


@pytest.mark.parametrize(
    ("vectors", "n", "message"),
    [
        ([1, 2], None, r"one vector for each text, but got an array of the shape \(2,\)"),
        ([[1, 2]], 2, r"2 vectors, one for each text, but got an array of the shape \(1, 2\)"),
        ([[1, 2], [1, np.nan]], 2, "finite vectors, but vector 1 has nan"),
    ],
)
def test_what_is_no_vectors_is_refused(vectors: Any, n: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        unit(vectors, n)
