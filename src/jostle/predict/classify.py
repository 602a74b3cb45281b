"""Sequence classifiers: any `AutoModelForSequenceClassification`, run once per distinct input."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import ModelError, UsageError
from . import embedded
from .batches import batches_by_length
from .labels import align_labels
from .revision import library_versions, revision_of
from .weights import loading, refuse_empty_vocabulary, refuse_missing, require_packages

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TOKEN_BUDGET = 1024  # tokens a batch, padding included: measured fastest on a CPU with length-sorted batches
_OFFSET_POSITIONS = ("roberta", "xlm-roberta", "xlm-roberta-xl", "camembert", "data2vec-text", "mpnet")
KIND = "a sequence classifier"
Texts = tuple[str, ...]
Advance = Callable[[int], object]


@dataclass(frozen=True)
class Encoded:
    """Model inputs: the distinct token sequences, which one each row has, and which rows were cut."""

    sequences: Sequence[Mapping[str, list[int]]]
    of_row: Sequence[int]
    truncated: Sequence[bool]


@dataclass(frozen=True)
class Classified:
    """A label and its probability for every row."""

    labels: Sequence[str]
    confidences: Sequence[float]


@dataclass(frozen=True)
class Classifier:
    """A model with its tokenizer and the task's name for each of its outputs.

    Args:
        model: A sequence-classification model in float32, in evaluation mode.
        tokenizer: Its tokenizer.
        labels: Label of the task, by output index.
        name: What the user called the model.
        revision: Which weights these are (see `revision.revision_of`).
        max_length: Longest input in tokens.
        token_budget: Tokens a batch, padding included.
    """

    model: Any
    tokenizer: Any
    labels: Sequence[str]
    name: str
    revision: str = ""
    max_length: int = 512
    token_budget: int = TOKEN_BUDGET
    label_map: Mapping[str, str] = field(default_factory=dict)

    def encode(self, rows: Sequence[Texts]) -> Encoded:
        """Tokenise rows and keep each distinct sequence once.

        Of a pair that is too long only the first text is cut, where that is enough: the edited side, which is the
        second by default, stays whole.
        """
        distinct: dict[Texts, int] = {}
        of_text = [distinct.setdefault(row, len(distinct)) for row in rows]
        encodings = self._tokenise(list(distinct))
        known: dict[tuple[Any, ...], int] = {}
        sequences: list[Mapping[str, list[int]]] = []
        of_distinct, cut = [], []
        for encoding, was_cut in encodings:
            key = tuple(tuple(encoding[name]) for name in sorted(encoding))
            if key not in known:
                known[key] = len(sequences)
                sequences.append(encoding)
            of_distinct.append(known[key])
            cut.append(was_cut)
        return Encoded(sequences, [of_distinct[k] for k in of_text], [cut[k] for k in of_text])

    def _tokenise(self, rows: Sequence[Texts]) -> Iterator[tuple[Mapping[str, list[int]], bool]]:
        block = 4096
        for start in range(0, len(rows), block):
            columns = list(zip(*rows[start : start + block], strict=True))
            whole = self.tokenizer(*map(list, columns), truncation=False, verbose=False)
            names = [name for name in whole if name in self.tokenizer.model_input_names]
            for k, ids in enumerate(whole["input_ids"]):
                cut = len(ids) > self.max_length
                encoding = self._cut(rows[start + k]) if cut else {name: whole[name][k] for name in names}
                yield {name: encoding[name] for name in names}, cut

    def _cut(self, row: Texts) -> Any:
        fixed = self.tokenizer.num_special_tokens_to_add(pair=len(row) > 1)
        if fixed >= self.max_length:
            raise UsageError(
                f"Expected room for text beside {fixed} special tokens, but got a longest input of {self.max_length} "
                "tokens. Raise --max-length."
            )
        second = len(self.tokenizer(row[1], add_special_tokens=False, verbose=False)["input_ids"]) if row[1:] else 0
        only_first = second + fixed < self.max_length
        how = "only_first" if only_first or len(row) == 1 else "longest_first"
        return self.tokenizer(*row, truncation=how, max_length=self.max_length, verbose=False)

    def classify(self, encoded: Encoded, advance: Advance = lambda n: None) -> Classified:
        """The likeliest label of every row."""
        probabilities = self.probabilities(encoded, advance)
        best = probabilities.argmax(axis=1)
        return Classified([self.labels[index] for index in best], probabilities.max(axis=1).tolist())

    def probabilities(self, encoded: Encoded, advance: Advance = lambda n: None) -> NDArray[np.float32]:
        """Probability of every label for every row: shape (rows, labels), columns in the order of `labels`.

        Every distinct sequence is run once, longest first, in batches under the token budget.
        """
        import numpy as np

        return self.distinct(encoded.sequences, advance)[np.asarray(encoded.of_row, dtype=np.intp)]

    def distinct(
        self, sequences: Sequence[Mapping[str, list[int]]], advance: Advance = lambda n: None
    ) -> NDArray[np.float32]:
        """Probability of every label for every sequence: shape (sequences, labels)."""
        import numpy as np
        import torch

        probabilities = np.zeros((len(sequences), len(self.labels)), dtype=np.float32)
        with torch.inference_mode():
            for batch in batches_by_length([s["input_ids"] for s in sequences], self.token_budget):
                inputs = self.tokenizer.pad([sequences[k] for k in batch], return_tensors="pt")
                logits = self.model(**inputs.to(self.model.device)).logits
                probabilities[batch] = logits.softmax(dim=-1).float().cpu().numpy()
                advance(len(batch))
        return probabilities

    def seconds(self, encoded: Encoded) -> float:
        """Estimated time for all distinct sequences, from running a sample of them."""
        step = max(1, len(encoded.sequences) // 32)
        sample = Encoded(encoded.sequences[::step], [], [])
        self.classify(Encoded(sample.sequences[:1], [], []))  # the first call pays for warming up
        start = time.perf_counter()
        self.classify(sample)
        tokens = sum(len(sequence["input_ids"]) for sequence in sample.sequences)
        return (time.perf_counter() - start) * sum(len(s["input_ids"]) for s in encoded.sequences) / max(tokens, 1)

    def manifest(self) -> dict[str, Any]:
        """What a reader needs to run the same model again."""
        return {
            "model": self.name,
            "revision": self.revision,
            "label_map": dict(self.label_map),
            "dtype": str(next(self.model.parameters()).dtype).removeprefix("torch."),
            "max_length": self.max_length,
            "token_budget": self.token_budget,
            "padding_side": self.tokenizer.padding_side,
            "versions": library_versions(),
        }


def load_classifier(
    name: str,
    task_labels: Sequence[str],
    given: Mapping[str, str] | None = None,
    max_length: int | None = None,
    token_budget: int = TOKEN_BUDGET,
) -> Classifier:
    """Load a classifier from a folder, by Hub id, or the embedded one.

    Weights are read from safetensors only, code of the model's repository is never run, and nothing is fetched for a
    folder or the embedded model.

    Args:
        name: Folder, Hub id, or `jostle/minilm-l6-sst` for the embedded model.
        task_labels: Class names of the task; empty takes the model's own.
        given: Map from the model's label names to the task's, where they differ.
        max_length: Longest input in tokens; the model's own limit by default.
        token_budget: Tokens a batch, padding included.

    Raises:
        ModelError: There is no such model, it is no sequence classifier, or its labels do not match the task's.
        MissingExtra: torch or transformers is not installed.
    """
    require_packages()
    if name == embedded.EMBEDDED_ID:
        (model, tokenizer), revision = embedded.load_embedded(), embedded.revision()
    else:
        model, tokenizer, revision = _load(name)
    outputs = [str(model.config.id2label[k]) for k in range(model.config.num_labels)]
    labels = align_labels(outputs, task_labels, given)
    limit = min(tokenizer.model_max_length, _positions(model.config))
    return Classifier(
        model,
        tokenizer,
        labels,
        name,
        revision,
        min(max_length or limit, limit),
        token_budget,
        label_map=dict(zip(outputs, labels, strict=True)),
    )


def _positions(config: Any) -> int:
    """How many tokens the model has positions for; the RoBERTa family counts them from behind its padding id."""
    positions = getattr(config, "max_position_embeddings", None) or 512
    offset = (config.pad_token_id or 0) + 1 if config.model_type in _OFFSET_POSITIONS else 0
    return int(positions) - offset


def _load(name: str) -> tuple[Any, Any, str]:
    local = Path(name).is_dir()
    if not local and (name.count("/") != 1 or name.startswith((".", "/", "~")) or Path(name).exists()):
        raise ModelError(f"Expected a model folder or a Hub id ORG/NAME, but got {name}, which is neither.")
    with loading(name, KIND):  # imports after it: a Hub out of reach is told before torch has been read
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        model, info = AutoModelForSequenceClassification.from_pretrained(
            name, dtype=torch.float32, use_safetensors=True, local_files_only=local, output_loading_info=True
        )
        tokenizer = AutoTokenizer.from_pretrained(name, local_files_only=local)
    refuse_missing(name, KIND, info, "A model that writes text has no such weights: run it with --decoding greedy.")
    refuse_empty_vocabulary(name, tokenizer)
    return model.eval(), tokenizer, revision_of(name, model.config)
