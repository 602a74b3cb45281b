"""Environments of their own for the tools that jostle is measured against."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

CACHE = Path.home() / ".cache" / "jostle-benchmarks"


def python_with(name: str, *installs: Sequence[str], cache: Path = CACHE) -> Path:
    """The interpreter of the environment of that name, made when it is not there.

    Args:
        name: Name of the environment; put versions into it, so that another version gets another one.
        installs: Arguments of `pip install`, one run for each.
        cache: Where environments are kept.
    """
    home = cache / name
    python = home / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not (home / "ready").exists():
        print(f"installing {name} into {home}", file=sys.stderr)
        venv.create(home, with_pip=True, clear=True)
        for install in installs:
            pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, *install], check=True)
        (home / "ready").touch()
    return python
