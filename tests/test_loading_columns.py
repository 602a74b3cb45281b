"""Which column is what: by name, alias or map; ids and families."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from jostle.errors import InputError, UsageError
from jostle.loading import ItemSet, items_from_rows
from jostle.rows import RowFile

PAIR = {"sentence1": "A man sleeps.", "sentence2": "A man rests.", "gold_label": "entailment"}
SENTENCE = {"sentence": "fine", "label": 1}


def load(rows: Sequence[dict[str, Any]], task: str = "sst2", mapping: Mapping[str, str] | None = None) -> ItemSet:
    places = [f"line {k + 1}" for k in range(len(rows))]
    return items_from_rows(RowFile("d.jsonl", list(rows), places), task, mapping or {})


def test_aliases_and_the_field_map() -> None:
    items = load([PAIR], "mnli")
    assert items.field_map == {"premise": "sentence1", "hypothesis": "sentence2", "label": "gold_label"}
    assert items.describe() == [
        "field map: premise <- 'sentence1'",
        "field map: hypothesis <- 'sentence2'",
        "field map: label <- 'gold_label'",
        "columns used: sentence1, sentence2, gold_label",
    ]


def test_columns_of_the_fields_own_names_are_one_line() -> None:
    assert load([{"sentence": "fine", "label": 1, "idx": 3, "note": "x"}]).describe() == [
        "field map: id <- 'idx'",
        "columns used: sentence, label, idx",
    ]


def test_the_own_name_wins_over_aliases() -> None:
    assert load([{**PAIR, "label": 2}], "mnli").items[0].label == "contradiction"


def test_two_aliases_are_ambiguous() -> None:
    with pytest.raises(InputError, match=r"gold_label and label_text could both be it\. Name it: --map label=COLUMN"):
        load([{**PAIR, "label_text": "neutral"}], "mnli")


def test_the_map_wins_over_every_name() -> None:
    row = {**PAIR, "label": 2, "label_text": "neutral", "other": "Nobody sleeps."}
    items = load([row], "mnli", {"label": "label_text", "hypothesis": "other"})
    assert items.items[0].label == "neutral"
    assert items.items[0].fields["hypothesis"] == "Nobody sleeps."


def test_a_missing_column() -> None:
    with pytest.raises(InputError, match=r"Expected a column 'sentence' in d\.jsonl, but found text, label\. Name it"):
        load([{"text": "fine", "label": 1}])


def test_a_map_to_nothing() -> None:
    with pytest.raises(UsageError, match=r"--map sentence=body\), but d\.jsonl has sentence, label"):
        load([SENTENCE], mapping={"sentence": "body"})
    with pytest.raises(UsageError, match=r"a field of sentence, label, id, family, but got 'text'"):
        load([SENTENCE], mapping={"text": "sentence"})
    with pytest.raises(UsageError, match="--map id=key"):
        load([SENTENCE], mapping={"id": "key"})


@pytest.mark.parametrize("name", ["idx", "id", "item_id"])
def test_ids(name: str) -> None:
    items = load([{**SENTENCE, name: 7}, {**SENTENCE, name: "b"}])
    assert [item.id for item in items.items] == ["7", "b"]
    assert [item.family for item in items.items] == ["7", "b"]
    assert items.field_map["id"] == name


def test_rows_without_ids_are_numbered() -> None:
    assert [item.id for item in load([SENTENCE, SENTENCE]).items] == ["case_1", "case_2"]


def test_ids_by_map() -> None:
    items = load([{**SENTENCE, "id": 1, "key": "x"}], mapping={"id": "key"})
    assert items.items[0].id == "x"


@pytest.mark.parametrize(("first", "second"), [(1, 1), (1, "1"), ("a", "a")])
def test_a_repeated_id(first: Any, second: Any) -> None:
    with pytest.raises(InputError, match=rf"distinct ids in d\.jsonl, but '{first}' stands in 2 rows of 'id'"):
        load([{**SENTENCE, "id": first}, {**SENTENCE, "id": second}])


@pytest.mark.parametrize("rows", [[{"id": "a"}, {"id": None}], [{"id": "a"}, {}], [{"id": "a"}, {"id": None}, {}]])
def test_a_missing_id_names_the_line(rows: list[dict[str, Any]]) -> None:
    with pytest.raises(InputError, match=r"Expected an id in every row, but d\.jsonl, line 2 has none in 'id'"):
        load([{**SENTENCE, **row} for row in rows])


def test_an_id_that_only_later_rows_have_is_no_row_number() -> None:
    with pytest.raises(InputError, match=r"d\.jsonl, line 1 has none in 'id'"):
        load([SENTENCE, {**SENTENCE, "id": "b"}])


@pytest.mark.parametrize("name", ["family", "families"])
def test_families(name: str) -> None:
    items = load([{**SENTENCE, "id": "a", name: "doc"}, {**SENTENCE, "id": "b", name: None}, {**SENTENCE, "id": "c"}])
    assert [item.family for item in items.items] == ["doc", "b", "c"]
    assert items.field_map["family"] == name


def test_families_by_map_and_from_later_rows() -> None:
    items = load([SENTENCE, {**SENTENCE, "document": 3}], mapping={"family": "document"})
    assert [item.family for item in items.items] == ["case_1", "3"]


def test_no_rows() -> None:
    with pytest.raises(InputError, match="Expected a column 'sentence'"):
        load([])
