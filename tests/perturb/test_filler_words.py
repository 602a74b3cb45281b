"""Fillers in front."""

import pytest

from jostle.perturb import NotApplicable, Variant, apply


def texts(text: str) -> set[str]:
    found = [apply("filler_words", text, seed=seed) for seed in range(40)]
    return {variant.text for variant in found if isinstance(variant, Variant)}


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("The cat sat.", "the cat sat."),
        ("It\u2019s late.", "it\u2019s late."),
        ("New York is big.", "New York is big."),
        ("On Menorca it rains.", "on Menorca it rains."),
        ("It rose, then fell ; all saw.", "it rose, then fell ; all saw."),
        ("I think so.", "I think so."),
        ("I'm sure.", "I'm sure."),
        ("Pretty much all.", "pretty much all."),
        ("Similarly, it rose.", "similarly, it rose."),
        ("Traditionally, it rose.", "traditionally, it rose."),
    ],
)
def test_capital_moves_to_the_filler_unless_it_may_mark_a_name(text: str, rest: str) -> None:
    assert texts(text) == {f"{filler}, {rest}" for filler in ("Well", "Um", "Uh", "Er")}


def test_style_of_the_text_is_kept() -> None:
    assert texts("it 's good . ") == {f"{filler} , it 's good . " for filler in ("well", "um", "uh", "er")}
    assert texts("  so it is") == {f"  {filler}, so it is" for filler in ("well", "um", "uh", "er")}


def test_protected_spans_stay() -> None:
    rest = "now ping @mira_k about v2.10.3 at https://example.org/a_b, keep {name} and `foo --bar=2`."
    assert texts(rest) == {f"{filler}, {rest}" for filler in ("well", "um", "uh", "er")}


def test_filler_of_the_text_is_not_repeated() -> None:
    assert not any("Well, well" in text for text in texts("Well, it is."))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('"Go," he said.', "no word at the start"),
        ("12 cats sat.", "no word at the start"),
        ("NO WAY", "no word at the start"),
        ("London is big.", "first word that may be a name or not"),
        ("Sally ran.", "first word that may be a name or not"),
        ("Winter is long.", "first word that may be a name or not"),
        ("x86 is old.", "no word at the start"),
        ("\u8fd9\u90e8\u7535\u5f71", "no word boundaries"),
    ],
)
def test_does_not_apply(text: str, reason: str) -> None:
    result = apply("filler_words", text)
    assert isinstance(result, NotApplicable)
    assert result.reason == reason
