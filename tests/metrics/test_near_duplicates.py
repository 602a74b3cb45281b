"""The measurement near_duplicates: ways to hand texts in, its card, and staying clean after an error."""

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

TEXTS = ["How far is 3 km?", "how far is 3 km", "Who made the big red clock?", "Who made teh big red clock?", "Why?"]
LABELS = ["a", "b", 1, 1.0, None]
Same = Callable[[Any, Any], bool]


@pytest.fixture(scope="module")
def module(load: Callable[..., Any]) -> Any:
    return load("near_duplicates")


@pytest.fixture(scope="module")
def card(repo: Path) -> str:
    return (repo / "metrics" / "near_duplicates" / "README.md").read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert found
    return found.group(1)


def named(table: str) -> list[str]:
    return [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]


def test_numbers_by_hand(module: Any) -> None:
    result = module.compute(texts=TEXTS, labels=LABELS)
    # {0 1} {2 3} {4}: 5 - 2 = 3; 25 / (4 + 4 + 1)
    assert (result["n_cases"], result["effective_scenarios"]) == (5, 3)
    assert result["effective_by_weight"] == pytest.approx(25 / 9)
    assert [(c["level"], c["rows"], c["gold"]) for c in result["clusters"]] == [
        ("normalised", [0, 1], "contradicting"), ("typo", [2, 3], "shared"),
    ]  # fmt: skip
    assert result["signature"].startswith("near_duplicates|jostle=")
    assert json.loads(json.dumps(result)) == result


def test_all_ways_in_give_the_same(module: Any, same: Same) -> None:
    expected = module.compute(texts=TEXTS, labels=LABELS)
    module.add_batch(texts=TEXTS[:2], labels=LABELS[:2])
    for text, label in zip(TEXTS[2:], LABELS[2:], strict=True):
        module.add(texts=text, labels=label)
    assert len(module) == 5
    assert same(module.compute(), expected)
    for texts in (np.array(TEXTS), pd.Series(TEXTS), tuple(TEXTS), [[text] for text in TEXTS]):
        assert same(module.compute(texts=texts, labels=LABELS), expected)


def test_options_reach_pending_rows(module: Any) -> None:
    vectors = np.eye(5)
    vectors[4] = vectors[0] + 0.5 * vectors[4]  # cosine 1 / sqrt(1.25) = 0.894
    module.add_batch(texts=TEXTS)
    near = module.compute(embeddings=vectors, threshold=0.89)
    assert [c["rows"] for c in near["clusters"] if c["level"] == "near"] == [[0, 1, 4]]
    assert near["signature"].endswith("|threshold=0.89|embeddings=given")
    assert near["levels_run"][-1] == "near"


def test_parts_must_all_agree(module: Any) -> None:
    result = module.compute(texts=[("A man.", "He sits."), ("a man", "he sits"), ("A man.", "He runs.")])
    assert [c["rows"] for c in result["clusters"]] == [[0, 1]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"texts": "one text"}, "list of texts, but got str"),
        ({"texts": ["a", None]}, "got None in row 1"),
        ({"texts": ["a", ["b", "c"]]}, "as many parts in each of `texts`, but got 1 and 2"),
        ({"texts": ["a"], "labels": [1, 2]}, "2 labels for 1 texts"),
        ({"labels": [1]}, "labels alone"),
        ({"texts": ["a"], "tolerance": 1}, "options threshold and embeddings, but got 'tolerance'"),
        ({"texts": ["a"], "threshold": 0}, "above 0 and at most 1, but got 0"),
        ({"texts": ["a"], "embeddings": [[1], [2]]}, "1 vectors, one for each text"),
    ],
)
def test_what_cannot_be_measured_is_refused(module: Any, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        module.compute(**given)


def test_a_failed_batch_discards_the_round(module: Any, same: Same) -> None:
    expected = module.compute(texts=TEXTS)
    for spoil in ({"texts": [5]}, {"texts": ["a"], "predictions": ["b"]}, {"labels": [1]}):
        module.add_batch(texts=TEXTS)
        with pytest.raises(ValueError, match="The 5 pending rows of this process were discarded"):
            module.add_batch(**spoil)
        assert len(module) == 0
    module.add_batch(texts=TEXTS)
    with pytest.raises(ValueError, match="no pending rows when texts are passed, but 5"):
        module.compute(texts=TEXTS)
    module.add_batch(texts=TEXTS)
    with pytest.raises(ValueError, match="'nope'"):
        module.compute(nope=1)
    module.add_batch(texts=TEXTS)
    assert same(module.compute(), expected)


def test_an_empty_set_has_no_shares(module: Any) -> None:
    result = module.compute(texts=[])
    assert (result["n_cases"], result["effective_scenarios"], result["clusters"]) == (0, 0, [])
    assert np.isnan([result["redundant_share"], result["largest_share"], result["effective_by_weight"]]).all()


@pytest.mark.slow
def test_two_processes_share_a_round(load: Callable[..., Any], tmp_path: Path, same: Same) -> None:
    options = {"num_process": 2, "experiment_id": "near", "cache_dir": str(tmp_path)}
    second = load("near_duplicates", process_id=1, **options)
    code = (
        "import evaluate\n"
        f"m = evaluate.load('metrics/near_duplicates', process_id=0, **{options!r})\n"
        f"m.add_batch(texts={TEXTS[:2]!r})\n"
        "import json; print(json.dumps(m.compute()))"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as first:
        second.add_batch(texts=TEXTS[2:])
        assert second.compute() is None
        out, _ = first.communicate(timeout=120)
    expected = load("near_duplicates").compute(texts=TEXTS)
    assert same(json.loads(out), expected)


@pytest.mark.slow
def test_it_loads_without_jostle(repo: Path) -> None:
    code = (
        "import sys; sys.modules['jostle'] = None\n"
        "import evaluate\n"
        "m = evaluate.load('metrics/near_duplicates')\n"
        "assert m.compute(texts=['a b', 'A b.'])['effective_scenarios'] == 1\n"
    )
    subprocess.run([sys.executable, "-c", code], cwd=repo, check=True)


def test_the_script_imports_every_helper_that_lies_beside_it(repo: Path) -> None:
    folder = repo / "metrics" / "near_duplicates"
    script = (folder / "near_duplicates.py").read_text(encoding="utf-8")
    imported = set(re.findall(r"^from \.(\w+) import", script, flags=re.MULTILINE))
    links = {path.stem for path in folder.glob("*.py") if path.is_symlink()} - {"metric_page"}
    assert imported == links
    for name in links:
        used = re.findall(
            r"^from \.(\w+) import", (folder / f"{name}.py").read_text(encoding="utf-8"), flags=re.MULTILINE
        )
        assert set(used) <= links


def test_card_has_the_keys_the_options_and_the_front_matter(card: str, module: Any) -> None:
    assert named(section(card, "Output values")) == list(module.compute(texts=TEXTS))
    options = {n for n, p in inspect.signature(module.measure).parameters.items() if p.kind is p.KEYWORD_ONLY}
    assert set(named(section(card, "Options"))) == options
    assert named(section(card, "Inputs")) == ["texts", "labels"]
    front = yaml.safe_load(card.split("---\n")[1])
    assert (front["sdk"], front["tags"], front["title"]) == ("gradio", ["evaluate", "measurement"], "Near Duplicates")
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
    code = (
        "import app, json\n"
        "table, data = app.page.handle(app.EXAMPLE, None)\n"
        "texts = [part['props'].get('value') for part in app.page.build().config['components']]\n"
        "assert app.page.about in texts and app.page.card in texts\n"
        "print(json.dumps(data))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=repo / "metrics" / "near_duplicates", check=True, stdout=subprocess.PIPE
    )
    result = json.loads(done.stdout)
    assert [(c["level"], c["rows"], c["gold"]) for c in result["clusters"]] == [
        ("normalised", [0, 1], "contradicting"), ("template", [0, 1, 2], "different"), ("typo", [3, 4], "shared"),
    ]  # fmt: skip
