"""Options that mean the same, and options that refer to others."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.audit import clarity, options


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("0.5", Fraction(1, 2), ""),
        ("1/2", Fraction(1, 2), ""),
        (" 50 %.", Fraction(1, 2), ""),
        ("$1,250.50", Fraction(250_100, 200), ""),
        ("−3", Fraction(-3), ""),
        ("2.5 x 10^3 m", Fraction(2500), "m"),
        ("2.5 km", Fraction(2500), "m"),
        ("25 centimetres", Fraction(1, 4), "m"),
        ("3e-2", Fraction(3, 100), ""),
        ("12 apples", Fraction(12), "apples"),
        ("500 mJ", Fraction(1, 2), "J"),
    ],
)
def test_numbers_with_units(text: str, number: Fraction, unit: str) -> None:
    assert options.number_of(text) == (number, unit)


@pytest.mark.parametrize("text", ["two", "3x + 1", "1/0", "4 or 5", "x = 3", "2^10", "1,2,3", "10:30"])
def test_what_is_no_number(text: str) -> None:
    assert options.number_of(text) is None


@given(st.integers(-10_000, 10_000), st.integers(1, 500))
def test_a_number_equals_its_fraction(top: int, bottom: int) -> None:
    # By exact arithmetic: a fraction, and the same fraction scaled.
    first, second = (options.number_of(f"{'-' if top < 0 else ''}{abs(top) * m}/{bottom * m}") for m in (1, 3))
    assert first == second == (Fraction(top, bottom), "")


@pytest.mark.parametrize(
    ("own", "pairs"),
    [
        (("The Rhine.", "the rhine", "Elbe"), [(0, 1, "equal")]),
        (("0.5", "2", "1/2", "50%"), [(0, 2, "equivalent"), (0, 3, "equivalent"), (2, 3, "equivalent")]),
        (("1 km", "1000 m", "1000 g"), [(0, 1, "equivalent")]),
        (("5 m", "5 M", "5"), []),
        (("Aa", "AA", "aa"), []),  # genotypes
        (("x + 1", "x - 1"), []),
        (("0.5", "0.51"), []),
    ],
)
def test_options_that_are_the_same(own: Sequence[str], pairs: list[tuple[int, int, str]]) -> None:
    assert list(options.same_options(own)) == pairs


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (("All of the above", "red", "blue"), "All of the above"),
        (("red", "None of the above", "blue"), "None of the above"),
        (("red", "blue", "All of the above"), None),
        (("red", "All of the above", "None of the above"), None),
        (("red", "the sky above us", "blue"), None),
    ],
)
def test_above_must_stand_below(own: Sequence[str], expected: str | None) -> None:
    assert options.above_not_last(own) == expected


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        (("red", "blue", "Both A and B"), None),
        (("red", "blue", "Both A and C"), "Both A and C"),  # names itself
        (("red", "blue", "A and E only"), "A and E only"),
        (("Vitamin A and C", "iron", "zinc"), None),
        (("H, C, I", "x", "y"), None),
    ],
)
def test_options_that_name_letters(own: Sequence[str], expected: str | None) -> None:
    assert options.bad_letters(own) == expected


def test_a_question_that_stands_in_an_option() -> None:
    stem = "A student puts a bag of salt water into a beaker of fresh water. Which is true?"
    own = (f"{stem[:62]} It drives the water out.", "Nothing moves at all.")
    assert clarity.stem_in_option(stem, own) == own[0]
    assert clarity.stem_in_option(stem, ("A student does something else altogether in it.",)) is None
