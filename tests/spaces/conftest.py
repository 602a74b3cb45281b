"""The Space as it runs: its folder on the path, and one server a test process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

SPACE = Path(__file__).resolve().parents[2] / "spaces" / "jostle"
if str(SPACE) not in sys.path:
    sys.path.insert(0, str(SPACE))  # its modules import each other as they do in the uploaded folder


@pytest.fixture(scope="session")
def space_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of the running Space, started as the Hub starts it: `python app.py`."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("space")
    env = {**os.environ, "GRADIO_SERVER_PORT": str(port), "GRADIO_TEMP_DIR": str(folder / "uploads")}
    with (folder / "log").open("w") as log:
        server = subprocess.Popen([sys.executable, "app.py"], cwd=SPACE, env=env, stdout=log, stderr=log)
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(url, server, folder / "log")
            yield url
        finally:
            server.terminate()
            server.wait(30)


def _wait(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end and server.poll() is None:
        try:
            urllib.request.urlopen(f"{url}/config", timeout=5).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError(f"Expected the Space to answer at {url}, but it did not: {log.read_text()[-2000:]}")
