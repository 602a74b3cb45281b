"""Flags of a generative run: honoured, or refused with exit 2 before a model is loaded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..predict import generate_models

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")
Run = Callable[..., Any]
SERVER = ("--base-url", "http://127.0.0.1:9/v1")


@pytest.fixture
def run(jostle: Callable[..., Any], tmp_path: Path) -> Run:
    """`jostle run` on four embedded items and one variant of each."""

    def call(*flags: object, model: object = "no-such-folder") -> Any:
        items = ("--task", "sst2", "--data", "embedded", "--operators", "typos", "--limit", "4")
        rest = ("--model", model, "--out", tmp_path / "out", "--resamples", "200", "--decoding", "greedy")
        return jostle("run", *items, *rest, *flags)

    return call


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(generate_models, "LONGEST", 256)
    return generate_models.save_model("llama", tmp_path / "model")


def test_max_length_and_token_budget_are_the_models(run: Run, model: Path, tmp_path: Path) -> None:
    for flags, expected in (((), (256, 8192)), (("--max-length", "90", "--token-budget", "300"), (90, 300))):
        run("--decoding", "score", *flags, model=model)
        record = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
        assert (record["max_length"], record["token_budget"]) == expected


def test_a_prompt_beyond_max_length_is_refused(run: Run, model: Path) -> None:
    done = run("--max-length", "20", model=model)
    assert done.code == 3
    assert "Expected prompts that fit into 20 tokens, but got 8 that do not" in done.err


@pytest.mark.parametrize(
    ("flags", "found"),
    [
        ((*SERVER, "--max-length", "90"), "--max-length with a local model, but got --base-url"),
        ((*SERVER, "--token-budget", "9"), "--token-budget with a local model, but got --base-url"),
        ((*SERVER, "--self-check", "2"), "--self-check with a local model, but got --base-url"),
        ((*SERVER, "--decoding", "score"), "--decoding greedy or sample with --base-url, but got score"),
        (("--decoding", "score", "--self-check", "2"), "greedy among --decoding with --self-check, but got"),
        (("--label-map", "a=b"), "--label-map with --decoding classify, but got --decoding greedy"),
        (("--paraphraser", "x"), "--paraphraser with --decoding classify"),
        (("--adversary", "embedded"), "--adversary with --decoding classify"),
        (("--gold-from-base",), "--gold-from-base with --decoding classify"),
        (("--decoding", "greedy,greedy"), "every name in --decoding once, but got 'greedy' twice"),
        (("--prompts", "plain,brief,brief"), "every name in --prompts once, but got 'brief' twice"),
        (("--prompts", "nice"), "--prompts of plain, question, brief, detailed, but got 'nice'"),
        (("--symbols", "letters,emoji"), "--symbols of letters, numbers, roman, words, but got 'emoji'"),
        (("--task", "custom", "--map", "text=a", "--map", "label=b"), "but got custom, for whose labels"),
        (("--task", "all", "--data", __file__), "a file for each task with --task all, but got "),
    ],
)
def test_what_it_cannot_do_is_a_usage_error(run: Run, tmp_path: Path, flags: tuple[str, ...], found: str) -> None:
    done = run(*flags)
    assert (done.code, done.out) == (2, "")
    assert f"Expected {found}" in done.err or found in done.err
    assert len(done.err.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_variants_of_others_are_for_classifiers(jostle: Callable[..., Any], write: Callable[..., Path]) -> None:
    path = write("v.jsonl", [{"a": "x"}])
    done = jostle("run", "--task", "sst2", "--model", "m", "--variants-from", path, "--decoding", "greedy")
    assert done.code == 2
    assert "Expected --variants-from with --decoding classify" in done.err
    done = jostle("run", "--task", "custom", "--model", "embedded", "--variants-from", path)
    assert done.code == 2
    assert "Expected --task sst2, mnli, qqp or qnli with --variants-from, but got custom" in done.err


def test_an_operator_that_is_named_twice(run: Run, model: Path) -> None:
    done = run("--operators", "typos,typos", model=model)
    assert done.code == 2
    assert "Expected every name in --operators once, but got 'typos' twice" in done.err


def test_a_dry_run_with_an_endpoint_sends_nothing(run: Run) -> None:
    done = run(*SERVER, "--dry-run")
    assert done.code == 0, done.err
    assert "greedy: 8 completions, time not known: nothing was sent to the endpoint" in done.out


def test_a_dry_run_names_what_is_finished(run: Run, model: Path, tmp_path: Path) -> None:
    run("--decoding", "score", model=model)
    done = run("--decoding", "score", "--dry-run", model=model)
    assert f"less what is finished in {tmp_path / 'out' / 'predictions.sqlite'}\n" in done.out


def test_orders_alone_have_no_table_of_kinds(
    jostle: Callable[..., Any], write: Callable[..., Path], model: Path, tmp_path: Path
) -> None:
    rows = [
        {"question": f"Is film {k} warm?", "choices": ["slow", "bright", "dull"], "answer": k % 3} for k in range(6)
    ]
    common = ("run", "--task", "mcq", "--data", write("q.jsonl", rows), "--model", model, "--out", tmp_path / "out",
              "--decoding", "score,greedy", "--max-new-tokens", "1", "--resamples", "200")  # fmt: skip
    done = jostle(*common, "--operators", "cyclic_order")
    assert "Answers by group" in done.out
    assert "Robustness by group" not in done.out + (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
