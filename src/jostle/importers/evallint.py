"""evallint reports: recognised to say what they are not."""

from __future__ import annotations

import json
from pathlib import Path

from ..errors import InputError
from ..outcomes import Outcomes
from ..rows import read_text
from ._scored import Reading


def matches(path: Path) -> bool:
    """A .json object with checks that have findings, and no tool that is jostle."""
    if path.suffix != ".json":
        return False
    text = read_text(path)
    if '"checks"' not in text or '"n_findings"' not in text:
        return False
    try:
        report = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(report, dict) and isinstance(report.get("checks"), list) and "tool" not in report


def read(path: Path, reading: Reading) -> Outcomes:
    """Refuse: such a report has findings about a set, and no answer of a model.

    Raises:
        InputError: Always, with what to do.
    """
    del reading
    raise InputError(
        f"Expected answers or scores by case, but {path} is an evallint report: findings about a set, and no answers. "
        "Run `jostle audit` on the set itself, with --results for the answers of models."
    )
