"""Multiple choice: options and answers in the forms that public sets have."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.choices import text_list
from jostle.errors import InputError
from jostle.items import MCQItem
from jostle.loading import items_from_rows
from jostle.rows import RowFile

OPTIONS = ["Paris", "Rome", "Bonn"]
NAMED = {"text": OPTIONS, "label": ["1", "2", "3"]}


def load(answer: Any = 1, choices: Any = OPTIONS, **columns: Any) -> MCQItem:
    row = {"question": "Capital of Italy?", "choices": choices, "answer": answer, **columns}
    row = {name: value for name, value in row.items() if value is not ...}
    item = items_from_rows(RowFile("q.jsonl", [row], ["line 1"]), "mcq", {}).items[0]
    assert isinstance(item, MCQItem)
    return item


@pytest.mark.parametrize(
    "choices", [OPTIONS, json.dumps(OPTIONS), str(OPTIONS), {"text": OPTIONS}, {"text": OPTIONS, "label": None}]
)
@pytest.mark.parametrize("answer", [1, "1", 1.0, "B", " B ", "Rome"])
def test_every_form_gives_the_same_item(choices: Any, answer: Any) -> None:
    item = load(answer, choices)
    assert item.choices == tuple(OPTIONS)
    assert item.answer_index == 1
    assert item.label == "1"
    assert item.task == "mcq"


@pytest.mark.parametrize(("answer", "index"), [("1", 0), ("3", 2), ("Bonn", 2)])
def test_options_with_letters_of_their_own(answer: str, index: int) -> None:
    assert load(answer, NAMED).answer_index == index


@pytest.mark.parametrize(("choices", "answer"), [("options", "answer_index"), ("options", "answerKey")])
def test_aliases(choices: str, answer: str) -> None:
    assert load(..., ..., **{choices: OPTIONS, answer: 1}).answer_index == 1
    assert load(..., label="C").answer_index == 2


def test_two_columns_that_could_be_the_answer() -> None:
    with pytest.raises(InputError, match="answerKey and label could both be it"):
        load(..., label="C", answerKey="C")


@pytest.mark.parametrize("answer", [None, -1, "-1", math.nan])
def test_no_answer(answer: Any) -> None:
    file = RowFile("q.jsonl", [{"question": "Q?", "choices": OPTIONS, "answer": answer}], ["line 1"])
    items = items_from_rows(file, "mcq", {})
    assert items.items[0].label is None
    assert items.n_unlabelled == 1


@pytest.mark.parametrize("answer", [3, "3", -2, "D", "b", "Berlin", True, 0.5, "²", ""])
def test_an_answer_that_is_no_option_names_the_line(answer: Any) -> None:
    with pytest.raises(InputError, match=r"an index below 3, one of A, B, C or the text .* but q\.jsonl, line 1 has "):
        load(answer)


def test_an_answer_by_a_text_that_two_options_share() -> None:
    with pytest.raises(InputError, match=r"line 1 has 'Rome'"):
        load("Rome", ["Rome", "Rome", "Bonn"])


@pytest.mark.parametrize(
    "choices",
    [None, [], "Paris, Rome", "[not json", "[]", "['a' 'b']", "['a', None]", '["a", true]', "['a', ['b']]", "['\\d']",
     '{"a": 1}', [1, 2], {"label": ["A"]}, {"text": "Paris"}, 4,
     {"text": OPTIONS, "label": ["A", "B", "C", "D"]}, {"text": OPTIONS, "label": ["A"]}],
)  # fmt: skip
def test_options_that_are_no_list_name_the_line(choices: Any) -> None:
    with pytest.raises(InputError, match=r"a list of option texts in column 'choices', but q\.jsonl, line 1 has"):
        load(0, choices)


def test_a_question_that_is_no_text() -> None:
    with pytest.raises(InputError, match="Expected text in column 'question'"):
        load(question={"text": "Q?"})


NESTED = {"text": "Rome", "label": "B"}
FORMS: dict[str, dict[str, Any]] = {
    "ARC": {"question": {"stem": "Q?", "choices": [{"text": "Paris", "label": "A"}, NESTED]}, "answerKey": "B"},
    "numbered": {"question": {"stem": "Q?", "choices": {"text": ["Paris", "Rome"], "label": ["1", "2"]}},
                 "answerKey": "2"},
    "OpenBookQA": {"question_stem": "Q?", "choices": {"text": ["Paris", "Rome"], "label": ["A", "B"]},
                   "answerKey": "B"},
    "columns": {"question": "Q?", "A": "Paris", "B": "Rome", "C": None, "answer": "B"},
    "AQuA": {"question": "Q?", "options": ["Paris", "Rome"], "correct": "B"},
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_public_sets(form: str) -> None:
    items = items_from_rows(RowFile("q.jsonl", [FORMS[form]], ["line 1"]), "mcq", {})
    item = items.items[0]
    assert isinstance(item, MCQItem)
    assert (item.question, item.choices, item.answer_index) == ("Q?", ("Paris", "Rome"), 1)
    assert set(items.field_map) == {"question", "choices", "answer"}


def test_an_option_that_is_missing_between_others() -> None:
    row = {"question": "Q?", "A": "Paris", "B": None, "C": "Rome", "answer": "A"}
    with pytest.raises(InputError, match=r"Expected a list of option texts in column 'A, B, C'"):
        items_from_rows(RowFile("q.csv", [row], ["line 2"]), "mcq", {})


def test_ids_and_families() -> None:
    item = load(id="q7", family="geography")
    assert (item.id, item.family) == ("q7", "geography")


@pytest.mark.parametrize(
    ("texts", "parsed"),
    [
        (['["1.50", "x"]', "[1.50, 2e3]"], ["JSON text"]),
        (["['it is', 1.50]", "[\"1.50\", 'x']"], ["Python list text"]),
        (['["a", "b"]', "['a', 'b']"], ["JSON text (1 row) and Python list text (1 row)"]),
        ([["a", "b"], ["c", "d"]], []),
    ],
)
def test_the_field_map_says_what_choices_were_parsed_from(texts: list[Any], parsed: list[str]) -> None:
    rows = [{"question": "Q?", "choices": text, "answer": 0} for text in texts]
    items = items_from_rows(RowFile("q.csv", rows, ["line 2", "line 3"]), "mcq", {})
    shown = [line for line in items.describe() if "parsed" in line]
    assert shown == [f"field map: choices: parsed from {how}" for how in parsed]


def test_numbers_in_text_stay_as_they_are_written() -> None:
    assert load(0, "[1.50, -2, 1e3]").choices == ("1.50", "-2", "1e3")
    assert load(0, "[1.50, 'x']").choices == ("1.50", "x")


def test_one_row_that_cannot_be_parsed_is_named() -> None:
    rows = [{"question": "Q?", "choices": text, "answer": 0} for text in ('["a", "b"]', "['a', 'b'")]
    with pytest.raises(
        InputError, match=r"column 'choices', but q\.csv, line 3 has \"\['a', 'b'\"\. Write it as a list"
    ):
        items_from_rows(RowFile("q.csv", rows, ["line 2", "line 3"]), "mcq", {})


@given(st.lists(st.text(), min_size=1, max_size=5))
def test_lists_written_by_json_and_python_come_back(texts: list[str]) -> None:
    assert text_list(json.dumps(texts)) == (texts, "JSON text")
    found, form = text_list(repr(texts))
    assert found == texts
    assert form in ("JSON text", "Python list text")


NUMBERS = [{"question": "1 + 1?", "choices": ["0", "2", "1", "3"], "answer": "1"},
           {"question": "Capital of Italy?", "choices": [*OPTIONS, "Oslo"], "answer": "1"}]  # fmt: skip


def test_a_column_of_indices_is_read_as_such_where_options_are_numbers() -> None:
    # "1" is the text of option 2 as well; the other row has no option "1", so that the column holds indices.
    items = items_from_rows(RowFile("q.csv", NUMBERS, ["line 2", "line 3"]), "mcq", {})
    assert [item.label for item in items.items] == ["1", "1"]


@pytest.mark.parametrize("other", [{"answer": "Rome"}, {"answer": None}, {"answer": "7", "choices": ["7", "8"]}])
def test_an_answer_that_could_be_an_index_or_a_text_is_refused(other: dict[str, Any]) -> None:
    rows = [NUMBERS[0], NUMBERS[1] | other]
    with pytest.raises(InputError, match=r"q\.csv, line 2 has '1': the text of option 2 and the index of another"):
        items_from_rows(RowFile("q.csv", rows, ["line 2", "line 3"]), "mcq", {})


def test_an_index_that_pandas_wrote_with_a_point() -> None:
    assert load("1.0").label == "1"
    assert load("1.0", choices=["0.5", "2", "1.0"]).label == "2"  # an option's own text comes first
