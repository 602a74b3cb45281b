"""Valid files made invalid: in their bytes, and in the values of the JSON that they hold."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

ODD_BYTES = [
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xc3", b"\r", b"\n", b"\n\n", b'"', b"'", b",", b";", b"{", b"}", b"[", b"]",
    b"\\", b"\\ud800", b"NaN", b"-Infinity", b"null", b"true", b"1e999", b"-1", b"9" * 5000, b"[" * 2000,
    b"\xe2\x80\xa8",
]  # fmt: skip
ODD_VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 2**63, -(2**70), 10**400, 0.5, -0.0, 1e308, "", " ", "\x00", "\ud800", "NaN", "nan",
    "a" * 10_000,
    [], [None], [[]], {}, {"": None}, [1, "a", None], {"a": {"b": [1]}}, ["x"] * 500, "[1, 2]", "{}", "['a', 'b']",
]  # fmt: skip
Path_ = tuple[Any, ...]


def mutated(content: bytes, rng: random.Random) -> bytes:
    """The bytes with one to four changes: flipped, cut out, doubled, put in, or cut off."""
    data = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        rng.choice(_BYTE_CHANGES)(data, rng)
    return bytes(data)


def _flip(data: bytearray, rng: random.Random) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _cut_out(data: bytearray, rng: random.Random) -> None:
    start = rng.randint(0, len(data))
    del data[start : start + rng.choice((1, 2, 8, 64))]


def _double(data: bytearray, rng: random.Random) -> None:
    start = rng.randint(0, len(data))
    piece = data[start : start + rng.choice((1, 8, 64, 512))]
    at = rng.randint(0, len(data))
    data[at:at] = piece


def _put_in(data: bytearray, rng: random.Random) -> None:
    at = rng.randint(0, len(data))
    data[at:at] = rng.choice(ODD_BYTES)


def _cut_off(data: bytearray, rng: random.Random) -> None:
    del data[rng.randint(0, len(data)) :]


_BYTE_CHANGES: tuple[Callable[[bytearray, random.Random], None], ...] = (_flip, _cut_out, _double, _put_in, _cut_off)


def json_mutated(value: Any, rng: random.Random) -> Any:
    """A copy of a JSON value with one to three of its parts replaced, left out, renamed, doubled or put deeper."""
    value = copy.deepcopy(value)
    for _ in range(rng.randint(1, 3)):
        places = list(_places(value))
        if not places:
            return rng.choice(ODD_VALUES)
        holder, key = rng.choice(places)
        rng.choice(_VALUE_CHANGES)(holder, key, rng)
    return value


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every list or object within a value with each of its indices or keys."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in list(children):
        yield value, key
        yield from _places(child)


def _replace(holder: Any, key: Any, rng: random.Random) -> None:
    holder[key] = copy.deepcopy(rng.choice(ODD_VALUES))


def _leave_out(holder: Any, key: Any, rng: random.Random) -> None:
    del rng
    del holder[key]


def _rename(holder: Any, key: Any, rng: random.Random) -> None:
    if isinstance(holder, dict):
        holder[rng.choice(("x", "", "id", f"{key}s"))] = holder.pop(key)


def _repeat(holder: Any, key: Any, rng: random.Random) -> None:
    del rng
    if isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))


def _deepen(holder: Any, key: Any, rng: random.Random) -> None:
    holder[key] = rng.choice(([holder[key]], {"value": holder[key]}))


def _as_text(holder: Any, key: Any, rng: random.Random) -> None:
    del rng
    holder[key] = json.dumps(holder[key])


def _swap(holder: Any, key: Any, rng: random.Random) -> None:
    other = rng.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[key], holder[other] = holder[other], holder[key]


_VALUE_CHANGES: tuple[Callable[[Any, Any, random.Random], None], ...] = (
    _replace, _replace, _replace, _leave_out, _rename, _repeat, _deepen, _as_text, _swap,
)  # fmt: skip


def file_mutated(content: bytes, rng: random.Random) -> bytes:
    """A file with its bytes or, where it is JSON or JSON lines, its values changed."""
    values = parsed(content)
    if values is None or rng.random() < 0.3:  # most changes should get beyond the parser
        return mutated(content, rng)
    as_lines = isinstance(values, tuple)
    changed = json_mutated(list(values) if as_lines else values, rng)
    if as_lines and isinstance(changed, list):
        return "".join(json.dumps(line) + "\n" for line in changed).encode()
    return json.dumps(changed).encode()


def parsed(content: bytes) -> Any:
    """The JSON of a file; of JSON lines a tuple of them; None where it is neither."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        pass
    try:
        return tuple(json.loads(line) for line in content.splitlines() if line.strip()) or None
    except (ValueError, RecursionError):
        return None
