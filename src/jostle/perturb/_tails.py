"""What a text ends in: words that an added clause can be joined to, a question, or a heading."""

from __future__ import annotations

import re
from itertools import pairwise

from .words import word_set

_TOKEN = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*|['\u2019](?:s|re|m|ve|ll|d)\b|n['\u2019]t\b")
_SENTENCE_END = re.compile(r"[.!?\u2026][\"'\u201d\u2019)\]]*\s+(?=\S)")
_FINITE = word_set(
    "is are was were am has have had do does did ca wo can could will would shall should may might must isn aren wasn "
    "weren hasn haven hadn doesn didn couldn wouldn shouldn cannot won don"
)
_PRONOUNS = word_set("i you he she it we they this that these those there")
# After one of these a verb belongs to another clause: "a film that is long".
_SUBORDINATE = word_set(
    "that who whom whose which what when where why how if whether because since while although though unless until "
    "once after before as than"
)
_AUXILIARY = "(?:do|does|did|is|are|was|were|can|could|will|would|should|has|have|had|am)"
_QUESTION = re.compile(
    rf"\W*(?:(?:what|when|where|how)(?: (?:much|many|long|often|old|far|kind of \w+|else))? {_AUXILIARY}\b"
    rf"|(?:who|whose|whom|why|which)\b|{_AUXILIARY}(?:n['\u2019]t)? (?:i|you|he|she|it|we|they|the|this|that)\b)",
    re.IGNORECASE,
)
# After a list or a dash a clause reads as one more part of it.
_LISTED = re.compile(r",[^,]*,|--| - |[;:\u2013\u2014]")
_LONG_WORD = re.compile(r"[A-Za-z]{4,}")


def takes_clause(text: str) -> bool:
    """Whether the last sentence opens with a subject pronoun or has a finite verb that no other clause can own.

    What it misses (other main verbs, as in "The boat sank.", and whatever holds a list or a dash) can be followed by
    a sentence as well.

    >>> [takes_clause(text) for text in ("The plot is thin.", "He left.", "a film that is thin .", "a thin plot .")]
    [True, True, False, False]
    """
    last = _SENTENCE_END.split(text.strip())[-1]
    if _LISTED.search(last):
        return False
    words = [word.lower() for word in _TOKEN.findall(last)]
    if len(words) > 1 and words[0] in _PRONOUNS and words[1] not in _SUBORDINATE:
        return True
    for before, word in pairwise(words):
        if before in _SUBORDINATE:
            return False
        if word in _FINITE and before not in _PRONOUNS and before not in ("to", "not", "never"):
            return True
    return False


def is_open_question(text: str) -> bool:
    """Whether a text without a final mark asks something: a full stop after it would be wrong.

    >>> is_open_question("how do you like it"), is_open_question("what you like is fine")
    (True, False)
    """
    return _QUESTION.match(text) is not None


def is_heading(text: str) -> bool:
    """Whether the longer words of a text without a final mark all have a capital.

    >>> is_heading("Chapter 3: The Federal Mission"), is_heading("The chapter is short")
    (True, False)
    """
    words = _LONG_WORD.findall(text)
    return len(words) > 1 and all(word[0].isupper() for word in words)
