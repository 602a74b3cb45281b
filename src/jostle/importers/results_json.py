"""`results.json`: {condition: [true, false, ...]}, or rows with condition, correct and maybe id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..outcomes import Outcomes
from ..rows import parse_json, read_rows, read_text
from ._scored import Reading

ORDER_TRUSTED = (
    "The results have no item ids: row k of every condition was taken to be the same item. If the order differs "
    "between conditions, drift stands but flips and intervals do not."
)


def matches(path: Path) -> bool:
    """A .json file that holds an object or nothing, or a .json / .jsonl of rows with `condition` and `correct`."""
    if path.suffix not in (".json", ".jsonl", ".ndjson"):
        return False
    text = read_text(path)
    head = text.lstrip()[:4096]
    return (
        text.split() in (["[]"], ["[", "]"])
        or (head.startswith("{") and path.suffix == ".json")
        or ('"condition"' in head and '"correct"' in head)
    )


def read(path: Path, reading: Reading) -> Outcomes:
    """Read the file.

    Raises:
        InputError: Not one of the two forms, text booleans, unequal conditions without ids, or repeated ids.
    """
    try:
        value = parse_json(read_text(path), str(path))
    except InputError:
        value = read_rows(path).rows  # JSON lines, under whatever name; else this error has the line
    return from_results([value] if path.suffix != ".json" and isinstance(value, dict) else value, str(path))


def from_results(
    results: Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]], source: str = "results"
) -> Outcomes:
    """Outcomes from results in memory, of either form."""
    if isinstance(results, Mapping):
        return _from_mapping(results, source)
    if isinstance(results, Sequence) and not isinstance(results, str):
        return _from_rows(results, source)
    raise InputError(
        f"Expected {{condition: [true, ...]}} or a list of rows, but {source} is {type(results).__name__}."
    )


def _from_mapping(results: Mapping[str, Sequence[Any]], source: str) -> Outcomes:
    for name, values in results.items():
        if not isinstance(values, Sequence) or isinstance(values, str):
            raise InputError(
                f"Expected a list of true / false for condition {name!r} in {source}, but got {values!r:.60}."
            )
    lengths = {name: len(values) for name, values in results.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(
            f"Expected as many results in every condition, but {source} has {lengths}. Give rows with ids "
            "instead, so that items can be matched."
        )
    correct = [_boolean(v, f"{source}, {name}[{k}]") for name, values in results.items() for k, v in enumerate(values)]
    ids = [str(k) for values in results.values() for k in range(len(values))]
    conditions = [name for name, values in results.items() for _ in values]
    return _outcomes(correct, ids, conditions, source, [ORDER_TRUSTED])


def _from_rows(rows: Sequence[Mapping[str, Any]], source: str) -> Outcomes:
    for k, row in enumerate(rows):
        if not isinstance(row, Mapping) or "condition" not in row or "correct" not in row:
            raise InputError(
                f"Expected rows with `condition` and `correct`, but {source}, entry {k + 1} is {row!r:.80}."
            )
    correct = [_boolean(row["correct"], f"{source}, entry {k + 1}") for k, row in enumerate(rows)]
    conditions = [str(row["condition"]) for row in rows]
    with_id = sum(row.get("id") is not None for row in rows)
    if with_id and with_id < len(rows):
        raise InputError(f"Expected an id in every row or in none, but {source} has {with_id} ids in {len(rows)} rows.")
    if with_id:
        return _outcomes(correct, [str(row["id"]) for row in rows], conditions, source, [])
    sizes = Counter(conditions)
    if len(set(sizes.values())) > 1:
        raise InputError(f"Expected ids, or as many rows in every condition, but {source} has {dict(sizes)}.")
    seen: Counter[str] = Counter()
    ids = []
    for condition in conditions:
        ids.append(str(seen[condition]))
        seen[condition] += 1
    return _outcomes(correct, ids, conditions, source, [ORDER_TRUSTED])


def _boolean(value: Any, place: str) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and value in (0, 1):
        return bool(value)
    hint = ' Convert it first: the text "false" is not false.' if isinstance(value, str) else ""
    raise InputError(f"Expected true or false, but {place} is {value!r:.80}.{hint}")


def _outcomes(correct: list[bool], ids: list[str], conditions: list[str], source: str, notes: list[str]) -> Outcomes:
    return Outcomes.from_columns(
        source=source,
        notes=notes,
        predictions=correct,
        references=[True] * len(correct),
        item_ids=ids,
        conditions=conditions,
    )
