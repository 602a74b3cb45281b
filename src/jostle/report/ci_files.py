"""A report as the files that CI systems read: JUnit XML and SARIF."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

from ..files import write_text
from ..measures.version import __version__
from ..printable import printable
from .model import VERDICTS, Report

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"fragile": "error", "inconclusive": "warning", "not_measured": "warning", "invariant": "none"}
_RULES = {
    "fragile": "Accuracy moves between conditions by more than the tolerance, with 95 % confidence.",
    "inconclusive": "Whether accuracy holds cannot be told from so many items.",
    "not_measured": "Nothing was measured.",
    "invariant": "Accuracy and answers hold within the tolerances, with 95 % confidence.",
}
_TRIPS: Mapping[str, Sequence[str]] = {
    "never": (),
    "fragile": ("fragile",),
    "inconclusive": ("fragile", "inconclusive"),
}


def write_junit(report: Report, path: Path, fail_on: str) -> Path:
    """One test a group: failed where its verdict trips the gate, an error where nothing was measured.

    An inconclusive group that does not trip the gate is a passed test with the reason in its output: a test that is
    skipped would hide that something was measured.
    """
    suite = ET.Element("testsuite", name="jostle", errors="0", failures="0", skipped="0", time="0")
    counts = {"error": 0, "failure": 0}
    for group in report.groups:
        drift = report.values("invariance_drift", group)
        case = ET.SubElement(suite, "testcase", classname="jostle", name=_clean(group or report.source), time="0")
        kind = {"not_measured": "error"}.get(drift["verdict"], "failure" if drift["verdict"] in _TRIPS[fail_on] else "")
        line = _clean(report.line(group))
        if kind:
            counts[kind] += 1
            ET.SubElement(case, kind, type=drift["verdict"], message=_clean(drift["verdict_reason"])).text = line
        ET.SubElement(case, "system-out").text = line
    suite.set("tests", str(len(report.groups)))
    suite.set("errors", str(counts["error"]))
    suite.set("failures", str(counts["failure"]))
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return write_text(path, ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n")


def _clean(text: str) -> str:
    """Text without the characters that XML cannot hold."""
    return printable(text)


def write_sarif(report: Report, path: Path) -> Path:
    """One result a group, at the results file: error for fragile, warning for inconclusive, a pass for invariant."""
    rules = [
        {"id": f"jostle/{verdict}", "name": VERDICTS[verdict].title().replace(" ", ""),
         "shortDescription": {"text": text}, "defaultConfiguration": {"level": _LEVELS[verdict]}}
        for verdict, text in _RULES.items()
    ]  # fmt: skip
    run = {
        "tool": {"driver": {"name": "jostle", "version": __version__, "rules": rules}},
        "results": [_result(report, group, list(_RULES)) for group in report.groups],
        "properties": {"signature": report.signature, "limitations": report.limitations},
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return write_text(path, json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def _result(report: Report, group: str, rules: Sequence[str]) -> dict[str, Any]:
    drift = report.values("invariance_drift", group)
    verdict = drift["verdict"]
    return {
        "ruleId": f"jostle/{verdict}",
        "ruleIndex": rules.index(verdict),
        "level": _LEVELS[verdict],  # a pass has none
        "kind": "pass" if verdict == "invariant" else "fail",
        "message": {"text": f"{report.line(group)} ({drift['verdict_reason']})"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(report.source)}}}],
        "partialFingerprints": {"group/v1": group or "all"},
    }


def _uri(source: str) -> str:
    """The source as a URI can hold it; of several files the first."""
    return quote(source.split(", ", maxsplit=1)[0].replace("\\", "/"), safe="/._-")
