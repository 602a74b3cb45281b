"""Completions: the same whatever the batch, and those that the model alone would write."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import InputError, UsageError
from jostle.predict.generate import LocalGenerator, load_generator
from jostle.predict.protocol import Completion, Decoding, Request

from .generate_models import KINDS, PROMPTS, logits_by_hand, save_model, seen_shapes

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

REQUESTS = [Request(f"item {k}", text) for k, text in enumerate(PROMPTS)]
GREEDY = Decoding(max_new_tokens=8)
SAMPLED = Decoding("sample", k=4, max_new_tokens=6, temperature=1.5, seed=3)
Found = dict[tuple[str, int], Completion]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: save_model(kind, tmp_path_factory.mktemp(kind)) for kind in KINDS}


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest, folders: dict[str, Path]) -> LocalGenerator:
    return load_generator(str(folders[request.param]))


@pytest.fixture
def causal(folders: dict[str, Path]) -> LocalGenerator:
    return load_generator(str(folders["gpt2"]))


def run(model: LocalGenerator, requests: Sequence[Request], decoding: Decoding, **how: Any) -> Found:
    return {(one.key, one.sample): one for one in model.complete(requests, decoding, **how)}


def test_greedy_is_what_the_model_alone_writes(model: LocalGenerator) -> None:
    found = run(model, REQUESTS, GREEDY)
    for request in REQUESTS:
        prompt, written = model.tokenizer(request.prompt)["input_ids"], []
        for _ in range(GREEDY.max_new_tokens):
            written.append(int(logits_by_hand(model.model, prompt, written)[-1].argmax()))
            if written[-1] == 1:
                break
        expected = model.tokenizer.decode(written, skip_special_tokens=True)
        assert found[request.key, 0].text == expected
        assert found[request.key, 0].finish == ("stop" if written[-1] == 1 else "length")
    assert len({one.text for one in found.values()}) > 1


@pytest.mark.parametrize("decoding", [GREEDY, SAMPLED])
def test_result_does_not_depend_on_the_batch(model: LocalGenerator, decoding: Decoding) -> None:
    together = run(model, REQUESTS, decoding)
    assert len(together) == len(REQUESTS) * decoding.k
    for batch_size in (1, 2):
        assert run(replace(model, batch_size=batch_size), REQUESTS, decoding) == together
    assert run(replace(model, token_budget=1), REQUESTS, decoding) == together
    assert run(model, REQUESTS[::-1], decoding) == together


def test_samples_of_an_item_do_not_depend_on_the_run(model: LocalGenerator) -> None:
    together = run(model, REQUESTS, SAMPLED)
    alone = run(model, REQUESTS[1:2], replace(SAMPLED, k=2))
    assert alone == {key: one for key, one in together.items() if key in alone}
    assert {key for key, _ in alone} == {"item 1"}


def test_samples_depend_on_seed_key_and_number(model: LocalGenerator) -> None:
    def texts(key: str, seed: int) -> list[str]:
        return [one.text for one in run(model, [Request(key, PROMPTS[1])], replace(SAMPLED, seed=seed)).values()]

    assert sorted(texts("x", 0)) == sorted(texts("x", 0))
    assert sorted(texts("x", 0)) != sorted(texts("x", 1))
    assert sorted(texts("x", 0)) != sorted(texts("y", 0))
    assert len(set(texts("x", 0))) > 1


def test_r04_greedy_despite_the_models_own_defaults(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    folder = save_model("llama", tmp_path, spread=0.02)
    settings = json.loads((folder / "generation_config.json").read_text())
    defaults = {"do_sample": True, "temperature": 0.7, "top_p": 0.9}
    (folder / "generation_config.json").write_text(json.dumps(settings | defaults))
    model = load_generator(str(folder))

    greedy = run(model, REQUESTS, GREEDY)
    assert greedy == run(model, REQUESTS, GREEDY) == run(model, REQUESTS, replace(GREEDY, seed=9))
    assert GREEDY.settings()["do_sample"] is False
    assert model.manifest()["model_defaults_not_used"] == defaults
    assert not recwarn.list

    ten = Decoding("sample", k=10, seed=3, max_new_tokens=6)
    sampled = run(model, REQUESTS, ten)
    assert sampled == run(model, REQUESTS, ten)
    for request in REQUESTS:
        assert len({sampled[request.key, sample].text for sample in range(10)}) > 5
        assert run(model, [request], ten) == {key: one for key, one in sampled.items() if key[0] == request.key}
    assert ten.settings() == {
        "mode": "sample", "do_sample": True, "num_beams": 1, "k": 10, "temperature": 1.0, "top_p": 1.0, "seed": 3,
        "max_new_tokens": 6, "until": ["\n"],
    }  # fmt: skip
    with pytest.raises(UsageError, match=r"`temperature` to be a number above 0 for sampling, but got 0\.0"):
        Decoding("sample", k=10, temperature=0.0)


def test_prompt_is_read_once_for_all_its_samples(causal: LocalGenerator) -> None:
    with seen_shapes(causal.model) as shapes:
        found = run(causal, REQUESTS[:1], Decoding("sample", k=10, max_new_tokens=3, temperature=0.1))
    assert shapes[0] == (1, 3)  # "a slow film"
    assert all(tokens == 1 for _, tokens in shapes[1:])
    assert len(found) == 10


def test_samples_that_do_not_fit_into_one_batch_are_split(causal: LocalGenerator) -> None:
    many = replace(SAMPLED, k=10)
    small = replace(causal, token_budget=3 * (3 + 6))  # three completions of the prompt "a slow film"
    with seen_shapes(causal.model) as shapes:
        found = run(small, REQUESTS[:1], many)
    assert max(rows for rows, _ in shapes) == 3
    assert found == run(causal, REQUESTS[:1], many)


def test_same_prompt_runs_once_for_all_its_keys(causal: LocalGenerator) -> None:
    twins = [Request("one", PROMPTS[0]), Request("two", PROMPTS[0])]
    with seen_shapes(causal.model) as shapes:
        found = run(causal, twins, GREEDY)
    assert {rows for rows, _ in shapes} == {1}
    assert found["one", 0].text == found["two", 0].text
    with seen_shapes(causal.model) as shapes:
        sampled = run(causal, twins, replace(SAMPLED, k=3))
    assert shapes[:2] == [(1, 3), (6, 1)] or shapes[1][0] < 6  # some may end with their first token
    assert len(sampled) == 6


def test_prompts_of_like_length_run_together(causal: LocalGenerator) -> None:
    with seen_shapes(causal.model) as shapes:
        run(replace(causal, batch_size=2), REQUESTS, replace(GREEDY, max_new_tokens=1))
    assert shapes == [(2, 9), (2, 3), (1, 1)]  # lengths 9, 4 / 3, 2 / 1


def test_budget_counts_what_is_written(causal: LocalGenerator) -> None:
    with seen_shapes(causal.model) as shapes:
        run(replace(causal, token_budget=2 * (9 + 4)), REQUESTS, replace(GREEDY, max_new_tokens=4))
    assert [shape for shape in shapes if shape[1] > 1][:2] == [(2, 9), (3, 3)]


def test_finished_rows_leave_the_batch(causal: LocalGenerator) -> None:
    with seen_shapes(causal.model) as shapes:
        run(causal, REQUESTS, GREEDY, stop=lambda request, text: request.key != "item 3")
    assert [rows for rows, _ in shapes[:2]] == [5, 1]


def test_stop_ends_a_text_and_only_that(causal: LocalGenerator) -> None:
    whole = run(causal, REQUESTS, GREEDY)
    cut = run(causal, REQUESTS, GREEDY, stop=lambda request, text: len(text.split()) == 2)
    for key, one in cut.items():
        assert one.text.split() == whole[key].text.split()[:2]
        assert one.finish == ("decided" if len(whole[key].text.split()) >= 2 else "stop")
    assert any(one.finish == "decided" for one in cut.values())


def test_completions_come_while_the_run_goes_on(model: LocalGenerator) -> None:
    done: list[int] = []
    running = replace(model, batch_size=1).complete(REQUESTS, GREEDY, advance=done.append)
    with seen_shapes(model.model.get_encoder() if model.model.config.is_encoder_decoder else model.model) as shapes:
        first = next(running)
        assert first.key == "item 1"  # the longest
        assert shapes[0][0] == 1
        assert not torch.is_inference_mode_enabled()
        assert len(list(running)) == len(REQUESTS) - 1
    assert done == [1] * len(REQUESTS)


def test_random_numbers_of_the_caller_do_not_shift(model: LocalGenerator) -> None:
    torch.manual_seed(3)
    expected = torch.rand(2).tolist()
    torch.manual_seed(3)
    run(model, REQUESTS, SAMPLED)
    assert torch.rand(2).tolist() == expected


def test_no_requests(model: LocalGenerator) -> None:
    assert run(model, [], GREEDY) == {}
    assert run(model, [], Decoding("score")) == {}


def test_requests_that_cannot_be_run(causal: LocalGenerator) -> None:
    with pytest.raises(UsageError, match="keys that differ, but got repeated keys"):
        causal.complete([REQUESTS[0], REQUESTS[0]], GREEDY)
    with pytest.raises(InputError, match="but got an empty one for x"):
        causal.complete([Request("x", "")], GREEDY)
    fits = Request("x", "film " * 24)  # 24 + 8 = 32
    assert run(causal, [fits], GREEDY)
    with pytest.raises(InputError, match=r"fit into 32 tokens, but got 1 that do not.* 25, with 8 to follow \(item y"):
        causal.complete([fits, Request("y", "film " * 25)], GREEDY)


@pytest.mark.parametrize(
    ("decoding", "share"),
    [
        # Four of the five prompts, of 3, 9, 1 and 4 tokens, are timed; the fifth has 2.
        (GREEDY, (19 + 5 * 8) / (17 + 4 * 8)),
        (SAMPLED, (19 + 5 * 4 * 6) / (17 + 4 * 4 * 6)),
        (replace(SAMPLED, k=40), (19 + 5 * 40 * 6) / (17 + 4 * 10 * 6)),  # at most ten samples are timed
    ],
)
def test_seconds_grow_with_the_tokens(
    causal: LocalGenerator, monkeypatch: pytest.MonkeyPatch, decoding: Decoding, share: float
) -> None:
    clock = iter((10.0, 12.0))  # the sample takes two seconds
    monkeypatch.setattr("jostle.predict.generate.time.perf_counter", lambda: next(clock))
    assert causal.seconds(REQUESTS, decoding) == pytest.approx(2 * share)


def test_seconds_of_prompts_alike(causal: LocalGenerator, monkeypatch: pytest.MonkeyPatch) -> None:
    alike = [replace(REQUESTS[0], key=str(k)) for k in range(3)]
    for decoding, share in ((GREEDY, 1.0), (SAMPLED, (3 + 3 * 24) / (3 + 24))):  # read greedily, one serves all
        clock = iter((0.0, 1.0))
        monkeypatch.setattr("jostle.predict.generate.time.perf_counter", lambda clock=clock: next(clock))
        assert causal.seconds(alike, decoding) == pytest.approx(share)


def test_seconds_refuse_what_the_run_would_refuse(causal: LocalGenerator) -> None:
    with pytest.raises(InputError, match="fit into 8 tokens"):
        replace(causal, max_length=8).seconds(REQUESTS, GREEDY)


def test_self_check(causal: LocalGenerator) -> None:
    assert causal.self_check(REQUESTS, 3) == 0.0
    assert causal.self_check(REQUESTS, 99, SAMPLED) == 0.0

    def tilt(module: Any, arguments: Any, output: Any) -> None:
        if len(output.logits) > 1:
            output.logits[..., 5] += 1000.0

    handle = causal.model.register_forward_hook(tilt)
    assert causal.self_check(REQUESTS, 5) == 1.0
    handle.remove()
    with pytest.raises(UsageError, match="at least 1 request to check, but got 0 of 5"):
        causal.self_check(REQUESTS, 0)


def test_manifest(model: LocalGenerator) -> None:
    record = replace(model, batch_size=7).manifest()
    assert json.loads(json.dumps(record)) == record
    pair = model.model.config.is_encoder_decoder
    assert record["kind"] == ("encoder-decoder" if pair else "causal")
    assert record["padding_side"] == ("right" if pair else "left")
    assert (record["dtype"], record["batch_size"], record["max_length"]) == ("float32", 7, 32)
    assert record["end_tokens"] == [1]
    assert record["versions"]["torch"] == torch.__version__
