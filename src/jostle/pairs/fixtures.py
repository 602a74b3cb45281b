"""Reviewed pairs pinned with what a model said to them, so that a later run can be held against it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from ..errors import InputError
from ..files import write_text
from ..measures.pairs import Bools
from ..measures.version import __version__
from ..report.model import strict
from ..rows import RowFile, read_rows
from .read import pairs_from_dicts
from .rows import PairRow, PairSet

FORMAT = 2  # of the file; its first line says so
_KEY = "jostle_fixtures"
_DIGEST = "digest"
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

    Every line has the columns of a pair, its outcome, its evidence and a digest of all that; the header has one of
    itself and of the digests below it. The file holds no date, so that pinning the same pairs twice gives the same
    bytes.
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
    lines = [_line(row) for row in rows]
    header[_DIGEST] = digest(header, [line[_DIGEST] for line in lines])
    return write_text(path, "".join(as_json(line) + "\n" for line in [header, *lines]))


def read_fixtures(path: str | Path) -> Fixtures:
    """Read pinned pairs.

    Raises:
        InputError: Not a file of fixtures, one of another format, one that lacks pairs, or one in which anything was
            edited after it was pinned; with the line.

    The digests are no signature: whoever edits a line can compute them too. They find what was edited in passing.
    """
    file = read_rows(path)
    header = file.rows[0]
    if header.get(_KEY) != FORMAT:
        found = f"format {header[_KEY]!r}" if _KEY in header else "another first line"
        raise InputError(
            f"Expected {file.source} to be written by `jostle pairs pin` (format {FORMAT}), but got {found}. Pin the "
            "pairs again."
        )
    rows = file.rows[1:]
    if len(rows) != header.get("n_pairs") or not rows:
        raise InputError(
            f"Expected {header.get('n_pairs')} pairs in {file.source}, but got {len(rows)}. Pin them again."
        )
    _check_digests(file)
    made = [{key: value for key, value in row.items() if key not in (_DIGEST, "outcome")} for row in rows]
    texts = {key: str(header.get(key, "")) for key in ("corpus_revision", "model_revision", "source", "version")}
    return Fixtures(pairs_from_dicts(made), **texts, source_hash=str(header.get("source_sha256", "")))


def _check_digests(file: RowFile) -> None:
    header, *rows = file.rows
    for k, row in enumerate(rows, start=1):
        if row.get(_DIGEST) != digest(row):
            raise InputError(
                f"Expected pairs as they were pinned, but {file.at(k)} (pair {row.get('id')!r}) was edited since. Pin "
                "it again after a review."
            )
    if header.get(_DIGEST) != digest(header, [row[_DIGEST] for row in rows]):
        raise InputError(
            f"Expected pairs as they were pinned, but the header in {file.at(0)} or the list of pairs below it was "
            "edited since. Pin them again after a review."
        )


def digest(line: Mapping[str, Any], below: Sequence[str] = ()) -> str:
    """SHA-256 of all that stands in a line, and of the digests of the lines that belong to it."""
    values = {key: value for key, value in line.items() if key != _DIGEST}
    return hashlib.sha256(as_json([sorted(values.items()), list(below)]).encode("utf-8", "surrogatepass")).hexdigest()


def outcome(row: PairRow) -> dict[str, bool]:
    """Whether each side is right, and whether the relation of the golds is kept; an abstention is neither."""
    base = row.base_prediction == row.base_label and not row.base_abstained
    edited = row.edited_prediction == row.edited_label and not row.edited_abstained
    answered = not (row.base_abstained or row.edited_abstained)
    kept = (row.base_label == row.edited_label) == (row.base_prediction == row.edited_prediction)
    return {"base_right": base, "edited_right": edited, "relation_kept": answered and kept}


def passing(pairs: PairSet) -> Bools:
    """Whether both sides of each pair are right (the relation is then kept)."""
    columns = pairs.columns
    right = [
        pc.and_not(
            pc.fill_null(pc.equal(columns[f"{side}_prediction"], columns[f"{side}_label"]), False),
            columns[f"{side}_abstained"],
        )
        for side in ("base", "edited")
    ]
    found: Bools = pc.and_(*right).to_numpy(zero_copy_only=False)
    return found


def _line(row: PairRow) -> dict[str, Any]:
    values = asdict(row)
    evidence = values.pop("evidence")
    # What `json` makes of evidence (dates, nan) is what will be read back, and so what the digest must be of.
    line: dict[str, Any] = json.loads(as_json({**values, "outcome": outcome(row), "evidence": evidence}))
    return {**line, _DIGEST: digest(line)}


def as_json(value: Any) -> str:
    """A value as it stands in a file of fixtures."""
    return json.dumps(strict(value), ensure_ascii=False, allow_nan=False, default=str)
