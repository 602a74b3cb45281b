"""Label extraction: each case as reported, and the policies that docs/extraction.md states."""

from __future__ import annotations

from typing import Any

import pytest

from jostle.errors import UsageError
from jostle.tasks.extract import Extraction, extract_label

ABCD = ("A", "B", "C", "D")
A_TO_J = tuple("ABCDEFGHIJ")
SENTIMENT = ("negative", "positive")
CITIES = {"A": "New York", "B": "New York City", "C": "York", "D": "12"}


def read(text: str, labels: Any = ABCD, options: Any = None, **settings: Any) -> tuple[Any, Any]:
    found = extract_label(text, labels, options, **settings)
    return found.label, found.reason


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("ANSWER: A\nWait, I misread the unit.\nANSWER: D", "D"),
        ("Option C looks tempting.\nAnswer: B\nStudents often mix this up with A.", "B"),
        ("Answer: we need the one that floats.\nAnswer: C", "C"),
    ],
)
def test_e01_the_last_announced_answer_that_names_a_label_wins(text: str, label: str) -> None:
    assert read(text) == (label, None)


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        ("A careful reading does not settle it.", None, "no_answer"),
        ("I think I need more information.", None, "no_answer"),
        ("Error: backend unavailable", None, "no_answer"),
        ("A", "A", None),
        ("d.", "D", None),
        ("I, for one, cannot say", None, "no_answer"),
        ("The answer is I.", "I", None),
    ],
)
def test_e02_articles_pronouns_and_letters_in_words_are_no_answers(
    text: str, label: str | None, reason: str | None
) -> None:
    assert read(text, A_TO_J) == (label, reason)


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        ("ANSWER: A and C", None, "ambiguous"),
        ("ANSWER: AB", None, "ambiguous"),
        ("ANSWER: Cannot decide", None, "no_answer"),
        ("ANSWER: Dubious question", None, "no_answer"),
        ("The answer should be C.", "C", None),
        ("ANSWER: A, A", "A", None),
        ("ANSWER: A, B, C or D", None, "ambiguous"),
    ],
)
def test_e05_several_letters_are_ambiguous_and_words_are_no_letters(
    text: str, label: str | None, reason: str | None
) -> None:
    assert read(text) == (label, reason)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("Answer: A, B and D", ("A", "B", "D")),
        ("A, B and D", ("A", "B", "D")),
        ("Answer: DAB", ("A", "B", "D")),
        ("Answer: B", ("B",)),
        ("Answer: A, C, not B", ("A", "C")),
        ("A) floats\nC) floats too", ("A", "C")),
        ("Answer: A, B, C or D", None),
    ],
)
def test_e05_several_answers_are_a_tuple_in_the_order_of_the_task(text: str, labels: tuple[str, ...] | None) -> None:
    assert read(text, multi=True) == (labels, None if labels else "ambiguous")


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        ("<think>A? no, B... maybe A</think>\nAnswer: C", "C", None),
        ("<think>Probably A, since", None, "truncated_reasoning"),
        ("A is out.</think> Answer: B", "B", None),
        ("<thinking>D</thinking>C", "C", None),
        ("[THINK]A[/THINK] B", "B", None),
        ("Writing about the </think> tag here. Answer: D", "D", None),
        ("<THINK>A</think><think>B</think>C", "C", None),
        ("<think>A</thinking> B", None, "truncated_reasoning"),
        ("<b>B</b>", "B", None),
    ],
)
def test_e06_reasoning_blocks_do_not_count(text: str, label: str | None, reason: str | None) -> None:
    assert read(text) == (label, reason)


def test_e06_tags_are_a_setting() -> None:
    assert read("<plan>A</plan> B", reasoning_tags=[("<plan>", "</plan>")]) == ("B", None)
    assert read("<plan>Answer: A", reasoning_tags=[("<plan>", "</plan>")]) == (None, "truncated_reasoning")
    assert read("<think>Answer: A", reasoning_tags=()) == ("A", None)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Antwort: nach Ausschluss bleibt nur eine.\n\nAntwort: D", "D"),
        ("正解はCです。", "C"),
        ("答案是B。", "B"),
        ("정답: A", "A"),
        ("الإجابة: B", "B"),
        ("Réponse : D", "D"),
        ("Resposta: a alternativa correta é a C", "C"),
        ("答案不是A而是B", "B"),
        ("Aではなく、正解はBです。", "B"),
        ("คำตอบคือ C", "C"),
        ("La respuesta correcta es la opción C", "C"),
        ("A resposta é A.", "A"),
        ("Правильный ответ: B", "B"),
    ],
)
def test_e07_cues_of_many_languages_and_scripts_without_spaces(text: str, label: str) -> None:
    assert read(text) == (label, None)


@pytest.mark.parametrize("text", ["Ответ: В", "Απάντηση: Β", "答案：Ｂ", "Ⓑ", "В"])
def test_e07_look_alike_letters_are_no_answer(text: str) -> None:
    assert read(text) == (None, "lookalike_letter")


def test_e07_look_alikes_count_where_a_map_says_so() -> None:
    assert read("Ответ: В", lookalikes={"В": "B"}) == ("B", None)
    assert read("Ответ: С", lookalikes={"В": "B"}) == (None, "lookalike_letter")
    assert read("Ответ: Б", ("А", "Б")) == ("Б", None), "the labels are Cyrillic themselves"
    assert read("Ответ: А", ("А", "Б")) == ("А", None)
    assert read("Ответ: В этом случае нет", ABCD)[0] is None, "a preposition"


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        ("Answer: positive.", "positive", None),
        ("This is not positive, it is negative.", "negative", None),
        ("Not positive.", None, "negated"),
        ("A positively dreadful film", None, "no_answer"),
        ("neither positive nor negative", None, "negated"),
        ("POSITIVE", "positive", None),
        ("**Negative**", "negative", None),
        ("positive/negative", None, "ambiguous"),
        ("I don't think it's positive.", None, "negated"),
        ("positive rather than negative", "positive", None),
        ("It is not only positive", "positive", None),
        ("The plot has positive moments. Overall, the sentiment is negative.", "negative", None),
        ("I cannot classify this sentence as positive or negative.", None, "no_answer"),
        ("It is unclear whether it is positive.", None, "no_answer"),
        ("neutral", None, "not_an_option"),
    ],
)
def test_e08_label_words_are_whole_words_and_can_be_negated(text: str, label: str | None, reason: str | None) -> None:
    assert read(text, SENTIMENT) == (label, reason)


def test_e08_negation_means_the_other_label_only_where_asked() -> None:
    assert read("Not positive.", SENTIMENT, negated="other") == ("negative", None)
    assert read("neither positive nor negative", SENTIMENT, negated="other") == (None, "negated")
    assert read("not neutral", ("negative", "neutral", "positive"), negated="other") == (None, "negated")
    assert read("Not A.", ("A", "B"), negated="other") == ("B", None)


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        ("New York City", "B", None),
        ("new york.", "A", None),
        ("It is York", "C", None),
        ("12", "D", None),
        ("The answer is 12 because A is too small", "D", None),
        ("Boston", None, "not_an_option"),
        ("Answer: Boston", None, "not_an_option"),
        ("B) New York City", "B", None),
        ("B. New York", None, "ambiguous"),
        ("Boston is larger than York", None, "no_answer"),
        ("It is not York", None, "negated"),
        ("112", None, "not_an_option"),
    ],
)
def test_e10_option_texts(text: str, label: str | None, reason: str | None) -> None:
    assert read(text, tuple(CITIES), CITIES) == (label, reason)


@pytest.mark.parametrize("shift", [1, 2, 3])
def test_e10_rotating_the_options_relabels_and_nothing_else(shift: int) -> None:
    texts = list(CITIES.values())
    turned = dict(zip(CITIES, texts[shift:] + texts[:shift], strict=True))
    for text in (*texts, "It is York", "new york.", "Boston", "The answer is 12 because it is even"):
        before, after = read(text, ABCD, CITIES), read(text, ABCD, turned)
        assert before[1] == after[1]
        assert CITIES.get(before[0]) == turned.get(after[0])


def test_what_is_returned_is_always_a_label() -> None:
    options = {"A": "negative", "B": "positive"}
    assert read("B", SENTIMENT, options) == ("positive", None)
    assert read("positive", SENTIMENT, options) == ("positive", None)
    assert read("positive", ("A", "B"), options) == ("B", None)


def test_equal_option_texts_are_ambiguous_and_symbols_win_over_texts() -> None:
    assert read("Paris", ("A", "B"), {"A": "Paris", "B": "paris."}) == (None, "ambiguous")
    assert read("B", ("A", "B"), {"A": "B", "B": "A"}) == ("B", None)


@pytest.mark.parametrize(
    ("labels", "options"),
    [((), None), (("a", "A"), None), (("", "x"), None), (("A", "B"), {"C": "Rome"}), (("A",), {"": "Rome"})],
)
def test_labels_and_options_that_do_not_fit_are_refused(labels: Any, options: Any) -> None:
    with pytest.raises(UsageError, match="Expected"):
        extract_label("A", labels, options)


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(UsageError, match="'other', but got 'flip'"):
        extract_label("A", ABCD, negated="flip")  # type: ignore[arg-type]


def test_the_result_is_a_value() -> None:
    assert extract_label("B", ABCD) == Extraction("B")
    assert hash(Extraction("B")) == hash(Extraction("B", None))
