"""Review decisions: who has looked at which variant, and what they said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..rows import read_rows

STATUSES = ("approved", "rejected", "unreviewed")


@dataclass(frozen=True)
class Reviews:
    """Decisions by row key.

    Args:
        decisions: `review_status`, `reviewer` and `reviewed_at` by key.
        only_approved: Whether variants that nobody has approved are left out.
    """

    decisions: Mapping[str, Mapping[str, Any]]
    only_approved: bool = False

    def merge(self, rows: list[dict[str, Any]], dropped: Counter[tuple[str, str]]) -> list[dict[str, Any]]:
        """The rows with their review; rejected ones are counted and left out, originals always stay."""
        kept = []
        for row in rows:
            reviewed = {**row, **self.decisions.get(row["key"], {})}
            status = reviewed["review_status"]
            if row["kind"] != "orig" and status == "rejected":
                dropped[row["variant"], "rejected in review"] += 1
            elif row["kind"] != "orig" and self.only_approved and status != "approved":
                dropped[row["variant"], "not approved in review"] += 1
            else:
                kept.append(reviewed)
        return kept


def read_reviews(path: Path | None, only_approved: bool = False) -> Reviews | None:
    """Read a review file: rows with `key`, `status` and maybe `reviewer` and `date`.

    Raises:
        InputError: A missing column, an unknown status, or two different decisions on one key.
    """
    if path is None:
        return Reviews({}, only_approved) if only_approved else None
    file = read_rows(path)
    decisions: dict[str, dict[str, Any]] = {}
    for k, row in enumerate(file.rows):
        key, status = row.get("key"), row.get("status")
        if not key or status not in STATUSES:
            raise InputError(
                f"Expected `key` and a `status` of {', '.join(STATUSES)}, but {file.at(k)} has {key!r} and {status!r}."
            )
        if key in decisions and decisions[key]["review_status"] != status:
            raise InputError(f"Expected one decision a row, but {file.at(k)} contradicts an earlier one on {key!r}.")
        decisions[key] = {"review_status": status, "reviewer": row.get("reviewer"), "reviewed_at": row.get("date")}
    return Reviews(decisions, only_approved)
