"""The release gate: rules that decide the exit code, whatever the average says."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..config import read_settings
from ..errors import UsageError

SECTION = "gate"
_ACCURACIES = ("side_accuracy", "relation_accuracy", "pair_accuracy")
RATES = tuple(
    [f"{prefix}{name}" for prefix in ("", "family_mean_", "operator_weighted_") for name in _ACCURACIES]
    + [f"{kind}_{name}" for kind in ("sensitivity", "invariance") for name in ("accuracy", "pair_accuracy")]
)
BOUNDS = ("point", "low")


@dataclass(frozen=True)
class Minimum:
    """The smallest value allowed for a rate.

    Args:
        rate: Key of the rate, one of `RATES`.
        value: What it must reach.
        bound: What must reach it: the rate itself (`point`), or the lower end of its 95% interval (`low`).
    """

    rate: str
    value: float
    bound: str = "point"


@dataclass(frozen=True)
class Gate:
    """Rules of a release gate; those that are empty or None are not in force.

    Args:
        critical: Operators of which no pair may fail, and of which there must be pairs.
        minimum: Smallest rates.
        weights: Weight of each operator in the operator-weighted rates; 1 for those not named.
        max_new_failures: Most pairs that may fail now and did not when they were pinned.
        max_abstention: Largest share of pairs with an abstention on either side.
        source: The file.
    """

    critical: Sequence[str] = ()
    minimum: Sequence[Minimum] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    max_new_failures: int | None = None
    max_abstention: float | None = None
    source: str = ""


def load_gate(path: str | Path) -> Gate:
    """The gate in section `[gate]` of a TOML file (`gate.toml`, `jostle.toml`, or `pyproject.toml`).

    Raises:
        UsageError: No such file or section, an unknown key, or a value of the wrong type or outside what is allowed.
    """
    sections = read_settings(Path(path))
    if SECTION not in sections:
        found = f"it has {', '.join(f'[{name}]' for name in sections)}" if sections else "it is empty"
        raise UsageError(f"Expected a section [{SECTION}] in {path}, but {found}.")
    return gate_of(sections[SECTION], str(path))


def gate_of(section: Mapping[str, Any], source: str) -> Gate:
    """The gate of a section whose keys and types have been checked.

    Raises:
        UsageError: A value inside a list or table is not what it should be.
    """
    bound = section.get("bound", BOUNDS[0])
    return Gate(
        critical=_operators(section.get("critical", []), source),
        minimum=[_minimum(name, value, bound, source) for name, value in section.get("minimum", {}).items()],
        weights={name: _weight(name, value, source) for name, value in section.get("weights", {}).items()},
        max_new_failures=section.get("max_new_failures"),
        max_abstention=section.get("max_abstention"),
        source=source,
    )


def _operators(names: Sequence[Any], source: str) -> list[str]:
    for name in names:
        if not isinstance(name, str) or not name:
            raise UsageError(f"Expected critical in {source} to list names of operators, but got {name!r}.")
    return list(dict.fromkeys(names))


def _minimum(name: str, value: Any, bound: str, source: str) -> Minimum:
    """`rate = 0.9`, or `rate = { value = 0.9, bound = "low" }`."""
    key = f"minimum.{name} in {source}"
    if name not in RATES:
        raise UsageError(f"Expected a rate of {', '.join(RATES)} in [gate.minimum] of {source}, but got {name!r}.")
    if isinstance(value, dict):
        if "value" not in value or not value.keys() <= {"value", "bound"}:
            raise UsageError(f"Expected {key} to have the keys value and bound, but got {', '.join(value) or 'none'}.")
        value, bound = value["value"], value.get("bound", bound)
    if bound not in BOUNDS:
        raise UsageError(f"Expected the bound of {key} to be one of {', '.join(BOUNDS)}, but got {bound!r}.")
    if not _number(value) or not 0 <= value <= 1:
        raise UsageError(f"Expected {key} to be a number from 0 to 1, but got {value!r}.")
    return Minimum(name, float(value), bound)


def _weight(name: str, value: Any, source: str) -> float:
    if not _number(value) or not 0 <= value <= sys.float_info.max:
        raise UsageError(f"Expected weights.{name} in {source} to be a number of at least 0, but got {value!r}.")
    return float(value)


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
