"""`jostle run` with a generative model on a Ray: the batches of a local run, so many a partition."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..predict.generate import LocalGenerator
from ..predict.protocol import Advance, Completion, Decoding, Request, Stop
from ..predict.store import dump, load
from .partitions import Partitions, Record, digest_of
from .ray_engine import Engine
from .ray_run import require_gpu, require_revision

BATCHES = 4  # a partition: batches that write are larger and slower than those of a classifier
FILE = "completions.parquet"
Load = Callable[..., LocalGenerator]


@dataclass(frozen=True)
class RayGenerator(LocalGenerator):
    """A generative model whose copies run on the workers of a Ray.

    The batches are those of a local run, so that the answers are the same on the same kind of machine.

    Args:
        engine: Where they run.
        load: Loads the model on a worker, `device=` being where: a folder must be there under the same path.
        folder: Folder of the run, on storage that all workers see.
    """

    engine: Engine = field(default_factory=Engine)
    load: Load | None = None
    folder: Path = Path()

    @classmethod
    def of(cls, generator: LocalGenerator, engine: Engine, load: Load, folder: Path) -> RayGenerator:
        """The same model on a Ray."""
        own = {one.name: getattr(generator, one.name) for one in fields(generator)}
        return cls(**own, engine=engine, load=load, folder=folder.resolve())

    def complete(
        self,
        requests: Sequence[Request],
        decoding: Decoding,
        advance: Advance = lambda n: None,
        stop: Stop | None = None,
    ) -> Iterator[Completion]:
        """Yield every completion once all are finished; the rest is as in `LocalGenerator.complete`.

        Raises:
            JostleError: As in `Engine.finish`; a worker has other weights under the model's name.
        """
        groups = self.groups(requests, decoding, BATCHES)
        digest = self._digest(requests, decoding, stop)
        partitions = Partitions.of(self.folder, decoding.mode, digest, len(groups))
        assert self.load is not None
        stage = partial(GenerateStage, partial(self.load, batch_size=self.batch_size), self.revision,
                        self.engine.gpus > 0, decoding, stop)  # fmt: skip
        mean = len(requests) * decoding.k // max(1, len(groups))
        self.engine.finish(partitions, groups, stage, lambda n: advance(n * mean))
        for number in range(len(groups)):
            for text in pq.read_table(partitions.file(number, FILE))["completion"].to_pylist():
                yield load(text)

    def manifest(self) -> dict[str, Any]:
        """What a reader needs to run the same model again."""
        import ray

        return {**super().manifest(), "engine": f"ray {ray.__version__}"}

    def _digest(self, requests: Sequence[Request], decoding: Decoding, stop: Stop | None) -> str:
        """What the answers depend on: model, batches, decoding and prompts."""
        kind = stop and type(stop).__qualname__
        how = [super().manifest(), decoding.settings(), BATCHES, self.engine.gpus > 0, kind]
        asked = ([one.key, one.prompt, one.answers] for one in requests)
        return digest_of(json.dumps(how, sort_keys=True), *(json.dumps(one, sort_keys=True) for one in asked))


class GenerateStage:
    """Answers the requests of one partition; every worker has one, and with a GPU one on each.

    Args:
        load: Loads the model, `device=` being where.
        revision: Which weights it must have.
        gpu: Whether it runs on the GPU that Ray gave to this worker.
        decoding: How to answer.
        stop: Whether a text so far decides the answer.

    Raises:
        ModelError: Other weights, or a GPU that torch cannot use.
    """

    def __init__(self, load: Load, revision: str, gpu: bool, decoding: Decoding, stop: Stop | None) -> None:
        if gpu:
            require_gpu()
        self._generator = load(device="cuda" if gpu else "cpu")
        require_revision(self._generator, revision)
        self._decoding, self._stop = decoding, stop

    def __call__(self, work: Sequence[Request], folder: Path) -> Record:
        """Write the answers into a folder."""
        done = list(self._generator.complete(work, self._decoding, stop=self._stop))
        columns = {"key": [one.key for one in done], "text": [one.text for one in done]}
        pq.write_table(pa.table({**columns, "completion": [dump(one) for one in done]}), folder / FILE)
        return {"completions": len(done)}
