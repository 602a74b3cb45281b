"""Wall seconds until `--help` stands on the screen, against other command lines.

    python benchmarks/startup.py --runs 10

Each run is a process of its own, after one that counts for nothing (it leaves compiled code and a warm disk cache
behind); they take turns, and the median is given. argparse and click are scripts with one argument: the floor of any
command line in Python, and of one with click. evallint goes into an environment of its own; inspect is the one that is
installed beside jostle, for its integration. Kept in results/startup.json.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from environments import python_with
from form import Row, keep

EVALLINT = "0.17.0"
# It states a newer Python than it needs, so pip is told to install it all the same, and then what it imports.
INSTALLS = (("--ignore-requires-python", "--no-deps", f"evallint=={EVALLINT}"), ("click", "rich", "numpy"))
SCRIPTS = {
    "argparse": "import argparse\np = argparse.ArgumentParser()\np.add_argument('file')\np.parse_args()\n",
    "click": "import click\n@click.command()\n@click.argument('file')\ndef main(file): ...\nmain()\n",
}
OURS, THEIRS = "jostle", f"evallint {EVALLINT}"
# Those who run this may have told Python to keep no compiled code; then everything would be compiled in every run.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds(command: Sequence[str]) -> float:
    """Wall seconds of one run; one that fails is an error."""
    start = time.perf_counter()
    subprocess.run(command, capture_output=True, check=True, env=ENVIRONMENT)
    return time.perf_counter() - start


def commands(folder: Path) -> dict[str, list[str]]:
    """What is run, by name."""
    here = Path(sys.executable).parent
    found = {OURS: [str(here / "jostle"), "--help"]}
    for name, text in SCRIPTS.items():
        (folder / f"{name}_only.py").write_text(text, encoding="utf-8")
        found[f"{name} alone"] = [sys.executable, str(folder / f"{name}_only.py"), "--help"]
    found[THEIRS] = [str(python_with(f"evallint-{EVALLINT}", *INSTALLS).with_name("evallint")), "--help"]
    found[f"inspect {version('inspect_ai')}"] = [str(here / "inspect"), "--help"]
    return found


def medians(ways: Mapping[str, Sequence[str]], runs: int) -> dict[str, float]:
    """Median seconds of each; they take turns."""
    for command in ways.values():
        seconds(command)
    taken = [{name: seconds(command) for name, command in ways.items()} for _ in range(runs)]
    return {name: statistics.median(run[name] for run in taken) for name in ways}


def main() -> None:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        taken = medians(commands(Path(folder)), options.runs)
    note = f"wall time, median of {options.runs} processes each; a command loads what it needs when it is run"
    keep("startup", "Start-up", [Row("`--help`", taken.pop(OURS), "s", taken, THEIRS, 1.0, note)])


if __name__ == "__main__":
    main()
