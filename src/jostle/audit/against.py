"""Which cases stand in another file: a train set, or a corpus that a model may have read."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..measures.words import Hashes, WordHashes, flat, runs, words
from .base import Case
from .corpus import documents

NGRAM = 13
FEWEST_WORDS = 5  # a shorter text stands in any large corpus; it is compared as a whole
_USUAL = 10  # times in the cases themselves; a run that more of them have is their common wording
_AT_ONCE = 50_000  # words that are looked up together
_KEPT_WORDS = 200_000
_BETWEEN = np.uint64(0x5BD1E995_9E3779B9)  # stands between texts, so that no run of words spans two


@dataclass(frozen=True)
class Overlap:
    """Cases that stand in a file.

    Args:
        identical: Numbers of the cases of which one document has every input text as it is.
        normalised: Those of which it has them but for case, spaces and punctuation.
        one_side: Pairs of which it has one text only.
        covered: For each case the share of its runs of words that stand anywhere in the file; nan where it has none.
        n_documents: Documents read.
        n_short: Cases without a text of five words, which are compared as a whole alone.
    """

    identical: frozenset[int]
    normalised: frozenset[int]
    one_side: frozenset[int]
    covered: NDArray[np.float64]
    n_documents: int
    n_short: int

    @property
    def by_ngram(self) -> list[int]:
        """Cases that are not there as a whole, but share a run of words; most covered first."""
        whole = self.identical | self.normalised
        found = [int(k) for k in np.flatnonzero(self.covered > 0) if k not in whole]
        return sorted(found, key=lambda k: -self.covered[k])


def overlap_with(cases: Sequence[Case], path: str | Path, n: int = NGRAM) -> Overlap:
    """Look for the input texts of cases in a file, which is read once and never held as a whole.

    Args:
        cases: The cases.
        path: See `jostle.audit.corpus.documents`.
        n: Words of a run. Texts of 5 to n - 1 words are one run. Runs that stand more than ten times in the cases are
            their common wording, and do not count.

    Raises:
        InputError: The file cannot be read.
    """
    sides = [[str(text) for value in case.fields.values() for text in _parts(value)] for case in cases]
    index = _Index(sides, n)
    count = index.read(documents(path))
    return index.result(count)


def _parts(value: object) -> Iterable[object]:
    return value if isinstance(value, (list, tuple)) else (value,)


class _Index:
    """The texts of the cases: as wholes, and as runs of words."""

    def __init__(self, sides: Sequence[Sequence[str]], n: int) -> None:
        self.sides, self.n = sides, n
        self.hash_of = WordHashes(_KEPT_WORDS)
        self.wholes: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        self.identical: set[int] = set()
        self.normalised: set[int] = set()
        self.one_side: set[int] = set()
        by_length: defaultdict[int, list[tuple[int, Sequence[str]]]] = defaultdict(list)
        self.short = np.ones(len(sides), dtype=bool)
        for k, texts in enumerate(sides):
            for s, text in enumerate(texts):
                tokens = words(text)
                self.wholes[" ".join(tokens) or text.strip()].append((k, s))
                if len(tokens) >= FEWEST_WORDS:
                    self.short[k] = False
                    by_length[min(n, len(tokens))].append((k, tokens))
        self.runs = {length: self._runs(length, by_length[length]) for length in sorted(by_length)}

    def _runs(self, length: int, parts: Sequence[tuple[int, Sequence[str]]]) -> _Runs:
        """The runs of texts, which are hashed one after the other."""
        tokens, counts = flat(own for _, own in parts)
        text = np.repeat(np.arange(len(parts)), counts)
        hashes = runs(self.hash_of(tokens), length)
        within = text[: len(hashes)] == text[length - 1 :]
        owner = np.array([k for k, _ in parts])[text[: len(hashes)]]
        return _Runs(hashes[within], owner[within])

    def read(self, source: Iterator[list[str]]) -> int:
        """Look up all documents; how many there were."""
        count, held, pending = 0, 0, []
        for texts in source:
            count += 1
            tokens = [words(text) for text in texts]
            self._whole(texts, tokens)
            for one in tokens:
                pending.append(one)
                held += len(one) + 1
            if held > _AT_ONCE:
                self._look_up(pending)
                held, pending = 0, []
        self._look_up(pending)
        return count

    def _whole(self, texts: Sequence[str], tokens: Sequence[Sequence[str]]) -> None:
        """Cases whose texts the document has as wholes."""
        found: defaultdict[int, dict[int, bool]] = defaultdict(dict)
        for text, own in zip(texts, tokens, strict=True):
            for k, s in self.wholes.get(" ".join(own) or text.strip(), ()):
                found[k][s] = found[k].get(s, False) or self.sides[k][s].strip() == text.strip()
        for k, hits in found.items():
            if len(hits) < len(self.sides[k]):
                self.one_side.add(k)
            else:
                (self.identical if all(hits.values()) else self.normalised).add(k)

    def _look_up(self, pending: Sequence[Sequence[str]]) -> None:
        if not pending:
            return
        hashes = self.hash_of([token for tokens in pending for token in tokens])
        ends = np.cumsum([len(tokens) for tokens in pending])
        hashes = np.insert(hashes, ends, _BETWEEN)
        for length, known in self.runs.items():
            known.mark(runs(hashes, length))

    def result(self, count: int) -> Overlap:
        seen, total = np.zeros(len(self.sides)), np.zeros(len(self.sides))
        for known in self.runs.values():
            np.add.at(seen, known.owner, known.seen[known.place])
            np.add.at(total, known.owner, 1)
        covered = np.divide(seen, total, out=np.full(len(total), np.nan), where=total > 0)
        normalised = self.normalised - self.identical
        one_side = self.one_side - self.identical - normalised
        n_short = int(self.short.sum())
        return Overlap(
            frozenset(self.identical), frozenset(normalised), frozenset(one_side), covered, count, n_short
        )  # fmt: skip


class _Runs:
    """Runs of words of one length: which there are, whose they are, and which a document had.

    Runs that more than ten of the cases have are their common wording, and left out.
    """

    def __init__(self, hashes: Hashes, owner: NDArray[np.int64]) -> None:
        known, place, times = np.unique(hashes, return_inverse=True, return_counts=True)
        usual = times > _USUAL
        self.owner, place = owner[~usual[place]], place[~usual[place]]
        self.known, self.place = known[~usual], (np.cumsum(~usual) - 1)[place]
        self.seen = np.zeros(len(self.known), dtype=bool)

    def mark(self, found: Hashes) -> None:
        """Note the runs that a document has."""
        if not len(self.known):
            return
        place = np.minimum(np.searchsorted(self.known, found), len(self.known) - 1)
        self.seen[place[self.known[place] == found]] = True
