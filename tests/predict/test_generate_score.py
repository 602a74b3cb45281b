"""Scores of answers: the log-likelihood that the model gives them by itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from jostle.errors import InputError, UsageError
from jostle.predict.generate import LocalGenerator, load_generator
from jostle.predict.generate_score import scorable
from jostle.predict.protocol import Decoding, LabelScore, Request, label_probabilities

from .generate_models import KINDS, PROMPTS, logits_by_hand, save_model, seen_shapes

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

ANSWERS = {"positive": " yes", "negative": " no", "mixed": " yes and no"}
REQUESTS = [Request(str(k), text, ANSWERS) for k, text in enumerate(PROMPTS)]
SCORE = Decoding("score")


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest, tmp_path: Path) -> LocalGenerator:
    return load_generator(str(save_model(request.param, tmp_path)))


def scores(model: LocalGenerator, requests: list[Request]) -> dict[str, dict[str, LabelScore]]:
    return {one.key: dict(one.label_scores or {}) for one in model.complete(requests, SCORE)}


def test_scores_are_those_of_the_model_alone(model: LocalGenerator) -> None:
    found = scores(model, REQUESTS)
    for request in REQUESTS:
        prompt = model.tokenizer(request.prompt)["input_ids"]
        for label, text in ANSWERS.items():
            ids = model.tokenizer(text)["input_ids"]
            logs = logits_by_hand(model.model, prompt, ids).log_softmax(-1)
            expected = sum(float(logs[k, token]) for k, token in enumerate(ids))
            score = found[request.key][label]
            assert score.logprob == pytest.approx(expected, abs=1e-4)
            assert score.tokens == len(ids)
            assert score.mean == pytest.approx(expected / len(ids), abs=1e-4)


def test_scores_do_not_depend_on_the_batch(model: LocalGenerator) -> None:
    together, alone = scores(model, REQUESTS), scores(replace(model, batch_size=1), REQUESTS[::-1])
    for key, own in together.items():
        for label, score in own.items():
            assert score.logprob == pytest.approx(alone[key][label].logprob, abs=1e-4)


def test_text_is_the_likeliest_answer(model: LocalGenerator) -> None:
    for one in model.complete(REQUESTS, SCORE):
        assert one.label_scores is not None
        best = max(one.label_scores, key=lambda label: one.label_scores[label].logprob)  # type: ignore[index]
        assert (one.text, one.finish, one.sample) == (ANSWERS[best].strip(), "scored", 0)
        probabilities = label_probabilities(one.label_scores)
        assert sum(probabilities.values()) == pytest.approx(1.0)
        assert max(probabilities, key=probabilities.__getitem__) == best


def test_answers_of_one_token_take_one_pass(tmp_path: Path) -> None:
    model = load_generator(str(save_model("gpt2", tmp_path)))
    short = [replace(request, answers={"a": " yes", "b": " no"}) for request in REQUESTS]
    with seen_shapes(model.model) as shapes:
        list(model.complete(short, SCORE))
    assert shapes == [(5, 9)]
    with seen_shapes(model.model) as shapes:
        list(model.complete(REQUESTS, SCORE))
    assert shapes == [(5, 9), (5, 2)]  # of the five long answers, all but the last token


def merging(*merges: str) -> Callable[[str], list[int]]:
    """Tokens of letters, where some pairs are one token."""
    vocabulary = ["?", *"abcxyz ", *merges]

    def encode(text: str) -> list[int]:
        ids = []
        while text:
            piece = next((pair for pair in merges if text.startswith(pair)), text[0])
            ids.append(vocabulary.index(piece))
            text = text[len(piece) :]
        return ids

    return encode


def test_prompt_ends_before_a_token_that_spans_it() -> None:
    # "xya" + "b" ends with the token "ab": the prompt that all answers share is "xy", and "a" is scored with each.
    found = scorable(Request("1", "xya", {"one": "b", "two": "c"}), merging("ab"))
    assert found.prompt == merging("ab")("xy")
    assert found.answers == {"one": merging("ab")("ab"), "two": merging("ab")("ac")}


def test_prompt_stays_whole_where_no_token_spans_it() -> None:
    found = scorable(Request("1", "xy a", {"one": " b", "two": " bc"}), merging("ab"))
    assert found.prompt == merging()("xy a")
    assert found.answers == {"one": merging()(" b"), "two": merging()(" bc")}


def test_probabilities() -> None:
    found = label_probabilities({"a": LabelScore(math.log(0.3), 1), "b": LabelScore(math.log(0.1), 2)})
    assert found == pytest.approx({"a": 0.75, "b": 0.25})
    per_token = label_probabilities({"a": LabelScore(-2000.0, 1), "b": LabelScore(-4000.0, 2)}, per_token=True)
    assert per_token == {"a": 0.5, "b": 0.5}


def test_answers_that_cannot_be_scored(model: LocalGenerator) -> None:
    for answers in (None, {}, {"a": ""}):
        with pytest.raises(UsageError, match=r"`answers` of request 1 to map labels to continuations, but got \{"):
            model.complete([Request("1", "a film", answers)], SCORE)
    with pytest.raises(UsageError, match="a prompt and answers of at least one token each"):
        model.complete([Request("1", "", ANSWERS)], SCORE)
    with pytest.raises(InputError, match="fit into 32 tokens"):
        model.complete([Request("1", "film " * 33, ANSWERS)], SCORE)
