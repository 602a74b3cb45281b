"""What servers of the OpenAI kind answer: choices, errors in any shape, and how long to wait."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from .protocol import Completion, Decoding


def completion(key: str, sample: int, text: str | None, end: object, decoding: Decoding) -> Completion:
    """The completion of a choice, cut at `until`; a choice may have no text (None)."""
    text = "" if text is None else text
    # Half of a surrogate pair, which a cut at the longest length may leave, is not text.
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    blank = len(text) - len(text.lstrip())
    found = [place for place in (text.find(mark, blank) for mark in decoding.until) if place >= 0]
    if found:
        return Completion(key, sample, text[: min(found)])
    return Completion(key, sample, text, finish="length" if end == "length" else "stop")


def message(raw: bytes) -> str:
    """What a server says is wrong, in any of the shapes that servers use."""
    text = raw.decode(errors="replace")
    try:
        said: Any = json.loads(text)
    except ValueError:
        return text
    for name in ("error", "message", "detail"):
        said = said.get(name, said) if isinstance(said, dict) else said
    return said if isinstance(said, str) else text


def retry_after(value: str) -> float:
    """Seconds to wait by a Retry-After header, which holds seconds or a date; 0 for none and for what is neither."""
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(value)
    except ValueError:
        return 0.0
    return max(0.0, (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
