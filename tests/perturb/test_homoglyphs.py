"""Letters that look alike."""

import unicodedata

import pytest

from jostle.errors import UsageError
from jostle.perturb import NotApplicable, Variant, apply
from jostle.perturb.homoglyphs import SCRIPTS

TEXT = "Peace on Oxford Street, see https://a.org/x or `cop`"
ALPHABETS = {"cyrillic": "CYRILLIC", "greek": "GREEK", "fullwidth": "FULLWIDTH LATIN"}


@pytest.mark.parametrize("script", SCRIPTS)
def test_single_letters_of_the_script_outside_protected_spans(script: str) -> None:
    for seed in range(30):
        variant = apply("homoglyphs", TEXT, seed=seed, rate=1.0, script=script)
        assert isinstance(variant, Variant)
        assert "https://a.org/x" in variant.text
        assert "`cop`" in variant.text
        for edit in variant.edits:
            assert len(edit.original) == len(edit.replacement) == 1
            assert unicodedata.name(edit.replacement).startswith(ALPHABETS[script])


@pytest.mark.parametrize("script", ["cyrillic", "greek"])
def test_case_of_the_letter_is_kept(script: str) -> None:
    # Cyrillic dze and Greek nu have Latin look-alikes of the same case.
    for latin, other in SCRIPTS[script].items():
        assert chr(latin).isupper() == chr(int(other)).isupper()


def test_known_pairs() -> None:
    variant = apply("homoglyphs", "o", script="greek")
    assert isinstance(variant, Variant)
    assert variant.text == "\u03bf"
    variant = apply("homoglyphs", "e")
    assert isinstance(variant, Variant)
    assert variant.text == "\u0435"


def test_number_of_letters() -> None:
    # 11 words x 0.1 = 1.1, rounded up to 2.
    variant = apply("homoglyphs", "one two one two one two one two one two one")
    assert isinstance(variant, Variant)
    assert len(variant.edits) == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("fun", "no letter with a look-alike"),
        ("\u8fd9\u90e8\u7535\u5f71", "no word boundaries"),
        ("\u0432\u0441\u0451", "no English words"),
        ("12:30", "no English words"),
    ],
)
def test_does_not_apply(text: str, reason: str) -> None:
    result = apply("homoglyphs", text, script="greek" if text == "fun" else "cyrillic")
    assert isinstance(result, NotApplicable)
    assert result.reason == reason


def test_unknown_script_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="but got 'runic'"):
        apply("homoglyphs", "text", script="runic")
