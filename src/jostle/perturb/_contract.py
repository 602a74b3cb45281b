"""Make contractions where English makes them."""

from __future__ import annotations

import re

from . import _grammar as grammar
from . import lexicon
from .base import Change
from .words import Passage, is_tokenised, word_set

# The second word decides quickly; only there are the words around it looked at. A word must follow.
_SECOND = re.compile(r" (not|is|are|am|have|will)(?= [A-Za-z])|\b([Cc]an)not(?= [A-Za-z])")
_BEFORE = re.compile(r"(?:(?<![\w'\u2019\-])([A-Za-z]+) |[^\w\s] ?)?(?<![\w'\u2019\-])([A-Za-z]+)\Z")
_NEXT = re.compile(r" (?!n['\u2019]t\b)([A-Za-z]+)")
_EXTRACTED = re.compile(rf"\b(?:{'|'.join(sorted(grammar.EXTRACTORS))})\b[^,.;:!?]*\Z", re.IGNORECASE)
_REACH = 60

_WITH_NOT = {
    **{verb: verb for verb in word_set("is are was were do does did has have had could would should")},
    "can": "ca",
    "will": "wo",
}
_SUBJECTS = {
    "is": word_set("it he she that there who what"),
    "are": word_set("you we they"),
    "am": frozenset({"i"}),
    "have": word_set("i you we they"),
    "will": word_set("i you he she it we they"),
}
_SHORT = {"is": "s", "are": "re", "am": "m", "have": "ve", "will": "ll"}


def contractions(passage: Passage) -> list[Change]:
    """All contractions that may be made in the text, in its own style of apostrophe and spacing."""
    text = passage.text
    apostrophe = "\u2019" if "\u2019" in text else "'"
    mark = f" {apostrophe}" if is_tokenised(text) else apostrophe
    changes: list[Change] = []
    for match in _SECOND.finditer(text):
        before = _BEFORE.search(text[max(0, match.start() - _REACH) : match.start()])
        following = _NEXT.match(text, match.end())
        if following is None or (match.group(2) is None and before is None):
            continue
        change = _change(text, match, before, following.group(1).lower(), mark)
        if change and passage.is_free(*change[:2]):
            changes.append(change)
    return _without_doubles(changes)


def _without_doubles(changes: list[Change]) -> list[Change]:
    """Of "it is not" and "you will not" contract one half only, the later: "it'sn't" is no English."""
    kept: list[Change] = []
    for change in changes:
        if kept and change.start - kept[-1].end <= 1:
            kept.pop()
        kept.append(change)
    return kept


def _change(text: str, match: re.Match[str], before: re.Match[str] | None, following: str, mark: str) -> Change | None:
    ending = mark.replace("'", "n'").replace("\u2019", "n\u2019") + "t"
    if match.group(2):
        return None if following == "only" else Change(match.end() - 4, match.end(), ending)
    assert before is not None
    previous, head = (before.group(1) or "").lower(), before.group(2)
    second = match.group(1)
    if second == "not":
        return _not(match, head, previous, following, ending)
    earlier = text[max(0, match.start() - _REACH) : match.start() - len(head)]
    if head.lower() not in _SUBJECTS[second] or not _stands(earlier, head, previous, second, following):
        return None
    return Change(match.start(), match.end(), mark + _SHORT[second])


def _not(match: re.Match[str], head: str, previous: str, following: str, ending: str) -> Change | None:
    short = _WITH_NOT.get(head.lower())
    if short is None or following == "only" or (not previous and head.lower() not in {"do", "can"}):
        return None
    if head.isupper():  # shouted: NOT is in capitals as well, or the text mixes cases
        return None
    cut = len(head) - len(short) if head.lower() == "can" else 0
    if head.lower() == "will":
        return Change(match.start() - len(head), match.end(), ("Wo" if head[0] == "W" else "wo") + ending)
    return Change(match.start() - cut, match.end(), ending)


def _stands(earlier: str, head: str, previous: str, second: str, following: str) -> bool:
    """Whether subject and verb stand in a clause of their own with something after the verb."""
    if head.isupper() and head != "I":
        return False
    if following in grammar.NO_COMPLEMENT or _EXTRACTED.search(earlier):
        return False
    joined = previous == "and" and head.lower() in {"i", "it", "there", "they", "we"}
    if previous in grammar.NOT_A_CLAUSE and not joined:
        return False
    if second == "have" and not (following in lexicon.words("participles") or following.endswith("ed")):
        return False
    return not (head.lower() in {"who", "what"} and (previous or following not in {"the", "a", "an", "your"}))
