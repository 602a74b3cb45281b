"""Slips in the words that matter most."""

import pytest

from jostle.perturb import NotApplicable, Variant, apply, lexicon
from jostle.perturb._important import FUNCTION_WORDS, importance
from jostle.perturb._letters import KINDS, is_word, slips

TEXT = "a charming lighthouse story about people that never reached Berlin"


def variant(text: str, seed: int = 0, rate: float | None = None) -> Variant:
    found = apply("important_words", text, seed=seed, rate=rate)
    assert isinstance(found, Variant), found
    return found


def touched(text: str, rate: float) -> list[set[str]]:
    return [{edit.original for edit in variant(text, seed, rate).edits} for seed in range(30)]


def test_opinion_goes_before_rare_words_and_rare_words_before_common_ones() -> None:
    # Ten words: a rate of 0.1 edits one of them, 0.2 two, 0.3 three.
    assert importance("charming") > importance("lighthouse") > importance("people")
    assert touched(TEXT, 0.1) == [{"charming"}] * 30
    assert touched(TEXT, 0.2) == [{"charming", "lighthouse"}] * 30


def test_function_words_negations_names_and_numbers_stay() -> None:
    every = set().union(*touched("nothing about seventeen Berliners without several boats", 1.0))
    assert every == {"boats"}


def test_ends_of_words_stay_and_one_slip_is_made() -> None:
    for seed in range(200):
        for edit in variant(TEXT, seed, 1.0).edits:
            assert len(edit.original) >= 5
            assert (edit.original[0], edit.original[-1]) == (edit.replacement[0], edit.replacement[-1])
            assert abs(len(edit.original) - len(edit.replacement)) <= 1
            assert edit.replacement.isascii()
            assert edit.replacement not in lexicon.words("common")


def test_seed_draws_the_slip() -> None:
    assert len({variant("a charming day", seed).text for seed in range(50)}) > 5


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a good film", "no content word of five letters"),
        ("Great! NOTHING", "no content word of five letters"),
        ("caf\u00e9s na\u00efvely", "no English words"),
    ],
)
def test_does_not_apply(text: str, reason: str) -> None:
    result = apply("important_words", text)
    assert isinstance(result, NotApplicable)
    assert result.reason == reason


@pytest.mark.parametrize("word", ["charming", "storm", "boats", "unflinching", "married", "raising", "heart"])
def test_slips_are_one_letter_away_and_no_words(word: str) -> None:
    found = slips(word, KINDS)
    assert len(found) == len(set(found)) > 10
    assert not any(map(is_word, found))
    for slip in found:
        assert (slip[0], slip[-1]) == (word[0], word[-1])
        assert abs(len(slip) - len(word)) <= 1


def test_kinds_of_slips() -> None:
    assert slips("crowd", ("swap",)) == ["corwd", "crwod"]
    assert slips("crowd", ("repeat",)) == ["crrowd", "croowd", "crowwd"]
    assert "crpwd" in slips("crowd", ("key",))
    # Two same letters: swapping them changes nothing, and a third one would be hard to read.
    assert slips("happy", ("swap", "repeat")) == ["hpapy", "haappy"]


@pytest.mark.parametrize(
    ("word", "other"), [("raising", "rising"), ("married", "marred"), ("angel", "angle"), ("friend", "fiend")]
)
def test_slip_that_is_another_word_is_not_among_them(word: str, other: str) -> None:
    assert other not in slips(word)
    assert slips(word)


def test_function_words_are_lower_case_words() -> None:
    assert all(word == word.lower() for word in FUNCTION_WORDS)


def test_no_letter_is_dropped() -> None:
    found = {edit.replacement for seed in range(100) for edit in variant("after the liberation", seed, 1.0).edits}
    assert len(found) > 10
    assert {len(word) for word in found} == {len("liberation"), len("liberation") + 1}
