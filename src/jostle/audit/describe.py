"""What every form of an audit report shows: field map, numbers of a check, cases of a finding."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .base import EvalSet, Finding

IDS_SHOWN = 8
_ENTRIES_SHOWN = 12


def field_lines(evalset: EvalSet) -> list[str]:
    """Column of every field, and what else a reader must know of how the set was read."""
    lines = [f"{name} <- {column!r}" for name, column in evalset.field_map.items()]
    if "id" not in evalset.field_map:
        lines.append("id: made here (case_1, case_2 ...)")
    return [*lines, *evalset.notes]


def case_line(finding: Finding, most: int = IDS_SHOWN) -> str:
    """The cases of a finding, and how many more there are.

    >>> case_line(Finding("k", "m", ("a", "b", "c")), most=2)
    'a, b and 1 more'
    """
    shown, more = finding.case_ids[:most], len(finding.case_ids) - most
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def stat_lines(stats: Mapping[str, Any]) -> list[str]:
    """The numbers of a check: single ones on a line, small tables on one each; lists are left to JSON.

    >>> stat_lines({"n_cases": 4, "share": 0.5, "counts": {"a": 3, "b": 1}, "ids": [1, 2]})
    ['n_cases 4, share 0.5', 'counts: a 3, b 1']
    """
    single = [f"{name} {_number(value)}" for name, value in stats.items() if _is_single(value)]
    lines = [", ".join(single)] if single else []
    for name, value in stats.items():
        if isinstance(value, Mapping) and value and all(_is_single(item) for item in value.values()):
            entries = [f"{key} {_number(item)}" for key, item in list(value.items())[:_ENTRIES_SHOWN]]
            more = len(value) - _ENTRIES_SHOWN
            lines.append(f"{name}: {', '.join(entries)}{f' and {more} more' if more > 0 else ''}")
    return lines


def _is_single(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, str)) or hasattr(value, "item")


def _number(value: Any) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"  # noqa: PLR2004
    return "-" if value is None else str(value)
