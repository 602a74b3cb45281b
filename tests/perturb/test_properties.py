"""Properties that hold for any text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jostle import perturb
from jostle.perturb import Passage, Variant
from jostle.perturb.protect import protected_spans, touches

TEXT_OPERATORS = [name for name, operator in perturb.available().items() if operator.edits]

PIECES = st.sampled_from(
    [
        "it's", "isn't", "does n't", " 's ", "cannot", "is not", "color", "Favourite", "GRAY", "the film",
        "never",
        "https://a.org/x", "@me", "#tag", "v1.2.3", "$5.00", "`a b`", "{x}", "[MASK]", "<br>", "``", "''", "'",
        "\"",
        "\u2019", "\n", "\t", "  ", " ", ".", ",", "?", "...", "|", "\u4e2d\u6587", "\u00df", "\u0130", "e\u0301",
        "",
    ]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=14).map(" ".join), st.lists(PIECES).map("".join))


@pytest.mark.parametrize("name", TEXT_OPERATORS)
@settings(deadline=None, max_examples=150)
@given(text=TEXTS, seed=st.integers(0, 50), rate=st.floats(0.01, 1.0))
def test_any_text_comes_back_and_protected_spans_stay(name: str, text: str, seed: int, rate: float) -> None:
    result = perturb.apply(name, text, seed=seed, rate=rate)
    if not isinstance(result, Variant):
        assert result.reason
        return
    assert result.text != text
    assert result.restore().fields["text"] == text
    spans = protected_spans(text)
    assert not any(touches(spans, edit.start, edit.end) for edit in result.edits)
    at = 0
    for start, end in spans:
        at = result.text.index(text[start:end], at) + end - start


@settings(deadline=None)
@given(text=TEXTS)
def test_protected_spans_are_sorted_apart_and_within_the_text(text: str) -> None:
    end = 0
    for start, stop in protected_spans(text):
        assert end <= start < stop <= len(text)
        end = stop


@settings(deadline=None)
@given(text=TEXTS, start=st.integers(0, 60), length=st.integers(0, 10))
def test_touches_agrees_with_a_plain_reading(text: str, start: int, length: int) -> None:
    spans, end = protected_spans(text), start + length
    plain = any(max(a, start) < min(b, end) or (length == 0 and a < start < b) for a, b in spans)
    assert touches(spans, start, end) == plain


@settings(deadline=None)
@given(text=TEXTS)
def test_words_lie_outside_protected_spans(text: str) -> None:
    passage = Passage(text)
    for start, end in passage.words:
        assert passage.is_free(start, end)
        assert text[start:end].strip() == text[start:end] != ""


@settings(deadline=None)
@given(text=TEXTS, seed=st.integers(0, 9))
def test_whitespace_keeps_words_and_their_order(text: str, seed: int) -> None:
    for style in ("double", "mixed", "sentence", "trailing"):
        result = perturb.apply("whitespace", text, seed=seed, style=style)
        if isinstance(result, Variant):
            assert result.text.split() == text.split()
            assert all(edit.original.split() == edit.replacement.split() for edit in result.edits)


@settings(deadline=None)
@given(text=TEXTS, seed=st.integers(0, 9))
def test_letter_case_keeps_letters(text: str, seed: int) -> None:
    result = perturb.apply("letter_case", text, seed=seed, style="random")
    if isinstance(result, Variant):
        assert result.text.casefold() == text.casefold() or not text.isascii()
        assert len(result.text) == len(text)
