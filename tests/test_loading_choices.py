"""Multiple choice: options and answers in the forms that public sets have."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

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


@pytest.mark.parametrize("choices", [OPTIONS, json.dumps(OPTIONS), {"text": OPTIONS}, {"text": OPTIONS, "label": None}])
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
    [None, [], "Paris, Rome", "[not json", '{"a": 1}', [1, 2], {"label": ["A"]}, {"text": "Paris"}, 4,
     {"text": OPTIONS, "label": ["A", "B", "C", "D"]}, {"text": OPTIONS, "label": ["A"]}],
)  # fmt: skip
def test_options_that_are_no_list_name_the_line(choices: Any) -> None:
    with pytest.raises(InputError, match=r"a list of option texts in column 'choices', but q\.jsonl, line 1 has"):
        load(0, choices)


def test_a_question_that_is_no_text() -> None:
    with pytest.raises(InputError, match="Expected text in column 'question'"):
        load(question={"stem": "Q?"})


def test_ids_and_families() -> None:
    item = load(id="q7", family="geography")
    assert (item.id, item.family) == ("q7", "geography")
