"""Variants that somebody else made load with their originals, whichever way they are linked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import InputError, UsageError
from jostle.variant_files import VariantFile, load_variants

BESIDE = {"sentence": "edited", "label": "new", "base.sentence": "base", "base.label": "old"}


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_original_beside_the_variant(tmp_path: Path) -> None:
    rows = [
        {"base": "a good film", "edited": "a goood film", "old": 1, "new": 1},
        {"base": "a good film", "edited": "a bad film", "old": 1, "new": 0},
    ]
    items = load_variants(write(tmp_path / "v.jsonl", rows), VariantFile("sst2", BESIDE))
    first, second = items.variants
    assert (first.condition, first.relation, second.condition, second.relation) == (
        "adv",
        "invariant",
        "contrast",
        "changed",
    )
    assert second.edits[0].original == "good"
    assert first.restore().fields == {"sentence": "a good film"}


def test_several_variants_of_one_condition_are_one_family(tmp_path: Path) -> None:
    rows = [{"base": "a good film", "edited": f"a good film {k}", "old": 1, "new": 1} for k in range(3)]
    items = load_variants(write(tmp_path / "v.jsonl", rows), VariantFile("sst2", BESIDE))
    assert [item.id for item in items.items] == ["base_1", "base_1#2", "base_1#3"]
    assert {item.family for item in items.items} == {"base_1"}


def test_originals_as_rows_of_their_own(tmp_path: Path) -> None:
    rows = [
        {"case": 1, "n": 0, "text": "I fly to Rome", "test": "t"},
        {"case": 1, "n": 1, "text": "I fly to Oslo", "test": "t"},
        {"case": 2, "n": 1, "text": "no original", "test": "t"},
    ]
    how = VariantFile("sst2", {"sentence": "text", "id": "test+case"}, base_where={"n": "0"})
    items = load_variants(write(tmp_path / "v.jsonl", rows), how)
    assert [item.id for item in items.items] == ["t/1"]
    assert items.variants[0].item.fields["sentence"] == "I fly to Oslo"
    assert any("1 without an original" in note for note in items.notes)


def test_gold_values_and_filter(tmp_path: Path) -> None:
    rows = [
        {"base": "x y", "edited": "x z", "old": 2, "new": 2, "set": "a"},
        {"base": "x q", "edited": "x r", "old": 1, "new": 1, "set": "a"},
        {"base": "x s", "edited": "x t", "old": 2, "new": 2, "set": "b"},
    ]
    how = VariantFile("sst2", BESIDE, where={"set": "a"}, gold={"0": "negative", "2": "positive"})
    items = load_variants(write(tmp_path / "v.jsonl", rows), how)
    assert [item.label for item in items.items] == ["positive"]


def test_mapping_without_an_original_says_what_is_missing(tmp_path: Path) -> None:
    file = write(tmp_path / "v.jsonl", [{"edited": "x", "new": 1}])
    with pytest.raises(UsageError, match=r"base\.sentence=COLUMN"):
        load_variants(file, VariantFile("sst2", {"sentence": "edited", "label": "new"}))


def test_column_that_is_not_there(tmp_path: Path) -> None:
    file = write(tmp_path / "v.jsonl", [{"edited": "x", "new": 1}])
    with pytest.raises(UsageError, match="'text'"):
        load_variants(file, VariantFile("sst2", {"sentence": "text"}))


def test_no_variant_with_an_original(tmp_path: Path) -> None:
    file = write(tmp_path / "v.jsonl", [{"base": None, "edited": "x", "old": 1, "new": 1}])
    with pytest.raises(InputError, match="no row has one"):
        load_variants(file, VariantFile("sst2", BESIDE))


def test_a_label_that_no_column_holds(tmp_path: Path) -> None:
    rows = [{"premise": "A red car.", "hypothesis": "A blue car.", "gold": "contradiction"}]
    mapping = {"premise": "premise", "hypothesis": "hypothesis", "label": "gold"}
    mapping |= {"base.premise": "premise", "base.hypothesis": "premise", "base.label": "=entailment"}
    items = load_variants(write(tmp_path / "v.jsonl", rows), VariantFile("mnli", mapping))
    assert items.items[0].label == "entailment"
    assert items.variants[0].relation == "changed"
