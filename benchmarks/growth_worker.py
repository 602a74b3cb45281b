"""Runs in a process of its own: one command on one file, with its time and its peak memory, as JSON.

    python growth_worker.py WORK SMALL_FILE FILE

The command runs on the small file first, so that packages, word lists and weights are loaded: their time and memory
are the base, which does not grow.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq


def peak() -> float:
    """Largest GB of this process so far, by what Linux says."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) * 1024 / 1e9


def jostle(*arguments: str) -> None:
    """A command line; what it prints is thrown away."""
    from jostle.cli import cli

    with contextlib.redirect_stdout(io.StringIO()):
        code = cli.main([*arguments, "--no-config", "--quiet"], standalone_mode=False)
    assert not code, f"jostle {arguments[0]} failed"


def audited(file: str, near: bool) -> int:
    """The checks of an audit and its report; without `near`, texts are compared, but not their embeddings."""
    from jostle.audit import audit, load
    from jostle.audit.markdown import to_markdown

    report = audit(load(file), options={"duplicates": {"near": near}})
    assert to_markdown(report)
    return pq.read_metadata(file).num_rows


def done(work: str, file: str, out: str) -> int:
    """Do it; gives how many rows it was: those read, built or predicted."""
    if work == "report":
        jostle("report", file)
        return pq.read_metadata(file).num_rows
    if work.startswith("audit"):
        return audited(file, near=work == "audit")
    items = ("--task", "sst2", "--data", file, "--out", out)
    if work == "run":
        jostle("run", *items, "--model", "embedded")
        return pq.read_metadata(f"{out}/outcomes.parquet").num_rows
    jostle("build", *items)
    return sum(pq.read_metadata(path).num_rows for path in Path(out).rglob("*.parquet"))


def main() -> None:
    """Small, then large."""
    work, small, file = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        done(work, small, f"{folder}/small")
        base, start, started = peak(), time.process_time(), time.perf_counter()
        rows = done(work, file, f"{folder}/large")
        seconds, wall = time.process_time() - start, time.perf_counter() - started
    print(json.dumps({"rows": rows, "seconds": seconds, "wall": wall, "peak": peak(), "base": base}))


if __name__ == "__main__":
    main()
