"""Reading pairs: one table from every format, abstention, evidence, and what is refused by file, line and pair."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from jostle.errors import InputError, UsageError
from jostle.outcomes import Outcomes
from jostle.pairs import PairRow, PairSet, pairs_from_dicts, read_pairs

Write = Callable[[str, Any], Path]
FULL = {
    "id": "p1", "base_text": "good", "edited_text": "not good", "base_label": "pos", "edited_label": "neg",
    "base_prediction": "pos", "edited_prediction": "pos", "relation": "changed", "operator": "negation", "family": "f1",
    "base_confidence": 0.9, "edited_confidence": 0.6, "critical": True, "reviewed": True,
}  # fmt: skip
BARE = {"id": "p2", "base_label": "pos", "edited_label": "pos", "base_prediction": "pos", "edited_prediction": None}
EXPECTED = [PairRow(**FULL), PairRow(**BARE, edited_abstained=True)]


def pair(**fields: Any) -> dict[str, Any]:
    return {**BARE, "edited_prediction": "pos", **fields}


def delimited(name: str) -> str:
    mark = "\t" if name.endswith("tsv") else ","
    rows = [[str(row.get(key) if row.get(key) is not None else "") for key in FULL] for row in (FULL, BARE)]
    return "\n".join(mark.join(cells) for cells in [list(FULL), *rows])


@pytest.mark.parametrize("name", ["p.jsonl", "p.json", "p.csv", "p.tsv", "p.parquet"])
def test_every_format_gives_the_same_rows(write: Write, tmp_path: Path, name: str) -> None:
    if name.endswith("parquet"):
        path = tmp_path / name
        pq.write_table(pa.Table.from_pylist([FULL, {**dict.fromkeys(FULL), **BARE}]), path)
    elif name.endswith("sv"):
        path = write(name, delimited(name))
    else:
        path = write(name, [FULL, BARE])
    read = read_pairs(path)
    assert list(read.rows) == EXPECTED
    assert (len(read), read.rows[-1], read.rows[:1]) == (2, EXPECTED[1], EXPECTED[:1])
    with pytest.raises(IndexError):
        _ = read.rows[2]


def test_labels_are_one_whatever_they_are_made_of() -> None:
    numbers = pairs_from_dicts([pair(base_label=1, edited_label=0, base_prediction=True, edited_prediction="0")])
    assert (numbers.rows[0].base_label, numbers.rows[0].base_prediction) == ("1", "1")
    with pytest.raises(InputError, match="Expected booleans, but got the text 'false'"):
        pairs_from_dicts([pair(base_label=True, edited_label=False, base_prediction=True, edited_prediction="false")])


def test_other_columns_are_kept_as_evidence(write: Write) -> None:
    rows = [pair(passages=["a", "b"], evidence={"rank": 3}), pair(id="p3", evidence="seen")]
    read = read_pairs(write("p.jsonl", rows))
    assert [dict(row.evidence) for row in read.rows] == [{"passages": ["a", "b"], "rank": 3}, {"evidence": "seen"}]
    assert read.describe()[1] == "kept as evidence: passages, evidence"


def test_columns_of_other_names(write: Write) -> None:
    row = {name.replace("base_label", "gold"): value for name, value in pair(pair_id="x", kind="negation").items()}
    del row["id"]
    path = write("p.jsonl", [row])
    read = read_pairs(path, {"base_label": "gold", "operator": "kind"})
    assert (read.rows[0].id, read.rows[0].operator) == ("x", "negation")
    assert "id <- 'pair_id', base_label <- 'gold', operator <- 'kind'" in read.describe()[0]
    with pytest.raises(InputError, match=r"Expected a column 'base_label' in .*p\.jsonl, but found gold, .*--map base"):
        read_pairs(path)
    with pytest.raises(UsageError, match=r"Expected a column 'nope' \(--map base_label=nope\)"):
        read_pairs(path, {"base_label": "nope"})
    with pytest.raises(UsageError, match=r"--map to name a field of id, .*but got 'gold'"):
        read_pairs(path, {"gold": "base_label"})


@pytest.mark.parametrize(
    ("fields", "sides"),
    [
        ({}, (False, False)),
        ({"base_prediction": None}, (True, False)),
        ({"edited_prediction": -1}, (False, True)),
        ({"edited_abstained": "TRUE"}, (False, True)),
        ({"abstained": False}, (False, False)),
        ({"abstained": "base"}, (True, False)),
        ({"abstained": "edited"}, (False, True)),
        ({"abstained": "both"}, (True, True)),
        ({"abstained": True}, (True, True)),  # both sides have an answer: the pair as a whole
        ({"abstained": True, "edited_prediction": None}, (False, True)),  # the side without an answer
    ],
)
def test_abstention_on_either_side(fields: dict[str, Any], sides: tuple[bool, bool]) -> None:
    row = pairs_from_dicts([pair(**fields), pair(id="other")]).rows[0]
    assert (row.base_abstained, row.edited_abstained) == sides


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no gold": ({"base_label": None}, r"gold labels on both sides, but .*p\.jsonl, line 3 \(p9\) has no base_label"),
    "minus one": ({"edited_label": -1}, r"line 3 \(p9\) has no edited_label"),
    "invariant": ({"edited_label": "neg", "relation": "invariant"}, r"line 3 \(p9\)' is marked 'invariant' and its"),
    "changed": ({"relation": "changed"}, r"line 3 \(p9\)' is marked 'changed' and its golds are equal"),
    "relation": ({"relation": "flips"}, r"relation of invariant, changed \(or none\), but .*line 3 \(p9\) has 'flips'"),
    "id": ({"id": "p2"}, r"distinct ids, but .*line 1 \(p2\) and .*line 3 \(p2\) have the same"),
    "flag": ({"critical": "perhaps"}, r"critical to be true or false, but .*line 3 \(p9\) has 'perhaps'"),
    "abstained": ({"abstained": "left"}, r"abstained to be true or false.*but .*line 3 \(p9\) has 'left'"),
    "confidence": ({"base_confidence": "high"}, r"from 0 to 1 \(or none\), but .*line 3 \(p9\) has 'high'"),
    "large": ({"base_confidence": 1.5}, r"base_confidence to be a number from 0 to 1 .*line 3 \(p9\) has 1\.5"),
    "negative": ({"edited_confidence": -2}, r"edited_confidence to be a number from 0 to 1 .*line 3 \(p9\) has -2"),
    "infinite": ({"edited_confidence": "inf"}, r"edited_confidence to be .*line 3 \(p9\) has inf"),
    "list": ({"edited_confidence": [0.5]}, r"edited_confidence to be .*line 3 \(p9\) has \[0\.5\]"),
    "label": ({"base_prediction": 0.4}, r"p\.jsonl: Expected `base_prediction` to be labels, but got 0\.4"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_pair_is_refused_by_line(write: Write, case: str) -> None:
    fields, message = REFUSED[case]
    good, bad = pair(), pair(**{"id": "p9", **fields})
    path = write("p.jsonl", [good])
    path.write_text(f"{path.read_text()}\n{write('bad.jsonl', [bad]).read_text()}")
    with pytest.raises(InputError, match=message):
        read_pairs(path)


@pytest.mark.parametrize("value", [0, 1, 0.5, "0.25", None, "NaN", float("nan"), 1.0000001])
def test_case_m18_confidences_from_0_to_1_and_missing_ones_are_taken(value: Any) -> None:
    (row,) = pairs_from_dicts([pair(base_confidence=value)]).rows
    number = None if value is None else float(value)
    assert row.base_confidence == (None if number is None or math.isnan(number) else number)


def test_confidences_of_parquet_are_held_to_the_same(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    pq.write_table(pa.Table.from_pylist([pair(base_confidence=0.5), pair(id="p9", base_confidence=1.5)]), path)
    with pytest.raises(InputError, match=r"p\.parquet, row 2 \(p9\) has 1\.5"):
        read_pairs(path)


def test_labels_that_differ_by_case_or_space_are_warned_of_and_never_taken_as_alike(write: Write) -> None:
    path = write("p.jsonl", [pair(), pair(id="p3", base_prediction="Pos ", edited_prediction="POS")])
    read = read_pairs(path)
    assert (read.rows[1].base_prediction, read.rows[1].edited_prediction) == ("Pos ", "POS")
    (warning,) = read.warnings
    assert warning.startswith("2 predictions count as wrong, for they differ from a gold label by case or spaces: ")
    assert "'Pos ' (gold 'pos'), 'POS' (gold 'pos')" in warning
    assert warning.endswith("--label-map 'Pos =pos' --label-map 'POS=pos'")
    mapped = read_pairs(path, label_map={"Pos ": "pos", "POS": "pos"})
    assert mapped.rows[1].base_prediction == "pos"
    assert (list(mapped.warnings), list(mapped.notes)) == (
        [],
        ["Predicted labels taken as gold labels: Pos  -> pos, POS -> pos."],
    )
    with pytest.raises(UsageError, match=r"--label-map of a predicted label \('POS', 'Pos ', 'pos'\), but got 'Neg'"):
        read_pairs(path, label_map={"Neg": "neg"})


def test_outcomes_take_a_label_map_too(tmp_path: Path) -> None:
    columns: dict[str, Any] = {"item_ids": ["i", "i"], "conditions": ["orig", "typo"], "references": ["a", "a"]}
    path = Outcomes.from_columns(predictions=["LABEL_0", "LABEL_1"], **columns).write(tmp_path / "o.parquet")
    (warning,) = read_pairs(path).warnings
    assert "none is a gold label: predicted 'LABEL_0', 'LABEL_1'; gold 'a'." in warning
    mapped = read_pairs(path, label_map={"LABEL_0": "a"})
    assert (mapped.rows[0].base_prediction, list(mapped.warnings)) == ("a", [])
    assert "LABEL_0 -> a" in mapped.notes[0]


def test_a_missing_key_is_not_an_abstention(write: Write) -> None:
    row = pair(id="p9")
    del row["edited_prediction"]
    with pytest.raises(InputError, match=r"\(None if there was none\), but .*line 2 \(p9\) has no edited_prediction"):
        read_pairs(write("p.jsonl", [pair(), row]))


def test_ids_are_numbered_where_there_are_none() -> None:
    rows = [{key: value for key, value in pair().items() if key != "id"} for _ in range(2)]
    assert [row.id for row in pairs_from_dicts(rows).rows] == ["pair 1", "pair 2"]


def outcomes(**more: Any) -> Outcomes:
    return Outcomes.from_columns(
        source="o", predictions=["a", "b", "a", "a", None], references=["a", "b", "a", "a", "a"],
        item_ids=["i", "i", "i", "j", "j"], conditions=["orig", "neg", "typo", "orig", "typo"],
        operators=["", "contrast_negation", "typos", "", "typos"], families=["f", "f", "f", "g", "g"],
        confidences=[0.9, 0.8, 0.7, 0.6, None], **more,
    )  # fmt: skip


def test_an_outcomes_table_is_paired_with_the_reference(tmp_path: Path) -> None:
    read = read_pairs(outcomes().write(tmp_path / "o.parquet"))
    first, second, third = read.rows
    assert first == PairRow(
        "i / neg", "a", "b", "a", "b", operator="contrast_negation", family="f", base_confidence=0.9,
        edited_confidence=0.8,
    )  # fmt: skip
    assert second == replace(first, id="i / typo", edited_label="a", edited_prediction="a", operator="typos",
                             edited_confidence=0.7)  # fmt: skip
    assert (third.id, third.family, third.edited_prediction, third.edited_abstained) == ("j / typo", "g", None, True)


def test_another_reference_and_items_without_it(tmp_path: Path) -> None:
    path = outcomes().write(tmp_path / "o.parquet")
    read = read_pairs(path, reference="neg")
    assert [row.id for row in read.rows] == ["i / orig", "i / typo"]
    assert list(read.notes) == ["Items in no pair, for want of a row under neg: 1."]
    with pytest.raises(UsageError, match="a reference of neg, orig, typo in o, but got 'base'"):
        read_pairs(path, reference="base")


def test_pairs_without_gold_are_left_out_and_counted(tmp_path: Path) -> None:
    columns: dict[str, Any] = {"item_ids": ["i", "i", "j", "j"], "conditions": ["orig", "typo"] * 2}
    made = Outcomes.from_columns(predictions=["a"] * 4, references=["a", "a", -1, -1], **columns)
    read = read_pairs(made.write(tmp_path / "o.parquet"))
    assert [row.id for row in read.rows] == ["i / typo"]
    assert list(read.notes) == ["Rows without a gold label, in no pair: 2."]


def test_a_folder_of_a_run_has_the_texts(tmp_path: Path) -> None:
    outcomes().write(tmp_path / "outcomes.parquet")
    texts = [("i", "orig", "good"), ("i", "neg", "not good"), ("i", "typo", "godo"), ("j", "orig", "fine")]
    rows = [{"item_id": item, "condition": name, "label": "a", "sentence": text} for item, name, text in texts]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "variants.parquet")
    first, _, third = read_pairs(tmp_path).rows
    assert (first.base_text, first.edited_text) == ("good", "not good")
    assert (third.base_text, third.edited_text) == ("fine", None)


def test_one_model_at_a_time(tmp_path: Path) -> None:
    path = outcomes(models=["m", "m", "m", "n", "n"]).write(tmp_path / "o.parquet")
    with pytest.raises(InputError, match=r"has model=m, model=n\. Choose one: --group 'model=m'"):
        read_pairs(path)
    assert [row.id for row in read_pairs(path, group="model=n").rows] == ["j / typo"]
    with pytest.raises(UsageError, match="a group of model=m, model=n in o, but got 'model=x'"):
        read_pairs(path, group="model=x")


def test_a_reference_or_group_is_for_outcomes(write: Write, tmp_path: Path) -> None:
    path = write("p.jsonl", [pair()])
    for how in ({"reference": "orig"}, {"group": "model=m"}):
        with pytest.raises(UsageError, match="Expected outcomes for a reference or a group"):
            read_pairs(path, **how)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="Expected no group, for o has only one"):
        read_pairs(outcomes().write(tmp_path / "o.parquet"), group="model=m")


def test_no_pairs_are_an_empty_set() -> None:
    empty = pairs_from_dicts([])
    assert isinstance(empty, PairSet)
    assert (len(empty), list(empty.rows)) == (0, [])


def test_class_indices_that_pandas_wrote_with_a_point_are_the_same_labels(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("base_label,edited_label,base_prediction,edited_prediction\n1,0,1.0,\n0,1,0.0,1.0\n", "utf-8")
    rows = read_pairs(path).rows
    assert [(row.base_prediction, row.edited_prediction) for row in rows] == [("1", None), ("0", "1")]
