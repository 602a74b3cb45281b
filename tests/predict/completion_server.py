"""An OpenAI-compatible server on the loopback interface that fails, throttles and talks nonsense on request."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """What the server sends: a status, a body (JSON unless it is bytes), and headers."""

    body: Any
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Asked:
    """A request as the server saw it."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def prompt(self) -> str:
        return self.body["messages"][0]["content"] if "messages" in self.body else self.body["prompt"]


def answers(asked: Asked, most: int = 100) -> Reply:
    """Choices that say prompt and seed, `most` of them at most, as many servers have a limit of 1."""
    choices = []
    for k in range(min(asked.body["n"], most)):
        text = f"{asked.prompt} {asked.body['seed'] + k}"
        said = {"message": {"role": "assistant", "content": text}} if "messages" in asked.body else {"text": text}
        choices.append({"index": k, "finish_reason": "stop", **said})
    return Reply({"object": "completion", "choices": choices})


class CompletionServer:
    """A running server: `url`, the requests it saw, and the most it had at a time.

    Args:
        reply: What it answers, by request and number of the request (from 0).
    """

    def __init__(self, reply: Callable[[Asked, int], Reply]) -> None:
        self.reply, self.asked, self.most = reply, list[Asked](), 0
        self._open, self._lock = 0, threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"server_of_test": self}))
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def answer(self, asked: Asked) -> Reply:
        with self._lock:
            number = len(self.asked)
            self.asked.append(asked)
            self._open += 1
            self.most = max(self.most, self._open)
        try:
            return self.reply(asked, number)
        finally:
            with self._lock:
                self._open -= 1

    @contextmanager
    def running(self) -> Iterator[CompletionServer]:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            yield self
        finally:
            self._server.shutdown()
            self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    server_of_test: CompletionServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = self.server_of_test.answer(Asked(self.path, body, dict(self.headers)))
        content = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(len(content)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        """Keep stderr to the tests."""


def slowly(seconds: float, reply: Reply) -> Reply:
    """The reply after some time."""
    time.sleep(seconds)
    return reply
