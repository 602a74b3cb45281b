"""Damaged files in every loader: a result or an error of jostle's own, in time and in bounded memory.

`JOSTLE_FUZZ_SECONDS` is how long each loader is tried (2 by default, 600 under `make fuzz`), `JOSTLE_FUZZ_SEED`
which files are made. What was found is kept as a test in `test_found.py`.
"""

from __future__ import annotations

import os
import random
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, note, seed, settings
from hypothesis import strategies as st

from jostle.errors import JostleError

from .mutations import ODD_VALUES, file_mutated
from .seeds import Files, as_json
from .targets import Target, targets

pytestmark = pytest.mark.slow

SECONDS = float(os.environ.get("JOSTLE_FUZZ_SECONDS", "2"))
FIRST_SEED = int(os.environ.get("JOSTLE_FUZZ_SEED", "0"))
LONGEST = 10.0  # CPU seconds for one small file
MOST_MEMORY = 1 << 30
A_ROUND = settings(
    max_examples=40, database=None, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
)  # fmt: skip
TARGETS = targets()


def written(folder: Path, files: Files) -> Path:
    """The files in a folder of their own; the path that a loader is given."""
    for old in folder.iterdir():
        old.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder if len(files) > 1 else folder / next(iter(files))


def survives(target: Target, path: Path) -> bool:
    """Whether the loader takes the file; an error that is not jostle's own goes on to pytest."""
    began = time.process_time()
    try:
        target.read(path)
    except JostleError as refused:
        message = str(refused)
        assert "Expected " in message, message
        assert len(message.splitlines()) <= 3, message
        return False
    finally:
        assert time.process_time() - began < LONGEST
    return True


def memory(key: str) -> int:
    """Bytes of this process: `VmRSS` now, `VmHWM` at most since it was last reset."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(key))


def damaged(rng: Any, files: Files) -> Files:
    name = rng.choice(sorted(files))
    return {**files, name: file_mutated(files[name], rng)}


@pytest.mark.parametrize("name", TARGETS)
def test_the_valid_files_are_taken(name: str, tmp_path: Path) -> None:
    taken = [survives(TARGETS[name], written(tmp_path, files)) for files in TARGETS[name].seeds]
    # An evallint report is recognised to be refused.
    assert taken == ["report.json" not in files for files in TARGETS[name].seeds]


@pytest.mark.parametrize("name", TARGETS)
def test_odd_documents(name: str, tmp_path: Path) -> None:
    contents = [
        b"",
        b"\n",
        b"\xef\xbb\xbf",
        b"\x00",
        b"\xff\xfe",
        b"PAR1",
        b"PAR1PAR1",
        b"PK\x03\x04",
        b"\x1f\x8b\x08",
        b"a,b\n",
    ]
    contents += [as_json(value) for value in ODD_VALUES] + [as_json([value]) for value in ODD_VALUES]
    for files in TARGETS[name].seeds:
        for changed in files:
            for content in contents:
                survives(TARGETS[name], written(tmp_path, {**files, changed: content}))


@pytest.mark.timeout(SECONDS + 600)
@pytest.mark.parametrize("name", TARGETS)
def test_damaged_files(name: str, tmp_path: Path) -> None:
    target = TARGETS[name]

    def example(files: Files, raw: bytes | None, rng: random.Random) -> None:
        files = damaged(rng, files) if raw is None else {**files, min(files): raw}
        note(f"files = {files!r}")
        survives(target, written(tmp_path, files))

    strategies = {
        "files": st.sampled_from(target.seeds),
        "raw": st.one_of(st.none(), st.none(), st.none(), st.binary(max_size=200)),
        "rng": st.randoms(use_true_random=False),
    }
    until, before = time.monotonic() + SECONDS, memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # VmHWM starts anew
    rounds = 0
    while not rounds or time.monotonic() < until:
        seed(FIRST_SEED * 1_000_000 + rounds)(A_ROUND(given(**strategies)(example)))()
        rounds += 1
    assert memory("VmHWM") - before < MOST_MEMORY
