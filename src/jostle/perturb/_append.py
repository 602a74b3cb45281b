"""Put a clause or a sentence after a text, in the spacing and case of the text; where a clause can be joined."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence

from ..errors import UsageError
from ..items import AnyItem, MCQItem
from ._tails import is_heading, is_open_question, takes_clause
from .base import Change, NotApplicable
from .words import Passage, draw, has_other_script, is_tokenised, not_english

FORMS = ("clause", "sentence")
Asked = Change | NotApplicable

_TAIL = re.compile(r" ?(?P<mark>[.!?…]*)(?P<quote>(?: ?(?:''|[\"'\u201d\u2019)\]]))*)\Z")
_REACH = 60
_ABBREVIATION = re.compile(r"(?:\.\w+|\b(?:Inc|Ltd|Corp|Co|Jr|Sr|etc|Mr|Mrs|Ms|Dr|St|vs|No|[A-Z]))\Z")
_UNFINISHED = re.compile(
    r"(?:[,:;(\-\u2013\u2014_=]|\b(?:is|are|was|were|of|the|a|an|to|by|in|and|or|but|so|for|from|with|as|than|that))\Z",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+")
_ATTACHED = re.compile(r"\w[,;:] ")  # as in text that is not tokenised
_BARE = 3  # letters that must be left of a word whose plural ending is taken off


def added(passage: Passage, clause: str, form: str = "clause") -> Asked:
    """The change that adds `clause`, or why the text does not take one.

    Args:
        passage: The text.
        clause: Lower-case words without a stop: "a table is a table".
        form: `clause` joins it with "and" before the final stop (after any other end, or after words that are no
            main clause for certain, it is a sentence); `sentence` always makes it one.

    Raises:
        UsageError: Unknown form.

    >>> added(Passage("He left."), "ice floats"), added(Passage("He left."), "ice floats", "sentence")
    (Change(start=7, end=7, replacement=', and ice floats'), Change(start=8, end=8, replacement=' Ice floats.'))
    """
    if form not in FORMS:
        raise UsageError(f"Expected `form` to be one of {', '.join(FORMS)}, but got {form!r}.")
    text = passage.text
    end = len(text.rstrip())
    tail = _TAIL.search(text[:end], max(0, end - _REACH))
    assert tail is not None  # every part of the pattern may be empty
    body = text[max(0, tail.start() - _REACH) : tail.start()].rstrip()
    refusal = _refusal(passage, tail["mark"], body)
    if refusal:
        return refusal
    apart = is_tokenised(text) or (tail[0].startswith(" ") and not _ATTACHED.search(text))
    space = " " if apart else ""
    if form == "sentence" or (tail["mark"] in ("", ".") and not takes_clause(text)):
        return Change(tail.end(), tail.end(), ("" if tail["mark"] else f"{space}.") + _sentence(text, clause, space))
    if not tail["mark"]:
        return Change(tail.end(), tail.end(), f"{space}, and {clause}")
    if tail["mark"] == "." and not tail["quote"] and not _ABBREVIATION.search(body):
        return Change(tail.start(), tail.start(), f"{space}, and {clause}")
    return Change(tail.end(), tail.end(), _sentence(text, clause, space))


def _refusal(passage: Passage, mark: str, body: str) -> NotApplicable | None:
    refusal = not_english(passage.text)
    if refusal:
        return refusal
    if has_other_script(passage.text):
        return NotApplicable("words of another script")
    if not mark and (passage.task == "mcq" or _UNFINISHED.search(body)):
        return NotApplicable("unfinished sentence")
    if not mark and is_open_question(passage.text):
        return NotApplicable("a question without its mark")
    if not mark and is_heading(passage.text):
        return NotApplicable("a heading")
    return None


def _sentence(text: str, clause: str, space: str) -> str:
    first = clause[0] if text.islower() else clause[0].upper()
    return f" {first}{clause[1:]}{space}."


def add_to_sides(
    item: AnyItem, sides: Iterable[str], pick: Callable[[str], str | None], form: str, none_left: str
) -> dict[str, list[Change]] | NotApplicable:
    """Changes by field that add to each side what `pick` chooses for it; the first refusal where none takes one."""
    changes: dict[str, list[Change]] = {}
    refusal: NotApplicable | None = None
    for field in sides:
        clause = pick(field)
        passage = Passage(item.fields[field], task_of(item), field)
        asked = NotApplicable(none_left) if clause is None else added(passage, clause, form)
        if isinstance(asked, NotApplicable):
            refusal = refusal or not_english(passage.text) or asked
        else:
            changes[field] = [asked]
    return changes or refusal or NotApplicable(none_left)


def unrelated(rng: random.Random, clauses: Sequence[str], item: AnyItem) -> str | None:
    """A random clause that shares no content word with any text or option of the item, or None."""
    known = stems(" ".join((*item.fields.values(), *(item.choices if isinstance(item, MCQItem) else ()))))
    return next((clause for clause in draw(rng, clauses) if known.isdisjoint(stems(clause) - _FORM_WORDS)), None)


def stems(text: str) -> frozenset[str]:
    """The words of a text in lower case, without a plural ending.

    >>> sorted(stems("Trees have roots"))
    ['have', 'root', 'tree']
    """
    return frozenset(
        word[:-1] if word[-1] == "s" and len(word) > _BARE else word for word in _WORD.findall(text.lower())
    )


def task_of(item: AnyItem) -> str:
    """The task an operator sees: a multiple-choice item is one, whatever the name of its set."""
    return "mcq" if isinstance(item, MCQItem) else item.task


_FORM_WORDS = stems("a an the is are of in on from to with it not and has have made")
