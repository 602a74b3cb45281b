"""An endpoint is asked explicitly, politely and in parallel, and every failure is one clear line."""

from __future__ import annotations

import random
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest

from jostle.errors import JostleError, ModelError, UsageError
from jostle.predict import endpoint as module
from jostle.predict.endpoint import Endpoint
from jostle.predict.endpoint_answers import retry_after
from jostle.predict.protocol import Completion, Decoding, Predictor, Request
from jostle.predict.store import PredictionStore
from jostle.predict.stored import Stored
from jostle.predict.threads import in_threads

from .completion_server import Asked, CompletionServer, Reply, answers, slowly

Serve = Callable[..., CompletionServer]
GREEDY, SAMPLE = Decoding("greedy"), Decoding("sample", k=4, temperature=0.7, top_p=0.9, max_new_tokens=7, seed=3)
KEY = "sk-very-secret"


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as stack:

        def start(reply: Callable[[Asked, int], Reply] = lambda asked, number: answers(asked)) -> CompletionServer:
            return stack.enter_context(CompletionServer(reply).running())

        yield start


def make(url: str, **settings: Any) -> Endpoint:
    return Endpoint(url, "tiny", **{"backoff": 0.001, "timeout": 5.0, **settings})


def requests(count: int) -> list[Request]:
    return [Request(f"i{k}", f"prompt {k}") for k in range(count)]


def ask(url: str, decoding: Decoding = GREEDY, count: int = 1, **settings: Any) -> list[Completion]:
    return list(make(url, **settings).complete(requests(count), decoding))


def error_of(url: str, **settings: Any) -> str:
    with pytest.raises(ModelError) as caught:
        ask(url, **settings)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_greedy_sends_every_parameter(serve: Serve) -> None:
    server = serve()
    (done,) = ask(server.url)
    (asked,) = server.asked
    seed = asked.body.pop("seed")
    assert asked.path == "/v1/chat/completions"
    assert asked.body == {
        "model": "tiny", "temperature": 0.0, "top_p": 1.0, "max_tokens": 16, "n": 1, "stream": False,
        "messages": [{"role": "user", "content": "prompt 0"}],
    }  # fmt: skip
    assert done == Completion("i0", 0, f"prompt 0 {seed}")
    assert "Authorization" not in asked.headers


def test_completions_api_and_sampling_parameters(serve: Serve) -> None:
    server = serve()
    done = ask(server.url, SAMPLE, api="completions")
    (asked,) = server.asked
    assert asked.path == "/v1/completions"
    sent = {name: asked.body[name] for name in ("prompt", "temperature", "top_p", "max_tokens", "n")}
    assert sent == {"prompt": "prompt 0", "temperature": 0.7, "top_p": 0.9, "max_tokens": 7, "n": 4}
    seed = asked.body["seed"]
    assert [(d.sample, d.text) for d in done] == [(s, f"prompt 0 {seed + s}") for s in range(4)]


def refuses_n(asked: Asked, number: int) -> Reply:
    return answers(asked) if asked.body["n"] == 1 else Reply({"error": {"message": "n must be 1"}}, 400)


@pytest.mark.parametrize("reply", [lambda asked, number: answers(asked, most=1), refuses_n])
def test_without_n_each_sample_has_its_own_request_and_seed(serve: Serve, reply: Callable[..., Reply]) -> None:
    many, single = serve(), serve(reply)
    predictor = make(single.url, concurrency=1)
    done = list(predictor.complete(requests(2), SAMPLE))
    assert done == ask(many.url, SAMPLE, count=2, concurrency=1)  # the seeds are those that `n` would have had
    assert [asked.body["n"] for asked in single.asked].count(4) == 1  # asked for once, then known
    assert predictor.manifest()["samples_by"] == "one request each"
    assert len({d.text for d in done}) == 8


def test_seeds_depend_on_run_and_item_and_on_nothing_else(serve: Serve) -> None:
    url = serve().url
    texts = {d.key: d.text for d in ask(url, GREEDY, count=5)}
    assert {d.key: d.text for d in make(url).complete(requests(5)[::-1], GREEDY)} == texts
    assert len({text.split()[-1] for text in texts.values()}) == 5
    assert ask(url, Decoding("sample", seed=1)) != ask(url, Decoding("sample", seed=2))


def test_no_more_requests_at_a_time_than_allowed(serve: Serve) -> None:
    server = serve(lambda asked, number: slowly(0.03, answers(asked)))
    done = ask(server.url, count=20, concurrency=4)
    assert len(done) == len(server.asked) == 20
    assert 2 <= server.most <= 4


def test_results_come_in_request_order_through_a_store(serve: Serve, tmp_path: Path) -> None:
    server = serve(lambda asked, number: slowly(0.15 if number == 0 else 0.0, answers(asked)))
    predictor: Predictor = make(server.url, concurrency=3)
    with PredictionStore(tmp_path / "store.sqlite") as store:
        done = list(Stored(predictor, store).complete(requests(9), SAMPLE))
        assert [(d.key, d.sample) for d in done] == [(f"i{k}", s) for k in range(9) for s in range(4)]
        assert list(Stored(predictor, store).complete(requests(9), SAMPLE)) == done
    assert len(server.asked) == 9


def test_finished_requests_do_not_wait_for_a_slow_one(serve: Serve) -> None:
    server = serve(lambda asked, number: slowly(0.3 if asked.prompt == "prompt 0" else 0.0, answers(asked)))
    counted: list[int] = []
    done = list(make(server.url, concurrency=2).complete(requests(5), GREEDY, counted.append))
    assert done[-1].key == "i0"
    assert counted == [1] * 5


@pytest.mark.parametrize("status", [408, 429, 500, 503])
def test_failures_that_pass_are_tried_again(serve: Serve, status: int) -> None:
    server = serve(lambda asked, number: Reply("busy", status) if number < 3 else answers(asked))
    assert len(ask(server.url)) == 1
    assert len(server.asked) == 4


def test_a_lost_connection_and_silence_are_tried_again(serve: Serve) -> None:
    def reply(asked: Asked, number: int) -> Reply:
        if number == 0:
            return Reply(b'{"choi', headers={"Content-Length": "100"})  # ends before its length
        return slowly(1.0, answers(asked)) if number == 1 else answers(asked)

    server = serve(reply)
    assert len(ask(server.url, timeout=0.6)) == 1
    assert len(server.asked) == 3


def test_waits_grow_and_retry_after_is_kept(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(threading.Event, "wait", _recording(waits, threading.Event.wait))
    headers = {3: {"Retry-After": "7"}, 4: {"Retry-After": formatdate(time.time() + 60, usegmt=True)}}
    server = serve(lambda asked, number: Reply({}, 429, headers.get(number, {})) if number < 5 else answers(asked))
    assert len(ask(server.url, backoff=1.0)) == 1
    means = (1, 2, 4)
    assert all(mean / 2 <= wait <= mean * 1.5 for mean, wait in zip(means, waits[:3], strict=True))
    assert waits[3] >= 7
    assert 55 <= waits[4] <= 60


def _recording(waits: list[float], real: Callable[..., bool]) -> Callable[..., bool]:
    def wait(self: threading.Event, timeout: float | None = None) -> bool:
        if timeout is None or timeout < 0.4:  # those of threading itself and of the server
            return real(self, timeout)
        waits.append(timeout)
        return False

    return wait


def test_jitter_leaves_the_global_generator_alone(serve: Serve) -> None:
    server = serve(lambda asked, number: Reply("", 500) if number == 0 else answers(asked))
    state = random.getstate()
    ask(server.url)
    assert random.getstate() == state


def test_retry_after_in_all_its_forms() -> None:
    assert retry_after("1.5") == 1.5
    assert [retry_after(text) for text in ("", "soon", "-3", formatdate(0, usegmt=True))] == [0.0] * 4


def test_a_server_that_goes_on_failing(serve: Serve) -> None:
    server = serve(lambda asked, number: Reply({"error": {"message": "overloaded"}}, 503))
    message = error_of(server.url, retries=2)
    assert message.startswith(f"Expected an answer from {server.url}, but call 3 of 3 failed: 503: overloaded.")
    assert len(server.asked) == 3


def test_a_pause_that_is_too_long_ends_the_run(serve: Serve) -> None:
    server = serve(lambda asked, number: Reply({}, 429, {"Retry-After": "3600"}))
    assert "asks to wait 3600 s" in error_of(server.url)
    assert len(server.asked) == 1


def test_no_server_is_one_line_at_once() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        start = time.monotonic()
        message = error_of(url, retries=9, backoff=9.0)
    assert time.monotonic() - start < 5
    assert message.startswith(f"Expected a server at {url}, but it cannot be reached: ConnectionRefusedError")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse what a full queue does not take")
def test_connecting_has_a_limit_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server whose queue is full does not answer: the connection is what waits."""
    monkeypatch.setattr(module, "CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full, ExitStack() as stack:
        address = full.getsockname()
        for _ in range(4):
            filler = stack.enter_context(socket.socket())
            filler.setblocking(False)
            filler.connect_ex(address)
        time.sleep(0.05)
        start = time.monotonic()
        message = error_of(f"http://127.0.0.1:{address[1]}/v1", timeout=60.0)
    assert "cannot be reached: TimeoutError" in message
    assert 0.2 <= time.monotonic() - start < 5


def test_a_server_that_restarts_is_waited_for(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    predictor = make(serve().url)
    assert len(list(predictor.complete(requests(1), GREEDY))) == 1
    real, calls = Endpoint._connected, iter([ConnectionRefusedError("no"), None])

    def connected(self: Endpoint) -> Any:
        if (error := next(calls)) is not None:
            raise error
        return real(self)

    monkeypatch.setattr(Endpoint, "_connected", connected)
    assert len(list(predictor.complete(requests(1), GREEDY))) == 1


def test_refused_keys_and_unknown_models(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse = serve(lambda asked, number: Reply({"error": {"message": "who are you"}}, 401))
    assert error_of(refuse.url).endswith("to need no key, but got 401: who are you. Set OPENAI_API_KEY.")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert "accept the key in OPENAI_API_KEY, but got 401: who are you." in error_of(refuse.url)
    missing = serve(lambda asked, number: Reply({"message": "The model `tiny` does not exist."}, 404))
    assert "Expected model 'tiny' at" in error_of(missing.url)
    assert len(missing.asked) == 1


@pytest.mark.parametrize(
    "body",
    [b"<html>hello\n</html>", b"\xff\xfe", b"[]", b"{}", {"choices": []}, {"choices": {"a": 1}}, {"choices": [{}]},
     {"choices": [{"message": {"content": 5}}]}, {"choices": [{"message": {"content": [{"text": "a"}]}}]}],
)  # fmt: skip
def test_nonsense_is_shown_and_not_repeated(serve: Serve, body: Any) -> None:
    server = serve(lambda asked, number: Reply(body))
    assert f"Expected JSON with choices from {server.url}, but got " in error_of(server.url)
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [302, 400, 422, 418])
def test_a_request_that_is_refused_names_itself(serve: Serve, status: int) -> None:
    reply = Reply({"detail": "too long\n" * 99}, status, {"Location": "http://127.0.0.1:9/"})
    message = error_of(serve(lambda asked, number: reply).url)
    assert f"to answer request 'i0', but got {status}: too long too long" in message
    assert len(message) < 400


def test_a_refusal_with_n_and_without_ends_the_run(serve: Serve) -> None:
    server = serve(lambda asked, number: Reply({"error": "too long"}, 400))
    with pytest.raises(ModelError, match="got 400: too long"):
        ask(server.url, SAMPLE)
    assert [asked.body["n"] for asked in server.asked] == [4, 1]


def test_what_is_under_way_when_a_request_fails_is_still_given(serve: Serve) -> None:
    def reply(asked: Asked, number: int) -> Reply:
        slow = asked.prompt == "prompt 1"
        return slowly(0.5, answers(asked)) if slow else slowly(0.3, Reply({}, 400))

    server = serve(reply)
    run = make(server.url, concurrency=2).complete(requests(50), GREEDY)
    assert next(run).key == "i1"
    with pytest.raises(ModelError, match="request 'i0'"):
        next(run)
    assert len(server.asked) == 2


def test_closing_a_run_sends_nothing_more(serve: Serve) -> None:
    server = serve(lambda asked, number: slowly(0.02, answers(asked)))
    run = make(server.url, concurrency=2).complete(requests(500), GREEDY)
    next(run)
    run.close()  # type: ignore[attr-defined]
    time.sleep(0.1)
    sent = len(server.asked)
    time.sleep(0.15)
    assert len(server.asked) == sent < 20


def test_the_key_is_sent_and_never_shown(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    server = serve(
        lambda asked, number: Reply({"error": {"message": f"bad key {asked.headers['Authorization']}"}}, 401)
    )
    predictor = make(server.url, key_variable="MY_KEY")
    with pytest.raises(ModelError, match=r"MY_KEY, but got 401: bad key Bearer \[key\]\.") as caught:
        list(predictor.complete(requests(1), GREEDY))
    assert server.asked[0].headers["Authorization"] == f"Bearer {KEY}"
    shown = [repr(predictor), str(vars(predictor)), str(predictor.manifest()), repr(caught.value), *capfd.readouterr()]
    assert not any(KEY in text for text in shown)
    echo = serve(lambda asked, number: Reply(f"echo {asked.headers['Authorization']}".encode()))
    assert KEY not in error_of(echo.url, key_variable="MY_KEY")


@pytest.mark.parametrize("key", ["two\nlines", "naïve"])
def test_a_key_that_no_header_can_hold_is_not_shown(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(UsageError, match="plain characters in OPENAI_API_KEY") as caught:
        make("http://localhost/v1")
    assert key not in str(caught.value)


def test_a_named_variable_must_be_set() -> None:
    with pytest.raises(UsageError, match="Expected a key in NO_SUCH_KEY, but it is not set"):
        make("http://localhost/v1", key_variable="NO_SUCH_KEY")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"url": "localhost:8000"}, "Expected an address such as"),
        ({"url": "http:///v1"}, "Expected an address such as"),
        ({"url": "http://host:port/v1"}, "Expected an address such as"),
        ({"url": "http://me:hidden@host/v1"}, "plain address of host"),
        ({"url": "http://host/v1?key=hidden"}, "plain address of host"),
        ({"api": "embeddings"}, "Expected api to be one of chat, completions, but got 'embeddings'"),
        ({"concurrency": 0}, "Expected concurrency to be at least 1, but got 0"),
        ({"retries": -1}, "Expected retries to be at least 0, but got -1"),
    ],
)
def test_settings_are_checked(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        make(**{"url": "http://host/v1", **settings})
    assert "hidden" not in str(caught.value)


def test_scores_are_refused_before_anything_is_sent(serve: Serve) -> None:
    server = serve()
    with pytest.raises(UsageError, match="but got 'score'"):
        ask(server.url, Decoding("score"))
    assert server.asked == []


@pytest.mark.parametrize(
    ("content", "reason", "text", "finish"),
    [
        ("\n A\nB", "length", "\n A", "stop"),  # cut at the first line that says something
        ("A B", "length", "A B", "length"),
        ("A", None, "A", "stop"),
        (None, "length", "", "length"),  # all tokens went into thinking
        ("A \ud83d", "stop", "A \ufffd", "stop"),  # half of an emoji
    ],
)
def test_texts_and_why_they_end(serve: Serve, content: str | None, reason: str, text: str, finish: str) -> None:
    choice = {"message": {"content": content}, "finish_reason": reason}
    (done,) = ask(serve(lambda asked, number: Reply({"choices": [choice]})).url)
    assert (done.text, done.finish) == (text, finish)


def test_threads_hand_on_errors_that_nobody_expects() -> None:
    results = list(in_threads(lambda n: 1 // n, [0], 3, threading.Event()))
    assert [type(result) for result in results] == [ZeroDivisionError]
    assert not isinstance(results[0], JostleError)
    assert list(in_threads(str, [], 3, threading.Event())) == []
