"""Review decisions: who has looked at which variant or pair, and what they said."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import InputError
from .files import write_text
from .rows import RowFile, read_rows
from .tasks import TASKS

APPROVED, REJECTED, UNSURE, UNREVIEWED = STATUSES = ("approved", "rejected", "unsure", "unreviewed")
COLUMNS = ("key", "status", "reviewer", "date", "content")


@dataclass(frozen=True)
class Reviews:
    """Decisions by key: the key of a built row, or the id of a contrast pair.

    Args:
        decisions: `review_status`, `reviewer` and `reviewed_at` by key.
        only_approved: Whether variants that nobody has approved are left out.
        contents: Fingerprint of what was reviewed, by key, where the file has one.
    """

    decisions: Mapping[str, Mapping[str, Any]]
    only_approved: bool = False
    contents: Mapping[str, str] = field(default_factory=dict)

    def merge(self, rows: list[dict[str, Any]], dropped: Counter[tuple[str, str]]) -> list[dict[str, Any]]:
        """The rows with their review; rejected ones are counted and left out, originals always stay.

        Raises:
            InputError: A row has another text or label than the one that was reviewed.
        """
        kept = []
        for row in rows:
            reviewed = {**row, **self.decisions.get(row["key"], {})}
            status = reviewed["review_status"]
            if row["key"] in self.contents:
                self.check(row["key"], row_content(row))
            if row["kind"] != "orig" and status == REJECTED:
                dropped[row["variant"], "rejected in review"] += 1
            elif row["kind"] != "orig" and self.only_approved and status != APPROVED:
                dropped[row["variant"], "not approved in review"] += 1
            else:
                kept.append(reviewed)
        return kept

    def check(self, key: str, content: str) -> None:
        """Refuse a decision on something else than what is there now.

        Raises:
            InputError: The fingerprint in the file is another one.
        """
        if self.contents.get(key, content) != content:
            raise InputError(
                f"Expected {key!r} as it was reviewed, but its text or label is another one now. Review it again, or "
                "remove its line from the review file."
            )


def fingerprint(values: Sequence[Any]) -> str:
    """Fingerprint of texts and labels.

    >>> fingerprint(["a dull film", "negative"])
    '3eb5951d8d27dd1c'
    """
    return hashlib.sha256(json.dumps(values, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def row_content(row: Mapping[str, Any]) -> str:
    """Fingerprint of the texts and the gold of a built row."""
    fields = TASKS[row["key"].split("/", 1)[0]].fields
    return fingerprint([*(row[name] for name in fields), *(row.get(name) for name in ("label", "choices", "answer"))])


def read_reviews(path: Path | None, only_approved: bool = False) -> Reviews | None:
    """Read a review file: rows with `key`, `status` and maybe `reviewer`, `date` and `content`.

    Raises:
        InputError: A missing column, an unknown status, or two different decisions on one key.
    """
    if path is None:
        return Reviews({}, only_approved) if only_approved else None
    file = read_rows(path)
    decisions: dict[str, dict[str, Any]] = {}
    contents: dict[str, str] = {}
    for k, row in enumerate(file.rows):
        key, status = _decision(file, k)
        if key in decisions and decisions[key]["review_status"] != status:
            raise InputError(f"Expected one decision a row, but {file.at(k)} contradicts an earlier one on {key!r}.")
        decisions[key] = {"review_status": status, "reviewer": row.get("reviewer"), "reviewed_at": row.get("date")}
        if row.get("content"):
            contents[key] = str(row["content"])
    return Reviews(decisions, only_approved, contents)


def _decision(file: RowFile, k: int) -> tuple[str, str]:
    key, status = file.rows[k].get("key"), file.rows[k].get("status")
    if not key or status not in STATUSES:
        raise InputError(
            f"Expected `key` and a `status` of {', '.join(STATUSES)}, but {file.at(k)} has {key!r} and {status!r}."
        )
    return str(key), str(status)


def write_reviews(rows: Sequence[Mapping[str, Any]], path: Path) -> Path:
    """Write a review file as JSON lines, a row a decision, with the columns of `COLUMNS`."""
    lines = [json.dumps({name: row.get(name) for name in COLUMNS}, ensure_ascii=False) + "\n" for row in rows]
    return write_text(path, "".join(lines))
