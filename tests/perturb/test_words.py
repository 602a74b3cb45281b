"""Words, draws and budgets."""

import random

import pytest

from jostle.perturb import Passage
from jostle.perturb.words import draw, has_other_script, is_tokenised, limited


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It's cut-and-paste, isn't it?", ["It's", "cut", "and", "paste", "isn't", "it"]),
        ("see https://a.org/b then", ["see", "then"]),
        (
            "na\u00efve cafe\u0301 \u0444\u0438\u043b\u044c\u043c",
            ["na\u00efve", "cafe\u0301", "\u0444\u0438\u043b\u044c\u043c"],
        ),
        ("12 v1.2", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert [text[start:end] for start, end in Passage(text).words] == words


def test_budget_is_the_share_of_words_rounded_up() -> None:
    # 0.1 x 11 words = 1.1, rounded up to 2.
    assert Passage("a b c d e f g h i j k").budget(0.1) == 2
    assert Passage("one").budget(0.01) == 1
    assert Passage("").budget(1.0) == 0


def test_draw_gives_each_value_once() -> None:
    for seed in range(20):
        assert sorted(draw(random.Random(seed), list(range(9)))) == list(range(9))


def test_draw_is_even() -> None:
    rng = random.Random(5)
    first = [next(draw(rng, "abcd")) for _ in range(4000)]
    # 1,000 of each expected; the standard deviation is sqrt(4000 x 1/4 x 3/4) = 27.
    assert all(abs(first.count(letter) - 1000) < 5 * 27 for letter in "abcd")


def test_limited_keeps_order() -> None:
    kept = limited(random.Random(1), list(range(100)), 7)
    assert len(kept) == 7
    assert kept == sorted(kept)
    assert limited(random.Random(1), [3, 1], 2) == [3, 1]


def test_script_and_style_of_spacing() -> None:
    assert has_other_script("plain \u0444")
    assert not has_other_script("caf\u00e9 \u017b\u00f3\u0142\u0107 \u2014 5 \u20ac")
    assert is_tokenised("does n't work")
    assert is_tokenised("good , but long")
    assert not is_tokenised("It's 'good', he said.")
