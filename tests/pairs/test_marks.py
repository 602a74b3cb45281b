"""The marks of an edit give both texts back, whatever was edited."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jostle.pairs.marks import CUT, GONE, NEW, SAME, Piece, marked

TEXTS = st.text(alphabet="ab c.é\n", max_size=80)


def base_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if piece.kind != NEW)


def edited_of(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if piece.kind != GONE)


@given(TEXTS, TEXTS, st.integers(1, 10))
def test_pieces_make_both_texts(base: str, edited: str, context: int) -> None:
    pieces = marked(base, edited, context)
    assert base_of(pieces) == base
    assert edited_of(pieces) == edited
    assert all(piece.text for piece in pieces)


def test_neighbouring_words_are_one_edit() -> None:
    assert marked("a very dull film", "a really bright film") == [
        Piece(SAME, "a "),
        Piece(GONE, "very dull"),
        Piece(NEW, "really bright"),
        Piece(SAME, " film"),
    ]


def test_a_long_stretch_is_cut_between_words() -> None:
    base = " ".join(["one two three"] * 20) + " bad " + " ".join(["four five six"] * 20)
    pieces = marked(base, base.replace("bad", "good"), context=10)
    assert [piece.kind for piece in pieces] == [CUT, SAME, GONE, NEW, SAME, CUT]
    assert pieces[1].text == "two three "
    assert pieces[4].text == " four five"


def test_a_short_stretch_is_kept_whole() -> None:
    assert {piece.kind for piece in marked("x " * 10 + "a", "x " * 10 + "b", context=10)} == {SAME, GONE, NEW}


def test_equal_texts_have_no_edit() -> None:
    assert marked("the same", "the same") == [Piece(SAME, "the same")]
