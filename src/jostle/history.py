"""Reports over time: drift, flips and R of the same measurement, date by date."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .errors import InputError, JostleError, as_written_by
from .report.sections import Section
from .report.table_rows import interval, number
from .rows import parse_json, read_text

LIMITATIONS = (
    "A line through dates compares numbers of different runs, and of different items where the set has changed: for "
    "two runs on the same items use `jostle compare`, which pairs them.",
    "Overlapping intervals do not say that nothing changed.",
)
_DATE = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:[T_ -](\d\d)[-:]?(\d\d)(?:[-:]?(\d\d))?)?")
_MEASURES = {
    "invariance_drift": ("max_drift", "drift_ci_low", "drift_ci_high", "verdict", "n_items"),
    "flip_rate": ("flip_rate", "flip_rate_ci_low", "flip_rate_ci_high"),
    "robustness_ratio": ("robustness_ratio", "robustness_ratio_ci_low", "robustness_ratio_ci_high"),
}


@dataclass(frozen=True)
class Entry:
    """The numbers of one group in one report.

    Args:
        date: When it was made, in UTC.
        file: Its file, below the folder.
        group: Task, model and decoding; "" where there is one.
        values: The numbers by name; nan where undefined.
    """

    date: datetime
    file: str
    group: str
    values: Mapping[str, Any]


def read_history(folder: Path) -> tuple[list[Entry], list[str]]:
    """Entries of all report files below a folder, oldest first, and the .json files that are none.

    A report is what `jostle report --format json` and `jostle run` write. Its date is the first that its name or the
    name of its folder holds (2026-01-31, 20260131T1200), else the time of the file.

    Raises:
        InputError: The folder does not exist, or holds no report.
    """
    if not folder.is_dir():
        raise InputError(
            f"Expected a folder of reports, but {folder} {'is a file' if folder.exists() else 'is missing'}."
        )
    entries: list[Entry] = []
    other: list[str] = []
    for path in sorted(folder.rglob("*.json")):
        found = list(_entries(path, folder))
        entries += found
        other += [] if found else [str(path.relative_to(folder))]
    if not entries:
        raise InputError(f"Expected reports (jostle report --format json), but {folder} holds none.")
    return sorted(entries, key=lambda one: (one.date, one.file, one.group)), other


def _entries(path: Path, folder: Path) -> Iterator[Entry]:
    try:
        groups = _groups(parse_json(read_text(path), str(path)))
    except JostleError:  # no JSON, or not what a report is
        return
    for group, values in groups.items():
        yield Entry(_date(path, folder), str(path.relative_to(folder)), group, values)


def _groups(report: Any) -> dict[str, dict[str, Any]]:
    """The numbers of a report by group, of those groups that have a drift and flips.

    Raises:
        InputError: It is not what jostle writes.
    """
    groups: dict[str, dict[str, Any]] = {}
    with as_written_by("jostle report", "it"):
        for measure in report["measures"] if report["tool"]["name"] == "jostle" else []:
            given = {key: measure["values"].get(key) for key in _MEASURES.get(measure["name"], ())}
            own = {key: str(value) if key == "verdict" else _number(value) for key, value in given.items()}
            groups.setdefault(str(measure.get("group", "")), {}).update(own)
    return {group: values for group, values in groups.items() if {"verdict", "flip_rate"} <= values.keys()}


def _number(value: Any) -> int | float:
    """A number as it is in the report, nan for null."""
    if isinstance(value, bool) or not isinstance(value, int | float | None):
        raise TypeError(f"{value!r} is no number")
    if isinstance(value, int) and abs(value) > sys.float_info.max:
        raise ValueError(f"a number of {len(str(value))} digits")
    return math.nan if value is None else value


def _date(path: Path, folder: Path) -> datetime:
    for name in reversed(path.relative_to(folder).parts):
        if found := _DATE.search(name):
            parts = [int(part) for part in found.groups() if part]
            try:
                return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]
            except ValueError:
                continue
    return datetime.fromtimestamp(path.stat().st_mtime, tz=UTC)


def history_section(entries: Sequence[Entry]) -> Section:
    """All entries as one table, oldest first."""
    with_group = any(one.group for one in entries)
    rows = []
    for one in entries:
        v = one.values
        row = [one.date.strftime("%Y-%m-%d %H:%M"), *([one.group] if with_group else []), str(v["n_items"])]
        for key, low, high in (("max_drift", "drift_ci_low", "drift_ci_high"), _MEASURES["flip_rate"]):
            row += [number(v[key]), interval([v[low], v[high]], digits=2)]
        ratio = number(v.get("robustness_ratio", math.nan))
        rows.append([*row, ratio, v["verdict"].replace("_", " ")])
    columns = (
        "date",
        *(["group"] if with_group else []),
        "items",
        "drift",
        "95% CI",
        "flips",
        "95% CI",
        "R",
        "verdict",
    )
    legend = "flips: items not the same in all conditions; R: accuracy on variants over accuracy on originals"
    return Section("History", columns, rows, legend, left=2 if with_group else 1)
