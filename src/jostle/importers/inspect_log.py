"""Inspect AI logs, `.eval` and `.json`, read without the package."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InputError, as_written_by
from ..outcomes import Outcomes
from ..rows import kind_of, parse_json, read_text
from ._archive import read_member
from ._scored import Reading, Scored, item_name, to_outcomes

_HARNESS = "Inspect AI"
_GRADES = {"C": True, "I": False, "N": False, 1: True, 0: False, "yes": True, "no": False}  # True is 1
# Metadata of the samples that jostle's Inspect task makes: item, condition, how many of them the item has, family.
ITEM, CONDITION, CONDITIONS, FAMILY = "jostle_item", "jostle_condition", "jostle_conditions", "jostle_family"


def right_or_wrong(value: Any) -> bool | None:
    """Whether the value of a score says right or wrong; None for partial credit, text, lists and nan.

    >>> right_or_wrong("C"), right_or_wrong(0.0), right_or_wrong(0.33), right_or_wrong("P")
    (True, False, None, None)
    """
    return _GRADES.get(value) if isinstance(value, str | bool | int | float) else None


def matches(path: Path) -> bool:
    """A .eval archive, or a .json (or other text) object with `eval` and `status`."""
    if path.suffix == ".eval":
        return True
    if path.suffix != ".json":
        return False
    try:
        with path.open(encoding="utf-8-sig") as file:
            head = file.read(8192)
    except (OSError, UnicodeDecodeError):
        return False
    return head.lstrip().startswith("{") and '"eval"' in head and '"status"' in head


def read(path: Path, reading: Reading) -> Outcomes:
    """Each scorer is a condition, each epoch a sample; samples with an error or without a score are counted.

    Samples that jostle's Inspect task has made keep the item, condition and family that they are marked with (with the
    scorer's name before the condition where there are several). A log of such samples is read for them alone, and the
    others are counted.

    Grades C and I (and N) are right and wrong, as are 1 and 0. Partial credit is left out and counted. Answer and
    target are kept where being right is their being equal.

    Raises:
        InputError: The log cannot be read, has no samples, no score that is right or wrong, or not the metric asked
            for; with the file.
    """
    header, samples = _archive(path) if path.suffix == ".eval" else _document(path)
    if not samples:
        status = header.get("status", "unknown")
        raise InputError(
            f"Expected samples, but {path} has none (status {status!r}). Logs written with --no-log-samples, cut off "
            "or cancelled cannot be read."
        )
    skipped: Counter[str] = Counter()
    with as_written_by(_HARNESS, f"{path}, one of its samples"):
        marked = [sample for sample in samples if ITEM in (sample.get("metadata") or {})]
    if marked and len(marked) < len(samples):
        skipped["passed through"] = len(samples) - len(marked)
    scored: list[Scored] = []
    for sample in marked or samples:
        with as_written_by(_HARNESS, f"{path}, sample {sample.get('id')!r}"):
            scored += _scored(sample, reading, skipped)
    if not scored:
        reasons = ", ".join(f"{name}: {n}" for name, n in sorted(skipped.items()))
        wanted = f"scores of {', '.join(reading.metrics)}" if reading.metrics else "scores that are right or wrong"
        raise InputError(f"Expected {wanted}, but {path} has none ({reasons or 'no sample was scored'}).")
    with as_written_by(_HARNESS, f"{path}, its header"):
        run = header.get("eval", {})
        about = {"task": str(run.get("task", path.stem)), "model": str(run.get("model", ""))}
    return to_outcomes(scored, str(path), about, {"log": dict(sorted(skipped.items()))} if skipped else {})


def _document(path: Path) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    log = parse_json(read_text(path), str(path))
    if not isinstance(log, dict):
        raise InputError(f"Expected an Inspect log, but {path} holds {kind_of(log)}.")
    return log, log.get("samples") or []


def _archive(path: Path) -> tuple[Mapping[str, Any], list[Mapping[str, Any]]]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            first = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
            if first is None:
                raise InputError(f"Expected an Inspect log, but {path} has no header.")
            header = json.loads(read_member(archive, first))
            inside = sorted(name for name in names if name.startswith("samples/") and name.endswith(".json"))
            return header, [json.loads(read_member(archive, name)) for name in inside]
    except (OSError, zipfile.BadZipFile, EOFError, ValueError, KeyError, NotImplementedError, zlib.error) as error:
        raise InputError(f"Expected an Inspect log, but {path} cannot be read: {error}. Was it cut off?") from None


def _scored(sample: Mapping[str, Any], reading: Reading, skipped: Counter[str]) -> Iterator[Scored]:
    scores = sample.get("scores") or {}
    if sample.get("error") or not scores:
        skipped["error" if sample.get("error") else "not scored"] += 1
        return
    text = _text(sample.get("input"))
    options = sample.get("choices") or []
    content = "\n".join([text, *map(str, options)])
    item = str(sample.get("id")) if reading.match == "id" or not text else item_name(content)
    target = sample.get("target")
    reference = target.strip() if isinstance(target, str) and target.strip() else None
    chosen = {name: score for name, score in scores.items() if not reading.metrics or name in reading.metrics}
    mark = sample.get("metadata") or {}
    for name, score in chosen.items():
        value = score.get("value")
        grade = right_or_wrong(value)
        if grade is None:
            skipped[f"{name} is not right or wrong"] += 1
            continue
        answer = score.get("answer")
        prediction = str(answer).strip() or None if answer is not None else None
        found = Scored(item, name, grade, prediction, reference, str(sample.get("epoch", 1)), content)
        yield _as_marked(found, mark, alone=len(chosen) == 1) if ITEM in mark else found


def _as_marked(found: Scored, mark: Mapping[str, Any], alone: bool) -> Scored:
    """An answer under the item and condition that its sample is marked with."""
    condition = str(mark[CONDITION]) if alone else f"{found.condition}/{mark[CONDITION]}"
    return replace(found, item=str(mark[ITEM]), condition=condition, family=str(mark.get(FAMILY, "")))


def _text(given: Any) -> str:
    """The input as text; of messages, what the user and the system say."""
    if isinstance(given, str):
        return given
    parts = [message.get("content") for message in given or [] if isinstance(message, Mapping)]
    return "\n".join(part if isinstance(part, str) else json.dumps(part, sort_keys=True) for part in parts)
