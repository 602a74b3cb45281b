"""Texts without what does not change them: case, spaces, sentence punctuation, Unicode forms; and without their numbers
and names."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Set

# Before NFKC would make 10² to 102, and 1½ to 11/2.
_RAISED = re.compile("[\u00b2\u00b3\u00b9\u2070-\u207e]+")
_FRACTION = re.compile("(?<=\\d)(?=[\u00bc-\u00be\u2150-\u215e])")
_APOSTROPHE = re.compile(r"(?<=\w)['’‘ʼ`](?=\w)")
_QUOTE = re.compile(r"[\"'“”„‟«»‹›‘’‚`]")
# A mark ends a word, unless it stands at a number: 3.5, 10:30 and 5! keep theirs.
_MARK = re.compile(r"(?<!\d)!+(?!\w)|(?:[.,;:?…]|(?<=[.?…])!)+(?=[\s)\]}|.,;:!?…]|$)|(?<![\w\s])[.…]{3,}")
_DASH = re.compile(r"(?<=[^\W\d_])\s*[-‐‑–—]+\s*(?=[^\W\d_]{2})|\s[–—]+\s(?=[^\W\d_])")
NUMBERS = re.compile(r"(?<![\w])\d+(?:[.,:/]\d+)*(?:st|nd|rd|th)?(?!\w)|\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE = re.compile(r"(?:^|[.!?:|\n]\s*[\"'“‘(]?|[\"“]|\s[A-Z][.)]\s)$")
NUMBER, NAME = "<number>", "<name>"
_NAMES = re.compile(rf"{NAME}(?:[\s-]+{NAME})+")
NEGATIONS = frozenset(
    ("not", "no", "never", "none", "nobody", "nothing", "nowhere", "neither", "nor", "without", "cannot", "cant")
)


def fold(text: str, *, case: bool = False) -> str:
    """The text in lower case, NFKC, with single spaces and without sentence punctuation.

    What can carry meaning stays: marks within numbers, signs of arithmetic and code, brackets, exponents; `2 + 2` is
    not `2 - 2`, and `10²` is not `102`. A text of which nothing would be left stays as it is.

    Args:
        text: Any text.
        case: Whether to leave the case as it is.

    >>> fold("  What's 3.5 + 1,  then?") == fold("what’s 3.5 + 1 then")
    True
    >>> fold("a well-known fact."), fold("5!"), fold("10²")
    ('a well known fact', '5!', '10^2')
    """
    found = text
    if not found.isascii():
        found = _RAISED.sub(lambda match: "^" + match.group(), found)
        found = unicodedata.normalize("NFKC", _FRACTION.sub(" ", found))
    found = _QUOTE.sub(" ", _APOSTROPHE.sub("", found))
    found = _DASH.sub(" ", _MARK.sub(" ", " ".join(found.split())))
    return " ".join((found if case else found.casefold()).split()) or text.strip()


def name_words(texts: Iterable[str]) -> frozenset[str]:
    """Words that these texts write with a capital within a sentence, and more often so than in lower case.

    Where texts have no case, or a name only ever begins a sentence, it is not found.

    >>> sorted(name_words(["Did Ann meet Bo?", "Bo has a dog. Is it Bo's?"]))
    ['Ann', 'Bo']
    """
    capital: Counter[str] = Counter()
    written: Counter[str] = Counter()
    for text in texts:
        written.update(_WORD.findall(text))
        if text.islower():
            continue
        for match in _WORD.finditer(text):
            word = _bare(match.group())
            if word[0].isupper() and not _SENTENCE.search(text[max(0, match.start() - 4) : match.start()]):
                capital[word] += 1
    return frozenset(word for word, n in capital.items() if n > written[word.lower()] and word != "I")


def _bare(word: str) -> str:
    return word[:-2] if word.endswith(("'s", "’s")) else word


def skeleton(text: str, names: Set[str], folded: str | None = None) -> str | None:
    """The folded text with its numbers and names masked, names that follow each other as one.

    Args:
        text: A text as it was written.
        names: What counts as a name, out of `name_words`.
        folded: The folded text, where it is known.

    Returns:
        The mask; None where nothing is masked.

    >>> skeleton("Ann Lee has 3 pears.", {"Ann", "Lee"})
    '<name> has <number> pears'
    """
    if text.islower() or names.isdisjoint(map(_bare, _WORD.findall(text))):
        found = folded if folded is not None else fold(text)
    else:
        masked = _WORD.sub(lambda match: _masked(match.group(), names), text)
        found = fold(_NAMES.sub(NAME, masked))
    found = NUMBERS.sub(NUMBER, found)
    return found if NAME in found or NUMBER in found else None


def _masked(word: str, names: Set[str]) -> str:
    bare = _bare(word)
    return NAME + word[len(bare) :] if bare in names else word


def is_template(mask: str) -> bool:
    """Whether enough words stand beside the masks to make a template: two, and as many as masks.

    >>> is_template("what is <number> + <number>"), is_template("<name> <number>")
    (True, False)
    """
    masks = mask.count(NAME) + mask.count(NUMBER)
    words = len(_WORD.findall(mask.replace(NAME, " ").replace(NUMBER, " ")))
    return words >= max(2, masks)


def differences(texts: Iterable[str], names: Set[str]) -> list[str]:
    """In which of `negation`, `numbers` and `names` the texts are not all alike.

    >>> differences(["He did pay 5.", "He didn't pay 5."], set())
    ['negation']
    """
    cues = [_cues(text, names) for text in texts]
    kinds = ("negation", "numbers", "names")
    return [kind for k, kind in enumerate(kinds) if len({cue[k] for cue in cues}) > 1]


def _cues(text: str, names: Set[str]) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    words = [word.replace("’", "'") for word in _WORD.findall(text)]
    lower = [word.lower() for word in words]
    negations = sum(word in NEGATIONS or word.endswith("n't") for word in lower)
    found = (bare for bare in map(_bare, words) if bare in names)
    return negations, tuple(sorted(NUMBERS.findall(text))), tuple(sorted(found))
