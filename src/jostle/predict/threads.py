"""Work in several threads at a time, whose results come as they are finished."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import TypeVar

_T = TypeVar("_T")
_R = TypeVar("_R")


def in_threads(
    work: Callable[[_T], _R], jobs: Sequence[_T], width: int, halt: threading.Event
) -> Iterator[_R | Exception]:
    """Results as they come, errors among them; after the first error no other job is begun.

    The threads are daemons, as an interrupted run must not wait for a silent server.
    """
    todo: SimpleQueue[_T] = SimpleQueue()
    done: SimpleQueue[_R | Exception | None] = SimpleQueue()
    for job in jobs:
        todo.put(job)

    def run() -> None:
        while not halt.is_set():
            try:
                done.put(work(todo.get_nowait()))
            except Empty:
                break
            except Exception as error:
                halt.set()
                done.put(error)
        done.put(None)  # this thread has ended

    threads = min(width, len(jobs))
    try:
        for _ in range(threads):
            threading.Thread(target=run, daemon=True).start()
        while threads:
            result = done.get()
            if result is None:
                threads -= 1
            else:
                yield result
    finally:
        halt.set()
