"""What folding and masking take away, and what they must leave."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.measures.fold import differences, fold, is_template, name_words, skeleton


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Who won?", "who won"),
        ("a  b\tc\n", "A b c"),
        ("“Yes,” she said.", '"Yes", she said'),
        ("don't", "don’t"),
        ("ｆｕｌｌ width", "full width"),
        ("the ﬁrst", "the first"),
        ("a well-known fact", "a well known fact"),
        ("Straße", "STRASSE"),
        ("Really?!", "really"),
        ("so - it goes", "so – it goes"),
        ("wait...", "wait"),
    ],
)
def test_what_does_not_change_a_text_is_folded(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2 + 2", "2 - 2"),
        ("-5", "5"),
        ("3.5", "35"),
        ("10:30", "1030"),
        ("10²", "102"),
        ("x²", "x2"),
        ("1½", "11/2"),
        ("5!", "5"),
        ("a < b", "a > b"),
        ("C++", "C"),
        ("(a + b) * c", "a + b * c"),
        ("50%", "50"),
        ("f(x)", "f x"),
        ("H2O", "H O"),
        ("5 - 3", "5 3"),
        ("x_1", "x1"),
        ("3,5", "3 5"),
    ],
)
def test_what_can_change_a_text_is_kept(one: str, other: str) -> None:
    assert fold(one) != fold(other)


def test_a_text_of_marks_alone_stays() -> None:
    assert (fold("?"), fold(" ... "), fold("")) == ("?", "...", "")


def test_case_can_be_kept() -> None:
    assert fold("Sc = Ej.", case=True) == "Sc = Ej"


@given(st.text(max_size=60))
def test_folding_twice_changes_nothing_but_what_it_uncovered(text: str) -> None:
    once = fold(text)
    assert fold(once) == fold(fold(once)) or len(fold(once)) < len(once)
    assert once == " ".join(once.split())


def test_names_are_words_with_a_capital_within_a_sentence() -> None:
    texts = ["Did Natalia sell clips? Natalia did.", "The May fair. It may rain, it may not.", "I saw what I saw. Yes."]
    assert name_words(texts) == {"Natalia"}


def test_names_are_not_found_where_they_begin_sentences_or_have_no_capital() -> None:
    assert name_words(["Bob runs. Ann runs: Tim runs", "did paula run", '"Zoe ran"']) == set()


def test_skeletons_mask_numbers_and_names() -> None:
    names = {"Paris", "New", "York", "Rome"}
    first = skeleton("Fly from Paris to New York on the 3rd for 1,200.50.", names)
    assert first == skeleton("Fly from Rome to Paris on the 14th for 80.", names)
    assert first == "fly from <name> to <name> on the <number> for <number>"
    assert skeleton("Paris's mayor", names) == skeleton("Rome's mayor", names) != skeleton("Rome mayor", names)
    assert skeleton("nothing here", names) is None


@pytest.mark.parametrize(
    ("mask", "expected"),
    [
        ("what is <number> + <number>", True),
        ("<number> + <number>", False),
        ("<name> likes <name> and <name>", False),  # two words beside three masks
        ("how old is <name>", True),
        ("page <number>", False),
    ],
)
def test_a_template_needs_words_of_its_own(mask: str, expected: bool) -> None:
    assert is_template(mask) is expected


def test_differences_are_named() -> None:
    names = {"Rome", "Oslo"}
    assert differences(["He was guilty.", "He was not guilty."], names) == ["negation"]
    assert differences(["It isn't.", "It isn’t."], names) == []
    assert differences(["In Rome 3", "In Oslo 4"], names) == ["numbers", "names"]
    assert differences(["a b", "b a", "a c"], names) == []
