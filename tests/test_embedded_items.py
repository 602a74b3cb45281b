"""The embedded items: readable, balanced, and their variants keep what they promise."""

from __future__ import annotations

from collections import Counter

import pytest

from jostle.embedded_items import CONTRAST, PARAPHRASE, TASKS, embedded_items, embedded_rows
from jostle.items import Item, MCQItem


@pytest.mark.parametrize("task", TASKS)
def test_items_are_read_with_labels_and_distinct_ids(task: str) -> None:
    items = embedded_items(task)
    assert items.task == task
    assert items.n_unlabelled == 0
    assert len({item.id for item in items.items}) == len(items.items) > 20
    assert all(isinstance(item, MCQItem if task == "mcq" else Item) for item in items.items)


@pytest.mark.parametrize("task", [task for task in TASKS if task != "mcq"])
def test_no_class_is_rare(task: str) -> None:
    items = embedded_items(task)
    counts = Counter(item.label for item in items.items)
    assert set(counts) == set(items.labels)
    assert min(counts.values()) >= 0.2 * len(items.items)


@pytest.mark.parametrize("task", TASKS)
def test_every_item_has_a_paraphrase_that_differs(task: str) -> None:
    items = embedded_items(task)
    paraphrases = [variant for variant in items.variants if variant.condition == PARAPHRASE]
    assert [variant.base for variant in paraphrases] == list(items.items)
    assert all(variant.item.fields != variant.base.fields for variant in paraphrases)
    assert all((variant.item.label, variant.relation) == (variant.base.label, "invariant") for variant in paraphrases)


@pytest.mark.parametrize("task", TASKS)
def test_contrasts_change_text_and_label(task: str) -> None:
    contrasts = [variant for variant in embedded_items(task).variants if variant.condition == CONTRAST]
    assert len(contrasts) > 10
    assert all(variant.item.fields != variant.base.fields for variant in contrasts)
    assert all(variant.item.label != variant.base.label for variant in contrasts)
    assert {variant.relation for variant in contrasts} == {"changed"}
    assert all(variant.operator for variant in contrasts)


def test_no_variant_claims_a_review_that_nobody_made() -> None:
    assert {variant.reviewed for task in TASKS for variant in embedded_items(task).variants} == {None}


def test_limit() -> None:
    items = embedded_items("sst2", limit=3)
    assert [item.id for item in items.items] == [str(row["id"]) for row in embedded_rows("sst2")[:3]]
    assert {variant.base.id for variant in items.variants} == {item.id for item in items.items}
