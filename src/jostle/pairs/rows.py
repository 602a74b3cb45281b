"""Contrast pairs as rows: one base item, one edit of it, and what a model said to both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, overload

import pyarrow as pa


@dataclass(frozen=True)
class PairRow:
    """One contrast pair with the model's answers.

    Args:
        id: Name of the pair, unique in its file.
        base_label: Gold label of the base item.
        edited_label: Gold label after the edit.
        base_prediction: What the model said to the base item; None is an abstention.
        edited_prediction: What the model said after the edit; None is an abstention.
        base_text: The base item, where it is at hand.
        edited_text: The edited item, where it is at hand.
        relation: What the author of the edit intended: `invariant`, `changed`, or None where it is not stated.
        operator: Kind of edit; "" where it is not stated.
        family: What is resampled and split together; None where the pair is its own family.
        base_confidence: Confidence of the prediction on the base item.
        edited_confidence: Confidence of the prediction after the edit.
        base_abstained: Whether the model abstained on the base item.
        edited_abstained: Whether the model abstained after the edit.
        critical: Whether a failure of this pair must not pass.
        reviewed: Whether a person has checked the edit and its label.
        evidence: What else the file says of the pair, by column: retrieved passages, intermediate outputs, sources.
    """

    id: str
    base_label: str
    edited_label: str
    base_prediction: str | None
    edited_prediction: str | None
    base_text: str | None = None
    edited_text: str | None = None
    relation: str | None = None
    operator: str = ""
    family: str | None = None
    base_confidence: float | None = None
    edited_confidence: float | None = None
    base_abstained: bool = False
    edited_abstained: bool = False
    critical: bool = False
    reviewed: bool = False
    evidence: Mapping[str, Any] = field(default_factory=dict)


COLUMNS = tuple(f.name for f in fields(PairRow) if f.name != "evidence")


@dataclass(frozen=True)
class PairSet:
    """Contrast pairs as columns, with how they were read; a million of them are a few arrays, not a million objects.

    Args:
        columns: Arrow array by name of a `PairRow` field (all of `COLUMNS`), checked and of one length.
        field_map: Column of the file that each field was taken from.
        source: Where the pairs came from.
        places: Where each pair stands in the source ("line 7"); empty where it came from no file.
        evidence: Other columns of the file, each as long as the others.
        notes: What a reader must know about how the pairs were made.
        warnings: What in the file can make right answers count as wrong.
    """

    columns: Mapping[str, pa.Array]
    field_map: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    places: Sequence[str] = ()
    evidence: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.columns["id"])

    @property
    def rows(self) -> Sequence[PairRow]:
        """The pairs one by one, each made when it is asked for."""
        return _Rows(self)

    def at(self, index: int) -> str:
        """Name of a pair for a message: its file and line, and its id."""
        name: str = self.columns["id"][index].as_py()
        return f"{self.source}, {self.places[index]} ({name})" if self.places else name

    def describe(self) -> list[str]:
        """The field map as a line for people: fields under their own names, then those taken from others."""
        own = [name for name, column in self.field_map.items() if name == column]
        mapped = [f"{name} <- {column!r}" for name, column in self.field_map.items() if name != column]
        kept = [f"kept as evidence: {', '.join(self.evidence)}"] if self.evidence else []
        return ([f"field map: {', '.join([*own, *mapped])}"] if self.field_map else []) + kept

    def evidence_names(self) -> list[str]:
        """Names of all evidence, those inside a column `evidence` too."""
        names = dict.fromkeys(name for name in self.evidence if name != "evidence")
        for value in map(_plain, self.evidence.get("evidence", ())):
            names |= dict.fromkeys(value if isinstance(value, Mapping) else [] if value is None else ["evidence"])
        return list(names)

    def row(self, index: int) -> PairRow:
        """One pair as an object."""
        known = {name: column[index].as_py() for name, column in self.columns.items()}
        return PairRow(**known, evidence=self._evidence(index))

    def _evidence(self, index: int) -> dict[str, Any]:
        found = {name: _plain(column[index]) for name, column in self.evidence.items()}
        found = {name: value for name, value in found.items() if value is not None}
        own = found.pop("evidence", None)
        if own is None:
            return found
        return found | (dict(own) if isinstance(own, Mapping) else {"evidence": own})


def _plain(value: Any) -> Any:
    return value.as_py() if isinstance(value, pa.Scalar) else value


class _Rows(Sequence[PairRow]):
    """A sequence of pairs over columns."""

    def __init__(self, pairs: PairSet) -> None:
        self._pairs = pairs

    def __len__(self) -> int:
        return len(self._pairs)

    @overload
    def __getitem__(self, index: int) -> PairRow: ...
    @overload
    def __getitem__(self, index: slice) -> list[PairRow]: ...
    def __getitem__(self, index: int | slice) -> PairRow | list[PairRow]:
        if isinstance(index, slice):
            return [self._pairs.row(k) for k in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"Expected an index below {len(self)}, but got {index}.")
        return self._pairs.row(index % len(self))

    def __iter__(self) -> Iterator[PairRow]:
        return (self._pairs.row(k) for k in range(len(self)))
