"""A run in memory: the plan, and what is counted rather than measured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jostle.errors import InputError
from jostle.items import AnyItem, Item
from jostle.perturb import NotApplicable, Variant
from jostle.predict.classify import Classifier, load_classifier
from jostle.run import Plan, classify, manifest, plan, rows_read, write_variants

LABELS = ("negative", "positive")


def item(name: str, text: str = "a film", label: str | None = "positive") -> Item:
    return Item(name, "sst2", {"sentence": text}, label)


def variant(base: AnyItem, text: str, condition: str = "pert/x", label: str | None = "positive") -> Variant:
    relation = "invariant" if label == base.label else "changed"
    edited = base.with_fields({"sentence": text}).with_label(label)
    return Variant(edited, base, condition, "x", "pert", relation, "first", 0, ())


@pytest.fixture(scope="module")
def classifier(tiny_model: Callable[..., Path]) -> Classifier:
    pytest.importorskip("transformers", reason="transformers is not installed")
    return load_classifier(str(tiny_model(*LABELS)), LABELS, max_length=8)


def run(planned: Plan, classifier: Classifier) -> Any:
    return classify(planned, classifier, classifier.encode([row.texts for row in planned.rows]), "sst2")


def test_originals_come_first_and_unlabelled_items_stay_out() -> None:
    a, b, c = item("a"), item("b", label=None), item("c")
    planned = plan([a, b, c], [variant(a, "A film"), variant(b, "B"), variant(c, "C", "para/y")])
    assert [(row.base.id, row.condition) for row in planned.rows] == [
        ("a", "orig"), ("c", "orig"), ("a", "pert/x"), ("c", "para/y")
    ]  # fmt: skip
    assert planned.conditions == ["orig", "pert/x", "para/y"]
    assert planned.rows[2].texts == ("A film",)


def test_what_did_not_apply_is_counted_by_condition_and_reason() -> None:
    reasons = [NotApplicable("nothing to change", "typos", "pert/typos", name) for name in "ab"]
    planned = plan([item("a"), item("b")], [*reasons, NotApplicable("no slot", "cyclic_order")])
    assert planned.not_applicable == {"pert/typos": {"nothing to change": 2}, "cyclic_order": {"no slot": 1}}


def test_no_gold_labels_at_all() -> None:
    with pytest.raises(InputError, match="Expected gold labels, but none of the 2 items has one"):
        plan([item("a", label=None), item("b", label=None)], [])


def test_two_variants_of_one_condition() -> None:
    a = item("a")
    with pytest.raises(InputError, match=r"item 'a' has 2 of condition 'pert/x'"):
        plan([a], [variant(a, "one"), variant(a, "two")])


def test_outcomes_have_a_row_for_every_input(classifier: Classifier) -> None:
    a, b = item("a"), item("b", "dull", "negative")
    contrast = variant(a, "no film", "contrast", "negative")
    outcomes = run(plan([a, b], [variant(a, "film a"), contrast]), classifier)
    columns = {name: array.to_pylist() for name, array in outcomes.columns.items()}
    assert columns["item_ids"] == ["a", "b", "a", "a"]
    assert columns["conditions"] == ["orig", "orig", "pert/x", "contrast"]
    assert columns["references"] == ["positive", "negative", "positive", "negative"]
    assert columns["relations"] == ["invariant", "invariant", "invariant", "changed"]
    assert columns["operators"] == ["orig", "orig", "x", "x"]
    assert columns["families"] == ["a", "b", "a", "a"]
    assert set(columns["predictions"]) <= set(LABELS)
    assert all(0.5 <= confidence <= 1 for confidence in columns["confidences"])
    assert outcomes.texts["a", "pert/x"] == "film a"
    assert outcomes.counts == {"orig": {}, "pert/x": {}, "contrast": {}}


def test_r02_an_edit_behind_the_cut_is_left_out_and_counted(classifier: Classifier) -> None:
    a = item("a", "a b c d e f g")
    planned = plan([a], [variant(a, "a b c d e f h"), variant(a, "b a c d e f g", "pert/y")])
    outcomes = run(planned, classifier)
    assert outcomes.columns["conditions"].to_pylist() == ["orig", "pert/y"]
    assert outcomes.counts["pert/x"] == {"truncated": 1, "edit lost to truncation": 1}
    assert outcomes.counts["pert/y"] == outcomes.counts["orig"] == {"truncated": 1}


def test_an_edit_the_tokenizer_does_not_see_is_kept_and_counted(classifier: Classifier) -> None:
    a = item("a")
    outcomes = run(plan([a], [variant(a, "A  FILM")]), classifier)
    predictions = outcomes.columns["predictions"].to_pylist()
    assert len(predictions) == 2
    assert predictions[0] == predictions[1]
    assert outcomes.counts["pert/x"] == {"identical input": 1}


def test_reasons_for_no_variant_reach_the_outcomes(classifier: Classifier) -> None:
    outcomes = run(plan([item("a")], [NotApplicable("nothing to change", "x", "pert/x", "a")]), classifier)
    assert outcomes.counts == {"orig": {}, "pert/x": {"nothing to change": 1}}


def test_variants_are_written_as_the_model_read_them(tmp_path: Path) -> None:
    a = item("a")
    path = write_variants(rows_read(plan([a], [variant(a, "no film", "contrast", "negative")])), tmp_path)
    assert pq.read_table(path).to_pylist() == [
        {"item_id": "a", "condition": "orig", "operator": "", "relation": "invariant", "label": "positive",
         "sentence": "a film"},
        {"item_id": "a", "condition": "contrast", "operator": "x", "relation": "changed", "label": "negative",
         "sentence": "no film"},
    ]  # fmt: skip


def test_the_manifest_counts_what_was_left_out(classifier: Classifier) -> None:
    outcomes = run(plan([item("a")], [NotApplicable("no", "x", "pert/x", "a")]), classifier)
    record = manifest({"seed": 0}, classifier, outcomes)
    assert record["rows"] == 1
    assert record["settings"] == {"seed": 0}
    assert record["left_out_by_condition"]["pert/x"] == {"no": 1}
    assert record["versions"].keys() >= {"torch", "transformers", "tokenizers"}
