"""The part of a completion that is the answer: tidied, and without what the model only thought."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

Tags = Sequence[tuple[str, str]]

REASONING_TAGS: Tags = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<seed:think>", "</seed:think>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
)
"""Opening and closing tags of reasoning blocks, compared without case."""

_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_QUOTES = str.maketrans({"‘": "'", "’": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
_UNDERSCORED = re.compile(r"(?<!\w)_{1,3}(?=[^\s_])([^_\n]{1,60})_{1,3}(?!\w)")
_END_OF_UNIT = re.compile(r"[.!?]+(?=[\s\"')\]*}]|$)|[。！？]+|\n")


def tidy(text: str) -> str:
    r"""The text with plain quotes, single spaces, single line ends, and no invisible characters.

    >>> tidy("  “Yes”,\u200b  it \r\n\r\n is  ")
    '"Yes", it\nis'
    """
    text = _INVISIBLE.sub("", unicodedata.normalize("NFC", text)).translate(_QUOTES)
    text = "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))
    return _UNDERSCORED.sub(r"*\1*", text)


def units(text: str) -> list[tuple[int, int]]:
    """Where each sentence or line starts and ends, its end mark included.

    >>> units("No. It is B")
    [(0, 3), (3, 11)]
    """
    ends = [found.end() for found in _END_OF_UNIT.finditer(text)]
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    return list(zip([0, *ends[:-1]], ends, strict=True))


@lru_cache(maxsize=32)
def _tag_pattern(tags: tuple[tuple[str, str], ...]) -> re.Pattern[str]:
    """Group 2k+1 is the opening tag of pair k, group 2k+2 its closing tag."""
    return re.compile("|".join(f"({re.escape(tag)})" for pair in tags for tag in pair), re.IGNORECASE)


def without_reasoning(text: str, tags: Tags = REASONING_TAGS) -> str | None:
    """The text outside reasoning blocks, or None when a block was cut off before it closed.

    A closing tag without an opening one ends a block that the prompt opened: all before it is dropped.

    >>> without_reasoning("<think>A?</think> B"), without_reasoning("A. </think>B"), without_reasoning("<think>A")
    (' B', 'B', None)
    """
    if not tags:
        return text
    kept: list[str] = []
    open_pair, start = -1, 0
    for found in _tag_pattern(tuple((opens, closes) for opens, closes in tags)).finditer(text):
        assert found.lastindex is not None
        pair, closes = divmod(found.lastindex - 1, 2)
        if open_pair < 0 and closes:
            kept, start = [], found.end()
        elif open_pair < 0:
            kept.append(text[start : found.start()])
            open_pair = pair
        elif pair == open_pair and closes:
            open_pair, start = -1, found.end()
    return None if open_pair >= 0 else "".join([*kept, text[start:]])
