"""Work that says how far it is, can be cancelled, and ends at its time limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event
from typing import Generic, TypeVar

from jostle.errors import UsageError

R = TypeVar("R")
Tell = Callable[[float, str], None]
_EVERY = 0.25  # seconds between two looks


@dataclass(frozen=True)
class Step:
    """How far the work is, from 0 to 1, and what it does."""

    share: float
    doing: str


@dataclass(frozen=True)
class Result(Generic[R]):
    """What the work gave."""

    value: R


@dataclass
class Stop:
    """Whether a session has asked its run to stop."""

    asked: bool = False


class _Cancelled(Exception):
    """Raised inside the work when nobody waits for it any more."""


def in_steps(work: Callable[[Tell], R], seconds: float, stop: Stop) -> Iterator[Step | Result[R] | None]:
    """Run `work(tell)` in a thread; give a step now and then, and at the end its result, or None where it was stopped.

    When `stop` is asked for or the iterator is closed (which gradio does when the page is left), the work ends at its
    next call of `tell`.

    Args:
        work: It calls `tell(share, doing)` often.
        seconds: It ends with an error at the first call of `tell` after so long.
        stop: What the Cancel button of the session sets.

    Raises:
        UsageError: The time is up.
    """
    cancelled, state, end = Event(), [Step(0.0, "starting")], time.monotonic() + seconds

    def tell(share: float, doing: str) -> None:
        state[0] = Step(share, doing)
        if cancelled.is_set():
            raise _Cancelled
        if time.monotonic() > end:
            raise UsageError(
                f"Expected a run of at most {seconds:g} seconds, but got no further than {share:.0%} ({doing}). Take "
                "fewer rows or operators, or use `jostle run` on your own machine."
            )

    pool = ThreadPoolExecutor(1)
    future = pool.submit(work, tell)
    try:
        while not future.done():
            wait([future], timeout=_EVERY)
            if stop.asked:
                yield None
                return
            yield state[0]
        yield Result(future.result())
    finally:
        cancelled.set()
        pool.shutdown(wait=False)
