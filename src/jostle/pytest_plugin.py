"""Pinned contrast pairs in a team's own test suite; pytest finds this module by its entry point.

Pytest imports it at every start, so nothing else is imported here before a test asks for it.
"""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .pairs.pinned import PinnedPairs

MARK = 'jostle(path, max_new_failures=0): pairs pinned by `jostle pairs pin`, for the fixture "jostle".'


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, for `--strict-markers` and `--markers`."""
    config.addinivalue_line("markers", MARK)


_PINNED = pytest.StashKey["PinnedPairs"]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that bears the mark, passes, and has compared nothing."""
    result = yield
    if item.get_closest_marker("jostle") is None:
        return result
    pinned = item.stash.get(_PINNED, None)
    if pinned is None or not pinned.checked:
        found = "never calls it" if pinned is not None else "does not use the fixture `jostle`"
        pytest.fail(
            f"Expected jostle.check(...) in a test marked @pytest.mark.jostle, but it {found}: the pinned pairs were "
            "not compared with anything. Call it, or take the mark off.",
            pytrace=False,
        )
    return result


@pytest.fixture
def jostle(request: pytest.FixtureRequest) -> PinnedPairs:
    """The pairs that `@pytest.mark.jostle(path, max_new_failures=0)` names: `.pairs`, and `.check(predict)`.

    The path is relative to the folder of the test file, or to pytest's root folder where it is not there.
    """
    from .errors import UsageError
    from .pairs.pinned import PinnedPairs

    mark = request.node.get_closest_marker("jostle")
    if mark is None or len(mark.args) != 1 or not mark.kwargs.keys() <= {"max_new_failures"}:
        found = "none" if mark is None else f"arguments {mark.args} and {mark.kwargs}"
        raise UsageError(
            'Expected @pytest.mark.jostle("fixtures.jsonl", max_new_failures=0) on a test that uses the fixture '
            f"`jostle`, but got {found}."
        )
    beside = request.path.parent / mark.args[0]
    path = beside if beside.exists() else request.config.rootpath / mark.args[0]
    pinned = PinnedPairs(Path(path), mark.kwargs.get("max_new_failures", 0))
    request.node.stash[_PINNED] = pinned
    return pinned
