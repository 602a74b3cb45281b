"""The one form in which every measurement of speed is kept, and how it is taken: CPU seconds, ways that take turns."""

from __future__ import annotations

import json
import math
import os
import platform
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

RESULTS = Path(__file__).parent / "results"
Unit = Literal["s", "1/s", "GB"]


@dataclass(frozen=True)
class Row:
    """One piece of work, ours against others.

    Args:
        work: What was done.
        ours: Seconds, how many a second, or GB.
        unit: `s`, `1/s` or `GB`.
        peers: The same figure of others, or of a limit, by name.
        against: The one of them that the ratio is against; empty for the fastest.
        wanted: The ratio to reach at least; None where none was set.
        note: What a reader must know to judge the figure.
    """

    work: str
    ours: float
    unit: Unit
    peers: Mapping[str, float]
    against: str = ""
    wanted: float | None = None
    note: str = ""
    ratio: float | None = field(init=False)

    def __post_init__(self) -> None:
        """Choose the peer, and work out how many times as fast as it ours is; None without any."""
        fastest = max if self.unit == "1/s" else min
        against = self.against or fastest(self.peers, key=lambda name: self.peers[name], default="")
        theirs = self.peers.get(against, math.nan)
        ratio = self.ours / theirs if self.unit == "1/s" else theirs / self.ours
        object.__setattr__(self, "against", against)
        object.__setattr__(self, "ratio", ratio if self.peers else None)

    def line(self) -> str:
        """The row as a line of text."""
        others = ", ".join(f"{name} {value:.4g}" for name, value in self.peers.items())
        wanted = "" if self.wanted is None else f" (wanted {self.wanted:g})"
        ratio = f"; {self.ratio:.2f}x {self.against}{wanted}" if self.peers else ""
        return f"{self.work}: {self.ours:.4g} {self.unit}{ratio}{f'; {others}' if others else ''}"


def machine() -> str:
    """Processor, cores and Python, as far as they can be told."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    processor = models[0] if models else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, one thread used; Python {platform.python_version()}"


def keep(name: str, title: str, rows: Sequence[Row]) -> None:
    """Print the rows, and write them to results/NAME.json."""
    record: dict[str, Any] = {"title": title, "machine": machine(), "rows": [asdict(row) for row in rows]}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(title, *(row.line() for row in rows), sep="\n")


def cpu_seconds(work: Callable[[], object], passes: int = 1) -> float:
    """CPU seconds of this process for one pass."""
    start = time.process_time()
    for _ in range(passes):
        work()
    return (time.process_time() - start) / passes


def in_turns(ways: Mapping[str, Callable[[], object]], runs: int, passes: int = 1) -> dict[str, float]:
    """Median CPU seconds of each way; they take turns, so that a slow minute of the machine is shared by all."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(runs):
        for name, work in ways.items():
            taken[name].append(cpu_seconds(work, passes))
    return {name: statistics.median(seconds) for name, seconds in taken.items()}
