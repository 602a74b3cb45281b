"""promptfoo: the JSON of `promptfoo eval --output results.json`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, as_written_by
from ..outcomes import Outcomes
from ..rows import parse_json, read_text
from ._scored import Reading, Scored, item_name, to_outcomes


def matches(path: Path) -> bool:
    """A .json object whose `results` hold a list of `results` with prompts and providers."""
    if path.suffix != ".json":
        return False
    text = read_text(path)
    if '"results"' not in text or '"provider"' not in text:
        return False
    try:
        return bool(_results(json.loads(text)))
    except (ValueError, RecursionError):
        return False


def read(path: Path, reading: Reading) -> Outcomes:
    """Each prompt is a condition, named by its label, each provider a model; an item is the variables of its test.

    An answer is right where all assertions pass. Answers with an error are counted. A repeated test is a sample.

    Raises:
        InputError: No result was graded.
    """
    log = parse_json(read_text(path), str(path))
    with as_written_by("promptfoo", str(path)):
        return _outcomes(_results(log), path, reading)


def _outcomes(rows: list[Mapping[str, Any]], path: Path, reading: Reading) -> Outcomes:
    labels = _labels(rows)
    skipped: Counter[str] = Counter()
    times: Counter[tuple[str, str, str]] = Counter()
    scored = []
    for row in rows:
        if row.get("error") and not row.get("gradingResult"):
            skipped["error"] += 1
            continue
        condition, model = labels[row.get("promptIdx", 0)], _provider(row)
        given = row.get("vars") or (row.get("testCase") or {}).get("vars") or {}
        text = "\n".join(str(value) for _, value in sorted(given.items()))
        item = item_name(text) if text and reading.match == "content" else f"test {row.get('testIdx')}"
        number = times[item, condition, model]
        times[item, condition, model] += 1
        scored.append(Scored(item, condition, bool(row.get("success")), None, None, str(number), text, model))
    if not scored:
        raise InputError(f"Expected graded results, but {path} has none ({skipped['error']} with an error).")
    models = {s.model for s in scored}
    about = {"task": path.stem, "model": models.pop() if len(models) == 1 else ""}
    return to_outcomes(scored, str(path), about, {"log": dict(skipped)} if skipped else {})


def _results(log: Any) -> list[Mapping[str, Any]]:
    """The rows of any version: version 3 and 4 nest them once more."""
    found = log.get("results") if isinstance(log, dict) else None
    found = found.get("results") if isinstance(found, dict) else found
    if not isinstance(found, list):
        return []
    return [row for row in found if isinstance(row, dict) and "success" in row and "provider" in row]


def _labels(rows: list[Mapping[str, Any]]) -> dict[int, str]:
    """Names of the prompts by number; a number goes with labels that two of them share."""
    labels: dict[int, str] = {}
    for row in rows:
        prompt = row.get("prompt") or {}
        text = str(prompt.get("label") or prompt.get("raw") or "prompt") if isinstance(prompt, dict) else str(prompt)
        labels.setdefault(row.get("promptIdx", 0), " ".join(text.split())[:60])
    shared = Counter(labels.values())
    return {k: name if shared[name] == 1 else f"{name} ({k + 1})" for k, name in labels.items()}


def _provider(row: Mapping[str, Any]) -> str:
    provider = row["provider"]
    return str(provider.get("label") or provider.get("id", "")) if isinstance(provider, dict) else str(provider)
