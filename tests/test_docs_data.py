"""docs/data.md: every file it shows is read by the command below it, which prints what is shown, with these golds."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.commands.shared import load_items_of
from jostle.items import MCQItem
from jostle.loading import ALIASES, ItemSet
from jostle.rows import SUFFIXES
from jostle.tasks import TASKS

from .predict import generate_models

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "data.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"```(?:csv|jsonl|json) (\S+)\n(.*?)```\n\n```text\n(jostle .*?)\n(.*?)```", re.DOTALL)
EXAMPLES = {name: (content, command, shown) for name, content, command, shown in EXAMPLE.findall(PAGE)}
GOLDS: dict[str, list[str | None]] = {
    "reviews.csv": ["positive", "negative", "negative", None],
    "nli.jsonl": ["entailment", "contradiction"],
    "topics.json": ["sports", "news"],
    "questions.jsonl": ["pear", "tin", "Rhine"],
    "arc.jsonl": ["pear"],
    "obqa.jsonl": ["pear"],
    "letters.csv": ["pear", "tin"],
    "lists.csv": ["pear", "tin"],
    "semicolon.csv": ["positive", "negative"],
    "bare.csv": ["pear", "tin"],
}


def gold(item: Any) -> str | None:
    if isinstance(item, MCQItem):
        return None if item.answer_index is None else item.choices[item.answer_index]
    label: str | None = item.label
    return label


def test_every_file_of_the_page_is_an_example() -> None:
    assert list(EXAMPLES) == list(GOLDS)
    assert len(re.findall(r"^```\w", PAGE, re.MULTILINE)) == 2 * len(GOLDS)


@pytest.mark.parametrize("name", GOLDS)
def test_the_command_reads_the_file(
    name: str,
    jostle: Callable[..., Any],
    write: Callable[..., Path],
    tiny_model: Callable[..., Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    content, command, shown = EXAMPLES[name]
    found: list[ItemSet] = []

    def load(*given: Any) -> ItemSet:
        found.append(load_items_of(*given))
        return found[-1]

    for module in ("run", "generative"):
        monkeypatch.setattr(f"jostle.commands.{module}.load_items_of", load)
    monkeypatch.setattr(generate_models, "LONGEST", 512)
    writes = "--decoding" in command
    labels = ("news", "sports") if "custom" in command else TASKS["mnli" if "mnli" in command else "sst2"].labels
    model = generate_models.save_model("llama", tmp_path / "model") if writes else tiny_model(*labels)
    monkeypatch.chdir(write(name, content).parent)
    done = jostle(*shlex.split(command)[1:], "--model", model, "--operators", "typos", "--dry-run")
    assert done.code == 0, done.err
    printed = done.err.replace("mcq: ", "")
    assert printed.startswith(shown)
    assert [gold(item) for item in found[0].items] == GOLDS[name]


def test_the_table_of_tasks_is_what_is_read() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE))
    for name, task in ((name, task) for name, task in TASKS.items() if task.labels):
        columns, labels = (re.findall(r"`(\w+)`", cell) for cell in rows[name].split(" | "))
        assert columns == [*task.fields, "label"]
        assert labels == list(task.labels)
    assert {"mcq", "custom", "all"} <= set(rows)


def test_every_alias_and_ending_is_named() -> None:
    names = [alias for aliases in ALIASES.values() for alias in aliases if ", " not in alias]
    assert [name for name in (*names, *SUFFIXES) if name not in PAGE] == []
