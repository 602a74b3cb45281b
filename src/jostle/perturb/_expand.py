"""Expand contractions where it is certain what they stand for."""

from __future__ import annotations

import re
from typing import NamedTuple

from . import _grammar as grammar
from . import lexicon
from .base import Change
from .words import Passage, word_set

_SUFFIX = re.compile(r"(?:n['\u2019]t|['\u2019](?:s|m|re|ve|ll|d))(?![\w'\u2019])", re.IGNORECASE)
_HEAD = re.compile(r"(?<![\w'\u2019\-])([A-Za-z]+)( ?)\Z")
_BEFORE = re.compile(r"(?:([A-Za-z]+)|[^\w\s]) \Z")
_NEXT = re.compile(r" ([A-Za-z][A-Za-z'\u2019\-]*)")
_END = re.compile(r"[.!?\n]")
_MANNER = re.compile(r"\w{3,}ly")
_REACH = 24
_LOOKAHEAD = 3  # an adverb or two, then the verb
_FAR = 400  # a bound on the look for the end of a sentence, so that time stays linear

_NOT_AFTER = word_set("is are was were do does did could would should has have had must might need ca wo sha")
_IRREGULAR = {"ca": ("can", "not"), "wo": ("will", " not"), "sha": ("shall", " not")}
_SUBJECTS = {
    "m": frozenset({"i"}),
    "re": word_set("you we they"),
    "ve": word_set("i you we they could would should might must"),
    "ll": word_set("i you he she it we they that there"),
    "d": word_set("i you he she it we they"),
    "s": word_set("it he she that there here what who where let"),
}
_FULL = {"m": "am", "re": "are", "ve": "have", "ll": "will"}


class Site(NamedTuple):
    """A contraction and the words around it, in lower case ("" where there is none)."""

    text: str
    start: int
    end: int
    head: str
    gap: str
    suffix: str
    before: str
    after: tuple[str, ...]

    @property
    def is_opening(self) -> bool:
        """Whether no word stands before it in its clause."""
        return not self.before

    @property
    def is_asked(self) -> bool:
        """Whether its sentence ends with a question mark."""
        end = _END.search(self.text, self.end, self.end + _FAR)
        return end is not None and end.group() == "?"


def expansions(passage: Passage) -> list[Change]:
    """All safe expansions in the text."""
    changes = []
    for match in _SUFFIX.finditer(passage.text):
        site = _site(passage.text, match)
        change = _expand(site) if site else None
        if change and passage.is_free(*change[:2]):
            changes.append(change)
    return changes


def _site(text: str, match: re.Match[str]) -> Site | None:
    start, end = match.span()
    window = text[max(0, start - _REACH) : start]
    head = _HEAD.search(window)
    if head is None:
        return None
    before = _BEFORE.search(window, 0, head.start())
    after: list[str] = []
    at = end
    while len(after) < _LOOKAHEAD and (found := _NEXT.match(text, at)):
        after.append(found.group(1).lower().replace("\u2019", "'"))
        at = found.end()
    word = (before.group(1) or "") if before else ""
    suffix = match.group().replace("\u2019", "'")
    return Site(text, start, end, head.group(1), head.group(2), suffix, word.lower(), tuple(after))


def _expand(site: Site) -> Change | None:
    head, suffix = site.head.lower(), site.suffix.lower()
    if suffix == "n't":
        return _not(site) if head in _NOT_AFTER and _not_is_in_place(site, head) else None
    ending = suffix[1:]
    if head not in _SUBJECTS[ending]:
        return None
    full = _FULL.get(ending) or (_had_or_would(site) if ending == "d" else _is_or_has(site, head))
    return _written(site, full) if full else None


def _written(site: Site, full: str) -> Change:
    cased = full.upper() if site.suffix[1:].isupper() else full
    return Change(site.start, site.end, cased if site.gap else f" {cased}")


def _not(site: Site) -> Change:
    upper = site.suffix.isupper()
    verb, rest = _IRREGULAR.get(site.head.lower(), (site.head, " not"))
    if site.gap:
        rest = " not"
    if verb == site.head:
        word = rest.strip() if site.gap else rest
        return Change(site.start, site.end, word.upper() if upper else word)
    start = site.start - len(site.gap) - len(site.head)
    cased = verb.upper() if upper else verb.capitalize() if site.head[0].isupper() else verb
    return Change(start, site.end, cased + (rest.upper() if upper else rest))


def _not_is_in_place(site: Site, head: str) -> bool:
    """Whether "not" may stand where n't stands; not so before a subject ("isn't it", "why don't people")."""
    following = site.after[0] if site.after else ""
    if following in grammar.SUBJECTS or site.before in grammar.WH_WORDS:
        return False
    if not site.is_opening and site.before not in grammar.CONJUNCTIONS:
        return True
    if following in grammar.DETERMINERS or not following:
        return False
    return not site.is_asked and (head in {"do", "ca"} or not site.is_opening or _after_comma(site))


def _after_comma(site: Site) -> bool:
    before = site.text[: site.start - len(site.gap) - len(site.head)].rstrip()
    return before.endswith((",", ")", "--", "-"))


def _verb(site: Site) -> str:
    """The first word after the contraction that is no adverb."""
    adverbs = grammar.ADVERBS
    return next((word for word in site.after if word not in adverbs and not _MANNER.fullmatch(word)), "")


def _is_or_has(site: Site, head: str) -> str | None:
    if head == "let":
        return "us" if site.after and site.after[0] not in {"not", "us"} else None
    verb = _verb(site)
    if verb in grammar.HAS_HEADS:
        return "has" if head != "here" else None
    return "is" if verb and "'" not in verb and not _is_open(site, head, verb) else None


def _is_open(site: Site, head: str, verb: str) -> bool:
    """Whether 's may be something else than "is": "has", "does", "are", or a possessive."""
    if _may_be_participle(verb) or (head in {"there", "here"} and not grammar.PLURALS.isdisjoint(site.after[:2])):
        return True
    if head in {"what", "who", "where"} and verb in grammar.SUBJECTS:
        return True
    return head == "it" and bool(site.before) and site.before not in grammar.CLAUSE_OPENERS


def _had_or_would(site: Site) -> str | None:
    verb = _verb(site)
    if verb in grammar.WOULD_HEADS:
        return "would"
    if verb in grammar.HAD_HEADS or (verb.endswith("ed") and verb not in grammar.NOT_PAST):
        return "had"
    return None


def _may_be_participle(word: str) -> bool:
    return (word.endswith("ed") and word not in grammar.NOT_PAST) or word in lexicon.words("participles")
