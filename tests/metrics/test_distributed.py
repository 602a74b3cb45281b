"""Two processes that add their halves give the result of one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WORKER = """
import json, sys
import evaluate
names, rank, at_once, columns = json.loads(sys.stdin.read())
results = {}
for name in names:
    experiment = f"{name}-{at_once}"
    module = evaluate.load(f"metrics/{name}", num_process=2, process_id=rank, experiment_id=experiment)
    if not at_once:
        module.add_batch(**columns)
    results[name] = module.compute(**columns) if at_once else module.compute()
print(json.dumps(results))
"""


@pytest.mark.slow
@pytest.mark.parametrize("at_once", [False, True], ids=["add_batch", "compute"])
def test_two_processes_give_the_result_of_one(
    repo: Path, modules: dict[str, Any], columns: dict[str, list[Any]], same: Callable[[Any, Any], bool], at_once: bool
) -> None:
    """Process 0 measures the rows of both; process 1 gets None."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WORKER],
            cwd=repo, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]  # fmt: skip
    parts = (slice(0, 100), slice(100, None))
    for rank, (process, part) in enumerate(zip(started, parts, strict=True)):
        assert process.stdin is not None
        half = {name: column[part] for name, column in columns.items()}
        process.stdin.write(json.dumps([list(modules), rank, at_once, half]))
        process.stdin.close()
        process.stdin = None  # or communicate() would flush it again
    ends = [process.communicate(timeout=120) for process in started]
    assert [process.returncode for process in started] == [0, 0], ends
    zero, one = (json.loads(stdout) for stdout, _ in ends)
    assert one == dict.fromkeys(modules)
    assert same(zero, {name: module.compute(**columns) for name, module in modules.items()})
