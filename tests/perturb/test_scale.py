"""Case B16: long texts end within seconds, and the budget holds."""

import math
import time

import pytest

from jostle import perturb
from jostle.perturb import Variant

TEXT_OPERATORS = [name for name, operator in perturb.available().items() if operator.edits]
SECONDS = 5.0
LONG = {
    "one token": "a" * 100_000,
    "contractions": "it's " * 40_000,
    "negations": "is not " * 30_000,
    "questions to come": "don't " * 30_000,
    "apostrophes": "'" * 50_000,
    "open quotes": "\" '" * 30_000,
    "backticks": "`" * 50_000,
    "fences": "```a" * 20_000,
    "stops": "." * 100_000,
    "braces": "{" * 100_000,
    "tags": "<a" * 50_000,
    "brackets": "[A" * 50_000,
    "dotted": "a.b" * 40_000,
    "spaces": "x" + " " * 100_000 + "x",
    "bars": "|" * 100_000,
    "lines": "word\n" * 40_000,
    "spelling": "color " * 40_000,
}


@pytest.mark.parametrize("name", TEXT_OPERATORS)
def test_b16_many_words(name: str) -> None:
    text = "word " * 60_000
    began = time.perf_counter()
    variant = perturb.apply(name, text, rate=0.1)
    assert time.perf_counter() - began < SECONDS
    if isinstance(variant, Variant):
        assert len(variant.edits) <= math.ceil(0.1 * 60_000)
        words = variant.text.split()
        assert len(words) >= 60_000
        assert sum(word == "word" for word in words) >= 0.8 * 60_000


@pytest.mark.parametrize("name", TEXT_OPERATORS)
@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_b16_time_is_linear(name: str, text: str) -> None:
    began = time.perf_counter()
    variant = perturb.apply(name, text, rate=0.1)
    assert time.perf_counter() - began < SECONDS
    if isinstance(variant, Variant):
        assert len(variant.edits) <= math.ceil(0.1 * len(text.split()))
        assert len(variant.text) >= 0.9 * len(text)
        assert variant.restore() == variant.base
