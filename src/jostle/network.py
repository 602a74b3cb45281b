"""Whether the Hub can be reached: asked once, before its clients would try for half a minute."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from .errors import JostleError, ModelError

SECONDS = 3.0  # for looking up the name and for all of its addresses together
_TRUSTED = 30.0  # how long an answer holds: one command asks for data and for a model
_PORTS = {"http": 80, "https": 443}
_known: dict[str, tuple[float, str]] = {}
_offline = threading.RLock()
log = logging.getLogger("jostle")


@contextmanager
def model_source(name: str) -> Iterator[None]:
    """Load a model in here: nothing is asked for a folder or file, and `hub_or_cache` holds for a Hub id.

    Args:
        name: Folder, file or Hub id.

    Raises:
        ModelError: The Hub cannot be reached and the cache does not have the model.
    """
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    there: AbstractContextManager[None] = nullcontext()
    if not Path(name).exists():
        with suppress(HFValidationError):  # no Hub id either: who loads it says so
            there = hub_or_cache(name, isinstance(try_to_load_from_cache(name, "config.json"), str), ModelError)
    with there:
        yield


@contextmanager
def hub_or_cache(name: str, cached: bool, error: type[JostleError]) -> Iterator[None]:
    """Use the Hub; where it cannot be reached, its clients read their caches and do not try to connect.

    Args:
        name: What is wanted from the Hub.
        cached: Whether the caches may have it.
        error: What is raised.

    Raises:
        JostleError: Of that kind: the Hub cannot be reached and the caches do not have it.
    """
    from huggingface_hub import constants

    if constants.is_offline_mode() or not (reason := unreachable(constants.ENDPOINT)):
        yield
        return
    if not cached:
        raise error(_refusal(name, constants.ENDPOINT, reason) + " There is no copy in the cache either.")
    log.warning("the Hub at %s cannot be reached (%s): the cached copy of %s is used", constants.ENDPOINT, reason, name)
    with _without_network():
        yield


def require_hub(name: str) -> None:
    """See that the Hub can be reached, which the task cannot do without.

    Raises:
        JostleError: It cannot.
    """
    from huggingface_hub import constants

    if not constants.is_offline_mode() and (reason := unreachable(constants.ENDPOINT)):
        raise JostleError(_refusal(name, constants.ENDPOINT, reason))


def _refusal(name: str, endpoint: str, reason: str) -> str:
    return (
        f"Expected to reach the Hub for {name}, but {endpoint} cannot be reached: {reason}. "
        "Check the network, the proxy and HF_ENDPOINT."
    )


@contextmanager
def _without_network() -> Iterator[None]:
    """As if `HF_HUB_OFFLINE` were set; one thread at a time, so that the setting is put back as it was."""
    import datasets  # first imported in here it would keep the setting
    from huggingface_hub import constants

    with _offline:
        before = constants.HF_HUB_OFFLINE, datasets.config.HF_HUB_OFFLINE
        constants.HF_HUB_OFFLINE = datasets.config.HF_HUB_OFFLINE = True
        try:
            yield
        finally:
            constants.HF_HUB_OFFLINE, datasets.config.HF_HUB_OFFLINE = before


def unreachable(url: str, seconds: float = SECONDS) -> str:
    """Why no connection to a server, or to the proxy before it, is made; empty where one is.

    Name look-up has no time limit of its own, and a time limit of a connection holds for each address of a name: the
    attempt has a thread, which is left behind when time is up.

    Args:
        url: Address of the server.
        seconds: Time limit.

    Returns:
        The reason, of one line; an answer holds for 30 seconds.

    Limitations: a server that accepts connections and then says nothing counts as reached.

    >>> unreachable("http://127.0.0.1:9")
    'Connection refused'
    """
    at, reason = _known.get(url, (-_TRUSTED, ""))
    if time.monotonic() - at >= _TRUSTED:
        hop = _next_hop(url)
        reason = _attempt(hop, seconds) if hop else ""
        _known[url] = time.monotonic(), reason
    return reason


def _next_hop(url: str) -> tuple[str, int] | None:
    """Host and port that a client connects to first; None where the address is none, which the client explains."""
    target = urlsplit(url)
    proxies = getproxies()
    proxy = proxies.get(target.scheme) or proxies.get("all")
    if proxy and not proxy_bypass(target.hostname or ""):
        target = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    try:
        port = target.port or _PORTS.get(target.scheme, 1080)  # 1080: a SOCKS proxy
    except ValueError:
        return None
    return (target.hostname, port) if target.hostname else None


def _attempt(address: tuple[str, int], seconds: float) -> str:
    reasons = [f"no answer within {seconds:g} s"]

    def connect() -> None:
        try:
            socket.create_connection(address, timeout=seconds).close()
            reasons[0] = ""
        except OSError as error:
            reasons[0] = error.strerror or str(error)

    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(seconds)
    return reasons[0]
