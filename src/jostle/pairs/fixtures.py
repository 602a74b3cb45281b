"""Reviewed pairs pinned with what a model said to them, so that a later run can be held against it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError
from ..files import write_text
from ..measures.version import __version__
from ..report.model import strict
from ..rows import read_rows
from .read import pairs_from_dicts
from .rows import PairRow, PairSet

FORMAT = 1  # of the file; its first line says so
_KEY = "jostle_fixtures"
# What a pair is, apart from what a model said to it.
CONTENT = ("base_text", "edited_text", "base_label", "edited_label", "relation")


@dataclass(frozen=True)
class Fixtures:
    """Pinned pairs.

    Args:
        pairs: The pairs with the pinned predictions and evidence.
        corpus_revision: Revision of the data (or of the retrieval corpus) they were predicted with.
        model_revision: Revision of the model.
        source: The file they were pinned from.
        source_hash: SHA-256 of that file; empty where it was a folder.
        version: Version of jostle that pinned them.
    """

    pairs: PairSet
    corpus_revision: str
    model_revision: str
    source: str = ""
    source_hash: str = ""
    version: str = __version__


def pin(pairs: PairSet, corpus_revision: str, model_revision: str, *, allow_unreviewed: bool = False) -> Fixtures:
    """Pin pairs with their outcomes.

    Raises:
        InputError: There are no pairs, or some have not been reviewed by a person and `allow_unreviewed` is not set.
    """
    if not len(pairs):
        raise InputError(f"Expected pairs to pin, but {pairs.source or 'the set'} has none.")
    reviewed = pairs.columns["reviewed"].to_pylist()
    if not all(reviewed) and not allow_unreviewed:
        raise InputError(
            f"Expected pairs that a person has reviewed, but {reviewed.count(False)} of {len(pairs)} are not, the "
            f"first {pairs.at(reviewed.index(False))}. Set `reviewed` where they are, pass --reviews FILE, or "
            "pass --allow-unreviewed."
        )
    path = Path(pairs.source)
    digest = hashlib.sha256(path.read_bytes()).hexdigest() if pairs.source and path.is_file() else ""
    return Fixtures(pairs, corpus_revision, model_revision, path.name if pairs.source else "", digest)


def write_fixtures(fixtures: Fixtures, path: str | Path) -> Path:
    """Write pinned pairs as JSON lines: a header, then a line a pair, in the order of their ids.

    Every line has the columns of a pair, its outcome, its evidence and a hash of its texts and golds. The file holds
    no date, so that pinning the same pairs twice gives the same bytes.
    """
    rows = sorted(fixtures.pairs.rows, key=lambda row: row.id)
    header = {
        _KEY: FORMAT,
        "version": fixtures.version,
        "corpus_revision": fixtures.corpus_revision,
        "model_revision": fixtures.model_revision,
        "source": fixtures.source,
        "source_sha256": fixtures.source_hash,
        "n_pairs": len(rows),
    }
    lines = [header, *(_line(row) for row in rows)]
    return write_text(path, "".join(as_json(line) + "\n" for line in lines))


def read_fixtures(path: str | Path) -> Fixtures:
    """Read pinned pairs.

    Raises:
        InputError: Not a file of fixtures, one of another format, one that lacks pairs, or one with a pair whose text
            or gold was edited after it was pinned.
    """
    file = read_rows(path)
    header = file.rows[0]
    if header.get(_KEY) != FORMAT:
        found = f"format {header[_KEY]!r}" if _KEY in header else "another first line"
        raise InputError(
            f"Expected {file.source} to be written by `jostle pairs pin` (format {FORMAT}), but got {found}."
        )
    rows = file.rows[1:]
    if len(rows) != header.get("n_pairs") or not rows:
        raise InputError(
            f"Expected {header.get('n_pairs')} pairs in {file.source}, but got {len(rows)}. Pin them again."
        )
    for k, row in enumerate(rows, start=1):
        if row.get("content") != content_hash(row):
            raise InputError(
                f"Expected pairs as they were pinned, but {file.at(k)} (pair {row.get('id')!r}) has another text, "
                "gold or relation. Pin it again after a review."
            )
    made = [{key: value for key, value in row.items() if key not in ("content", "outcome")} for row in rows]
    texts = {key: str(header.get(key, "")) for key in ("corpus_revision", "model_revision", "source", "version")}
    return Fixtures(pairs_from_dicts(made), **texts, source_hash=str(header.get("source_sha256", "")))


def content_hash(row: Mapping[str, Any]) -> str:
    """Fingerprint of the texts, golds and relation of a pair."""
    return hashlib.sha256(as_json([row.get(key) for key in CONTENT]).encode()).hexdigest()[:16]


def outcome(row: PairRow) -> dict[str, bool]:
    """Whether each side is right, and whether the relation of the golds is kept; an abstention is neither."""
    base = row.base_prediction == row.base_label and not row.base_abstained
    edited = row.edited_prediction == row.edited_label and not row.edited_abstained
    answered = not (row.base_abstained or row.edited_abstained)
    kept = (row.base_label == row.edited_label) == (row.base_prediction == row.edited_prediction)
    return {"base_right": base, "edited_right": edited, "relation_kept": answered and kept}


def passes(row: PairRow) -> bool:
    """Whether both sides are right (the relation is then kept)."""
    return outcome(row)["base_right"] and outcome(row)["edited_right"]


def _line(row: PairRow) -> dict[str, Any]:
    values = asdict(row)
    evidence = values.pop("evidence")
    return {**values, "outcome": outcome(row), "evidence": evidence, "content": content_hash(values)}


def as_json(value: Any) -> str:
    """A value as it stands in a file of fixtures."""
    return json.dumps(strict(value), ensure_ascii=False, allow_nan=False, default=str)
