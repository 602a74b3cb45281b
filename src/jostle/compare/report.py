"""What a comparison found, for people and for machines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..measures.ranks import Ranks
from ..measures.version import __version__
from ..report.model import Comparison, Gate, strict
from .changed import Changed

NEVER, REGRESSION, UNPROVEN = FAIL_ON = ("never", "regression", "unproven")
_GATED = ("accuracy", "robustness_ratio")


@dataclass(frozen=True)
class ComparisonReport:
    """Files compared with the first of them.

    Args:
        names: Names of the files; the first is what the others are compared with.
        comparisons: One for each other file, and for each task, model or decoding that they share.
        changed: Items that changed, by the name of the other file.
        ranks: The order of three files or more.
        notes: What a reader must know about how the outcomes were made.
        limitations: What the comparison cannot tell.
        signature: Version and options.
    """

    names: Sequence[str]
    comparisons: Sequence[Comparison]
    changed: Mapping[str, Sequence[Changed]]
    ranks: Ranks | None
    notes: Sequence[str]
    limitations: Sequence[str]
    signature: str

    def drops(self, fail_on: str, max_drop: float) -> list[str]:
        """Why the gate is tripped, a line each.

        `regression`: the whole interval of a difference lies below -`max_drop`, so the drop is sure. `unproven`: its
        low end does, so that a drop of more than that is not excluded.
        """
        if fail_on == NEVER:
            return []
        end = "high" if fail_on == REGRESSION else "low"
        said = "is worse by more than" if fail_on == REGRESSION else "may be worse by more than"
        found = []
        for made in self.comparisons:
            for name in _GATED:
                low, high = (made.values[f"{name}_difference_ci_{side}"] for side in ("low", "high"))
                if (high if end == "high" else low) < -max_drop:
                    group = f" ({made.group})" if made.group else ""
                    words = name.replace("_", " ")
                    found.append(
                        f"{made.second}{group} {said} {max_drop:g} in {words}: 95 % CI {low:+.3f} to {high:+.3f}"
                    )
        return found

    @property
    def incomplete(self) -> list[str]:
        """What could not be compared."""
        return [
            f"{made.second}: no accuracy to compare"
            for made in self.comparisons
            if math.isnan(made.values["accuracy_difference"])
        ]

    def gate(self, fail_on: str, max_drop: float) -> Gate:
        """Exit code: 3 where nothing could be compared, 1 where the gate is tripped, else 0."""
        tripped = bool(self.drops(fail_on, max_drop))
        return Gate(fail_on, 3 if self.incomplete else int(tripped), tripped, self.incomplete)

    def to_dict(self, fail_on: str = NEVER, max_drop: float = 0.0) -> dict[str, Any]:
        """The comparison as plain values for JSON: nan becomes None."""
        gate = self.gate(fail_on, max_drop)
        payload = {
            "tool": {"name": "jostle", "version": __version__},
            "source": list(self.names),
            "summary": {"verdict": self.verdict, "compared_with": self.names[0]},
            "measures": [
                {"name": "paired", "group": m.group, "first": m.first, "second": m.second, "values": dict(m.values)}
                for m in self.comparisons
            ],
            "ranks": None if self.ranks is None else {k: _plain(v) for k, v in asdict(self.ranks).items()},
            "changed": {name: [asdict(one) for one in items] for name, items in self.changed.items()},
            "notes": list(self.notes),
            "limitations": list(self.limitations),
            "gate": {
                "fail_on": fail_on,
                "max_drop": max_drop,
                "exit_code": gate.exit_code,
                "tripped": gate.tripped,
                "incomplete": list(gate.incomplete),
            },
            "signature": self.signature,
        }
        clean: dict[str, Any] = strict(payload)
        return clean

    @property
    def verdict(self) -> str:
        """`better`, `worse`, `mixed` or `no_clear_difference` of the others' accuracy, Holm-adjusted."""
        found = {sign_of(made) for made in self.comparisons}
        if found == {0}:
            return "no_clear_difference"
        return "mixed" if {1, -1} <= found else "better" if 1 in found else "worse"


def sign_of(made: Comparison) -> int:
    """1 where the second side is right more often for sure, -1 where less often, else 0."""
    p = made.values["accuracy_p_value_holm"]
    if not p < 0.05:  # noqa: PLR2004 - nan is not clear
        return 0
    return 1 if made.values["accuracy_difference"] > 0 else -1


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value
