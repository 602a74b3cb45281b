"""`jostle publish` in a process of its own, against the Hub of the tests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ..hub_stub import HubStub, hub_env

Publish = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def publish(hub_stub: HubStub, tmp_path: Path) -> Publish:
    """Call `jostle publish` with `HF_ENDPOINT` at the stub: `publish("metrics", "--to", "org", code=0)`."""

    def call(*arguments: object, code: int = 0, **env: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "jostle", "publish", *map(str, arguments)],
            env=hub_env(hub_stub.url, tmp_path / "publisher") | env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == code, done.stderr
        return done

    return call
