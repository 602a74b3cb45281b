"""Where a text mentions the labels of a task, whatever it says about them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ..errors import UsageError

Kind = Literal["symbol", "word", "option"]

# Scripts whose words touch: Thai to Lao, Burmese, Khmer, Han, kana, Hangul. A Latin letter beside them stands alone.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
WORD = rf"[^\W{_UNSPACED}]"
_SEPARATORS = re.compile(r"[\s_\-]+")
_SYMBOL = re.compile(r"[^\W\d_]|\d{1,2}|[ivxIVX]{1,5}|\W+")
_TWIN = re.compile(r"(?:not|non|no) (.+)")
# Forms of the labels of the known tasks that say the same of a pair of texts.
_FORMS = {"contradiction": ("contradictory",), "entailment": ("entailed",), "duplicate": ("duplicates",)}


@dataclass(frozen=True, slots=True)
class Entry:
    """One way of writing an answer, and the labels it may stand for (several when option texts are equal)."""

    surface: str
    labels: tuple[str, ...]
    kind: Kind


@dataclass(frozen=True, slots=True)
class Mention:
    """A place in the text where an answer is written; `exact` when its case is that of the label."""

    start: int
    end: int
    labels: tuple[str, ...]
    kind: Kind
    exact: bool


@dataclass(frozen=True)
class Vocabulary:
    """All ways of writing the answers of a task."""

    labels: tuple[str, ...]
    entries: tuple[Entry, ...]
    pattern: re.Pattern[str]
    twins: Mapping[str, str]
    has_options: bool

    def mentions(self, text: str) -> list[Mention]:
        """Mentions from left to right; of two that overlap the earlier one, then the longer one."""
        return [self._mention(found) for found in self.pattern.finditer(text)]

    def _mention(self, found: re.Match[str]) -> Mention:
        assert found.lastindex is not None
        entry = self.entries[found.lastindex - 1]
        return Mention(found.start(), found.end(), entry.labels, entry.kind, found[0] == entry.surface)

    def in_order(self, labels: Iterable[str]) -> tuple[str, ...]:
        """The distinct labels, in the order of the task."""
        wanted = set(labels)
        return tuple(label for label in self.labels if label in wanted)


@lru_cache(maxsize=512)
def vocabulary(labels: tuple[str, ...], options: tuple[tuple[str, str], ...] = ()) -> Vocabulary:
    """All ways of writing an answer: labels, option symbols and option texts.

    Raises:
        UsageError: A label is blank or repeated, or an option belongs to no label.

    >>> vocabulary(("not_duplicate", "duplicate")).twins["duplicate"]
    'not_duplicate'
    """
    by_key = {key(label): label for label in labels}
    if not labels or len(by_key) < len(labels) or "" in by_key:
        raise UsageError(f"Expected `labels` to be distinct names, but got {list(labels)}. Rename what is alike.")
    entries = sorted(_entries(labels, options, by_key), key=lambda entry: -len(entry.surface))
    pattern = re.compile("|".join(f"({_pattern(entry)})" for entry in entries), re.IGNORECASE)
    return Vocabulary(labels, tuple(entries), pattern, _twins(by_key), bool(options))


def key(surface: str) -> str:
    """What is compared: no case, no outer punctuation, and space, hyphen and underscore the same."""
    bare = unicodedata.normalize("NFC", surface).replace("’", "'").strip()
    inner = bare.strip("\"'.,;:!?。！？ ") or bare
    return inner.casefold() if inner.startswith("-") else _SEPARATORS.sub(" ", inner).strip().casefold()


def _entries(
    labels: tuple[str, ...], options: tuple[tuple[str, str], ...], by_key: Mapping[str, str]
) -> Iterable[Entry]:
    found: dict[str, Entry] = {}
    for label in labels:
        kind: Kind = "symbol" if _SYMBOL.fullmatch(label) else "word"
        found[key(label)] = Entry(label, (label,), kind)
        for form in _FORMS.get(key(label), ()):
            found.setdefault(form, Entry(form, (label,), kind))
    for symbol, text in options:
        label = _label_of_option(symbol, text, by_key)
        found[key(symbol)] = Entry(symbol, (label,), "symbol" if key(symbol) != key(text) else "word")
        known = found.get(key(text))
        if known is None and key(text):
            found[key(text)] = Entry(text.strip(), (label,), "option")
        elif known is not None and known.kind == "option":
            found[key(text)] = Entry(known.surface, (*known.labels, label), "option")
    return found.values()


def _label_of_option(symbol: str, text: str, by_key: Mapping[str, str]) -> str:
    label = by_key.get(key(symbol)) or by_key.get(key(text))
    if label is None or not key(symbol):
        raise UsageError(
            f"Expected the symbol or the text of every option to be one of {list(by_key.values())}, but got "
            f"{symbol!r}: {text!r}. Pass the symbols or the texts as `labels`."
        )
    return label


def _pattern(entry: Entry) -> str:
    surface = unicodedata.normalize("NFC", entry.surface).replace("’", "'").strip()
    bare = surface.rstrip(".,;:!?。！？ ") or surface
    separator = r"[ \n_\-]{1,3}"
    words = [word for word in _SEPARATORS.split(bare) if word] if not bare.startswith("-") else []
    body = separator.join(map(re.escape, words)) or re.escape(bare)
    strict = entry.kind == "symbol" or not any(c.isalpha() for c in bare)
    return _left(bare[0], strict) + body + _right(bare[-1], strict)


def _left(edge: str, strict: bool) -> str:
    """No word goes on before: not "dUp", "pre-war", "I'd"; with `strict` nor "D.C", "1,5", "-1", "°C"."""
    if not re.fullmatch(WORD, edge):
        return ""
    # "non-" is read as a negation.
    whole = rf"(?<!{WORD})(?:(?<=non-)|(?<!{WORD}['\-]))"
    return whole + (rf"(?<!{WORD}\.)(?<!°)(?<![\-−])" + (r"(?<!\d,)" if edge.isdigit() else "") if strict else "")


def _right(edge: str, strict: bool) -> str:
    if not re.fullmatch(WORD, edge):
        return ""
    whole = rf"(?!{WORD})(?!['\-]{WORD})"
    return whole + (rf"(?!\.{WORD})(?!\+\+|#|%)" + (r"(?!,\d)" if edge.isdigit() else "") if strict else "")


def _twins(by_key: Mapping[str, str]) -> dict[str, str]:
    """Labels that are each other's negation by name: `duplicate` and `not_duplicate`."""
    twins: dict[str, str] = {}
    for name, label in by_key.items():
        found = _TWIN.fullmatch(name)
        if found and found[1] in by_key:
            twins |= {label: by_key[found[1]], by_key[found[1]]: label}
    return twins
