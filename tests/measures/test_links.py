"""Union-find against breadth-first search, and the weight of groups."""

from __future__ import annotations

import math
import time

from hypothesis import given
from hypothesis import strategies as st

from jostle.measures.links import Links, grouped, redundancy

Edges = list[tuple[int, int]]


def components(n: int, edges: Edges) -> list[list[int]]:
    near: dict[int, set[int]] = {k: {k} for k in range(n)}
    for a, b in edges:
        near[a].add(b)
        near[b].add(a)
    seen: set[int] = set()
    found = []
    for start in range(n):
        group, stack = set(), [start]
        while stack:
            k = stack.pop()
            if k not in group and k not in seen:
                group.add(k)
                stack += near[k]
        seen |= group
        found += [sorted(group)] if len(group) > 1 else []
    return found


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(
    st.just(n), st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=20), st.integers(1, 5)
)))  # fmt: skip
def test_groups_are_connected_components_however_links_come(given: tuple[int, Edges, int]) -> None:
    n, edges, batch = given
    links = Links(n)
    for start in range(0, len(edges), batch):
        part = edges[start : start + batch]
        links.join([a for a, _ in part], [b for _, b in part])
    asked = [int(links.of([k])[0]) for k in reversed(range(n))][::-1]
    assert links.groups() == components(n, edges)
    assert links.roots.tolist() == asked
    assert links.roots.tolist() == [min([k, *(min(g) for g in links.groups() if k in g)]) for k in range(n)]


def test_a_long_chain_is_one_group() -> None:
    links = Links(50_000)
    links.join(range(1, 50_000), range(49_999))
    assert links.groups() == [list(range(50_000))]


def test_a_join_costs_what_it_joins_and_not_all_there_is() -> None:
    """Looking at all of a million things takes milliseconds: thousands of joins would take ten seconds and more."""
    links, start = Links(1_000_000), time.process_time()
    for k in range(3_000):
        links.join([k], [k + 1])
    assert time.process_time() - start < 2
    assert links.groups() == [list(range(3_001))]


def test_groups_of_keys() -> None:
    assert grouped(["x", None, "y", "x", None, "z", "y"]) == [[0, 3], [2, 6]]


def test_redundancy_by_hand() -> None:
    # sizes 3 and 2 of 10 cases: redundant (3 - 1) + (2 - 1) = 3; largest 3 / 10
    assert redundancy([[0, 1, 2], [5, 6]], 10) == {
        "n_clusters": 2, "n_cases": 5, "n_redundant": 3, "largest_share": 0.3,
    }  # fmt: skip
    assert redundancy([], 4)["largest_share"] == 0.25
    assert math.isnan(redundancy([], 0)["largest_share"])
