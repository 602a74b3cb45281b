"""lm-evaluation-harness: `samples_*.jsonl`, plain or gzipped, of likelihood and generative tasks."""

from __future__ import annotations

import gzip
import json
import re
import string
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import InputError, as_written_by
from ..outcomes import Outcomes
from ..rows import parse_json
from ._scored import Reading, Scored, content_of, item_name, to_outcomes

_KEYS = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps")
_OWN = {*_KEYS, "doc_hash", "prompt_hash", "target_hash", "filter", "metrics"}
_NAME = re.compile(r"(samples_)?(?P<task>.+?)(_\d{4}-\d\d-\d\dT[\d\-.]+)?\.jsonl(\.gz)?")


def matches(path: Path) -> bool:
    """A .jsonl or .jsonl.gz whose first row has the harness's fields."""
    if not re.search(r"\.jsonl(\.gz)?$", path.name):
        return False
    try:
        with _open(path) as lines:
            row = json.loads(next((line for line in lines if line.strip()), "null"))
    except (OSError, EOFError, ValueError, RecursionError, zlib.error):
        return False
    return isinstance(row, dict) and {"doc", "filtered_resps"} <= row.keys()


def read(path: Path, reading: Reading) -> Outcomes:
    """Each score that is right or wrong (acc, acc_norm, exact_match ...) is a condition.

    Likelihood tasks predict the option of the highest likelihood (by length for acc_norm). With several filters the
    score has the filter's name behind it, as the harness writes it: `exact_match,strict-match`. Scores between 0 and 1
    that are not right or wrong are left out and counted.

    Raises:
        InputError: A line that is no sample, a metric that the log does not have, or no score that is right or wrong;
            with the file and line.
    """
    rows = list(_rows(path))
    if not rows:
        raise InputError(f"Expected samples, but {path} has none. Run the harness with --log_samples.")
    several = len({str(row.get("filter")) for _, row in rows}) > 1
    skipped: Counter[str] = Counter()
    scored: list[Scored] = []
    for place, row in rows:
        with as_written_by("lm-evaluation-harness", place):
            scored += _scored(row, place, reading, several, skipped)
    if not scored:
        wanted = f"the metric {', '.join(reading.metrics)}" if reading.metrics else "a score that is right or wrong"
        has = sorted({name for _, row in rows for name in row} - _OWN)
        raise InputError(f"Expected {wanted}, but {path} has {', '.join(has) or 'no scores'}.")
    counts = {"log": {f"{name} is not right or wrong": n for name, n in sorted(skipped.items())}} if skipped else {}
    outcomes = to_outcomes(scored, str(path), _about(path), counts)
    return replace(outcomes, notes=[*outcomes.notes, *_several_scores(scored)])


def _several_scores(scored: Sequence[Scored]) -> list[str]:
    """What a reader must know where one log brings several scores."""
    names = list(dict.fromkeys(s.condition for s in scored))
    if len(names) == 1:
        return []
    return [
        f"Several scores of the same answers stand as conditions ({', '.join(names)}): drift and flips include what "
        "lies between the scores. Choose one metric to leave that out."
    ]


def _open(path: Path) -> Any:
    return gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    try:
        with _open(path) as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    place = f"{path}, line {number}"
                    row = parse_json(line, place)
                    absent = [key for key in _KEYS if not isinstance(row, dict) or key not in row]
                    if absent:
                        raise InputError(f"Expected a sample with {', '.join(_KEYS)}, but {place} has no {absent[0]}.")
                    yield place, row
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise InputError(f"Expected a whole log, but {path} cannot be read: {error}.") from None


def _scored(
    row: Mapping[str, Any], place: str, reading: Reading, several: bool, skipped: Counter[str]
) -> Iterator[Scored]:
    item, text = _item(row, place, reading)
    for metric, given in row.items():
        name = f"{metric},{row['filter']}" if several else metric
        if metric in _OWN or (reading.metrics and not {metric, name} & {*reading.metrics}):
            continue
        prediction, reference = _labels(row, metric)
        # unitxt scores the set as a whole and keeps only what that needs.
        whole = isinstance(given, list) and "accuracy" in metric and reference is not None
        score = prediction == reference if whole else given
        if not isinstance(score, int | float) or score not in (0, 1):
            skipped[name] += 1
            continue
        yield Scored(item, name, score == 1, prediction, reference, text=text)


def _item(row: Mapping[str, Any], place: str, reading: Reading) -> tuple[str, str]:
    document = row["doc"] if isinstance(row["doc"], Mapping) else {}
    content = content_of(document)
    if reading.match == "id":
        return str(document.get("id", row["doc_id"])), content
    if content:
        return item_name(content), content
    if not row.get("doc_hash"):
        raise InputError(f"Expected a question or a doc_hash to match items by, but {place} has neither. Match by id.")
    return str(row["doc_hash"])[:16], ""


def _labels(row: Mapping[str, Any], metric: str) -> tuple[str | None, str | None]:
    """Prediction and target as letters of options, or as short texts; None where the log does not tell."""
    target, answers = row["target"], row["filtered_resps"]
    if answers and isinstance(answers[0], list) and isinstance(target, int) and not isinstance(target, bool):
        likelihoods = [float(answer[0]) for answer in answers]
        if metric == "acc_norm":
            likelihoods = [v / max(len(text), 1) for v, text in zip(likelihoods, _continuations(row), strict=True)]
        best = max(range(len(likelihoods)), key=likelihoods.__getitem__)
        return _letter(best), _letter(target)
    if isinstance(target, str) and answers and isinstance(answers[0], str):
        text = answers[0].strip()
        return (text[:1] if len(target) == 1 else text) or None, target
    return None, None


def _continuations(row: Mapping[str, Any]) -> list[str]:
    """What the likelihoods are of, without the space that joins it to the prompt."""
    given = row["arguments"]
    texts = [value["arg_1"] for value in given.values()] if isinstance(given, dict) else [value[1] for value in given]
    return [str(text).removeprefix(" ") for text in texts]


def _letter(index: int) -> str:
    return string.ascii_uppercase[index] if 0 <= index < len(string.ascii_uppercase) else str(index)


def _about(path: Path) -> dict[str, str]:
    """Task of the log, and the model that the results file beside it names."""
    name = _NAME.fullmatch(path.name)
    about = {"task": name["task"] if name else path.stem}
    stamp = re.search(r"\d{4}-\d\d-\d\dT[\d\-.]*\d", path.name)
    beside = path.with_name(f"results_{stamp[0]}.json") if stamp else None
    if beside and beside.is_file():
        config = parse_json(beside.read_text(encoding="utf-8"), str(beside)).get("config", {})
        given = str(config.get("model_args") or config.get("model") or "")
        model = re.search(r"(?:pretrained|model|model_id|path)=([^,]+)", given)
        about["model"] = model[1] if model else given
    return about
