"""Other weights are another revision, the same ones the same, whatever dates and folders say."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jostle.errors import ModelError
from jostle.predict.classify import load_classifier
from jostle.predict.generate import load_generator
from jostle.predict.protocol import Decoding, Request
from jostle.predict.revision import fingerprint, revision_of
from jostle.predict.store import PredictionStore
from jostle.predict.stored import Stored

from ..hub_stub import HubStub, hub_env
from .generate_models import PROMPTS, save_model

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save_model("llama", tmp_path / "model")


def change_one_weight(folder: Path, by: float = 1e-3) -> None:
    """Change a weight and keep size and dates of the file."""
    from safetensors.torch import load_file, save_file

    path = folder / "model.safetensors"
    before, weights = path.stat(), load_file(path)
    weights["model.norm.weight"][0] += by
    save_file(weights, path, metadata={"format": "pt"})
    assert path.stat().st_size == before.st_size
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_one_weight_makes_another_revision(folder: Path) -> None:
    before = load_generator(str(folder)).revision
    assert before == fingerprint(folder)
    assert before.startswith("sha256:")
    assert load_generator(str(folder)).revision == before
    change_one_weight(folder)
    assert load_generator(str(folder)).revision != before


def test_a_copy_has_the_same_revision(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "elsewhere" / "copy", copy_function=shutil.copy)
    assert fingerprint(copy) == fingerprint(folder)
    (tmp_path / "linked").symlink_to(folder)
    assert fingerprint(tmp_path / "linked") == fingerprint(folder)


@pytest.mark.parametrize(
    "name",
    ["config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja",
     "vocab.txt", "spiece.model", "model-00002-of-00002.safetensors", "additional_chat_templates/tool.jinja"],
)  # fmt: skip
def test_every_file_that_has_a_part_in_an_answer_counts(folder: Path, name: str) -> None:
    before, path = fingerprint(folder), folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes((path.read_bytes() if path.exists() else b"") + b" ")
    assert fingerprint(folder) != before


@pytest.mark.parametrize(
    "name", ["README.md", "trainer_state.json", "optimizer.pt", "events.out", "checkpoint-5/a.json"]
)
def test_what_training_leaves_does_not_count(folder: Path, name: str) -> None:
    before, path = fingerprint(folder), folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"x")
    assert fingerprint(folder) == before


def test_content_does_not_wander_between_files(tmp_path: Path) -> None:
    contents = [{"vocab.txt": "ab", "merges.txt": ""}, {"vocab.txt": "a", "merges.txt": "b"}, {"vocab.json": "ab"}]
    found = set()
    for k, files in enumerate(contents):
        (tmp_path / str(k)).mkdir()
        for name, text in files.items():
            (tmp_path / str(k) / name).write_text(text)
        found.add(fingerprint(tmp_path / str(k)))
    assert len(found) == len(contents)


def test_a_gguf_file_is_known_by_its_content(tmp_path: Path) -> None:
    for name, content in {"a.gguf": b"GGUF1", "b.gguf": b"GGUF1", "c.gguf": b"GGUF2"}.items():
        (tmp_path / name).write_bytes(content)
    a, b, c = (fingerprint(tmp_path / f"{name}.gguf") for name in "abc")
    assert a == b != c
    assert revision_of(str(tmp_path / "a.gguf"), None) == a


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"Expected a readable file of the model, but .*gone\.gguf gave: No such file"):
        fingerprint(tmp_path / "gone.gguf")


def test_the_commit_that_was_resolved_is_the_revision_of_a_hub_model() -> None:
    assert revision_of("org/model", SimpleNamespace(_commit_hash="abc")) == "abc"
    assert revision_of("org/not-in-the-cache", SimpleNamespace(_commit_hash=None)) == ""


def test_a_classifier_has_the_fingerprint_of_its_folder(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model("negative", "positive")
    record = load_classifier(str(folder), ("negative", "positive")).manifest()
    assert record["revision"] == fingerprint(folder)
    assert record["padding_side"] == "right"


def test_a_model_that_was_trained_again_is_asked_again(folder: Path, tmp_path: Path) -> None:
    requests = [Request(f"i{k}", prompt) for k, prompt in enumerate(PROMPTS)]

    def reused() -> int:
        with PredictionStore(tmp_path / "store.sqlite") as store:
            stored = Stored(load_generator(str(folder)), store)
            assert len(list(stored.complete(requests, Decoding(max_new_tokens=2)))) == len(requests)
            return stored.n_reused

    assert [reused(), reused()] == [0, len(requests)]
    change_one_weight(folder)
    assert [reused(), reused()] == [0, len(requests)]


@pytest.mark.slow
def test_a_hub_model_has_its_commit(hub_stub: HubStub, folder: Path, tmp_path: Path) -> None:
    code = "from jostle.predict.generate import load_generator as load; print(load('org/model').manifest()['revision'])"

    def revision() -> str:
        done: Any = subprocess.run(
            [sys.executable, "-c", code],
            env=hub_env(hub_stub.url, tmp_path),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return str(done.stdout.strip())

    def publish() -> str:
        for path in sorted(folder.iterdir()):
            commit = hub_stub.add_file("model", "org/model", path.name, path.read_bytes())
        return commit

    first = publish()
    assert revision() == first
    change_one_weight(folder)
    second = publish()
    assert second != first
    assert revision() == second
