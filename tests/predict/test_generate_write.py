"""Choosing tokens, and when a text is at its end."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest

from jostle.items import MCQItem
from jostle.predict.generate_write import Ending, Row, decided, next_tokens, nucleus
from jostle.predict.protocol import Decoding, Request
from jostle.tasks.prompts import make_prompt

torch = pytest.importorskip("torch", reason="torch is not installed")


def draws(n: int) -> list[Random | None]:
    return [Random(k) for k in range(n)]


def test_sampling_follows_the_softmax() -> None:
    # P(0) = e^(ln 3 / 2) / (1 + e^(ln 3 / 2)) = 1.732 / 2.732 = 0.634 at temperature 2.
    logits = torch.tensor([[math.log(3.0), 0.0]]).repeat(4000, 1)
    chosen = next_tokens(logits, draws(4000), Decoding("sample", temperature=2.0))
    assert chosen.count(0) / 4000 == pytest.approx(0.634, abs=0.03)


def test_top_p_keeps_what_reaches_it() -> None:
    # .5 + .3 reach .6; of what is kept, 1 has .5 / .8 = .625.
    logits = torch.tensor([[0.2, 0.5, 0.3]]).log().repeat(4000, 1)
    chosen = next_tokens(logits, draws(4000), Decoding("sample", top_p=0.6))
    assert chosen.count(1) / 4000 == pytest.approx(0.625, abs=0.03)
    assert chosen.count(0) == 0
    assert set(next_tokens(logits[:50], draws(50), Decoding("sample", top_p=0.4))) == {1}


def test_nucleus_of_a_flat_vocabulary_beyond_the_first_look() -> None:
    weights = torch.arange(1, 3001, dtype=torch.float64)[None]
    weights /= weights.sum()
    # The largest n of 1..3000 sum to n (6001 - n) / 2: .9 of 4,501,500 is 4,051,350, reached with n = 2052.
    assert int((nucleus(weights, 0.9) > 0).sum()) == 2052


def test_nucleus_keeps_equals() -> None:
    weights = torch.tensor([[0.25, 0.25, 0.25, 0.25], [0.4, 0.1, 0.1, 0.4]], dtype=torch.float64)
    assert (nucleus(weights, 0.3) > 0).tolist() == [[True] * 4, [True, False, False, True]]


def test_drawn_token_has_weight() -> None:
    class Extreme(Random):
        def __init__(self, value: float) -> None:
            super().__init__()
            self.value = value

        def random(self) -> float:
            return self.value

    logits = torch.tensor([[-1e9, 0.0, -1e9]]).repeat(2, 1)
    assert next_tokens(logits, [Extreme(0.0), Extreme(1 - 2**-53)], Decoding("sample")) == [1, 1]


def ending(text: str, decoding: Decoding, tokens: list[int] | None = None, **how: Any) -> Any:
    row = Row(Request("x", "?"), 0, None, 0, tokens or [5])
    return Ending(lambda ids: text, {9}, decoding, **how).of(row)


def test_ends() -> None:
    two = Decoding(max_new_tokens=2, until=("\n", "Q:"))
    assert ending("yes", two) is None
    assert ending("yes", two, [5, 6]) == ("yes", "length")
    assert ending("yes", two, [5, 9]) == ("yes", "stop")
    assert ending("yes\nno", two) == ("yes", "stop")
    assert ending("\n\n", two) is None
    assert ending("\n yes Q: no\n", two) == ("\n yes ", "stop")
    assert ending("\n", Decoding(until=())) is None
    assert ending("yes", two, stop=lambda request, text: (request.key, text) == ("x", "yes")) == ("yes", "decided")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("B", False), ("B.", True), ("B. ", True), ("(B)", True), ("B,", False), ("Well.", False), ("not B", False),
     ("The answer is B", False), ("The answer is B.\n", True), ("4.", True)],
)  # fmt: skip
def test_decided(text: str, expected: bool) -> None:
    assert decided(text, make_prompt(MCQItem("2 + 2?", ("3", "4"), 1), "mcq")) is expected
