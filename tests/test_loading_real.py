"""Public sets as they come, where the folder with them is there (JOSTLE_SHARED)."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from jostle.csv_rows import CsvForm
from jostle.errors import InputError, JostleError
from jostle.items import MCQItem
from jostle.loading import load_items
from jostle.rows import read_rows

DATA = Path(os.environ.get("JOSTLE_SHARED") or Path(__file__).resolve().parents[2] / "shared") / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the folder with public data sets is not here")
GLUE = {
    "sst2_validation": ("sst2", 577, "idx"),
    "qnli_validation": ("qnli", 3643, "idx"),
    "mnli_matched_validation": ("mnli", 6577, "idx"),
    "mnli_mismatched_textfooler1000": ("mnli", 663, None),
}


@pytest.mark.parametrize("name", GLUE)
def test_glue(name: str) -> None:
    task, n, id_column = GLUE[name]
    items = load_items(DATA / "glue" / f"{name}.parquet", task)
    assert len(items.items) == n
    assert items.field_map.get("id") == id_column
    assert items.n_unlabelled == 0
    assert set(Counter(item.label for item in items.items)) == set(items.labels)


@pytest.mark.parametrize("name", [name for name in GLUE if "sst2" not in name])
def test_label_names_and_indices_of_glue_agree(name: str) -> None:
    path = DATA / "glue" / f"{name}.parquet"
    by_index, by_name = load_items(path, GLUE[name][0]), load_items(path, GLUE[name][0], {"label": "label_text"})
    assert [item.label for item in by_index.items] == [item.label for item in by_name.items]


def test_options_and_indices_as_text() -> None:
    path = DATA / "audit" / "mmlu_redux.parquet"
    items = load_items(path, "mcq")
    assert len(items.items) == 3831
    assert all(isinstance(item, MCQItem) and len(item.choices) == 4 for item in items.items)
    # Some lists have no apostrophe and are JSON as they stand; the others are as Python writes them.
    how = "field map: choices: parsed from JSON text (89 rows) and Python list text (3742 rows)"
    assert how in items.describe()
    rows = read_rows(path).rows
    assert [item.label for item in items.items] == [str(int(row["answer"])) for row in rows]
    assert [item.id for item in items.items][:2] == ["case_1", "case_2"]


def test_hellaswag_by_map() -> None:
    path = DATA / "mcq" / "hellaswag_val_rows100_600.jsonl"
    items = load_items(path, "mcq", {"question": "ctx", "choices": "endings", "answer": "label", "id": "ind"})
    assert len(items.items) == 500
    assert all(isinstance(item, MCQItem) and len(item.choices) == 4 for item in items.items)


def test_json_lines_under_the_name_json() -> None:
    items = load_items(DATA / "mcq" / "aqua_test.json", "mcq", {"answer": "correct"})
    assert len(items.items) == 171
    assert Counter(item.label for item in items.items).keys() == set("01234")


def test_a_file_without_a_header_line() -> None:
    path = DATA / "mcq" / "mmlu_anatomy_test.csv"
    with pytest.raises(InputError, match="--columns question,A,B,C,D,answer"):
        load_items(path, "mcq")
    items = load_items(path, "mcq", form=CsvForm(("question", "A", "B", "C", "D", "answer")))
    assert all(isinstance(item, MCQItem) and len(item.choices) == 4 for item in items.items)


def test_messy_files_are_refused_by_line() -> None:
    with pytest.raises(InputError, match=r"moral_scenarios\.csv, line \d+ has the byte 0x"):
        read_rows(DATA / "audit" / "raw_messy" / "mmlu_redux_moral_scenarios.csv")


@pytest.mark.parametrize("folder", ["mcq", "audit/raw_messy", "glue", "results"])
def test_no_public_file_gives_anything_but_rows_or_a_message(folder: str) -> None:
    for path in sorted((DATA / folder).glob("*.*")):
        if path.stat().st_size > 3_000_000 or path.is_dir():
            continue
        try:
            found = str(read_rows(path).rows[0])
        except JostleError as error:
            found = str(error) if str(path) in str(error) else ""
        assert found, path
