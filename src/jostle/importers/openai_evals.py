"""OpenAI evals: the JSON lines that `oaieval` records, a spec and then events by sample."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, as_written_by
from ..outcomes import Outcomes
from ..rows import RowFile, read_rows, read_text
from ._scored import Reading, Scored, item_name, to_outcomes

_SCORES = ("match", "metrics")


def matches(path: Path) -> bool:
    """JSON lines that begin with a spec, or with an event that has a run, a sample and a type."""
    if path.suffix not in (".jsonl", ".ndjson"):
        return False
    line = read_text(path).lstrip().split("\n", 1)[0]
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(row, dict):
        return False
    spec = row.get("spec")
    return (isinstance(spec, dict) and "eval_name" in spec) or {"sample_id", "type", "data"} <= row.keys()


def read(path: Path, reading: Reading) -> Outcomes:
    """Each score (`match`, or a metric that is right or wrong) is a condition; an item is its prompt.

    A second answer to the same sample is another sample of the item.

    Raises:
        InputError: No sample has a score that is right or wrong, or not the one asked for.
    """
    file = read_rows(path)
    with as_written_by("OpenAI evals", str(path)):
        return _outcomes(file, path, reading)


def _outcomes(file: RowFile, path: Path, reading: Reading) -> Outcomes:
    spec: Mapping[str, Any] = next((row["spec"] for row in file.rows if "spec" in row), {})
    prompts = {row["sample_id"]: _text(row["data"].get("prompt")) for row in file.rows if row.get("type") == "sampling"}
    skipped: Counter[str] = Counter()
    times: Counter[tuple[str, str]] = Counter()
    scored = []
    for k, row in enumerate(file.rows):
        if row.get("type") not in _SCORES:
            continue
        data = _data(file, k)
        for name, right in _scores(row["type"], data, reading, skipped):
            sample = str(row["sample_id"])
            prompt = prompts.get(sample, "")
            item = item_name(prompt) if prompt and reading.match == "content" else sample
            number = times[sample, name]
            times[sample, name] += 1
            answers = (_label(data.get("picked", data.get("sampled"))), _label(data.get("expected")))
            scored.append(Scored(item, name, right, *answers, str(number), prompt))
    if not scored:
        raise InputError(f"Expected scores that are right or wrong, but {path} has none ({_reasons(skipped)}).")
    model = ", ".join(spec.get("completion_fns", []))
    about = {"task": str(spec.get("eval_name", path.stem)), "model": model}
    return to_outcomes(scored, str(path), about, {"log": dict(sorted(skipped.items()))} if skipped else {})


def _data(file: RowFile, k: int) -> Mapping[str, Any]:
    data = file.rows[k].get("data")
    if not isinstance(data, dict) or "sample_id" not in file.rows[k]:
        raise InputError(f"Expected an event with a sample_id and data, but {file.at(k)} has none.")
    return data


def _scores(kind: str, data: Mapping[str, Any], reading: Reading, skipped: Counter[str]) -> list[tuple[str, bool]]:
    given = {"match": data.get("correct")} if kind == "match" else dict(data)
    found = []
    for name, value in given.items():
        if reading.metrics and name not in reading.metrics:
            continue
        if isinstance(value, bool) or (isinstance(value, int | float) and value in (0, 1)):
            found.append((name, bool(value)))
        elif isinstance(value, int | float):
            skipped[f"{name} is not right or wrong"] += 1
    return found


def _text(prompt: Any) -> str:
    """The prompt as text; of messages, what they say."""
    if isinstance(prompt, list):
        return "\n".join(str(message.get("content", "")) for message in prompt if isinstance(message, dict))
    return prompt if isinstance(prompt, str) else ""


def _label(value: Any) -> str | None:
    if isinstance(value, list):
        value = value[0] if len(value) == 1 else None
    return str(value).strip() or None if value is not None else None


def _reasons(skipped: Counter[str]) -> str:
    return ", ".join(f"{name}: {n}" for name, n in sorted(skipped.items())) or "no match or metrics event"
