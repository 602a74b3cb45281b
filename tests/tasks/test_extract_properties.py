"""What holds for every completion: no exception, a label or a reason, and time that grows with the text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.tasks.extract import REASONS, extract_label

SETS = (
    ("A", "B", "C", "D"),
    ("negative", "positive"),
    ("not_duplicate", "duplicate"),
    ("i", "ii", "iii"),
    ("否", "是"),
)
PIECES = ("answer", "Answer:", " is ", "not ", "A", "b", "I", " ", "\n", ".", "(", ")", "**", "<think>", "</think>",
          "答案", "是", "positive", "negative", "duplicate", "not_", "therefore ", " and ", " or ", "\\boxed{", "В",
          "ii", "-", "_", "whether ", "İ", "ſ", "\ud800", "?", ",")  # fmt: skip
TEXTS = st.text() | st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


@given(TEXTS, st.sampled_from(SETS), st.booleans(), st.sampled_from(["unparsed", "other"]))
def test_a_label_of_the_task_or_a_reason(text: str, labels: tuple[str, ...], multi: bool, negated: str) -> None:
    found = extract_label(text, labels, multi=multi, negated=negated)  # type: ignore[arg-type]
    assert (found.label is None) == (found.reason in REASONS)
    assert (found.label is None) != (found.reason is None)
    given_labels = found.label if isinstance(found.label, tuple) else (found.label,)
    assert isinstance(found.label, tuple) == (multi and found.label is not None)
    assert set(given_labels) <= {*labels, None}


@given(TEXTS, st.sampled_from(SETS), st.text(alphabet=" \n\t\r\u00a0\u3000\u2028", max_size=4))
def test_white_space_around_a_completion_changes_nothing(text: str, labels: tuple[str, ...], space: str) -> None:
    assert extract_label(space + text + space, labels) == extract_label(text, labels)


@given(TEXTS, st.dictionaries(st.sampled_from("ABCDE"), st.text(), min_size=1))
def test_any_option_text_is_taken(text: str, options: dict[str, str]) -> None:
    found = extract_label(text, list(options), options)
    assert found.label is None or found.label in options


@given(st.sampled_from("ABCD"), st.sampled_from(["{}", "Answer: {}", "The answer is ({}).", "答案是{}", "**{}**"]))
def test_a_clear_answer_is_read_whatever_letter_it_is(letter: str, form: str) -> None:
    assert extract_label(form.format(letter), ("A", "B", "C", "D")).label == letter


@pytest.mark.parametrize("piece", [*PIECES, "answer the ", "A ", "A, ", "so positive negative ", "entailment between "])
def test_time_grows_with_the_text_and_not_its_square(piece: str) -> None:
    # Four times the text: four times the time, where a square would be sixteen times.
    _seconds(piece, 1_000)
    assert _seconds(piece, 20_000) < 10 * _seconds(piece, 5_000) + 0.5


def _seconds(piece: str, length: int) -> float:
    text = (piece * length)[:length]
    start = time.process_time()
    extract_label(text, ("A", "B", "positive", "negative", "entailment"))
    return time.process_time() - start
