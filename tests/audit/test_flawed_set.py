"""The example set that is flawed on purpose: every check fires on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.audit.run import check_classes

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Jostle = Callable[..., Any]


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    pytest.importorskip("sentence_transformers", reason="the packaged encoder needs sentence-transformers")
    from jostle.audit import audit, load

    evalset = load(EXAMPLES / "flawed_set.jsonl", {"label": "topic"})
    return audit(evalset, results=[EXAMPLES / "flawed_set_results.csv"]).to_dict()


def found(document: dict[str, Any]) -> dict[str, dict[str, list[str]]]:
    """Cases by check and kind of finding."""
    result: dict[str, dict[str, list[str]]] = {}
    for check in document["checks"]:
        for finding in check["findings"]:
            result.setdefault(check["name"], {}).setdefault(finding["kind"], []).extend(finding["case_ids"])
    return result


def test_every_check_warns(document: dict[str, Any]) -> None:
    warned = {
        check["name"]
        for check in document["checks"]
        if any(finding["severity"] == "warning" for finding in check["findings"])
    }
    assert warned == set(check_classes())
    assert document["gate"]["incomplete"] == []


def test_the_flaws_that_were_put_in_are_found(document: dict[str, Any]) -> None:
    kinds = found(document)
    assert {"imbalance", "small_class", "gold_position"} <= set(kinds["class_balance"])
    assert kinds["duplicates"]["contradicting_gold"] == ["q12", "q13"]
    assert kinds["duplicates"]["normalised_identical"] == ["q01", "q02"]
    assert kinds["duplicates"]["identical"] == ["q03", "q04"]
    assert set(kinds["duplicates"]["near_duplicates"]) == {"q05", "q06", "q07", "q08"}
    assert kinds["duplicates"]["repeated_options"] == ["q19"]
    assert kinds["duplicates"]["template"] == ["q09", "q10", "q11"]
    assert kinds["leakage"]["answer_announced"] == ["q14"]
    assert "longest_cue" in kinds["leakage"]
    assert kinds["ambiguity"]["impossible_gold"] == ["q20"]
    assert kinds["ambiguity"]["gold_option_twice"] == ["q16", "q17", "q19"]
    assert {"floor", "inverted", "non_discriminating"} <= set(kinds["discrimination"])
    assert "q36" not in kinds["discrimination"]["floor"]


def test_the_results_are_of_these_cases() -> None:
    ids = {json.loads(line)["id"] for line in (EXAMPLES / "flawed_set.jsonl").read_text("utf-8").splitlines()}
    lines = (EXAMPLES / "flawed_set_results.csv").read_text("utf-8").splitlines()
    assert {line.split(",")[0] for line in lines[1:]} <= ids
    assert len(ids) == 40
