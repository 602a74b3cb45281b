"""Simple sentences: where they end, how they begin, and what makes it unsafe to move a part of them."""

from __future__ import annotations

import re
from typing import NamedTuple

from .words import Passage, word_set

# Words that lose their capital when they no longer open the sentence; any other may be a name.
OPENERS = word_set(
    "the a an this that these those he she it we they you there here my your his her its our their some many most "
    "all both each every several few no one nobody everyone everybody someone somebody anyone people in on at for "
    "to if when while because since after before once unless although though as and but or not what who how where "
    "why which is are was were do does did can could will would should has have had maybe perhaps nothing "
    "everything something anything another other only even women men children kids two three four five six seven"
)
THIRD = {
    "he": "he", "him": "he", "his": "he", "himself": "he", "she": "she", "her": "she", "hers": "she",
    "herself": "she", "it": "it", "its": "it", "itself": "it", "they": "they", "them": "they", "their": "they",
    "theirs": "they", "themselves": "they", "one": "one", "ones": "one",
}  # fmt: skip
NEGATIONS = word_set(
    "not no never none nobody nothing neither nor nowhere without hardly scarcely barely rarely seldom cannot "
    "n't few little unable lack lacks lacked only"
)
# A clause with one of these may hold another clause, so that it is open what a moved part belongs to.
JOINTS = word_set(
    "that who whom whose which what when where why how if whether because since while although though unless until "
    "till once after before as than and or but so yet nor to for say says said think thinks thought know knows knew "
    "believe believes believed claim claims claimed tell told feel feels felt hope hoped want wants wanted"
)
_SENTENCE = re.compile(r"[^.!?\n;:()\"\u201c\u201d\[\]]+[.!?]?\s*\Z")
_WORDS = re.compile(r"[A-Za-z]+(?:['\u2019][A-Za-z]+)*")


class Sentence(NamedTuple):
    """A text that is one sentence: where its first word begins, and where its words and its mark end."""

    text: str
    start: int
    stop: int
    mark: str

    @property
    def body(self) -> str:
        """The sentence without its final mark."""
        return self.text[self.start : self.stop]


def sentence(passage: Passage) -> Sentence | None:
    """The text as one plain sentence, or None when it is more than one, or holds brackets or quotations.

    A stem of multiple choice without a final mark is none either: the options go on where it ends.
    """
    text = passage.text
    start = len(text) - len(text.lstrip())
    if _SENTENCE.match(text, start) is None:
        return None
    end = len(text.rstrip())
    mark = text[end - 1 : end] if text[end - 1 : end] in (".", "!", "?") else ""
    if passage.task == "mcq" and not mark:
        return None
    stop = len(text[start : end - len(mark)].rstrip()) + start
    return Sentence(text, start, stop, mark)


def words_of(text: str) -> list[str]:
    """The words of `text` in lower case; n't counts as a word of its own."""
    found: list[str] = []
    for word in _WORDS.findall(text.lower().replace("\u2019", "'")):
        found += [word[:-3], "n't"] if word.endswith("n't") and len(word) > 3 else [word]  # noqa: PLR2004
    return found


def lowered(text: str) -> str | None:
    """`text` as it stands inside a sentence, or None where its capital may be that of a name.

    >>> lowered("The end"), lowered("I know"), lowered("Paris")
    ('the end', 'I know', None)
    """
    first = _WORDS.match(text)
    if first is None:
        return None
    word = first.group()
    if not word[0].isupper() or word == "I" or word.startswith(("I'", "I\u2019")):
        return text
    head = word.lower().partition("'")[0]
    if head in OPENERS or (word.endswith("n't") and word.lower()[:-3] in OPENERS):
        return text[0].lower() + text[1:]
    return None


def raised(text: str) -> str:
    """`text` with a capital first letter."""
    return text[:1].upper() + text[1:]


def pronouns(words: list[str]) -> set[str]:
    """Which third persons the words point at by pronoun."""
    return {THIRD[word] for word in words if word in THIRD}
