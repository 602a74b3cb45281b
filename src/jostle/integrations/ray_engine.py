"""Work on every worker of a Ray, with Ray Data: one partition a call, each written by the worker that made it."""

from __future__ import annotations

import importlib.util
import logging
import os
import socket
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TextIO, cast

from ..errors import InputError, JostleError, MissingExtra, ModelError, UsageError
from .partitions import Partitions, Record

Stage = Callable[[Any, Path], Record]  # writes the files of one partition into a folder, and says what they hold
Advance = Callable[[int], object]
KNOCK_SECONDS = 10
log = logging.getLogger("jostle.ray")


@dataclass(frozen=True)
class Engine:
    """Which Ray, and how much of it.

    Args:
        address: Of a cluster; else the environment variable RAY_ADDRESS, else a Ray that is started on this machine for
            the time of the work.
        workers: Most workers at once; 0: one a CPU.
        gpus: Workers with a GPU each, instead; 0: none has one.
    """

    address: str = ""
    workers: int = 0
    gpus: int = 0

    def finish(
        self, partitions: Partitions, works: Sequence[Any], make: Callable[[], Stage], advance: Advance = lambda n: None
    ) -> list[Record]:
        """Finish all partitions, those that are there already apart, and give their records in order.

        A worker that dies is replaced, and its partition begun anew.

        Args:
            partitions: Where the results go, on storage that all workers see.
            works: What each partition is made from.
            make: Makes the stage, once in each worker.
            advance: Is told of every partition that is finished.

        Raises:
            MissingExtra: Ray is not installed.
            JostleError: What a stage raised, or a Ray that cannot be reached, or gives up.
        """
        pending = partitions.begin()
        advance(len(works) - len(pending))
        if pending:
            with self._session() as size, _ray_errors():
                rows = ({"number": number, "work": Work(works[number])} for number in pending)
                for _ in _done(list(rows), Worker(make, partitions), min(size, len(pending)), self.gpus > 0):
                    advance(1)
            partitions.tidy()
        records = [partitions.record(number) for number in range(len(works))]
        if None in records:
            raise InputError(
                f"Expected partition {records.index(None)} in {partitions.folder}, but it is not there. Give a folder "
                "that this process and all workers see."
            )
        return cast("list[Record]", records)

    @contextmanager
    def _session(self) -> Iterator[int]:
        """A connection to Ray, and how many workers there may be; what Ray says goes to the log."""
        ray = import_ray()
        began = not ray.is_initialized()
        with redirect_stdout(cast(TextIO, _Log())), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Ray's, of its own parts
            if began:
                self._connect(ray)
            try:
                yield self._size(ray)
            finally:
                if began:
                    ray.shutdown()

    def _connect(self, ray: Any) -> None:
        address = self.address or os.environ.get("RAY_ADDRESS") or "local"
        own = {"num_cpus": self.workers or None, "include_dashboard": False, "_node_ip_address": "127.0.0.1"}
        try:
            _knock(address)
            ray.init(address, log_to_driver=False, logging_level="error", **(own if address == "local" else {}))
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            reason = next(iter(str(error).splitlines()), type(error).__name__)
            raise JostleError(f"Expected a Ray at {address}, but it cannot be reached: {reason}") from None

    def _size(self, ray: Any) -> int:
        """How many workers there may be."""
        resources: Mapping[str, float] = ray.cluster_resources()
        there = int(resources.get("GPU", 0))
        if self.gpus > there:
            raise JostleError(
                f"Expected {self.gpus} GPUs for --num-gpus, but Ray has {there}. Ask for at most as many."
            )
        return self.gpus or self.workers or max(1, int(resources.get("CPU", 1)))


def _knock(address: str) -> None:
    """See that something listens at `host:port`: Ray itself would try for ever.

    Raises:
        OSError: Nothing does.
    """
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), timeout=KNOCK_SECONDS).close()


@dataclass(frozen=True)
class Work:
    """What one partition is made from: a class of its own, so that Ray hands it over as it is."""

    of: Any


@dataclass(frozen=True)
class Worker:
    """What an actor of Ray runs."""

    make: Callable[[], Stage]
    partitions: Partitions

    @cached_property
    def stage(self) -> Stage:
        """Made at the first partition, so that what goes wrong is told as an error of that."""
        return self.make()

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[Any]]:
        """Make one partition; what goes wrong is told, since Ray would bury it in its own account."""
        (number,), (work,) = batch["number"], batch["work"]
        failed = None
        try:
            stage = self.stage
            self.partitions.write(int(number), lambda folder: stage(work.of, folder))
        except Exception as error:
            failed = Failed(type(error).__name__, str(error), traceback.format_exc())
        return {"number": [number], "failed": [failed]}


@dataclass(frozen=True)
class Failed:
    """An error of a worker."""

    kind: str
    text: str
    trace: str

    def raised(self) -> JostleError:
        """The error to raise here: the same for one that is for the user, else one line for what no stage foresaw."""
        log.debug("%s", self.trace)
        kinds = {kind.__name__: kind for kind in (UsageError, InputError, ModelError, JostleError)}
        if self.kind in (*kinds, MissingExtra.__name__):
            return kinds.get(self.kind, JostleError)(self.text)
        return JostleError(f"Expected Ray to finish all partitions, but a worker failed: {self.kind}: {self.text}")


def _done(rows: list[dict[str, Any]], worker: Worker, size: int, gpu: bool) -> Iterator[int]:
    """Numbers of the partitions, as they are finished."""
    import ray.data

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)  # its errors are raised, too
    made = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
        _Actor,
        fn_constructor_args=(worker,),
        batch_size=1,
        batch_format="numpy",
        compute=ray.data.ActorPoolStrategy(size=size),
        num_cpus=1,
        num_gpus=1 if gpu else None,
    )
    for row in made.iter_rows():
        if row["failed"] is not None:
            raise row["failed"].raised()
        yield row["number"]


class _Actor:
    """Ray Data makes actors of classes, not of objects."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[Any]]:
        return self._worker(batch)


def import_ray() -> Any:
    """Ray, without its telemetry.

    Raises:
        MissingExtra: It is not installed.
    """
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    if importlib.util.find_spec("ray") is None:
        raise MissingExtra("ray", extra="ray")
    import ray

    return ray


@contextmanager
def _ray_errors() -> Iterator[None]:
    """One line for what a worker raised that no stage foresaw."""
    import ray

    try:
        yield
    except ray.exceptions.RayError as error:
        line = next(iter(str(error).splitlines()), type(error).__name__)
        raise JostleError(f"Expected Ray to finish all partitions, but it gave up: {line}") from error


class _Log:
    """Ray prints what happens to its workers on stdout, where a report may be read."""

    def write(self, text: str) -> int:
        if text.strip():
            log.info("%s", text.strip())
        return len(text)

    def flush(self) -> None:
        """Nothing is kept back."""
