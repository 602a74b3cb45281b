"""Case of letters."""

import pytest

from jostle.errors import UsageError
from jostle.perturb import NotApplicable, Variant, apply


def recased(text: str, style: str) -> str:
    variant = apply("letter_case", text, style=style)
    assert isinstance(variant, Variant), variant
    return variant.text


@pytest.mark.parametrize(
    ("style", "text", "expected"),
    [
        ("lower", "The US sent Bob a NASA map.", "the US sent bob a NASA map."),
        ("upper", "See https://a.org/Page, Bob's way.", "SEE https://a.org/Page, BOB'S WAY."),
        ("title", "it 's what she does n't say", "It 's What She Does n't Say"),
        ("title", "isn't it", "Isn't It"),
        ("upper", "stra\u00dfe", "STRA\u00dfE"),
        ("lower", "\u0130zmir Port", "\u0130zmir port"),
        ("upper", "\u0444\u0438\u043b\u044c\u043c", "\u0424\u0418\u041b\u042c\u041c"),
    ],
)
def test_styles(style: str, text: str, expected: str) -> None:
    assert recased(text, style) == expected


def test_random_style_varies_words() -> None:
    texts = {apply("letter_case", "one two three four", seed=seed, style="random").text for seed in range(8)}  # type: ignore[union-attr]
    assert len(texts) > 3
    assert {text.lower() for text in texts} == {"one two three four"}


def test_default_draws_a_style_that_changes_the_text() -> None:
    found = {apply("letter_case", "all in small letters", seed=seed).text for seed in range(20)}  # type: ignore[union-attr]
    assert found == {"ALL IN SMALL LETTERS", "All In Small Letters"}


@pytest.mark.parametrize(
    ("text", "style", "reason"),
    [
        ("12 \u062c\u064a\u062f", "upper", "no cased letters"),
        ("ALL CAPITALS HERE", "lower", "upper-case text"),
        ("small", "lower", "nothing to change"),
    ],
)
def test_does_not_apply(text: str, style: str, reason: str) -> None:
    result = apply("letter_case", text, style=style)
    assert isinstance(result, NotApplicable)
    assert result.reason == reason


def test_unknown_style_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="but got 'small'"):
        apply("letter_case", "text", style="small")
