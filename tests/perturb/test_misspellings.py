"""Common misspellings."""

import pytest

from jostle.perturb import NotApplicable, Variant, apply, lexicon


def misspelled(text: str, rate: float = 1.0) -> str:
    variant = apply("misspellings", text, rate=rate)
    assert isinstance(variant, Variant), variant
    return variant.text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a separate, definite government", "a seperate, definate goverment"),
        ("Definitely not.", "Definately not."),
        ("I SAW THE GOVERNMENT.", "I SAW THE GOVERMENT."),
        ("the Government believes so", "the Government beleives so"),
        ("it is `separate` and weird", "it is `separate` and wierd"),
    ],
)
def test_words_of_the_table_in_their_case(text: str, expected: str) -> None:
    assert misspelled(text) == expected


def test_rate_draws_among_the_words() -> None:
    text = "we believe that the separate government will receive it"
    found = {misspelled(text, rate=0.1) for _ in range(1)} | {
        variant.text for seed in range(30) if isinstance(variant := apply("misspellings", text, seed=seed), Variant)
    }
    assert len(found) > 3
    # 9 words x 0.2 = 1.8, rounded up to 2.
    variant = apply("misspellings", text)
    assert isinstance(variant, Variant)
    assert len(variant.edits) == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a cat sat", "no word that is often misspelled"),
        ("the Separate Government", "no word that is often misspelled"),
        ("\u8fd9\u90e8\u7535\u5f71", "no word boundaries"),
        ("na\u00efve caf\u00e9s", "no English words"),
    ],
)
def test_does_not_apply(text: str, reason: str) -> None:
    result = apply("misspellings", text)
    assert isinstance(result, NotApplicable)
    assert result.reason == reason


def test_table_is_large_and_its_misspellings_are_no_words() -> None:
    table = lexicon.pairs("misspellings")
    assert len(table) >= 350
    known = lexicon.words("common") | table.keys() | {word for pair in lexicon.pairs("us_uk").items() for word in pair}
    assert not known & set(table.values())
    assert all(word.isalpha() and word.islower() for pair in table.items() for word in pair)
    # A number, negation or quantifier must not depend on a reader's guess.
    assert not table.keys() & {"never", "nothing", "without", "every", "forty", "hundred", "neither"}
