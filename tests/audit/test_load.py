"""Loading of evaluation sets: the field map, what is refused, and what a message says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.audit import EvalSet, load
from jostle.audit.balance import class_labels
from jostle.csv_rows import CsvForm
from jostle.errors import InputError, UsageError

Write = Callable[[str, Any], Path]
QUESTION = {"question": "Capital of Italy?", "choices": ["Paris", "Rome"]}


@pytest.fixture
def read(write: Write) -> Callable[..., EvalSet]:
    """The set of these rows: `read(row, row, map={...})`."""

    def call(*rows: Any, map: dict[str, str] | None = None) -> EvalSet:  # noqa: A002 - the name of the flag
        return load(write("set.jsonl", list(rows)), map)

    return call


Read = Callable[..., EvalSet]


@pytest.mark.parametrize(
    ("name", "content"),
    [("a01.csv", b"\xef\xbb\xbfinput,label\nhello,a\n"), ("a01.jsonl", b'\xef\xbb\xbf{"input": "hello"}\n')],
)
def test_case_a01_a_byte_order_mark(write: Write, name: str, content: bytes) -> None:
    evalset = load(write(name, content))
    assert [case.text for case in evalset.cases] == ["hello"]
    assert evalset.field_map["input"] == "input"
    assert evalset.notes == []


def test_case_a01_a_mark_within_a_text_stays(read: Read) -> None:
    assert read({"input": "a\ufeffb"}).cases[0].text == "a\ufeffb"


@pytest.mark.parametrize(
    ("encoding", "message"), [("utf-16", r"line 1 has the byte 0xff.*iconv"), ("utf-16-le", "zero bytes, as UTF-16"),
                              ("cp1252", r"line 2 has the byte 0xe9.*iconv")]
)  # fmt: skip
def test_case_a01_other_encodings_are_named(write: Write, encoding: str, message: str) -> None:
    text = "input,label\nhello,a\n" if encoding == "utf-16-le" else "input,label\ncafé,a\n"
    with pytest.raises(InputError, match=rf"Expected UTF-8 text, but .*set\.csv.*{message}"):
        load(write("set.csv", text.encode(encoding)))


def test_case_a02_blank_lines(write: Write) -> None:
    assert len(load(write("ok.jsonl", '{"input": "a"}\n\n{"input": "b"}\n\n'))) == 2
    with pytest.raises(InputError, match=r"bad\.jsonl, line 3 is not \(.*, column \d+\)"):
        load(write("bad.jsonl", '{"input": "a"}\n\n{"input": "b",}\n'))


def test_case_a02_json_names_line_and_column(write: Write) -> None:
    with pytest.raises(InputError, match=r"set\.json is not \(.*line 1, column 1[67]\)"):
        load(write("set.json", '[{"input": "a"},]'))


def test_case_a02_a_scalar_line(write: Write) -> None:
    with pytest.raises(InputError, match=r"Expected an object .*set\.jsonl, line 1 is str"):
        load(write("set.jsonl", '"just text"\n'))


def test_case_a02_a_huge_cell(write: Write) -> None:
    assert len(load(write("set.csv", f"input,label\n{'x' * 200_000},a\n")).cases[0].text) == 200_000


def test_case_a05_a_repeated_name(write: Write) -> None:
    with pytest.raises(InputError, match=r"repeats label \(columns 2 and 3\)"):
        load(write("set.csv", "input,label,label\nx,a,b\ny,c,d\n"))
    with pytest.raises(InputError, match=r"set\.jsonl, line 1 repeats label \(keys 2 and 3\)"):
        load(write("set.jsonl", '{"input": "x", "label": "a", "label": "b"}\n'))


def test_case_a06_a_label_beside_another(read: Read) -> None:
    row = {"ctx": "She lit the stove", "endings": ["a", "b", "c", "d"], "label": 2, "activity_label": "cooking"}
    evalset = read(row, {**row, "label": 2, "activity_label": "fishing"})
    assert evalset.field_map == {"input": "ctx", "label": "label"}
    assert [case.label for case in evalset.cases] == ["2", "2"]
    assert any("'activity_label' could be meant" in note for note in evalset.notes)
    assert any("--map choices=endings --map answer=label" in note for note in evalset.notes)


def test_case_a06_two_candidates(read: Read) -> None:
    with pytest.raises(InputError, match=r"'question' and 'prompt' could each be it\. .*--map input=question"):
        read({"question": "q", "prompt": "p", "answer": "x"})


def test_case_a06_the_map_wins_and_what_it_displaces_is_kept(read: Read) -> None:
    evalset = read({"input": "left over", "question": "q"}, map={"input": "question"})
    assert evalset.cases[0].text == "q"
    assert evalset.cases[0].metadata == {"input": "left over"}
    assert evalset.notes == ["the column 'input' is displaced by --map input=question and kept as metadata"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            {"prompt": ["first turn", "second turn"]},
            r"'prompt', but .*line 2 has a list of 2 turns .*--map turns=prompt",
        ),
        ({"input": {"text": "hi"}}, r"'input', but .*line 2 has an object"),
        ({"input": 5}, r"'input', but .*line 2 has a number"),
        ({"input": None, "label": "x"}, r"'input', but .*line 2 has null"),
        ({"input": "  "}, r"'input', but .*line 2 has empty text"),
        ({"input": [{"role": "user", "content": "hi"}]}, r"a list of 1 chat messages .*--map turns=input"),
        ({"input": [1, 2]}, r"has a list \(.*--map turns=input"),
    ],
)
def test_case_a07_inputs_that_are_no_text(write: Write, row: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(write("set.jsonl", "\n" + json.dumps(row) + "\n"))


def test_case_a07_nested_metadata_stays(read: Read) -> None:
    assert read({"input": "a", "source": {"page": [1, 2]}}).cases[0].metadata == {"source": {"page": [1, 2]}}


def test_turns_by_name_and_by_map(read: Read) -> None:
    by_name = read({"turns": ["one", "two"], "category": "math", "reference": ["r1", "r2"]}).cases[0]
    assert (by_name.fields, by_name.text, by_name.label) == ({"turns": ("one", "two")}, "one\ntwo", "math")
    assert (by_name.expected, by_name.answers) == ("r1\nr2", ())
    messages = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": [{"text": "Hi"}]}]
    assert read({"prompt": messages}, map={"turns": "prompt"}).cases[0].text == "system: Be kind.\nHi"
    with pytest.raises(InputError, match="Expected a list of turns in column 'prompt'"):
        read({"prompt": "no list"}, map={"turns": "prompt"})


@pytest.mark.parametrize(
    ("columns", "fields"),
    [
        (("premise", "hypothesis"), ("premise", "hypothesis")),
        (("sentence1", "sentence2"), ("premise", "hypothesis")),
        (("question1", "question2"), ("question1", "question2")),
        (("question", "sentence"), ("question", "sentence")),
    ],
)
def test_pairs(read: Read, columns: tuple[str, str], fields: tuple[str, str]) -> None:
    evalset = read({columns[0]: "one", columns[1]: "two", "label": 1})
    assert evalset.pair_fields == fields
    assert evalset.cases[0].fields == dict(zip(fields, ("one", "two"), strict=True))
    assert (evalset.cases[0].text, evalset.cases[0].label) == ("one\ntwo", "1")


@pytest.mark.parametrize(
    ("answer", "index"), [("B", 1), (1, 1), ("1", 1), ("Rome", 1), (0, 0), (None, None), (-1, None)]
)
def test_multiple_choice(read: Read, answer: Any, index: int | None) -> None:
    case = read({**QUESTION, "answer": answer, "subject": "geography"}).cases[0]
    assert (case.choices, case.answer_index) == (("Paris", "Rome"), index)
    assert case.label == (None if index is None else str(index))
    assert case.metadata == {"subject": "geography"}


def test_a_label_beside_options_stays_metadata(read: Read) -> None:
    rows = [{**QUESTION, "answer": answer, "subject": "geography"} for answer in ("B", None)]
    evalset = read(*rows, map={"label": "subject"})
    assert [case.label for case in evalset.cases] == ["1", None]
    assert [case.gold for case in evalset.cases] == ["Rome", None]
    assert class_labels(evalset) == ["geography", "geography"]
    assert class_labels(read(*rows)) == [None, None]


def test_gold_that_is_no_option_is_kept_for_the_checks(read: Read) -> None:
    evalset = read({**QUESTION, "answer": "Bonn"}, *({**QUESTION, "answer": "A"} for _ in range(3)))
    assert (evalset.cases[0].answer_index, evalset.cases[0].expected, evalset.cases[0].gold) == (None, "Bonn", "Bonn")
    assert evalset.notes[0].startswith("1 gold answer is none of the options")
    with pytest.raises(InputError, match="line 1 has 'Bonn'"):  # half of them may be flawed, all are misread
        read({**QUESTION, "answer": "Bonn"})


def test_one_impossible_index_does_not_change_how_the_others_are_read(write: Write) -> None:
    # Options that are numbers: 2 is an index in a column of indices, though an option is called 2 too.
    lines = ["q,A,B,C,D,answer", "one,1,2,3,4,2", "two,1,2,3,4,0", "three,1,2,3,4,9"]
    cases = load(write("set.csv", "\n".join(lines) + "\n"), {"input": "q"}).cases
    assert [(case.answer_index, case.gold) for case in cases] == [(2, "3"), (0, "1"), (None, "9")]


def test_several_gold_options(read: Read) -> None:
    case = read({**QUESTION, "answer": [0, "B"]}).cases[0]
    assert (case.answer_index, case.answers) == (None, ("Paris", "Rome"))
    assert read({**QUESTION, "answer": ["B"]}).cases[0].answer_index == 1


@pytest.mark.parametrize(
    ("value", "expected", "answers"),
    [
        ("x", "x", ()),
        (4, "4", ()),
        (None, None, ()),
        (["x"], "x", ()),
        (["x", "y"], None, ("x", "y")),
        ('["x", "y"]', None, ("x", "y")),
        ({"text": ["x", "y"], "answer_start": [1, 2]}, None, ("x", "y")),
    ],
)
def test_reference_answers(read: Read, value: Any, expected: str | None, answers: tuple[str, ...]) -> None:
    case = read({"input": "q", "answer": value}).cases[0]
    assert (case.expected, case.answers) == (expected, answers)


def test_ids(read: Read) -> None:
    assert [case.id for case in read({"input": "a"}, {"input": "b"}).cases] == ["case_1", "case_2"]
    assert [case.id for case in read({"input": "a", "idx": 7}, {"input": "b", "idx": 8}).cases] == ["7", "8"]
    # A column of another name that does not name rows apart is no id; one called `id` must.
    assert read({"input": "a", "pairID": 1}, {"input": "b", "pairID": 1}).cases[1].id == "case_2"
    with pytest.raises(InputError, match="'1' stands in 2 rows of 'id'"):
        read({"input": "a", "id": 1}, {"input": "b", "id": 1})


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        ({"inputs": "a"}, "Expected --map to name a field of id, input"),
        ({"input": "nothing"}, r"Expected a column 'nothing' \(--map input=nothing\)"),
        ({"input": "a", "turns": "b"}, "Expected the input by one of input, turns or a pair"),
        ({"input": "a", "answer": "b"}, "Add --map choices=COLUMN"),
    ],
)
def test_a_bad_map(read: Read, mapping: dict[str, str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read({"a": "x", "b": "y"}, map=mapping)


def test_no_input(write: Write) -> None:
    with pytest.raises(InputError, match=r"but found foo, bar\. Name it: --map input=COLUMN .*--columns NAME"):
        load(write("set.csv", "foo,bar\n1,2\n"))


def test_csv_without_header_or_with_semicolons(write: Write) -> None:
    plain = write("mmlu.csv", "How much is 2 + 2?,3,4,B\nHow much is 3 + 3?,6,7,A\n")
    with pytest.raises(InputError, match=r"Name its columns: --columns question,A,B,answer\."):
        load(plain)
    cases = load(plain, form=CsvForm(("question", "A", "B", "answer"))).cases
    assert [(case.text, case.gold) for case in cases] == [("How much is 2 + 2?", "4"), ("How much is 3 + 3?", "6")]
    other = write("semi.csv", "input;label\nx, y;a\n")
    with pytest.raises(InputError, match=r"--delimiter ';'"):
        load(other)
    assert load(other, form=CsvForm(delimiter=";")).cases[0].text == "x, y"
    with pytest.raises(UsageError, match="a csv or tsv file with --columns"):
        load(write("set.jsonl", [{"input": "a"}]), form=CsvForm(delimiter=";"))


def test_a_folder_that_datasets_wrote(tmp_path: Path) -> None:
    import datasets

    features = datasets.Features({"text": datasets.Value("string"), "label": datasets.ClassLabel(names=["no", "yes"])})
    rows = datasets.Dataset.from_dict({"text": ["a", "b"], "label": [1, 0]}, features=features)
    datasets.DatasetDict({"train": rows, "test": rows.select([0])}).save_to_disk(tmp_path / "saved")
    evalset = load(tmp_path / "saved")
    assert [(case.text, case.label) for case in evalset.cases] == [("a", "yes")]
    assert [case.label for case in load(tmp_path / "saved", split="train").cases] == ["yes", "no"]
    with pytest.raises(InputError, match=r"Expected a split 'dev' in .* but it has train, test"):
        load(tmp_path / "saved", split="dev")
    rows.save_to_disk(tmp_path / "one")
    assert len(load(tmp_path / "one")) == 2
    rows.to_parquet(tmp_path / "files" / "train.parquet")
    assert len(load(tmp_path / "files")) == 2
