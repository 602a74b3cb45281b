"""Loading: labels by name, weights from safetensors alone, and nothing that would be random."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jostle.errors import MissingExtra, ModelError
from jostle.predict.classify import load_classifier

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")
safetensors = pytest.importorskip("safetensors.torch", reason="safetensors is not installed")

Tiny = Callable[..., Path]
LABELS = ("negative", "positive")
MNLI = ("entailment", "neutral", "contradiction")


@pytest.fixture
def folder(tiny_model: Tiny, tmp_path: Path) -> Path:
    """A copy of the tiny model, to break."""
    return Path(shutil.copytree(tiny_model(*LABELS), tmp_path / "copy"))


def test_r01_a_model_with_another_order_of_labels(tiny_model: Tiny) -> None:
    order = ("CONTRADICTION", "ENTAILMENT", "NEUTRAL")
    classifier = load_classifier(str(tiny_model(*order)), MNLI)
    assert classifier.labels == ["contradiction", "entailment", "neutral"]
    assert classifier.label_map == dict(zip(order, classifier.labels, strict=True))
    rows = [(chr(97 + k % 26) * (1 + k % 4), f"film {k * 7}") for k in range(60)]
    with torch.inference_mode():
        best = [
            int(classifier.model(**classifier.tokenizer(*row, return_tensors="pt")).logits.argmax()) for row in rows
        ]
    assert classifier.classify(classifier.encode(rows)).labels == [order[k].lower() for k in best]
    assert len(set(best)) > 1


def test_r01_generic_labels_need_a_map(tiny_model: Tiny) -> None:
    folder = str(tiny_model("LABEL_0", "LABEL_1"))
    with pytest.raises(ModelError, match="LABEL_0, LABEL_1 are generic"):
        load_classifier(folder, LABELS)
    given = {"LABEL_0": "positive", "LABEL_1": "negative"}
    assert load_classifier(folder, LABELS, given).labels == ["positive", "negative"]


def test_loading_is_float32_in_evaluation_mode_and_quiet(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = transformers.utils.logging.get_verbosity()
    classifier = load_classifier(str(folder), LABELS)
    assert not classifier.model.training
    assert {parameter.dtype for parameter in classifier.model.parameters()} == {torch.float32}
    assert capfd.readouterr() == ("", "")
    assert transformers.utils.logging.get_verbosity() == before
    assert transformers.utils.logging.is_progress_bar_enabled()


def test_half_precision_weights_are_run_in_float32(folder: Path) -> None:
    path = folder / "model.safetensors"
    weights = {name: tensor.half() for name, tensor in safetensors.load_file(path).items()}
    safetensors.save_file(weights, path, metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "dtype": "float16"}), encoding="utf-8")
    assert load_classifier(str(folder), LABELS).manifest()["dtype"] == "float32"


def test_weights_that_are_missing_would_be_random(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = folder / "model.safetensors"
    weights = safetensors.load_file(path)
    del weights["classifier.weight"]
    safetensors.save_file(weights, path, metadata={"format": "pt"})
    with pytest.raises(ModelError, match=r"its weights lack classifier\.weight: they would be random"):
        load_classifier(str(folder), LABELS)
    assert capfd.readouterr() == ("", "")


def test_pickled_weights_are_refused(folder: Path) -> None:
    path = folder / "model.safetensors"
    torch.save(safetensors.load_file(path), folder / "pytorch_model.bin")
    path.unlink()
    with pytest.raises(ModelError, match=r"cannot be loaded: .*no file named model\.safetensors"):
        load_classifier(str(folder), LABELS)


def test_a_model_without_its_tokenizer_is_refused(folder: Path) -> None:
    for name in ("tokenizer.json", "vocab.txt"):
        (folder / name).unlink()
    with pytest.raises(ModelError, match="its vocabulary is not there: every word would be unknown"):
        load_classifier(str(folder), LABELS)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config.json", b"{"),
        ("config.json", b"{}"),
        ("config.json", b'{"model_type": "no_such_type"}'),
        ("model.safetensors", b"junk" * 10),
        ("model.safetensors", b""),
        ("tokenizer.json", b"{"),
    ],
)
def test_damaged_folders_are_messages(folder: Path, name: str, content: bytes) -> None:
    (folder / name).write_bytes(content)
    with pytest.raises(ModelError, match=r"Expected a sequence classifier at .*copy, but it cannot be loaded: ."):
        load_classifier(str(folder), LABELS)


def test_truncated_weights(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_classifier(str(folder), LABELS)


@pytest.mark.parametrize("name", ["model", "./org/name", "/no/such", "~/model", "a/b/c"])
def test_what_is_neither_folder_nor_hub_id(name: str) -> None:
    with pytest.raises(ModelError, match=r"Expected a model folder or a Hub id ORG/NAME, but got"):
        load_classifier(name, LABELS)


def test_a_folder_that_holds_no_model_and_a_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_classifier(str(tmp_path), LABELS)
    (tmp_path / "file").touch()
    with pytest.raises(ModelError, match="which is neither"):
        load_classifier(str(tmp_path / "file"), LABELS)


def test_a_hub_id_that_cannot_be_reached_is_a_message_at_once() -> None:
    start = time.perf_counter()
    with pytest.raises(ModelError, match="Expected a sequence classifier at no-such-org/no-such-model, but"):
        load_classifier("no-such-org/no-such-model", LABELS)
    assert time.perf_counter() - start < 5


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"the package {package}, .* 'jostle\[models\]'"):
        load_classifier("any/model", LABELS)
