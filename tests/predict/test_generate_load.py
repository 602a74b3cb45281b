"""Loading: safetensors or GGUF, whole, and never code."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import MissingExtra, ModelError, UsageError
from jostle.predict.generate import load_generator

from .generate_models import save_model

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save_model("llama", tmp_path)


def test_settings(folder: Path) -> None:
    model = load_generator(str(folder), dtype="bfloat16", max_length=20, token_budget=100, batch_size=3)
    assert model.model.dtype == torch.bfloat16
    assert not model.model.training
    assert (model.max_length, model.token_budget, model.batch_size) == (20, 100, 3)
    assert load_generator(str(folder), max_length=99).max_length == 32
    assert load_generator(str(folder)).model.dtype == torch.float32


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"dtype": "int8"}, "`dtype` to be one of float32, bfloat16, float16, but got 'int8'"),
        ({"device": "abacus"}, "`device` to be one that torch can use here, but got 'abacus'"),
        ({"batch_size": 0}, r"`batch_size` of at least 1, but got \(None, 8192, 0\)"),
        ({"token_budget": 0}, "of at least 1, but got"),
        ({"max_length": 0}, "of at least 1, but got"),
    ],
)
def test_settings_out_of_range(folder: Path, how: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_generator(str(folder), **how)


@pytest.mark.parametrize("name", ["no_such_folder", "./a/b", "a/b/c", "a/model.gguf"])
def test_no_such_model(name: str) -> None:
    with pytest.raises(ModelError, match=f"or 'embedded', but got {name}, which is none of these"):
        load_generator(name)


def test_pickles_are_refused(folder: Path) -> None:
    from safetensors.torch import load_file

    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"with safetensors weights or as GGUF, .* cannot be loaded"):
        load_generator(str(folder))


def test_code_is_never_run(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text("raise SystemExit('it ran')")
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_generator(str(folder))


def test_weights_that_are_missing_are_not_made_up(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    del weights["model.layers.1.mlp.up_proj.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(ModelError, match=r"its weights lack model\.layers\.1\.mlp\.up_proj\.weight"):
        load_generator(str(folder))


def test_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_generator(str(tmp_path))


def test_file_that_is_no_gguf(tmp_path: Path) -> None:
    pytest.importorskip("gguf", reason="gguf is not installed")
    pytest.importorskip("accelerate", reason="accelerate is not installed")
    (tmp_path / "model.gguf").write_bytes(b"GGML" + bytes(100))
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_generator(str(tmp_path / "model.gguf"))


def test_classifier_writes_no_text(tiny_model: Any) -> None:
    with pytest.raises(ModelError, match=r"Expected a model that writes text|Expected a model with a key-value cache"):
        load_generator(str(tiny_model("negative", "positive")))


def test_decoder_needs_a_start(tmp_path: Path) -> None:
    folder = save_model("t5", tmp_path)
    for name in ("config.json", "generation_config.json"):
        settings = json.loads((folder / name).read_text())
        (folder / name).write_text(json.dumps(settings | {"decoder_start_token_id": None}))
    with pytest.raises(ModelError, match="Expected decoder_start_token_id in the configuration"):
        load_generator(str(folder))


def test_start_token_stands_once(folder: Path) -> None:
    from tokenizers import processors

    from jostle.predict.generate_text import Codec

    model = load_generator(str(folder))
    model.tokenizer.add_special_tokens({"bos_token": "<s>"})
    start = model.tokenizer.bos_token_id
    assert Codec(model.model, model.tokenizer).start_token is None
    model.tokenizer.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", start), ("</s>", 1)]
    )
    codec = Codec(model.model, model.tokenizer)
    assert codec.encode("film") == codec.encode("<s>film") == [start, 6]


def test_missing_package(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "transformers" else object())
    with pytest.raises(MissingExtra, match=r"jostle\[models\]"):
        load_generator(str(folder))
