"""Decodings compared: groups of one task and model that differ in nothing else, two by two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..measures.inputs import to_rows
from ..measures.intervals import holm
from ..measures.options import GROUPS, Options
from ..measures.paired import LIMITATIONS, paired
from ..measures.table import Rows
from .model import Comparison

_TESTED = ("accuracy", "robustness_ratio")


@dataclass(frozen=True)
class Group:
    """The rows of one task, model and decoding."""

    name: str
    key: Mapping[str, str | None]
    rows: Rows

    @classmethod
    def of(cls, name: str, arrays: Mapping[str, Any], options: Options) -> Group:
        """A group as `by_group` splits them: each of its group columns holds one value."""
        key = {column: arrays[column][0].as_py() for column in GROUPS if column in arrays and len(arrays[column])}
        return cls(name, key, to_rows(arrays, options))

    @property
    def decoding(self) -> str:
        """Its decoding, as its name has it."""
        return str(self.key.get("decodings"))

    @property
    def common(self) -> str:
        """Its name without the decoding."""
        return self.name.removesuffix(f"decoding={self.decoding}").removesuffix("|")


def compare_decodings(groups: Sequence[Group], options: Options) -> list[Comparison]:
    """Compare the decodings of each task and model, two by two, with Holm over all comparisons of one kind."""
    pairs = [(first, second) for first, second in combinations(groups, 2) if _differ_in_decoding(first, second)]
    found = compared(pairs, options)
    return [
        Comparison(first.common, first.decoding, second.decoding, values, LIMITATIONS)
        for (first, second), values in zip(pairs, found, strict=True)
    ]


def compared(pairs: Sequence[tuple[Group, Group]], options: Options) -> list[dict[str, Any]]:
    """Values of `paired` for every pair of groups, with Holm over the pairs."""
    found = [paired(first.rows, second.rows, options) for first, second in pairs]
    for name in _TESTED:
        adjusted = holm({str(k): values[f"{name}_p_value"] for k, values in enumerate(found)})
        for k, values in enumerate(found):
            values[f"{name}_p_value_holm"] = adjusted[str(k)]
    return found


def _differ_in_decoding(first: Group, second: Group) -> bool:
    return {name for name in GROUPS if first.key.get(name) != second.key.get(name)} == {"decodings"}
