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
name, rank, experiment, columns = sys.argv[1], int(sys.argv[2]), sys.argv[3], json.loads(sys.stdin.read())
module = evaluate.load(f"metrics/{name}", num_process=2, process_id=rank, experiment_id=experiment)
if len(sys.argv) > 4:
    result = module.compute(**columns)
else:
    module.add_batch(**columns)
    result = module.compute()
print(json.dumps(result))
"""


@pytest.mark.slow
@pytest.mark.parametrize("extra", [[], ["at once"]], ids=["add_batch", "compute"])
def test_two_processes_give_the_result_of_one(
    repo: Path, module: Any, columns: dict[str, list[Any]], same: Callable[[Any, Any], bool], extra: list[str]  # noqa: ANN401
) -> None:
    """Process 0 measures the rows of both; process 1 gets None."""
    experiment = f"test-{module.name}-{len(extra)}"
    arguments = [sys.executable, "-c", WORKER, module.name]
    started = [
        subprocess.Popen(
            [*arguments, str(rank), experiment, *extra],
            cwd=repo, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for rank in range(2)
    ]  # fmt: skip
    halves = ({name: column[rank * 100 : 100 + rank * 140] for name, column in columns.items()} for rank in range(2))
    for process, half in zip(started, halves, strict=True):
        assert process.stdin is not None
        process.stdin.write(json.dumps(half))
        process.stdin.close()
        process.stdin = None
    ends = [process.communicate(timeout=120) for process in started]
    assert [process.returncode for process in started] == [0, 0], ends
    zero, one = (json.loads(stdout) for stdout, _ in ends)
    assert one is None
    assert same(zero, module.compute(**columns))
