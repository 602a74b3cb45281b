"""The part of an evaluate measurement that takes texts in, with labels where there are some, and stays clean after an
error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import datasets
import pyarrow as pa

INPUTS = """
    texts: One text a case; or for each case the list of its parts (premise and hypothesis; question and options), as
        many for all.
    labels: Gold answers or classes, optional; None and -1 are unlabelled.
"""
Columns = dict[str, list[Any]]


def text_features() -> datasets.Features:
    """Features of the columns as they are stored: a list of parts for each case, and a label as text."""
    return datasets.Features({"texts": datasets.List(datasets.Value("string")), "labels": datasets.Value("string")})


def text_columns(texts: Any, labels: Any = None) -> Columns:
    """Cases as lists of parts, and labels as text or None.

    Raises:
        ValueError: A text is no text, cases have different numbers of parts, or labels are not as many as texts.

    >>> text_columns(["a", "b"], [1, None])
    {'texts': [['a'], ['b']], 'labels': ['1', None]}
    """
    if isinstance(texts, (str, bytes)) or not hasattr(texts, "__iter__"):
        raise ValueError(f"Expected `texts` to be a list of texts, but got {type(texts).__name__}.")
    cases = [_parts(case, row) for row, case in enumerate(_listed(texts))]
    counts = sorted({len(case) for case in cases})
    if len(counts) > 1:
        raise ValueError(f"Expected as many parts in each of `texts`, but got {counts[0]} and {counts[-1]}.")
    golds = [None] * len(cases) if labels is None else [_label(label) for label in _listed(labels)]
    if len(golds) != len(cases):
        raise ValueError(f"Expected a label for each text, but got {len(golds)} labels for {len(cases)} texts.")
    return {"texts": cases, "labels": golds}


def _listed(column: Any) -> list[Any]:
    return list(column.tolist() if hasattr(column, "tolist") else column)


def _parts(case: Any, row: int) -> list[str]:
    parts = [case] if isinstance(case, str) else list(case) if isinstance(case, (list, tuple)) else [case]
    odd = [part for part in parts if not isinstance(part, str)]
    if odd or not parts:
        raise ValueError(
            f"Expected `texts` to hold texts, or lists of texts, but got {odd[0] if odd else case!r} in row {row}."
        )
    return parts


def _label(label: Any) -> str | None:
    label = label.item() if hasattr(label, "item") else label
    if label is None or label == -1 or label != label:  # noqa: PLR0124 - nan is what differs from itself
        return None
    return str(int(label)) if isinstance(label, (bool, float)) and float(label).is_integer() else str(label)


class TextColumns:
    """Mixin in front of `evaluate.Measurement`; a module adds `measure(texts, labels, **options)`.

    After any error nothing is pending, so a failed round cannot leak into the next.
    """

    writer: Any
    info: Any
    data: Any
    num_process: int
    process_id: int

    def measure(self, texts: Sequence[Sequence[str]], labels: Sequence[str | None], **options: Any) -> dict[str, Any]:
        """What the module computes."""
        raise NotImplementedError

    def compute(self, *, texts: Any = None, labels: Any = None, **options: Any) -> dict[str, Any] | None:
        """Compute the module on the texts given, or on those added since the last `compute`.

        Returns:
            The keys of the card as plain Python values; None on processes other than 0.
        """
        try:
            if texts is None:
                if labels is not None:
                    raise ValueError("Expected `texts` beside `labels`, but got labels alone.")
                return super().compute(**options)  # type: ignore[misc,no-any-return]
            if len(self):
                raise ValueError(
                    f"Expected no pending rows when texts are passed, but {len(self)} were added before. "
                    "Call compute() without texts, or pass everything at once."
                )
            columns = text_columns(texts, labels)
            if self.num_process == 1:
                return self.measure(**columns, **options)
            self._write(columns)
            return super().compute(**options)  # type: ignore[misc,no-any-return]
        except Exception as error:
            self._discard(error)
            raise

    def add_batch(self, *, texts: Any = None, labels: Any = None, **other: Any) -> None:
        """Add cases; `compute()` without texts measures them."""
        try:
            unknown = [name for name, column in other.items() if column is not None]
            if unknown or texts is None:
                found = f"got {unknown[0]!r}" if unknown else "texts is missing"
                raise ValueError(f"Expected the columns texts and labels, but {found}.")
            self._write(text_columns(texts, labels))
        except Exception as error:
            self._discard(error)
            raise

    def add(self, *, texts: Any = None, labels: Any = None, **other: Any) -> None:
        """Add one case: a text or the list of its parts."""
        self.add_batch(texts=None if texts is None else [texts], labels=[labels], **other)

    def __len__(self) -> int:
        """Rows added and not yet computed."""
        return super().__len__()  # type: ignore[misc,no-any-return]

    def _write(self, columns: Mapping[str, list[Any]]) -> None:
        if self.writer is None:
            self.selected_feature_format = self.info.features
            self._init_writer()  # type: ignore[attr-defined]
        types = {"texts": pa.list_(pa.string()), "labels": pa.string()}
        self.writer.write_table(pa.table({name: pa.array(columns[name], types[name]) for name in types}))

    def _compute(self, texts: Any, labels: Any, **options: Any) -> dict[str, Any]:
        """Called by evaluate on process 0 with the rows of all processes."""
        return self.measure([list(case) for case in texts], list(labels), **options)

    def _discard(self, error: Exception) -> None:
        """Forget this process's pending rows, and say so in the error."""
        lost = len(self)
        self.writer = None
        for name in ("filelock", "rendez_vous_lock"):
            lock = getattr(self, name, None)
            if lock is not None:
                lock.release(force=True)
                setattr(self, name, None)
        self.cache_file_name = self.selected_feature_format = self.buf_writer = self.data = None
        if lost:
            error.args = (f"{error} The {lost} pending rows of this process were discarded: start the round again.",)
