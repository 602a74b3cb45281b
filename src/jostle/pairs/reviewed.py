"""Review decisions -> the column `reviewed` of contrast pairs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa

from ..reviews import APPROVED, REJECTED, Reviews, fingerprint
from .rows import PairSet

_CONTENT = ("base_text", "edited_text", "base_label", "edited_label")


def pair_content(texts: tuple[str | None, str | None], labels: tuple[str, str]) -> str:
    """Fingerprint of the texts and the golds of a pair, each base first."""
    return fingerprint([*texts, *labels])


def with_reviews(pairs: PairSet, reviews: Reviews) -> PairSet:
    """The pairs as a review left them: approved ones are reviewed, rejected ones left out and counted in the notes.

    A pair that the reviewer was unsure of is not reviewed, whatever its own column says; one that the review does not
    name stays as it is.

    Raises:
        InputError: A pair has another text or gold than the one that was reviewed.
    """
    ids = pairs.columns["id"].to_pylist()
    columns = [pairs.columns[name].to_pylist() for name in _CONTENT]
    flags = pairs.columns["reviewed"].to_pylist()
    keep = []
    for k, name in enumerate(ids):
        status = reviews.decisions.get(name, {}).get("review_status")
        if status is not None:
            base, edited, *golds = (column[k] for column in columns)
            reviews.check(name, pair_content((base, edited), (golds[0], golds[1])))
            flags[k] = status == APPROVED
        if status != REJECTED:
            keep.append(k)
    known = {**pairs.columns, "reviewed": pa.array(flags, pa.bool_())}
    rejected = len(ids) - len(keep)
    notes = [f"Pairs left out since a review rejects them: {rejected}."] if rejected else []
    return replace(
        pairs,
        columns={name: column.take(pa.array(keep, pa.int64())) for name, column in known.items()},
        places=_picked(pairs.places, keep),
        evidence={name: _picked(values, keep) for name, values in pairs.evidence.items()},
        notes=[*pairs.notes, *notes],
    )


def _picked(values: Any, keep: list[int]) -> list[Any]:
    return [values[k] for k in keep] if len(values) else []
