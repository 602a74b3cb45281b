"""Running checks: which there are, what they are given, and the library's silence."""

from __future__ import annotations

import logging
import subprocess
import sys

import pytest

import jostle
from jostle.audit import Case, EvalSet, Finding, audit
from jostle.audit.base import CheckResult
from jostle.audit.baseline import Baseline, fingerprint
from jostle.audit.report import AuditReport
from jostle.audit.run import check_classes
from jostle.errors import UsageError

CASES = [Case(f"case_{k}", f"text {k}", {"input": f"text {k}"}, label="a" if k else "b") for k in range(9)]
EVALSET = EvalSet(CASES, {"input": "input", "label": "label"}, "set.jsonl")


@pytest.mark.parametrize("name", check_classes())
def test_the_contract_of_a_check(name: str) -> None:
    check = check_classes()[name]
    assert name == check.NAME
    assert check.__doc__
    assert getattr(jostle.audit, check.__name__) is check


def test_options_go_to_their_check() -> None:
    report = audit(EVALSET, only=["class_balance"], options={"class_balance": {"min_class_count": 1}})
    kinds = [finding.kind for finding in report.checks[0].findings]
    assert kinds == ["imbalance"]  # 1 of 9 is 11 %
    assert report.signature.endswith("|checks=class_balance|class_balance.min_class_count=1")
    with pytest.raises(UsageError, match=r"Expected options of the check class_balance, but got .*least"):
        audit(EVALSET, only=["class_balance"], options={"class_balance": {"least": 1}})
    with pytest.raises(UsageError, match=r"Expected a check of .* but got 'balance'"):
        audit(EVALSET, options={"balance": {}})


def result(*findings: Finding) -> AuditReport:
    return AuditReport(EVALSET, [CheckResult("c", "s", findings, {}, ["nothing"])])


def test_a_cluster_of_known_cases_is_not_new() -> None:
    known = frozenset(fingerprint(case) for case in CASES[:4])
    baseline = Baseline("old.json", {("c", "k", ""): known})
    merged, grown = (Finding("k", "m", ids) for ids in (("case_0", "case_3"), ("case_0", "case_4")))
    other, about = Finding("j", "m", ("case_0",)), Finding("k", "m", ("case_0",), {"subject": "x"})
    report = result(merged, grown, other, about)
    assert report.is_new("c", merged) is None
    compared = AuditReport(EVALSET, report.checks, baseline=baseline)
    assert [compared.is_new("c", finding) for finding in (merged, grown, other, about)] == [False, True, True, True]
    assert compared.new == [grown, other, about]


def test_notes_never_trip_and_incomplete_wins() -> None:
    note = result(Finding("k", "m", (), {}, "info"))
    assert (note.gate("warning").exit_code, note.verdict) == (0, "no_warnings")
    warned = result(Finding("k", "m"))
    assert (warned.gate("never").exit_code, warned.gate("warning").exit_code, warned.verdict) == (0, 1, "warnings")


def test_the_library_is_silent() -> None:
    assert any(isinstance(handler, logging.NullHandler) for handler in logging.getLogger("jostle").handlers)
    code = (
        "from jostle.audit import Case, EvalSet, audit\n"
        "cases = [Case(str(k), f'text {k}', {'input': f'text {k}'}, label='a') for k in range(9)]\n"
        "audit(EvalSet(cases, {'input': 'input'}, 's'), only=['class_balance'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("", "")
