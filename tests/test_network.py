"""The Hub out of reach: one line at once, what is cached is used, and no setting stays changed."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import datasets
import pytest
from huggingface_hub import constants

from jostle import network
from jostle.errors import InputError, JostleError, ModelError
from jostle.network import hub_or_cache, model_source, require_hub, unreachable

from .hub_stub import HubStub, hub_env

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
ITEMS = [{"sentence": f"a film that I do not like, number {k}", "label": k % 2} for k in range(6)]


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """No answers of other tests, and no proxy."""
    monkeypatch.setattr(network, "_known", {})
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def closed() -> Iterator[str]:
    """Address of a port that nobody listens to, and that nobody else gets meanwhile."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


@pytest.fixture
def online(monkeypatch: pytest.MonkeyPatch, closed: str) -> None:
    """As if the tests did not forbid the Hub, which is out of reach."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", closed)


def test_a_server_that_listens_is_reached_and_a_closed_port_is_not(hub_stub: HubStub, closed: str) -> None:
    assert unreachable(hub_stub.url) == ""
    assert unreachable(closed) == "Connection refused"
    assert hub_stub.requests == []  # a connection, no request


def test_no_answer_ends_with_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name server that says nothing: looking up a name has no time limit."""
    done = threading.Event()

    def connect(address: tuple[str, int], timeout: float) -> socket.socket:
        done.wait(60)
        raise OSError("too late")

    monkeypatch.setattr(socket, "create_connection", connect)
    start = time.monotonic()
    assert unreachable("http://hub.example", seconds=0.2) == "no answer within 0.2 s"
    assert time.monotonic() - start < 5
    done.set()


def test_an_answer_holds_for_a_while_and_not_for_ever(hub_stub: HubStub, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter(["down"])  # one attempt: a second has no answer
    monkeypatch.setattr(network, "_attempt", lambda *given: next(answers))
    assert [unreachable(hub_stub.url) for _ in range(3)] == ["down"] * 3
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 31)
    monkeypatch.setattr(network, "_attempt", lambda *given: "")
    assert unreachable(hub_stub.url) == ""


@pytest.mark.parametrize(
    ("url", "env", "hop"),
    [
        ("https://hub.example", {}, ("hub.example", 443)),
        ("http://hub.example/a", {}, ("hub.example", 80)),
        ("https://hub.example:8443", {}, ("hub.example", 8443)),
        ("https://hub.example", {"https_proxy": "http://proxy.example:3128"}, ("proxy.example", 3128)),
        ("https://hub.example", {"https_proxy": "proxy.example:3128"}, ("proxy.example", 3128)),
        ("https://hub.example", {"all_proxy": "socks5://proxy.example"}, ("proxy.example", 1080)),
        ("https://hub.example", {"http_proxy": "http://proxy.example:3128"}, ("hub.example", 443)),
        ("https://hub.example", {"https_proxy": "http://p.example:1", "no_proxy": "hub.example"}, ("hub.example", 443)),
        ("hub.example", {}, None),
        ("http://hub.example:99999", {}, None),
    ],
)
def test_what_is_connected_to_first(
    monkeypatch: pytest.MonkeyPatch, url: str, env: dict[str, str], hop: tuple[str, int] | None
) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert network._next_hop(url) == hop


@pytest.mark.usefixtures("online")
def test_without_a_copy_it_is_refused_and_with_one_the_clients_stay_offline(
    closed: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(InputError, match=f"reach the Hub for org/rows, but {closed} cannot be reached: Connection re"):
        hub_or_cache("org/rows", False, InputError).__enter__()
    with suppress(ZeroDivisionError), hub_or_cache("org/rows", True, InputError):
        assert constants.is_offline_mode()
        assert datasets.config.HF_HUB_OFFLINE
        raise ZeroDivisionError
    assert not constants.is_offline_mode()
    assert not datasets.config.HF_HUB_OFFLINE
    assert "the cached copy of org/rows is used" in caplog.text
    with pytest.raises(JostleError, match="Expected to reach the Hub for org/a"):
        require_hub("org/a")


@pytest.mark.usefixtures("online")
def test_a_folder_needs_no_hub(tmp_path: Path) -> None:
    with model_source(str(tmp_path)), model_source("no/hub/id"):
        assert not constants.is_offline_mode()
    with pytest.raises(ModelError, match="There is no copy in the cache either"), model_source("org/none"):
        pass


def test_a_reachable_hub_and_offline_mode_change_nothing(
    monkeypatch: pytest.MonkeyPatch, hub_stub: HubStub, closed: str
) -> None:
    monkeypatch.setattr(constants, "ENDPOINT", closed)
    assert constants.is_offline_mode()  # the tests are
    with hub_or_cache("org/rows", False, InputError):  # the clients have messages of their own for it
        require_hub("org/rows")
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", hub_stub.url)
    with hub_or_cache("org/rows", False, InputError):
        assert not constants.is_offline_mode()
    require_hub("org/rows")


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Call jostle with a Hub at `url`: `run(url, *arguments)`; all calls of a test share a cache."""

    def call(url: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "jostle", *map(str, arguments)],
            env=hub_env(url, tmp_path / "cache"),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    return call


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        "run --quiet --task sst2 --data org/rows --model embedded",
        "run --quiet --task sst2 --data embedded --limit 4 --model org/model",
        "run --quiet --task sst2 --data embedded --limit 4 --model org/model --decoding greedy",
        "build --quiet --task sst2 --data org/rows --out built",
        "publish metrics --to org",
    ],
)
def test_a_hub_out_of_reach_is_one_line_within_five_seconds(closed: str, run: Run, arguments: str) -> None:
    start = time.monotonic()
    done = run(closed, *arguments.split())
    assert time.monotonic() - start < 5
    assert (done.returncode, done.stdout) == (3, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: Expected to reach the Hub for org/")
    assert f"but {closed} cannot be reached: Connection refused. Check the network" in line


@pytest.mark.slow
def test_what_was_loaded_once_is_read_from_the_cache(
    hub_stub: HubStub, closed: str, run: Run, tiny_model: Callable[..., Path]
) -> None:
    for file in tiny_model("negative", "positive").iterdir():
        hub_stub.add_file("model", "org/tiny", file.name, file.read_bytes())
    rows = "".join(json.dumps(item) + "\n" for item in ITEMS).encode()
    hub_stub.add_file("dataset", "org/MyRows", "validation.jsonl", rows)
    names = ("--task", "sst2", "--data", "org/MyRows", "--model", "org/tiny")
    command = ("run", *names, "--variants", "orig,pert", "--resamples", "100", "--format", "json", "--out")
    first = run(hub_stub.url, *command, "a")
    again = run(closed, *command, "b")
    assert first.returncode == again.returncode == 0, first.stderr + again.stderr
    assert json.loads(first.stdout)["measures"] == json.loads(again.stdout)["measures"]
    assert "the cached copy of org/MyRows is used" in again.stderr
    assert "the cached copy of org/tiny is used" in again.stderr
    assert "Retrying" not in again.stderr
