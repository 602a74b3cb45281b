"""Spacing of plain prose, and texts whose spacing means something (case B15)."""

import pytest

from jostle.errors import InputError, UsageError
from jostle.items import MCQItem
from jostle.perturb import NotApplicable, Variant, apply, whitespace_variant
from jostle.perturb.whitespace import STYLES


def restyled(text: str, **params: str) -> str:
    variant = apply("whitespace", text, **params)
    assert isinstance(variant, Variant), variant
    return variant.text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def f(x):\n    if x:\n        return 1\n    return 0\nWhat does f(0) return?", "code indentation"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\nSum of row 1?", "table"),
        ("old pond\na frog leaps\nHow many lines are above?", "line-structured text"),
        ("How many spaces are between the letters in 'a  b'?", "quoted spacing"),
        ("How many spaces are in this line?", "about spacing"),
        ("name\tage", "table"),
        ("one", "no gap to widen"),
        ('"a b c"', "no gap to widen"),
    ],
)
def test_b15_spacing_that_means_something_stays(text: str, reason: str) -> None:
    styles = ("double", "mixed", "sentence") if reason == "no gap to widen" else STYLES
    for style in styles:
        result = apply("whitespace", text, style=style)
        assert isinstance(result, NotApplicable)
        assert result.reason == reason


def test_b15_plain_prose_is_restyled() -> None:
    text = "  A good film . It lasts 1 000 minutes.\n"
    assert restyled(text) == "  A  good  film  .  It  lasts  1 000  minutes.\n"
    assert restyled(text).split() == text.split()


def test_b15_quotes_and_backticks_stay() -> None:
    assert restyled('He said "not at all" and ran `ls -l` twice.') == (
        'He  said  "not at all"  and  ran  `ls -l`  twice.'
    )


def test_runs_that_are_there_stay() -> None:
    assert restyled("a  b c") == "a  b  c"


def test_styles() -> None:
    text = "It is late. We go home."
    assert restyled(text, style="sentence") == "It is late.  We go home."
    assert restyled(text, style="trailing") == "It is late. We go home.  "
    mixed = restyled(text, style="mixed")
    assert mixed != restyled(text)
    assert mixed.split() == text.split()


def test_rate_caps_the_gaps() -> None:
    variant = apply("whitespace", "a b c d e f g h i j", rate=0.2)
    assert isinstance(variant, Variant)
    assert len(variant.edits) == 2


def test_unknown_style_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="one of double, mixed, sentence, trailing, but got 'wide'"):
        apply("whitespace", "a b", style="wide")


def test_whitespace_variant_restyles_the_question_only() -> None:
    item = MCQItem("What is it?", ("a b", "c d"), 1, id="1")
    variant = whitespace_variant(item, "double")
    assert (variant.question, variant.choices, variant.answer_index) == ("What  is  it?", item.choices, 1)


def test_whitespace_variant_says_why_not() -> None:
    with pytest.raises(InputError, match="got line-structured text in item '7'"):
        whitespace_variant(MCQItem("one\ntwo", ("a", "b"), 0, id="7"), "double")
    with pytest.raises(UsageError, match="double, mixed, sentence, trailing"):
        whitespace_variant(MCQItem("one two", ("a", "b"), 0), "wide")
