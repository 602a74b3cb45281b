"""`jostle run` with a classifier on a Ray: the batches of a local run, so many a partition."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from ..errors import ModelError
from ..predict.batches import batches_by_length
from ..predict.classify import Classifier
from .partitions import Partitions, Record, digest_of
from .ray_engine import Advance, Engine

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BATCHES = 64  # a partition: half a minute of a small model on one CPU, with the usual budget of tokens
FILE = "predictions.parquet"
Tokens = Mapping[str, list[int]]
Load = Callable[[], Classifier]


@dataclass(frozen=True)
class RayClassifier(Classifier):
    """A classifier whose copies run on the workers of a Ray.

    The batches are those of a local run, so that the probabilities are the same to the last digit on the same kind of
    machine and number of threads.

    Args:
        engine: Where they run.
        load: Loads the classifier on a worker: a folder must be there under the same path.
        folder: Folder of the run, on storage that all workers see.
    """

    engine: Engine = field(default_factory=Engine)
    load: Load | None = None
    folder: Path = Path()

    @classmethod
    def of(cls, classifier: Classifier, engine: Engine, load: Load, folder: Path) -> RayClassifier:
        """The same classifier on a Ray."""
        own = {one.name: getattr(classifier, one.name) for one in fields(classifier)}
        return cls(**own, engine=engine, load=load, folder=folder.resolve())

    def distinct(self, sequences: Sequence[Tokens], advance: Advance = lambda n: None) -> NDArray[np.float32]:
        """Probability of every label for every sequence: shape (sequences, labels).

        Raises:
            JostleError: As in `Engine.finish`; a worker has other weights under the model's name.
        """
        import numpy as np

        groups = self._groups(sequences)
        partitions = Partitions.of(self.folder, "classify", self._digest(sequences), len(groups))
        assert self.load is not None
        works = [[(k, sequences[k]) for k in group] for group in groups]
        stage = partial(ClassifyStage, self.load, self.revision, self.engine.gpus > 0)
        mean = len(sequences) // max(1, len(groups))
        self.engine.finish(partitions, works, stage, lambda n: advance(n * mean))
        probabilities = np.zeros((len(sequences), len(self.labels)), dtype=np.float32)
        for number in range(len(groups)):
            table = pq.read_table(partitions.file(number, FILE)).combine_chunks()
            found = table["probabilities"].combine_chunks().flatten().to_numpy()
            probabilities[table["sequence"].to_numpy()] = found.reshape(-1, len(self.labels))
        partitions.remove_others()
        return probabilities

    def manifest(self) -> dict[str, Any]:
        """What a reader needs to run the same model again."""
        import ray

        return {**super().manifest(), "engine": f"ray {ray.__version__}"}

    def _groups(self, sequences: Sequence[Tokens]) -> list[list[int]]:
        """Whole batches in their order: a worker that batches a group alone comes to the same batches."""
        batches = list(batches_by_length([one["input_ids"] for one in sequences], self.token_budget))
        return [
            [k for batch in batches[start : start + BATCHES] for k in batch]
            for start in range(0, len(batches), BATCHES)
        ]

    def _digest(self, sequences: Sequence[Tokens]) -> str:
        """What the probabilities depend on: model, batches and tokens."""
        model = json.dumps([super().manifest(), list(self.labels), self.engine.gpus > 0], sort_keys=True)
        return digest_of(model, str(BATCHES), *(json.dumps(one, sort_keys=True) for one in sequences))


class ClassifyStage:
    """Classifies the sequences of one partition; every worker has one, and with a GPU one on each.

    Args:
        load: Loads the classifier.
        revision: Which weights it must have.
        gpu: Whether it runs on the GPU that Ray gave to this worker.

    Raises:
        ModelError: Other weights, or a GPU that torch cannot use.
    """

    def __init__(self, load: Load, revision: str, gpu: bool) -> None:
        self._classifier = load()
        require_revision(self._classifier, revision)
        if gpu:
            require_gpu()
            self._classifier.model.to("cuda")

    def __call__(self, work: Sequence[tuple[int, Tokens]], folder: Path) -> Record:
        """Write the probabilities into a folder."""
        numbers, sequences = zip(*work, strict=True)
        probabilities = self._classifier.distinct(sequences)
        lists = pa.FixedSizeListArray.from_arrays(probabilities.ravel(), probabilities.shape[1])
        labels = [self._classifier.labels[k] for k in probabilities.argmax(axis=1)]
        pq.write_table(pa.table({"sequence": numbers, "label": labels, "probabilities": lists}), folder / FILE)
        return {"sequences": len(numbers)}


def require_revision(model: Any, revision: str) -> None:
    """See that a worker has the weights of this process.

    Raises:
        ModelError: It has others.
    """
    if model.revision != revision:
        raise ModelError(
            f"Expected the weights {revision} of {model.name} on every worker, but one has {model.revision}. "
            "Copy the model to all nodes, or name a folder that they share."
        )


def require_gpu() -> None:
    """See that torch can use a GPU.

    Raises:
        ModelError: It cannot.
    """
    import torch

    if not torch.cuda.is_available():
        raise ModelError(
            "Expected a GPU for --num-gpus, but the torch of a worker finds none. Install torch for its GPU, or leave "
            "--num-gpus out."
        )
