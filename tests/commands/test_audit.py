"""`jostle audit`: exit codes, forms, settings, results and the baseline."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jostle.audit import CheckResult, EvalSet
from jostle.audit.balance import ClassBalanceCheck
from jostle.audit.base import NotRun

Write = Callable[[str, Any], Path]
Jostle = Callable[..., Any]
ONLY = ("--only", "class_balance", "--no-config")
EVEN = [{"input": f"case number {k}", "label": "ab"[k % 2]} for k in range(20)]
UNEVEN = [*({"input": f"case number {k}", "label": "a"} for k in range(16)), {"input": "another", "label": "b"}]


@pytest.fixture
def even(write: Write) -> Path:
    return write("even.jsonl", EVEN)


@pytest.fixture
def uneven(write: Write) -> Path:
    return write("uneven.jsonl", UNEVEN)


def test_verdict_first_and_limitations_always(jostle: Jostle, even: Path) -> None:
    done = jostle("audit", even, *ONLY)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == f"jostle audit {even}"
    assert "[NO WARNINGS] 20 cases, 1 check: 0 warnings, 0 notes" in lines[2]
    assert max(map(len, lines[1:-1])) <= 80
    assert "What this audit cannot tell you" in done.out
    assert "Not run" in done.out
    assert "- input <- 'input'" in done.out
    assert done.err == ""
    assert "field map: input <- 'input'" in jostle("audit", even, *ONLY, "--format", "json").err
    assert jostle("audit", even, *ONLY, "--format", "json", "--quiet").err == ""


@pytest.mark.parametrize(("fail_on", "code"), [("never", 0), ("warning", 1)])
def test_the_gate(jostle: Jostle, even: Path, uneven: Path, fail_on: str, code: int) -> None:
    assert jostle("audit", even, *ONLY, "--fail-on", fail_on).code == 0
    done = jostle("audit", uneven, *ONLY, "--fail-on", fail_on)
    assert done.code == code
    assert ("gate tripped" in done.err) == bool(code)


def test_json_is_one_strict_document(jostle: Jostle, uneven: Path) -> None:
    done = jostle("audit", uneven, *ONLY, "--format", "json", "--fail-on", "warning")
    document = json.loads(done.out, parse_constant=pytest.fail)
    keys = {"tool", "source", "summary", "checks", "limitations", "gate", "signature", "field_map", "not_run"}
    assert keys <= set(document)
    assert document["gate"] == {"fail_on": "warning", "exit_code": 1, "tripped": True, "incomplete": []}
    assert document["summary"]["n_warnings"] == 2
    assert document["field_map"] == {"input": "input", "label": "label"}
    check = document["checks"][0]
    assert [finding["kind"] for finding in check["findings"]] == ["imbalance", "small_class"]
    assert check["findings"][1]["case_ids"] == ["case_17"]
    assert check["limitations"]
    assert check["stats"]["imbalance_ratio"] == 16.0
    assert {left["check"] for left in document["not_run"]} >= {"duplicates", "discrimination"}


@pytest.mark.parametrize(("name", "start"), [("a.html", "<!doctype html>"), ("a.md", "**[WARNINGS]"), ("a.json", "{")])
def test_forms_by_the_name_of_the_file(jostle: Jostle, write: Write, tmp_path: Path, name: str, start: str) -> None:
    path = write("set.jsonl", [*UNEVEN, {"input": "<script>alert(1)</script> | x", "label": "<b>c</b>"}])
    done = jostle("audit", path, *ONLY, "--out", tmp_path / name)
    assert (done.code, done.out) == (0, "")
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert text.lstrip().startswith(start)
    assert "small_class" in text or "small class" in text
    if name == "a.html":
        assert "<script" not in text
        assert "<b>c</b>" not in text
        assert "&lt;script&gt;" in text
        assert "What this check cannot tell you" in text


def test_settings(jostle: Jostle, write: Write, uneven: Path) -> None:
    write("jostle.toml", '[audit]\nfail_on = "warning"\nonly = ["class_balance"]\nmin_class_count = 1\n')
    done = jostle("audit", uneven, "--format", "json")
    assert done.code == 1
    assert "class_balance.min_class_count=1|" in json.loads(done.out)["signature"]
    assert jostle("audit", uneven, "--fail-on", "never").code == 0
    write("other.toml", '[audit]\nonly = ["class_balance"]\n')
    assert jostle("audit", uneven, "--config", uneven.parent / "other.toml").code == 0


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (("--only", "balance"), "Expected a check of class_balance, duplicates"),
        (("--skip", "everything"), "Expected a check of class_balance, duplicates"),
        (("--only", "duplicates", "--skip-duplicates"), "but got both"),
        (("--map", "input"), "Expected --map NAME=VALUE"),
        (("--min-class-share", "2"), "from 0 to 1"),
        (("--duplicate-threshold", "0", "--only", "duplicates"), "threshold above 0"),
        (("--delimiter", ";;"), "a delimiter of one character"),
        (("--fail-on", "fragile"), "Invalid value for '--fail-on'"),
    ],
)
def test_usage_errors(jostle: Jostle, even: Path, flags: tuple[str, ...], message: str) -> None:
    done = jostle("audit", even, *flags)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


@pytest.mark.parametrize("flag", ["--results", "--against", "--baseline"])
def test_a_file_that_is_not_there(jostle: Jostle, even: Path, flag: str) -> None:
    done = jostle("audit", even, flag, "none.json")
    assert done.code == 3
    assert f"Expected a file for {flag}" in done.err


def test_unreadable_sets(jostle: Jostle, write: Write) -> None:
    assert jostle("audit", "none.jsonl").code == 3
    assert jostle("audit", write("bad.jsonl", '{"input": "a",}\n')).code == 3
    assert jostle("audit", write("empty.jsonl", "")).code == 3


def test_discrimination_without_results_does_not_matter(jostle: Jostle, even: Path) -> None:
    done = jostle("audit", even, "--skip-duplicates", "--skip", "leakage", "--format", "json")
    assert done.code == 0, done.err
    left = {entry["check"]: entry for entry in json.loads(done.out)["not_run"]}
    assert left["discrimination"]["incomplete"] is False
    assert "--results FILE" in left["discrimination"]["reason"]
    assert left["duplicates"]["reason"] == "left out by --skip"


def test_nothing_ran(jostle: Jostle, even: Path) -> None:
    done = jostle("audit", even, "--only", "discrimination")
    assert done.code == 3
    assert "no check ran: nothing was measured" in done.err


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        (NotRun("the package x is not installed.", incomplete=True), 3, "the package x is not installed."),
        (NotRun("needs ratings.", incomplete=False), 0, "needs ratings."),
        (ZeroDivisionError("division by zero"), 3, "failed: ZeroDivisionError: division by zero"),
    ],
)
def test_a_check_that_does_not_run(
    jostle: Jostle, even: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, code: int, reason: str
) -> None:
    from jostle.audit.duplicates import DuplicateCheck

    def fail(self: DuplicateCheck, evalset: EvalSet) -> CheckResult:
        raise error

    monkeypatch.setattr(DuplicateCheck, "run", fail)
    done = jostle("audit", even, "--only", "class_balance,duplicates", "--fail-on", "warning", "--format", "json")
    assert done.code == code
    document = json.loads(done.out)
    assert [check["name"] for check in document["checks"]] == ["class_balance"]
    assert {"check": "duplicates", "reason": reason, "incomplete": code == 3} in document["not_run"]
    assert (reason in done.err) == (code == 3)


def test_a_part_that_does_not_run(jostle: Jostle, uneven: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = ClassBalanceCheck.run

    def partly(self: ClassBalanceCheck, evalset: EvalSet) -> CheckResult:
        found = whole(self, evalset)
        return CheckResult(found.name, found.summary, found.findings, {}, found.limitations, {"near": "no model."})

    monkeypatch.setattr(ClassBalanceCheck, "run", partly)
    done = jostle("audit", uneven, *ONLY, "--fail-on", "warning")
    assert done.code == 3  # and not 1
    assert "class_balance: near (incomplete): no model." in done.out
    assert "small_class" in done.out


def test_results_take_several_files(jostle: Jostle, write: Write, even: Path) -> None:
    files = []
    for model, correct in (("weak", 0), ("strong", 1)):
        rows = [
            {"item_ids": f"case_{k + 1}", "conditions": "orig", "models": model, "references": "a",
             "predictions": "a" if k % 2 or correct else "b"}
            for k in range(20)
        ]  # fmt: skip
        files.append(write(f"{model}.jsonl", rows))
    flags = ("--only", "discrimination", "--format", "json")
    done = jostle("audit", even, "--results", *files, *flags)
    assert done.code == 0, done.err
    stats = json.loads(done.out)["checks"][0]["stats"]
    assert (stats["n_models"], stats["n_measured"], stats["n_ceiling"]) == (2, 20, 10)
    again = jostle("audit", "--results", files[0], "--results", files[1], *flags, even)
    assert json.loads(again.out)["checks"][0]["stats"] == stats


def test_csv_flags(jostle: Jostle, write: Write) -> None:
    path = write("semi.csv", "first text;a\nsecond text;b\n")
    done = jostle("audit", path, "--columns", "input,label", "--delimiter", ";", *ONLY, "--format", "json")
    assert json.loads(done.out)["summary"]["n_cases"] == 2
    tabbed = write("tab.csv", "input\tlabel\nx\ta\n")
    assert "--delimiter tab" in jostle("audit", tabbed).err
    assert jostle("audit", tabbed, "--delimiter", "tab", *ONLY).code == 0


def test_a_baseline_trips_on_new_findings_alone(jostle: Jostle, write: Write, uneven: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.json"
    jostle("audit", uneven, *ONLY, "--out", old)
    flags = (*ONLY, "--baseline", old, "--fail-on", "warning", "--format", "json")
    same = jostle("audit", uneven, *flags)
    assert same.code == 0
    assert json.loads(same.out)["summary"]["n_new"] == 0
    # A row in front shifts all generated ids, and the small class grows: nothing of it is new.
    grown = write("uneven.jsonl", [{"input": "first", "label": "b"}, *UNEVEN])
    assert jostle("audit", grown, *flags).code == 0
    more = write("uneven.jsonl", [*UNEVEN, {"input": "third", "label": "c"}])
    done = jostle("audit", more, *flags)
    document = json.loads(done.out)
    assert done.code == 1
    assert document["summary"]["n_new"] == 1
    new = [finding for finding in document["checks"][0]["findings"] if finding["new"]]
    assert [(finding["kind"], finding["values"]["class"]) for finding in new] == [("small_class", "c")]
    fixed = jostle("audit", write("even.jsonl", EVEN), *flags)
    assert fixed.code == 0
    assert json.loads(fixed.out)["baseline"]["resolved"] == [
        "class_balance: imbalance",
        "class_balance: small_class of b",
    ]


@pytest.mark.parametrize("content", ["[]", "{}", '{"checks": [{"name": "x"}]}', '{"checks": null}'])
def test_a_baseline_that_is_none(jostle: Jostle, write: Write, even: Path, content: str) -> None:
    done = jostle("audit", even, *ONLY, "--baseline", write("old.json", content))
    assert done.code == 3
    assert "Expected the report of an audit" in done.err
