"""The comparison discrimination: ways to hand rows in, its card and page, and staying clean after an error."""

from __future__ import annotations

import doctest
import json
import math
import re
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from jostle.measures.options import COLUMNS, REQUIRED

Columns = dict[str, list[Any]]
Same = Callable[[Any, Any], bool]
# By item, whether small, middle and large are right.
RIGHT = {"sum": (0, 1, 1), "capital": (1, 1, 1), "date": (0, 0, 0), "prime": (0, 0, 1)}
MODELS = ("small", "middle", "large")


@pytest.fixture(scope="module")
def module(load: Callable[..., Any]) -> Any:
    return load("discrimination")


@pytest.fixture(scope="module")
def card(repo: Path) -> str:
    return (repo / "metrics" / "discrimination" / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def rows() -> Columns:
    return {
        "predictions": [right for row in RIGHT.values() for right in row],
        "references": [1] * 12,
        "item_ids": [item for item in RIGHT for _ in MODELS],
        "conditions": ["orig"] * 12,
        "models": list(MODELS) * 4,
    }


def section(text: str, title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert found
    return found.group(1)


def named(table: str) -> list[str]:
    cells = [re.split(r"(?<!\\)\|", line)[1] for line in table.splitlines() if line.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_numbers_by_hand(module: Any, rows: Columns) -> None:
    result = module.compute(**rows)
    assert result["models"] == ["small", "middle", "large"]
    assert result["accuracy_by_model"] == {"small": 0.25, "middle": 0.5, "large": 0.75}
    assert (result["n_discriminating"], result["ceiling_item_ids"], result["floor_item_ids"]) == (
        2,
        ["capital"],
        ["date"],
    )
    assert result["difference_by_pair"] == {"small | middle": 0.25, "small | large": 0.5, "middle | large": 0.25}
    # pairs of models differ on 1, 2 and 1 of 4 items
    assert result["median_discordance"] == 0.25
    assert json.loads(json.dumps(result)).keys() == result.keys()


def test_all_ways_in_give_the_same(module: Any, rows: Columns, same: Same) -> None:
    expected = module.compute(**rows)
    module.add_batch(**{name: column[:5] for name, column in rows.items()})
    module.add_batch(**{name: column[5:] for name, column in rows.items()})
    assert same(module.compute(), expected)
    for values in zip(*rows.values(), strict=True):
        row = dict(zip(rows, values, strict=True))
        module.add(prediction=row.pop("predictions"), reference=row.pop("references"), **row)
    assert same(module.compute(), expected)
    assert len(module) == 0


def test_order_of_rows_changes_nothing(module: Any, rows: Columns, same: Same) -> None:
    turned = {name: column[::-1] for name, column in rows.items()}
    assert same(module.compute(**turned), module.compute(**rows))


def test_one_model_or_none_named_is_an_error_and_nothing_stays_pending(module: Any, rows: Columns) -> None:
    with pytest.raises(ValueError, match=r"Expected two or more models, but got 1: \['small'\]"):
        module.compute(**{name: column[:1] for name, column in rows.items()})
    del rows["models"]
    with pytest.raises(ValueError, match="Expected a column `models`"):
        module.compute(**rows)
    assert len(module) == 0


def test_items_that_a_model_lacks(module: Any, rows: Columns) -> None:
    short = {name: column[:-1] for name, column in rows.items()}  # large has no prime
    with pytest.raises(ValueError, match=r"'large' lacks 1 of 4 \('prime' is one\)\. Pass missing='intersect'"):
        module.compute(**short)
    result = module.compute(**short, missing="intersect")
    assert (result["dropped"], result["n_missing"], result["n_measured"]) == (["prime"], 1, 3)


def test_the_reference_condition_is_taken(module: Any, rows: Columns, same: Same) -> None:
    typos = rows | {"predictions": [0] * 12, "conditions": ["pert/typos"] * 12}
    both = {name: rows[name] + typos[name] for name in rows}
    assert same(module.compute(**both), module.compute(**rows))
    assert module.compute(**both, reference="pert/typos")["n_floor"] == 4
    with pytest.raises(ValueError, match="Expected a condition 'orig' to compare the models on, but got"):
        module.compute(**{**both, "conditions": ["a"] * 12 + ["b"] * 12})


def test_samples_that_differ_are_unstable(module: Any, rows: Columns) -> None:
    twice = {name: column * 2 for name, column in rows.items()} | {"samples": [0] * 12 + [1] * 12}
    twice["predictions"][12] = 1  # the second sample of small on sum
    result = module.compute(**twice)
    assert (result["n_unstable"], result["unstable_item_ids"], result["n_measured"]) == (1, ["sum"], 3)
    del twice["samples"]
    with pytest.raises(ValueError, match="has 2 rows"):
        module.compute(**twice)


def test_groups_are_tasks(module: Any, rows: Columns, same: Same) -> None:
    alone = module.compute(**rows)
    twice = {name: column * 2 for name, column in rows.items()} | {"tasks": ["a"] * 12 + ["b"] * 12}
    groups = module.compute(**twice)["by_group"]
    assert set(groups) == {"task=a", "task=b"}
    assert same(groups["task=b"] | {"signature": alone["signature"]}, alone)


def test_no_rows_give_nan_and_not_zero(module: Any, rows: Columns) -> None:
    result = module.compute(**{name: [] for name in rows})
    assert math.isnan(result["discriminating_share"])
    assert result["degenerate"]


def test_card_names_the_columns_and_keys_that_there_are(module: Any, card: str, rows: Columns) -> None:
    assert sorted(named(section(card, "Output values"))) == sorted(module.compute(**rows))
    inputs = section(card, "Inputs")
    assert sorted(named(inputs)) == sorted(COLUMNS)
    required = "\n".join(line for line in inputs.splitlines() if "| yes |" in line)
    assert named(required) == [*REQUIRED, "models"]


def test_card_front_and_citation(module: Any, card: str) -> None:
    front = yaml.safe_load(card.split("---\n")[1])
    assert front["title"].lower() == "discrimination"
    assert front["tags"] == ["evaluate", "comparison"]
    assert " ".join(module.citation.split()) in " ".join(section(card, "Citation").split())


def test_card_examples(
    card: str, repo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(repo)
    blocks = re.findall(r"```python\n(>>>.*?)```", section(card, "Examples"), flags=re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "card", None, 0)
    assert len(test.examples) > 4
    assert not doctest.DocTestRunner().run(test).failed, capsys.readouterr().out


def test_page_shows_the_numbers_of_its_example(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gradio", reason="gradio is not installed")
    folder = repo / "metrics" / "discrimination"
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "metric_page", raising=False)
    page = runpy.run_path(str(folder / "app.py"))["page"]
    html, data = page.handle(page.example, None, *[None] * len(page.settings))
    # sum and prime tell apart, capital is at the ceiling, date at the floor
    assert (data["discriminating_share"], data["n_ceiling"], data["n_floor"], data["n_inverted"]) == (0.5, 1, 1, 0)
    assert "discriminating" in html
    sys.modules.pop("metric_page", None)
