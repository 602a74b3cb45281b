"""A completion with its mentions, and what can be read at a place of it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

from .extract_cues import ADJACENT, ENDS, GOES_ON, HEAD_STEP, IS_RIGHT, IS_VERB, MOST_STEPS, NEXT_WORD, SAYS
from .extract_mentions import Mention, Vocabulary
from .extract_polarity import JOIN, Judged, judged
from .extract_text import units

_NEAR = 40
_MOST_MEMBERS = 32  # of a list
_TAIL = 200  # characters of the sentence after a cue in which its answer is looked for
_WORDLIKE = frozenset("AIOEYUÀ")  # letters that are words of English or of a neighbour
_OR = re.compile(r"\b(?:or|oder|ou|или)\b|[或/]|\bo\b", re.IGNORECASE)
_WRAPS = {"(": ")", "[": "]", "{": "}", '"': '"', "'": "'", "*": "*", "`": "`", "「": "」", "『": "』", "（": "）",
          "【": "】", "$": "$", ">": "<"}  # fmt: skip


@dataclass(frozen=True)
class Named:
    """The labels named at one place, and whether they stand as alternatives ("A or B")."""

    labels: tuple[str, ...]
    end: int
    alternatives: bool = False


class Document:
    """A tidied text, read with the vocabulary of a task."""

    def __init__(self, text: str, words: Vocabulary) -> None:
        self.text = text
        self.words = words
        self.found = judged(text, words.mentions(text), words)
        self.starts = [found.mention.start for found in self.found]
        self.units = units(text)
        self._unit_ends = [end for _, end in self.units]

    def unit_end(self, position: int) -> int:
        """End of the sentence or line that holds a position."""
        k = bisect_left(self._unit_ends, position + 1)
        return self._unit_ends[min(k, len(self._unit_ends) - 1)] if self._unit_ends else 0

    def at(self, position: int) -> int | None:
        """Index of the mention that starts at a position."""
        k = bisect_left(self.starts, position)
        return k if k < len(self.starts) and self.starts[k] == position else None

    def within(self, start: int, end: int) -> range:
        """Indices of the mentions that start in a part of the text."""
        return range(bisect_left(self.starts, start), bisect_left(self.starts, end))

    def head(self, position: int, *, strict: bool = False) -> Named | None:
        """The answer that stands at a position, after fillers such as "is clearly option (".

        Args:
            position: Where the cue before it ends.
            strict: Whether the answer must be followed by the end of a sentence or a reason.
        """
        start = position
        for _ in range(MOST_STEPS):
            k = self.at(position)
            if k is not None and self._stands_alone(self.found[k].mention, strict=strict):
                return None if self._crosses_line(start, position) else self.listed(k)
            step = HEAD_STEP.match(self.text, position)
            if step is None:
                return None
            position = step.end()
        return None

    def _crosses_line(self, start: int, position: int) -> bool:
        """Whether the answer stands on a later line than its cue, which is no colon or heading."""
        before = self.text[start:position]
        return "\n" in before and not any(mark in before for mark in ":：*=") and not self._in_heading(start)

    def _in_heading(self, position: int) -> bool:
        return re.search(r"(?:^|\n)#{1,6} [^\n]*$", self.text[max(0, position - _NEAR) : position]) is not None

    def listed(self, k: int) -> Named:
        """The labels of a list ("A, B and D"), or of a symbol with its text ("B) Paris"), from mention k on."""
        members = [k]
        alternatives = False
        while members[-1] + 1 < len(self.found) and len(members) < _MOST_MEMBERS:
            gap = self._gap(members[-1])
            if not self._joins(members[-1], gap):
                break
            alternatives = alternatives or _OR.search(gap) is not None
            members.append(members[-1] + 1)
        return Named(self.asserted(members), self.found[members[-1]].mention.end, alternatives)

    def _gap(self, k: int) -> str:
        return self.text[self.found[k].mention.end : self.found[k + 1].mention.start][:_NEAR]

    def _joins(self, k: int, gap: str) -> bool:
        this, following = self.found[k].mention, self.found[k + 1].mention
        after = self.text[following.end : following.end + _NEAR]
        if JOIN.fullmatch(gap):
            return IS_VERB.match(after) is None and self._stands_alone(following)
        kinds = {this.kind, following.kind}
        return "symbol" in kinds and len(kinds) > 1 and ADJACENT.fullmatch(gap) is not None and bool(ENDS.match(after))

    def tail(self, position: int, *, colon: bool = False) -> Named | None:
        """The answer further on in the sentence after a cue ("Antwort: nach allem bleibt nur C")."""
        end = min(self.unit_end(position), position + _TAIL)
        if self.text[position:end].rstrip().endswith("?"):
            return None
        members = [k for k in self.within(position, end) if self._counts(k, end if colon else None)]
        labels = self.asserted(members)
        return Named(labels, end) if labels else None

    def said(self, members: Iterable[int]) -> tuple[str, ...]:
        """Distinct labels among these mentions that are asserted, and not in passing."""
        return self.asserted(k for k in members if self._counts(k))

    def asserted(self, members: Iterable[int]) -> tuple[str, ...]:
        """Distinct labels among these mentions that the text asserts."""
        found = (self.found[k] for k in members)
        return self.words.in_order(label for one in found if one.status == "asserted" for label in one.labels)

    def _counts(self, k: int, line_end: int | None = None) -> bool:
        """Whether a mention in prose is an answer: words of a task are; symbols and option texts must be said to be."""
        one: Judged = self.found[k]
        mention = one.mention
        if mention.kind == "word" or self.wrapped(mention):
            return True
        after = self.text[mention.end : mention.end + _NEAR]
        if mention.kind == "symbol" and not (mention.exact and self._stands_alone(mention)):
            return False
        before = self.text[max(0, mention.start - _NEAR) : mention.start]
        ends = ENDS.match(after) is not None
        if IS_RIGHT.match(self.text, self.listed(k).end) or (
            line_end is not None and not self.text[mention.end : line_end].strip(" .!。)*\"'")
        ):
            return True
        return SAYS.search(before) is not None and (
            ends or GOES_ON.match(after) is not None or not after.startswith(" ")
        )

    def wrapped(self, mention: Mention) -> bool:
        """Whether brackets, quotes or emphasis stand around a mention."""
        before, after = self.text[mention.start - 1 : mention.start], self.text[mention.end : mention.end + 2]
        close = _WRAPS.get(before)
        return close is not None and after.lstrip(".,:")[:1] == close

    def _stands_alone(self, mention: Mention, *, strict: bool = False) -> bool:
        """Whether a symbol is no article, pronoun or word of another kind; labels by name always are themselves."""
        after = self.text[mention.end : mention.end + _NEAR]
        ends = ENDS.match(after) is not None
        if strict and not ends and GOES_ON.match(after) is None:
            return False
        if mention.kind != "symbol" or self.wrapped(mention):
            return True
        surface = self.text[mention.start : mention.end]
        if surface in {"I", "i"} and after.startswith(","):
            return False  # "I, for one"
        if not mention.exact:
            return ends
        is_word = surface.upper() in _WORDLIKE and NEXT_WORD.match(after) is not None
        return not is_word or GOES_ON.match(after) is not None
