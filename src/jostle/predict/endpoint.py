"""Models behind an OpenAI-compatible endpoint: vLLM, llama.cpp's server, Ollama and the like."""

from __future__ import annotations

import http.client
import json
import os
import random
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Literal
from urllib.parse import urlsplit

from ..errors import ModelError, UsageError
from ..perturb.contract import seeded
from .endpoint_answers import completion, message, retry_after
from .protocol import Advance, Completion, Decoding, Request, Stop
from .threads import in_threads

KEY_VARIABLE = "OPENAI_API_KEY"
PATHS = {"chat": "/chat/completions", "completions": "/completions"}
CONNECT_SECONDS = 5.0
LONGEST_WAIT = 120.0  # seconds; a server that asks for a longer pause ends the run
_SEED_BITS = 30  # servers take seeds below 2**31, and the number of the sample comes on top
_MESSAGE = 200  # characters of a server's message that are shown
_JITTER = random.Random()  # not the global generator, whose state is the caller's


class _Again(Exception):
    """A failure that may pass, and how long the server asks to wait."""

    def __init__(self, what: str, wait: float = 0.0) -> None:
        super().__init__(what)
        self.wait = wait


class _Refused(ModelError):
    """The server finds a request wrong, which may be because of its `n`."""


@dataclass
class Endpoint:
    """A model that a server runs, asked by several threads at a time.

    Temperature, top_p, the longest length and a seed are sent with every request. The K samples of a prompt come from
    one request with `n` where the server gives that many, else from one request each. The seed of sample s is the
    first one's plus s; the first one's follows from the run's seed and the request's key, since with one seed for all
    items their noise would be the same.

    Args:
        base_url: Address up to and with `/v1`.
        name: The model, as the server calls it.
        api: `chat` sends the prompt as a user's turn, which the server renders by the model's template: it must not be
            rendered before. `completions` has the model continue it.
        key_variable: Environment variable with the key, which is read for every request and kept nowhere.
        concurrency: Most requests at a time.
        retries: How often a request is repeated after 408, 425, 429, 5xx, a lost connection or silence.
        timeout: Seconds of silence after which a request has failed.
        backoff: Mean seconds before the first repetition; twice as many before each next one.

    Raises:
        UsageError: The address or a number cannot be used, or a variable other than the usual one is not set.

    Limitations: no scores, as few servers give the likelihood of a given answer. `stop` is not used: the server writes
    to the end or the longest length, and the text is cut at `until` here. A server may pass over seeds, and its load
    may change what it answers. Which weights it has is not known. Proxies of the environment are not used.

    >>> Endpoint("http://localhost:8000/v1/", "llama").revision
    'chat at http://localhost:8000/v1'
    """

    base_url: str
    name: str
    api: Literal["chat", "completions"] = "chat"
    key_variable: str = KEY_VARIABLE
    concurrency: int = 8
    retries: int = 6
    timeout: float = 120.0
    backoff: float = 0.5
    revision: str = field(init=False)
    _reached: bool = field(default=False, init=False, repr=False)
    _gives_n: bool = field(default=True, init=False, repr=False)

    def __post_init__(self) -> None:
        self.base_url = _address(self.base_url)
        if self.api not in PATHS:
            raise UsageError(f"Expected api to be one of {', '.join(PATHS)}, but got {self.api!r}. Choose one.")
        for name, lowest in {"concurrency": 1, "retries": 0}.items():
            if getattr(self, name) < lowest:
                raise UsageError(f"Expected {name} to be at least {lowest}, but got {getattr(self, name)}. Raise it.")
        self._key()
        self.revision = f"{self.api} at {self.base_url}"

    def manifest(self) -> dict[str, Any]:
        """What a reader needs to ask the same server again, without the key; complete after the run."""
        return {
            "model": self.name,
            "revision": self.revision,
            "base_url": self.base_url,
            "api": self.api,
            "samples_by": "n" if self._gives_n else "one request each",
            "concurrency": self.concurrency,
        }

    def complete(
        self,
        requests: Sequence[Request],
        decoding: Decoding,
        advance: Advance = lambda n: None,
        stop: Stop | None = None,
    ) -> Iterator[Completion]:
        """Yield the completions of a request when all of them are there; `Stored` puts them in order.

        After a failure that will not pass no further request is sent; answers to those under way are still yielded
        before the error is raised.

        Raises:
            UsageError: The mode is `score`.
            ModelError: The server cannot be reached, refuses the key, does not know the model, answers with something
                else than choices, or goes on failing.
        """
        if decoding.mode == "score":
            raise UsageError("Expected greedy or sample from an endpoint, but got 'score'. Score with a local model.")
        failed: Exception | None = None
        halt = threading.Event()
        for answer in in_threads(lambda r: self._samples(r, decoding, halt), requests, self.concurrency, halt):
            if isinstance(answer, Exception):
                failed = failed or answer
            else:
                advance(len(answer))
                yield from answer
        if failed:
            raise failed

    def _samples(self, request: Request, decoding: Decoding, halt: threading.Event) -> list[Completion]:
        """All samples of a request, by one call if the server gives that many choices."""
        seed = seeded(decoding.seed, "endpoint", request.key, "").getrandbits(_SEED_BITS)
        found: list[Completion] = []
        while len(found) < decoding.k:
            first = len(found)
            n = decoding.k if self._gives_n and not found else 1
            try:
                found += self._call(request, decoding, seed + first, first, n, halt)
            except _Refused:
                if n == 1:
                    raise
            self._gives_n &= n == 1 or len(found) == n
        return found

    def _call(
        self, request: Request, decoding: Decoding, seed: int, first: int, n: int, halt: threading.Event
    ) -> list[Completion]:
        """At most `n` completions by one call, numbered from `first`."""
        sampled = decoding.mode == "sample"
        body: dict[str, Any] = {
            "model": self.name,
            "temperature": decoding.temperature if sampled else 0.0,
            "top_p": decoding.top_p if sampled else 1.0,
            "max_tokens": decoding.max_new_tokens,
            "seed": seed,
            "n": n,
            "stream": False,
        }
        chat = self.api == "chat"
        body |= {"messages": [{"role": "user", "content": request.prompt}]} if chat else {"prompt": request.prompt}
        raw = self._post(json.dumps(body).encode(), request.key, halt)
        try:
            choices = json.loads(raw)["choices"][:n]
            texts = [choice["message"]["content"] if chat else choice["text"] for choice in choices]
            ends = [choice.get("finish_reason") for choice in choices]
            return [completion(request.key, first + s, texts[s], ends[s], decoding) for s in range(len(choices) or 1)]
        except (ValueError, LookupError, TypeError, AttributeError):
            shown = self._shown(raw.decode(errors="replace"))
            raise ModelError(f"Expected JSON with choices from {self.base_url}, but got {shown!r}.") from None

    def _post(self, body: bytes, key: str, halt: threading.Event) -> bytes:
        """The body of the answer, after as many repetitions as it takes."""
        for attempt in range(self.retries + 1):
            try:
                return self._post_once(body, key)
            except _Again as again:
                failure = again
            if failure.wait > LONGEST_WAIT:
                break
            pause = max(failure.wait, self.backoff * 2**attempt * _JITTER.uniform(0.5, 1.5))
            if attempt < self.retries and halt.wait(min(pause, LONGEST_WAIT)):
                break
        asked = f" and asks to wait {failure.wait:.0f} s" if failure.wait else ""
        raise ModelError(
            f"Expected an answer from {self.base_url}, but call {attempt + 1} of {self.retries + 1} failed: "
            f"{failure}{asked}. Run again later, or with fewer requests at a time."
        )

    def _post_once(self, body: bytes, key: str) -> bytes:
        try:
            connection = self._connected()
            try:
                path = urlsplit(self.base_url).path + PATHS[self.api]
                connection.request("POST", path, body, self._headers())
                response = connection.getresponse()
                raw = response.read()
            finally:
                connection.close()
        except (OSError, http.client.HTTPException) as error:
            why = self._shown(f"{type(error).__name__}: {error}")
            if not self._reached:
                raise ModelError(
                    f"Expected a server at {self.base_url}, but it cannot be reached: {why}. "
                    "Start it or correct the address."
                ) from None
            raise _Again(why) from None
        if response.status != HTTPStatus.OK:
            raise self._failure(response.status, raw, response.headers, key)
        return raw

    def _connected(self) -> http.client.HTTPConnection:
        """A connection made within seconds; reading may take longer."""
        parts = urlsplit(self.base_url)
        assert parts.hostname is not None
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname, parts.port, timeout=CONNECT_SECONDS)
        connection.connect()
        connection.sock.settimeout(self.timeout)
        self._reached = True
        return connection

    def _failure(self, status: int, raw: bytes, headers: http.client.HTTPMessage, key: str) -> Exception:
        """The error for a status other than 200."""
        said = f"{status}: {self._shown(message(raw))}" if raw.strip() else str(status)
        if status in (408, 425, 429) or (status >= HTTPStatus.INTERNAL_SERVER_ERROR and status not in (501, 505)):
            return _Again(said, retry_after(headers.get("Retry-After", "")))
        if status in (401, 403):
            return ModelError(
                f"Expected {self.base_url} to accept the key in {self.key_variable}, but got {said}. Set another key."
                if self._key()
                else f"Expected {self.base_url} to need no key, but got {said}. Set {self.key_variable}."
            )
        if status == HTTPStatus.NOT_FOUND:
            return ModelError(
                f"Expected model {self.name!r} at {self.base_url}, but got {said}. "
                "Check the model's name, and that the address ends as the server's does (/v1)."
            )
        kind = _Refused if status in (400, 422) else ModelError
        return kind(f"Expected {self.base_url} to answer request {key!r}, but got {said}.")

    def _key(self) -> str:
        key = os.environ.get(self.key_variable, "").strip()
        if not key and self.key_variable != KEY_VARIABLE:
            raise UsageError(f"Expected a key in {self.key_variable}, but it is not set. Set it, or name another one.")
        if not (key.isascii() and key.isprintable()):  # http.client would show it in its own error
            raise UsageError(
                f"Expected a key of plain characters in {self.key_variable}, but got others. Set it again."
            )
        return key

    def _headers(self) -> dict[str, str]:
        key = self._key()
        return {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})

    def _shown(self, text: str) -> str:
        """One line of what a server says, without the key, which it may repeat."""
        key = self._key()
        line = " ".join((text.replace(key, "[key]") if key else text).split())
        return line if len(line) <= _MESSAGE else line[:_MESSAGE] + "…"


def _address(url: str) -> str:
    """The address without a slash at the end, if it is one that may be shown and joined to a path."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise UsageError(f"Expected an address such as http://localhost:8000/v1, but got {url!r}. Correct it.")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise UsageError(  # what may be a password is not shown
            f"Expected a plain address of {parts.hostname}, but got one with a user, query or fragment. "
            "Leave them out; a key belongs into an environment variable."
        )
    return url.rstrip("/")
