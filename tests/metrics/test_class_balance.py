"""The measurement class_balance: ways to hand labels in, its card and page, and staying clean after an error."""

from __future__ import annotations

import contextlib
import doctest
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy import stats

LABELS = ["a", "a", "a", "b", None]
TEXTS = ["one", "one two", "one two three", "one", "one"]
Same = Callable[[Any, Any], bool]


@pytest.fixture(scope="module")
def module(load: Callable[..., Any]) -> Any:
    return load("class_balance")


@pytest.fixture(scope="module")
def card(repo: Path) -> str:
    return (repo / "metrics" / "class_balance" / "README.md").read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert found
    return found.group(1)


def named(table: str) -> list[str]:
    return [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]


def test_numbers_by_hand(module: Any) -> None:
    result = module.compute(labels=LABELS, texts=TEXTS, min_count=2)
    assert (result["n_cases"], result["n_labelled"], result["n_classes"]) == (5, 4, 2)
    assert (result["imbalance_ratio"], result["majority_share"], result["majority_class"]) == (3.0, 0.75, "a")
    assert (result["small_by_count"], result["small_by_share"]) == (["b"], [])  # 1 < 2, and 0.25 >= 0.1
    assert result["length"]["words_mean"] == pytest.approx(8 / 5)
    assert result["words_median_by_class"] == {"a": 2.0, "b": 1.0}
    assert result["signature"].endswith("|min_share=0.1|min_count=2|n_options=no")
    json.dumps(result)


def test_all_ways_in_give_the_same(module: Any, same: Same) -> None:
    expected = module.compute(labels=LABELS)
    module.add_batch(labels=LABELS[:2])
    for label in LABELS[2:]:
        module.add(labels=label)
    assert len(module) == 5
    assert same(module.compute(), expected)
    for labels in (pd.Series(LABELS), tuple(LABELS), np.array(LABELS, dtype=object)):
        assert same(module.compute(labels=labels), expected)
    numbers = module.compute(labels=[1, 1.0, True, 0, -1])
    assert numbers["count_by_class"] == {"1": 3, "0": 1}
    assert numbers["n_unlabelled"] == 1


def test_gold_positions(module: Any) -> None:
    result = module.compute(labels=[0] * 12 + [1] * 8, n_options=2)
    assert result["position_p_value"] == pytest.approx(stats.chisquare([12, 8]).pvalue)
    assert (result["position_best_share"], result["position_chance"]) == (0.6, 0.5)
    apart = module.compute(labels=[0] * 12 + [1] * 8 + [2], n_options=[2] * 20 + [3])
    assert apart["position_chi2"] == pytest.approx(result["position_chi2"])
    assert np.isnan(module.compute(labels=LABELS)["position_p_value"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"labels": "ab"}, "list of labels, but got str"),
        ({"labels": 5}, "list of labels, but got int"),
        ({"texts": ["a"]}, "texts alone"),
        ({"labels": [1], "texts": ["a", "b"]}, "1 labels for 2 texts"),
        ({"labels": [1], "tolerance": 1}, "min_share, min_count and n_options, but got 'tolerance'"),
        ({"labels": [1], "min_share": 2}, "a least share in"),
        ({"labels": ["x"], "n_options": 4}, "labels from 0 to 3 with `n_options`, but got 'x'"),
        ({"labels": [4], "n_options": 4}, "labels from 0 to 3 with `n_options`, but got '4'"),
        ({"labels": [1], "n_options": [4, 4]}, "as one number or 1, but got 2"),
    ],
)
def test_what_cannot_be_measured_is_refused(module: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        module.compute(**given)


def test_a_failed_batch_discards_the_round(module: Any, same: Same) -> None:
    expected = module.compute(labels=LABELS)
    for spoil in ({"labels": "text"}, {"labels": ["a"], "predictions": ["b"]}, {"texts": ["a"]}):
        module.add_batch(labels=LABELS)
        with pytest.raises(ValueError, match="The 5 pending rows of this process were discarded"):
            module.add_batch(**spoil)
        assert len(module) == 0
    module.add_batch(labels=LABELS)
    assert same(module.compute(), expected)


def test_no_labels(module: Any) -> None:
    result = module.compute(labels=[None, None])
    assert (result["n_cases"], result["n_labelled"], result["count_by_class"]) == (2, 0, {})
    assert np.isnan([result["imbalance_ratio"], result["majority_share"], result["balance"]]).all()


@pytest.mark.slow
def test_it_loads_without_jostle(repo: Path) -> None:
    code = (
        "import sys; sys.modules['jostle'] = None\n"
        "import evaluate\n"
        "m = evaluate.load('metrics/class_balance')\n"
        "assert m.compute(labels=['a', 'a', 'b'])['imbalance_ratio'] == 2\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=repo, check=True)


def test_the_script_imports_every_helper_that_lies_beside_it(repo: Path) -> None:
    folder = repo / "metrics" / "class_balance"
    script = (folder / "class_balance.py").read_text(encoding="utf-8")
    imported = set(re.findall(r"^from \.(\w+) import", script, flags=re.MULTILINE))
    assert imported == {path.stem for path in folder.glob("*.py") if path.is_symlink()} - {"metric_page"}


def test_card_has_the_keys_the_options_and_the_front_matter(card: str, module: Any) -> None:
    assert named(section(card, "Output values")) == list(module.compute(labels=LABELS))
    options = {n for n, p in inspect.signature(module.measure).parameters.items() if p.kind is p.KEYWORD_ONLY}
    assert set(named(section(card, "Options"))) == options
    assert named(section(card, "Inputs")) == ["labels", "texts"]
    front = yaml.safe_load(card.split("---\n")[1])
    assert (front["sdk"], front["tags"], front["title"]) == ("gradio", ["evaluate", "measurement"], "Class Balance")
    assert " ".join(module.citation.split()) in " ".join(section(card, "Citation").split())


def test_card_examples_give_what_they_show(card: str, repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(>>>.*?)```", section(card, "Examples"), flags=re.DOTALL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "card", None, 0)
    with contextlib.chdir(repo):
        failed = doctest.DocTestRunner().run(test).failed
    assert not failed, capsys.readouterr().out
    assert len(test.examples) > 4


@pytest.mark.slow
def test_its_page_measures_its_example(repo: Path) -> None:
    code = "import app, json\ntable, data = app.page.handle(app.EXAMPLE, None)\nprint(json.dumps(data))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repo / "metrics" / "class_balance", check=True, stdout=subprocess.PIPE
    )
    result = json.loads(done.stdout)
    assert (result["imbalance_ratio"], result["small_by_count"]) == (6.0, ["bug", "refund"])
