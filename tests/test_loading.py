"""Items of the GLUE tasks and of custom ones: labels by name and by index, and rows that are refused by line."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import InputError, UsageError
from jostle.loading import ItemSet, items_from_rows, load_items
from jostle.rows import RowFile
from jostle.tasks import TASKS

Write = Callable[[str, Any], Path]
GLUE = ("sst2", "mnli", "qqp", "qnli")


def load(task: str, labels: list[Any], mapping: Mapping[str, str] | None = None) -> ItemSet:
    """Items of a task with these gold labels."""
    texts = {name: f"some {name}" for name in TASKS[task].fields}
    rows = [{**texts, "label": label} for label in labels]
    return items_from_rows(RowFile("data.csv", rows, [f"line {k + 2}" for k in range(len(rows))]), task, mapping or {})


@pytest.mark.parametrize("task", GLUE)
@pytest.mark.parametrize(
    "make",
    [
        lambda k, name: k,
        lambda k, name: str(k),
        lambda k, name: float(k),
        lambda k, name: name,
        lambda k, name: f" {name.upper()} ",
    ],
    ids=["index", "digits", "float", "name", "capitals"],
)
def test_labels_mean_the_same_in_every_form(task: str, make: Callable[[int, str], Any]) -> None:
    names = TASKS[task].labels
    items = load(task, [make(k, name) for k, name in enumerate(names)])
    assert [item.label for item in items.items] == list(names)
    assert items.n_unlabelled == 0
    assert items.labels == names
    assert list(items.items[0].fields) == list(TASKS[task].fields)


@pytest.mark.parametrize("task", GLUE)
def test_items_without_a_label_are_counted(task: str) -> None:
    items = load(task, [-1, None, "-1", math.nan, -1.0, 1])
    assert [item.label for item in items.items] == [None] * 5 + [TASKS[task].labels[1]]
    assert items.n_unlabelled == 5
    assert "5 of 6 items have no gold label and are left out" in items.describe()


@pytest.mark.parametrize("label", ["mixed", 2, "2", -2, True, 0.5, "²", "", [1], {"a": 1}])
def test_an_unknown_label_names_the_line(label: Any) -> None:
    with pytest.raises(InputError, match=r"Expected a label of negative, positive .* but data\.csv, line 3 has "):
        load("sst2", [0, label])


@pytest.mark.parametrize("text", [None, "", "  ", 3, ["a"]])
def test_text_that_is_no_text_names_the_line(text: Any) -> None:
    file = RowFile("data.csv", [{"sentence": "ok", "label": 1}, {"sentence": text, "label": 1}], ["line 2", "line 3"])
    with pytest.raises(InputError, match=r"Expected text in column 'sentence', but data\.csv, line 3 has"):
        items_from_rows(file, "sst2", {})


def test_an_unknown_task(write: Write) -> None:
    with pytest.raises(UsageError, match=r"Expected a task of sst2, mnli, qqp, qnli, mcq, custom, but got 'rte'"):
        load_items(write("d.jsonl", [{"a": 1}]), "rte")


def test_limit_takes_the_first_rows(write: Write) -> None:
    path = write("d.jsonl", [{"sentence": f"text {k}", "label": k % 2} for k in range(5)])
    assert [item.fields["sentence"] for item in load_items(path, "sst2", limit=2).items] == ["text 0", "text 1"]
    assert len(load_items(path, "sst2", limit=99).items) == 5


def test_the_limit_also_limits_what_is_checked(write: Write) -> None:
    path = write("d.jsonl", [{"sentence": "fine", "label": 1}, {"sentence": "bad", "label": "what"}])
    assert len(load_items(path, "sst2", limit=1).items) == 1


def test_a_custom_task_of_one_text(write: Write) -> None:
    path = write("d.jsonl", [{"body": "hello", "topic": "greeting"}, {"body": "7 * 6", "topic": 42}])
    items = load_items(path, "custom", {"text": "body", "label": "topic"})
    assert [dict(item.fields) for item in items.items] == [{"text": "hello"}, {"text": "7 * 6"}]
    assert [item.label for item in items.items] == ["greeting", "42"]
    assert items.labels == ()


def test_a_custom_task_of_pairs(write: Write) -> None:
    path = write("d.jsonl", [{"a": "one", "b": "two", "y": "same", "key": "k1"}])
    items = load_items(path, "custom", {"text": "b", "text2": "a", "label": "y", "id": "key"})
    assert items.items[0].fields == {"text": "two", "text2": "one"}
    assert items.items[0].id == "k1"


@pytest.mark.parametrize("mapping", [{}, {"text": "a"}, {"label": "y"}, {"text": "a", "label": "y", "texts": "b"}])
def test_a_custom_task_says_what_it_needs(write: Write, mapping: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="--map text=COLUMN --map label=COLUMN"):
        load_items(write("d.jsonl", [{"a": "x", "y": "z"}]), "custom", mapping)
