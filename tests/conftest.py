"""Shared set-up: caches go to a throw-away folder, and `evaluate` never looks at the network."""

from __future__ import annotations

import os
import shutil
import tempfile

CACHE = tempfile.mkdtemp(prefix="jostle-tests-")
# Read when `evaluate` and numpy's BLAS are first imported, so they are set here and not in a fixture.
os.environ |= {
    "HF_HOME": f"{CACHE}/hf",
    "HF_MODULES_CACHE": f"{CACHE}/modules",
    "HF_EVALUATE_CACHE": f"{CACHE}/evaluate",
    "HF_EVALUATE_OFFLINE": "1",
    "HF_UPDATE_DOWNLOAD_COUNTS": "0",
    "OMP_NUM_THREADS": "1",
}


def pytest_unconfigure() -> None:
    """Remove the caches of this run."""
    shutil.rmtree(CACHE, ignore_errors=True)
