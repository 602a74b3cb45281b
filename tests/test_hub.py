"""Items from the Hub, with `datasets` in place of the network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import datasets
import pytest

from jostle.errors import InputError, UsageError
from jostle.hub import load_hub_items

Hub = Callable[..., list[tuple[Any, ...]]]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Hub:
    """A Hub with one data set; gives the calls made to it."""

    def make(rows: list[dict[str, Any]], configs: list[str], splits: list[str]) -> list[tuple[Any, ...]]:
        calls: list[tuple[Any, ...]] = []

        def load(name: str, config: str | None, split: str) -> datasets.Dataset:
            calls.append((name, config, split))
            return datasets.Dataset.from_list(rows)

        monkeypatch.setattr(datasets, "get_dataset_config_names", lambda name: configs)
        monkeypatch.setattr(datasets, "get_dataset_split_names", lambda name, config: splits)
        monkeypatch.setattr(datasets, "load_dataset", load)
        return calls

    return make


ROWS = [{"premise": f"p{k}", "hypothesis": "h", "label": k % 3, "idx": k} for k in range(6)]


def test_the_configuration_and_split_of_the_task(hub: Hub) -> None:
    calls = hub(ROWS, ["sst2", "mnli"], ["train", "validation_mismatched", "validation_matched", "test_matched"])
    items = load_hub_items("org/glue", "mnli", {})
    assert calls == [("org/glue", "mnli", "validation_matched")]
    assert items.source == "org/glue (validation_matched)"
    assert [item.label for item in items.items][:3] == ["entailment", "neutral", "contradiction"]


def test_a_set_of_one_configuration_and_a_map(hub: Hub) -> None:
    calls = hub([{"body": "x", "topic": "a"}], ["default"], ["train", "test"])
    items = load_hub_items("org/own", "custom", {"text": "body", "label": "topic"})
    assert calls == [("org/own", None, "test")]
    assert items.items[0].label == "a"


def test_limit(hub: Hub) -> None:
    hub(ROWS, ["mnli"], ["validation_matched"])
    assert len(load_hub_items("org/glue", "mnli", {}, limit=2).items) == 2
    assert len(load_hub_items("org/glue", "mnli", {}, limit=99).items) == 6


def test_bad_rows_name_the_row(hub: Hub) -> None:
    hub([*ROWS, {**ROWS[0], "label": 7, "idx": 7}], ["mnli"], ["validation_matched"])
    with pytest.raises(InputError, match=r"org/glue \(validation_matched\), row 7 has 7"):
        load_hub_items("org/glue", "mnli", {})


def test_only_splits_with_gold_labels_are_taken(hub: Hub) -> None:
    hub(ROWS, ["mnli"], ["train", "test_matched"])
    with pytest.raises(InputError, match="an evaluation split with gold labels in org/glue, but it has train, test_m"):
        load_hub_items("org/glue", "mnli", {})


def test_a_set_that_cannot_be_reached() -> None:
    with pytest.raises(InputError, match="no-such-org/no-such-set cannot be loaded: "):
        load_hub_items("no-such-org/no-such-set", "sst2", {})


@pytest.mark.parametrize("name", ["glue", "a/b/c"])
def test_what_is_no_hub_id(name: str) -> None:
    with pytest.raises(UsageError, match=rf"Expected a file or a Hub id ORG/NAME, but got '{name}'"):
        load_hub_items(name, "sst2", {})
