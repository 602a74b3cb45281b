"""One contract over every check of an audit: the modules of `jostle.audit` that name a class as `CHECK`."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jostle.audit import Case, CheckResult, EvalSet, load
from jostle.audit.base import NotRun
from jostle.audit.run import check_classes

CHECKS = check_classes()
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OPTIONS: dict[str, dict[str, Any]] = {"duplicates": {"near": False}}  # the encoder has tests of its own
SCRIPTS = {
    "Chinese": "这部电影的结局让我非常失望", "Arabic": "الفيلم جيد جدا",
    "Hindi": "यह फिल्म अच्छी है", "Thai": "ภาพยนตร์ดีมาก",
    "emoji": "\U0001f600 \U0001f44d\U0001f3fd", "decomposed": "nai\u0308ve cafe\u0301", "bidi": "\u202eabc\u202c",
    "zero width": "a\u200bb\u200dc\ufeff", "controls": "a\x07b\x1b[31mc", "lone surrogate": "a\ud800b",
}  # fmt: skip
Write = Callable[[str, Any], Path]
every = pytest.mark.parametrize("name", CHECKS)


def labelled(n: int = 40) -> EvalSet:
    cases = [Case(f"c{k}", f"The film {k % 7} is {('good', 'bad')[k % 2]}.", {"input": ""}, ("pos", "neg")[k % 3 == 0])
             for k in range(n)]  # fmt: skip
    return EvalSet([replace(case, fields={"input": case.text}) for case in cases], {"input": "input"}, "labelled")


def paired(n: int = 40) -> EvalSet:
    sides = [(f"The dog {k % 9} ran.", f"{('A', 'No')[k % 2]} dog ran.") for k in range(n)]
    fields = {"premise": "premise", "hypothesis": "hypothesis"}
    cases = [Case(f"c{k}", "\n".join(pair), dict(zip(fields, pair, strict=True)), ("yes", "no")[k % 2])
             for k, pair in enumerate(sides)]  # fmt: skip
    return EvalSet(cases, fields, "paired")


def chosen() -> EvalSet:
    return load(EXAMPLES / "flawed_set.jsonl", {"label": "topic"})


SETS: dict[str, Callable[[], EvalSet]] = {"labels": labelled, "pairs": paired, "choices": chosen}


def run(name: str, evalset: EvalSet, results: Path | None = None) -> CheckResult | NotRun:
    """The result of a check, or why it does not run; anything else is raised."""
    options = {**OPTIONS.get(name, {}), **({"results": [results]} if results and name == "discrimination" else {})}
    try:
        return CHECKS[name](**options).run(evalset)  # type: ignore[no-any-return]
    except NotRun as reason:
        return reason


def outcome(name: str, evalset: EvalSet, results: Path | None = None) -> Any:
    """What a check says, without the order in which cases stand."""
    done = run(name, evalset, results)
    if isinstance(done, NotRun):
        return done.reason
    findings = sorted((f.kind, f.severity, tuple(sorted(f.case_ids))) for f in done.findings)
    return findings, done.summary


def results_for(evalset: EvalSet, folder: Path) -> Path:
    """Three models' answers to every case, as a wide table."""
    with (folder / "results.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "weak", "middle", "strong"])
        table.writerows(
            [case.id, *("true" if k % m else "false" for m in (2, 3, 5))] for k, case in enumerate(evalset.cases)
        )
    return folder / "results.csv"


def check_result(done: CheckResult, evalset: EvalSet) -> None:
    assert done.limitations
    assert all(sentence.endswith(".") for sentence in done.limitations)
    assert done.summary
    ids = {case.id for case in evalset.cases}
    assert all(set(finding.case_ids) <= ids for finding in done.findings)
    assert all(finding.message.strip() for finding in done.findings)
    assert all(finding.kind.isidentifier() for finding in done.findings)
    json.dumps(done.stats)  # plain values


@every
@pytest.mark.parametrize("kind", SETS)
def test_a_result_has_limitations_and_plain_numbers(name: str, kind: str, tmp_path: Path) -> None:
    evalset = SETS[kind]()
    done = run(name, evalset, results_for(evalset, tmp_path))
    assert isinstance(done, CheckResult), done
    check_result(done, evalset)


@every
def test_an_empty_set_says_why_it_does_not_run_or_finds_nothing(name: str) -> None:
    done = run(name, EvalSet([], {"input": "input"}, "empty"))
    if isinstance(done, NotRun):
        assert done.reason.endswith(".")
    else:
        assert not done.findings
        check_result(done, EvalSet([], {}, "empty"))


@every
@pytest.mark.parametrize("kind", SETS)
def test_one_case(name: str, kind: str, tmp_path: Path) -> None:
    whole = SETS[kind]()
    one = replace(whole, cases=whole.cases[:1])
    done = run(name, one, results_for(one, tmp_path))
    if isinstance(done, CheckResult):
        check_result(done, one)


@every
@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_order_of_cases_changes_no_finding(name: str, kind: str, seed: int, tmp_path: Path) -> None:
    evalset = SETS[kind]()
    results = results_for(evalset, tmp_path)
    mixed = replace(evalset, cases=random.Random(seed).sample(list(evalset.cases), len(evalset)))
    assert outcome(name, mixed, results) == outcome(name, evalset, results)


@every
@pytest.mark.parametrize("script", SCRIPTS)
def test_text_of_every_script(name: str, script: str, tmp_path: Path) -> None:
    text = SCRIPTS[script]
    cases = [
        Case(f"c{k}", f"{text} {k % 5}", {"input": f"{text} {k % 5}"}, f"{text}{k % 2}", choices=None)
        for k in range(20)
    ]
    cases += [Case(f"m{k}", text, {"input": text}, str(k % 2), (text, f"{text} {k}"), k % 2) for k in range(20)]
    evalset = EvalSet(cases, {"input": "input", "choices": "choices", "answer": "answer"}, script)
    done = run(name, evalset, results_for(evalset, tmp_path))
    assert isinstance(done, CheckResult), done
    check_result(done, evalset)


@every
@pytest.mark.parametrize("kind", SETS)
def test_without_labels(name: str, kind: str, tmp_path: Path) -> None:
    whole = SETS[kind]()
    bare: Sequence[Case] = [
        replace(case, label=None, answer_index=None, expected=None, answers=(), metadata={}) for case in whole.cases
    ]
    evalset = replace(whole, cases=bare)
    done = run(name, evalset, results_for(evalset, tmp_path))
    if isinstance(done, NotRun):
        assert done.reason.endswith(".")
    else:
        check_result(done, evalset)


@every
def test_ids_that_repeat_are_no_error(name: str, tmp_path: Path) -> None:
    evalset = labelled(20)
    twice = replace(evalset, cases=[*evalset.cases, *evalset.cases])
    done = run(name, twice, results_for(evalset, tmp_path))
    assert isinstance(done, CheckResult), done
    check_result(done, twice)
