"""Shared set-up: caches go to a throw-away folder, and `evaluate` never looks at the network."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import settings

from .hub_stub import HubStub

CACHE = tempfile.mkdtemp(prefix="jostle-tests-")
# Read when `evaluate` and numpy's BLAS are first imported, so they are set here and not in a fixture.
os.environ |= {
    "HF_HOME": f"{CACHE}/hf",
    "HF_MODULES_CACHE": f"{CACHE}/modules",
    "HF_EVALUATE_CACHE": f"{CACHE}/evaluate",
    "HF_EVALUATE_OFFLINE": "1",
    "HF_HUB_OFFLINE": "1",
    "HF_UPDATE_DOWNLOAD_COUNTS": "0",
    "OMP_NUM_THREADS": "1",
}


# On a shared machine a single example may be slow for reasons of its own; pytest's timeout still holds.
settings.register_profile("jostle", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=25)  # CI takes hypothesis' own 100
settings.load_profile("jostle" if os.environ.get("CI") else "quick")


def pytest_unconfigure() -> None:
    """Remove the caches of this run."""
    shutil.rmtree(CACHE, ignore_errors=True)


class Done(NamedTuple):
    """What a call of the command line left: exit code, stdout and stderr."""

    code: int
    out: str
    err: str


@pytest.fixture
def jostle(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """The command line, called in this process: `jostle("report", path)`."""
    from jostle.cli import main

    def call(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["jostle", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main()
        assert isinstance(stopped.value.code, int)
        return Done(stopped.value.code, *capsys.readouterr())

    return call


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Any], Path]:
    """Write a file into the test's folder: rows as JSON lines where the name says so, text or bytes as they are."""

    def file(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
            return path
        if not isinstance(content, str):
            lines = content if path.suffix == ".jsonl" else [content]
            content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        path.write_bytes(content.encode())
        return path

    return file


@pytest.fixture
def hub_stub() -> Iterator[HubStub]:
    """An empty Hub on the loopback interface, for processes started with `hub_env(hub_stub.url, tmp_path)`."""
    with HubStub() as hub:
        yield hub


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Folders with a classifier of random weights and 64 positions, one per tuple of labels."""
    folders: dict[tuple[str, ...], Path] = {}

    def folder(*labels: str) -> Path:
        if labels not in folders:
            folders[labels] = _tiny_model(tmp_path_factory.mktemp("model"), labels)
        return folders[labels]

    return folder


def _tiny_model(folder: Path, labels: tuple[str, ...]) -> Path:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.set_num_threads(1)
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{c}" for c in letters), *".,'"]
    (folder / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        initializer_range=1.0,
        id2label=dict(enumerate(labels)),
        label2id={label: k for k, label in enumerate(labels)},
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast(vocab=str(folder / "vocab.txt"), model_max_length=64).save_pretrained(folder)
    return folder
