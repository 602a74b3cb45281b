"""Running the checks of an audit, whatever becomes of a single one."""

from __future__ import annotations

import importlib
import inspect
import logging
import pkgutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageError
from .base import CheckResult, EvalSet, NotRun
from .report import AuditReport, Left

ORDER = ("class_balance", "duplicates", "leakage", "ambiguity", "discrimination")
log = logging.getLogger("jostle")


def check_classes() -> dict[str, type[Any]]:
    """The checks of the package by name: the modules that name a class as `CHECK`."""
    package = importlib.import_module(__package__ or "jostle.audit")
    found: dict[str, type[Any]] = {}
    for info in pkgutil.iter_modules(package.__path__):
        check = getattr(importlib.import_module(f"{package.__name__}.{info.name}"), "CHECK", None)
        if check is not None:
            found[check.NAME] = check
    names = sorted(found, key=lambda name: (ORDER.index(name) if name in ORDER else len(ORDER), name))
    return {name: found[name] for name in names}


def audit(
    evalset: EvalSet,
    *,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    options: Mapping[str, Mapping[str, Any]] | None = None,
    results: Sequence[Path] | None = None,
) -> AuditReport:
    """Run the checks on an evaluation set.

    A check that fails or lacks a package does not keep the others from running; it stands among `not_run` and makes the
    audit incomplete.

    Args:
        evalset: The set.
        only: Run these checks alone; all by default.
        skip: Leave these out.
        options: Arguments by check and name.
        results: Files with results of models on the cases, for every check that can use them.

    Raises:
        UsageError: No such check, or a bad option.

    >>> from jostle.audit import Case
    >>> cases = [Case(f"case_{k}", f"text {k}", {"input": f"text {k}"}, label="ab"[k % 2]) for k in range(20)]
    >>> audit(EvalSet(cases, {"input": "input"}, "set.jsonl"), only=["class_balance"]).n_warnings
    0
    """
    classes = check_classes()
    asked = options or {}
    for name in (*only, *skip, *asked):
        if name not in classes:
            raise UsageError(f"Expected a check of {', '.join(classes)}, but got {name!r}.")
    done: list[CheckResult] = []
    left: list[Left] = []
    for name, check in classes.items():
        if name in skip or (only and name not in only):
            left.append(Left(name, "left out by --skip" if name in skip else "left out by --only", incomplete=False))
            continue
        given = dict(asked.get(name, {}))
        if results and "results" in inspect.signature(check).parameters:
            given["results"] = list(results)
        try:
            made = check(**given)
        except TypeError as error:
            raise UsageError(f"Expected options of the check {name}, but got {given}: {error}.") from None
        _run(name, made, evalset, done, left)
    if results and done:
        _stability(results, evalset, done, left)
    shown = {f"{name}.{key}": value for name, given in asked.items() for key, value in given.items()}
    return AuditReport(evalset, done, left, options={**shown, **({"results": list(results)} if results else {})})


def _run(name: str, check: Any, evalset: EvalSet, done: list[CheckResult], left: list[Left]) -> None:
    log.info("check %s", name)
    try:
        done.append(check.run(evalset))
    except NotRun as reason:
        left.append(Left(name, reason.reason, reason.incomplete))
    except Exception as error:
        log.debug("check %s failed", name, exc_info=True)
        left.append(Left(name, f"failed: {type(error).__name__}: {error}", incomplete=True))


def _stability(results: Sequence[Path], evalset: EvalSet, done: list[CheckResult], left: list[Left]) -> None:
    """Which cases cause the drift, where the results have conditions."""
    from .stability import NAME, read_conditions, stability

    class Joined:
        def run(self, cases: EvalSet) -> CheckResult:
            outcomes = read_conditions(results)
            if not outcomes:
                raise NotRun("needs results of the same items under several conditions.", incomplete=False)
            return stability(outcomes, list(done), cases)

    _run(NAME, Joined(), evalset, done, left)
