"""Which column of an evaluation set is what, and what a reader must know about the choice."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import InputError, UsageError
from ..loading import ALIASES as ITEM_ALIASES
from ..rows import RowFile
from .base import PAIRS

_PAIR_FIELDS = tuple(dict.fromkeys(name for pair in PAIRS for name in pair))
FIELDS = ("id", "input", "turns", *_PAIR_FIELDS, "choices", "answer", "label", "expected", "answers")
ALIASES: Mapping[str, Sequence[str]] = {
    "id": ("idx", "item_id", "task_id", "question_id", "case_id", "pair_id", "pairID", "uid", "ind"),
    "input": (
        "question", "prompt", "ctx", "text", "sentence", "problem", "query", "instruction", "utterance", "message",
        "content", "question.stem", "question_stem",
    ),
    "choices": ITEM_ALIASES["choices"],
    "answer": (*ITEM_ALIASES["answer"], "answer_idx", "gold"),
    "label": (
        "gold_label", "label_text", "class", "category", "subject", "topic", "intent", "sentiment", "type", "labels",
    ),
    "expected": (
        "answer", "target", "reference", "best_answer", "correct_answer", "canonical_solution", "expected_output",
        "ideal", "output", "completion", "response", "solution", "gold",
    ),
    "answers": (),
    "premise": ITEM_ALIASES["premise"],
    "hypothesis": ITEM_ALIASES["hypothesis"],
}  # fmt: skip


@dataclass
class Fields:
    """Columns by field, and notes."""

    columns: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def map_fields(file: RowFile, mapping: Mapping[str, str]) -> Fields:
    """Which column each field is read from: by the mapping, by its own name, or by its only alias.

    Raises:
        UsageError: The mapping names no such field or column, or contradicts itself.
        InputError: No input is found, or two columns could both be a field.
    """
    return _Inference(file, mapping).run()


class _Inference:
    def __init__(self, file: RowFile, mapping: Mapping[str, str]) -> None:
        self.file, self.mapping = file, mapping
        self.present = list(dict.fromkeys(name for row in file.rows for name in row))
        self.free = [name for name in self.present if name not in mapping.values()]
        self.found = Fields()

    def run(self) -> Fields:
        self._check_mapping()
        self._inputs()
        choices = self._take("choices")
        if choices:
            self._take("answer")
        elif "answer" in self.mapping:
            raise UsageError(
                f"Expected options beside --map answer={self.mapping['answer']}, but {self.file.source} has none. "
                "Add --map choices=COLUMN, or for a reference answer as text write --map expected=COLUMN."
            )
        for name in ("label", "expected"):
            # The gold of multiple choice is its answer; `category` beside it is no label, unless somebody says so.
            if not choices or name in self.mapping or (name == "expected" and name in self.free):
                self._take(name)
        self._take("answers")
        self._ids()
        self._displaced()
        self._positions()
        return self.found

    def _check_mapping(self) -> None:
        for name, column in self.mapping.items():
            if name not in FIELDS:
                raise UsageError(f"Expected --map to name a field of {', '.join(FIELDS)}, but got {name!r}.")
            if column not in self.present:
                raise UsageError(
                    f"Expected a column {column!r} (--map {name}={column}), but {self.file.source} has "
                    f"{', '.join(self.present)}."
                )
        kinds = [name for name in ("input", "turns") if name in self.mapping]
        kinds += [_PAIR_FIELDS[0]] if set(_PAIR_FIELDS) & set(self.mapping) else []
        if len(kinds) > 1:
            raise UsageError(f"Expected the input by one of input, turns or a pair, but --map names {kinds}.")

    def _inputs(self) -> None:
        asked = [pair for pair in PAIRS if set(pair) & set(self.mapping)]
        if asked:
            for name in max(asked, key=lambda pair: len(set(pair) & set(self.mapping))):
                self._need(name)
        elif "input" in self.mapping or "turns" in self.mapping:
            self._take("input" if "input" in self.mapping else "turns")
        elif "input" in self.free or not ("turns" in self.free or self._pair()):
            self._need("input")
        elif pair := self._pair():
            for name in pair:
                self._take(name)
        else:
            self._take("turns")

    def _pair(self) -> tuple[str, str] | None:
        return next((pair for pair in PAIRS if all(name in self.free or self._aliases(name) for name in pair)), None)

    def _need(self, name: str) -> None:
        if self._take(name):
            return
        hint = "--map turns=COLUMN for lists of turns, --map premise=COLUMN --map hypothesis=COLUMN for pairs"
        if self.file.source.lower().endswith((".csv", ".tsv")):
            hint += "; --columns NAME,NAME,... for a file without a header line"
        raise InputError(
            f"Expected a column for the {name} in {self.file.source}, but found {', '.join(self.present)}. "
            f"Name it: --map {name}=COLUMN ({hint})."
        )

    def _take(self, name: str) -> str | None:
        """The column of a field, noted in the field map; None where there is none."""
        aliases = self._aliases(name)
        if name in self.mapping:
            column = self.mapping[name]
        elif name in self.free:
            column = name
            self._warn_of(name, aliases)
        elif len(aliases) > 1:
            both = " and ".join(repr(alias) for alias in aliases)
            flag = shlex.quote(f"{name}={aliases[0]}")
            raise InputError(
                f"Expected one column for the {name} in {self.file.source}, but {both} could each be it. "
                f"Name the one you mean, for example: --map {flag}."
            )
        elif aliases:
            column = aliases[0]
        else:
            return None
        self.found.columns[name] = column
        return column

    def _aliases(self, name: str) -> list[str]:
        known = {plain(alias) for alias in (name, *ALIASES.get(name, ()))}
        taken = set(self.found.columns.values())
        return [column for column in self.free if column != name and plain(column) in known and column not in taken]

    def _warn_of(self, name: str, aliases: Sequence[str]) -> None:
        """A column of the field's own name stands beside others that could be meant."""
        others = list(aliases)
        if name == "label":
            others += [c for c in self.free if "label" in plain(c).split("_") and c not in (name, *aliases)]
        for other in others:
            if self._plausible(name, other):
                self.found.notes.append(
                    f"warning: {name} is the column {name!r}, though {other!r} could be meant: "
                    f"--map {shlex.quote(f'{name}={other}')}"
                )

    def _plausible(self, name: str, other: str) -> bool:
        """Whether a column holds what the field could hold, and says something else than the field's own."""
        pairs = [(row.get(name), row.get(other)) for row in self.file.rows if row.get(other) is not None]
        if not pairs or not all(isinstance(value, (str, int)) for _, value in pairs):
            return False
        distinct = {(str(a), str(b)) for a, b in pairs}
        return not len(distinct) == len({a for a, _ in distinct}) == len({b for _, b in distinct})

    def _ids(self) -> None:
        """An id of its own name, or the first that could be one and names every row apart."""
        if "id" in self.mapping or "id" in self.free:
            self.found.columns["id"] = self.mapping.get("id", "id")
            return
        for column in self._aliases("id"):
            values = [row.get(column) for row in self.file.rows]
            if None not in values and len({str(value) for value in values}) == len(values):
                self.found.columns["id"] = column
                return

    def _displaced(self) -> None:
        for name, column in self.mapping.items():
            if name in self.free and column != name and name not in self.found.columns.values():
                self.found.notes.append(
                    f"the column {name!r} is displaced by --map {name}={column} and kept as metadata"
                )

    def _positions(self) -> None:
        """Labels that look like positions in a list of options that nobody named."""
        label = self.found.columns.get("label")
        if label is None or "choices" in self.found.columns:
            return
        values = [row.get(label) for row in self.file.rows]
        numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool) and value >= 0]
        if not numbers or len(numbers) < len([value for value in values if value is not None]):
            return
        for column in self.free:
            sizes = {_size(row.get(column)) for row in self.file.rows}
            if min(sizes) > max(numbers) and min(sizes) > 1:
                self.found.notes.append(
                    f"warning: the labels are whole numbers up to {max(numbers)} and {column!r} holds lists of "
                    f"{min(sizes)}: they look like answer positions. If so: --map choices={column} --map answer={label}"
                )


def plain(name: str) -> str:
    """A column name in lower case with underscores.

    >>> plain("Best Answer"), plain("answer-key")
    ('best_answer', 'answer_key')
    """
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _size(value: Any) -> int:
    return len(value) if isinstance(value, list) and all(isinstance(text, str) for text in value) else 0
