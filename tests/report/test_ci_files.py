"""JUnit, SARIF and model-index: what other programs read out of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from huggingface_hub import ModelCard

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]
FAST = ("--resamples", "200")
N = 200


def outcomes(model: str, right: int) -> list[dict[str, Any]]:
    return [
        {"item_ids": f"i{k}", "conditions": condition, "models": model, "references": 1,
         "predictions": int(condition == "orig" or k < right)}
        for k in range(N) for condition in ("orig", "pert/x")
    ]  # fmt: skip


@pytest.fixture
def path(write: Write) -> Path:
    return write("outcomes.jsonl", outcomes("frag\x1bile & <b>", 100) + outcomes("steady", 194))


@pytest.mark.parametrize(("fail_on", "failures"), [("never", 0), ("fragile", 1), ("inconclusive", 2)])
def test_junit_has_a_test_a_group(path: Path, jostle: Jostle, tmp_path: Path, fail_on: str, failures: int) -> None:
    file = tmp_path / "junit.xml"
    done = jostle("report", path, *FAST, "--junit", file, "--fail-on", fail_on)
    suite = ET.parse(file).getroot().find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", str(failures), "0")
    assert len(suite.findall("testcase/failure")) == failures
    assert done.code == int(failures > 0)


def test_junit_of_what_was_not_measured_is_an_error(write: Write, jostle: Jostle, tmp_path: Path) -> None:
    file = tmp_path / "junit.xml"
    assert jostle("report", write("r.json", '{"orig": [true]}'), "--junit", file).code == 3
    suite = ET.parse(file).getroot().find("testsuite")
    assert suite is not None
    assert suite.get("errors") == "1"


def test_sarif_has_a_result_a_group(path: Path, jostle: Jostle, tmp_path: Path) -> None:
    file = tmp_path / "jostle.sarif"
    jostle("report", path, *FAST, "--sarif", file)
    document = json.loads(file.read_text("utf-8"))
    (run,) = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert document["version"] == "2.1.0"
    assert [result["level"] for result in run["results"]] == ["error", "warning"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith("outcomes.jsonl")


def test_a_model_card_reads_the_model_index(write: Write, jostle: Jostle) -> None:
    path = write("outcomes.jsonl", outcomes("m", 100))
    flags = ("--model-index", "--model-name", "org/model", "--data-set", "sst2")
    done = jostle("report", path, *FAST, *flags)
    card = ModelCard(f"---\n{done.out}---\n# model\n")
    results = {result.metric_name: result for result in card.data.eval_results}
    assert card.data.model_name == "org/model"
    assert results["Accuracy, pert/x"].metric_value == 0.5
    assert results["Invariance drift"].metric_value == 0.5
    assert results["Flip rate"].dataset_name == "sst2"
    assert "Robustness ratio" not in results  # undefined: no para, no adv
