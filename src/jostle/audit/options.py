"""Options of one case that mean the same, and options that refer to others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from ..items import LETTERS
from ..measures.fold import fold
from ..measures.words import skim

_CAPITALISED = re.compile(r"\b[A-Z][a-z]{2,}\b")
_NUMBER = re.compile(
    r"(?P<sign>[-−+]?)\s*[$€£]?\s*"
    r"(?:(?P<top>\d+)\s*/\s*(?P<bottom>\d+)|(?P<plain>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+))"
    r"(?:\s*[x×*·]\s*10\s*\^\s*\{?(?P<power>[-−+]?\d{1,2})\}?|[eE](?P<e>[-+]?\d{1,2}))?"
    r"\s*(?P<unit>[^\d\s].*)?"
)
_PREFIXES = {"n": -9, "µ": -6, "μ": -6, "u": -6, "m": -3, "c": -2, "": 0, "k": 3, "M": 6, "G": 9}
_SYMBOLS = ("m", "g", "s", "J", "Pa", "Hz", "V", "W", "N", "A", "L", "l", "mol", "eV", "T")
_NAMES = {
    "meter": "m", "metre": "m", "gram": "g", "second": "s", "joule": "J", "pascal": "Pa", "hertz": "Hz", "volt": "V",
    "watt": "W", "newton": "N", "ampere": "A", "liter": "L", "litre": "L",
}  # fmt: skip
_LONG = {"nano": "n", "micro": "µ", "milli": "m", "centi": "c", "kilo": "k", "mega": "M", "giga": "G"}
_ABOVE = re.compile(
    r"\b(?:all|none|both|neither|any|some|each|two|either)\s+(?:of\s+)?(?:the\s+)?above\b|\bthe\s+above\b",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"(?<![\w'])\(?([A-Z])\)?(?=\s*(?:,|and\b|or\b|&|nor\b)\s*(?:and\s+|or\s+)?\(?[A-Z]\)?(?![\w']))")
_LAST_LETTER = re.compile(r"(?:,|\band|\bor|&|\bnor)\s*\(?([A-Z])\)?(?![\w'])")
_ONLY_LETTERS = re.compile(
    r"(?:both|either|neither|only|all|options?|answers?|choices?|of|and|or|nor|but|not|are|is|correct|true|false|&|,|"
    r"\s|\.|\(?[A-Z]\)?(?![\w']))+",
    re.IGNORECASE,
)
_STATEMENT = r"\(?(?:[1-9]|[IVX]{1,4}|[ivx]{1,4})\)?"
_STATEMENTS = re.compile(
    rf"(?:only\s+|both\s+|either\s+|neither\s+|statements?\s+)?{_STATEMENT}"
    rf"(?:\s*(?:,|and|&|or|nor|;)\s*(?:and\s+|or\s+)?{_STATEMENT})*(?:\s+only|\s+alone|\s+are\s+\w+|\s+is\s+\w+)?\s*\.?",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"(?:^|[\s(])(?:1|i|I)\s*[.):\-–—|]|\b(?:statement|item|premise)\s+(?:1|I)\b|\bI\s+[A-Z“\"]", re.MULTILINE
)
_OF_THESE = re.compile(r"\bof (?:these|them)\b", re.IGNORECASE)
_SEVERAL = re.compile(rf"{_STATEMENT}\s*(?:,|and|&)\s*(?:and\s+)?{_STATEMENT}", re.IGNORECASE)


def option_key(text: str) -> str:
    """An option for comparison: without punctuation and the capital of a word; other capitals tell options apart.

    >>> option_key("The Rhine.") == option_key("the rhine"), option_key("aB") == option_key("AB")
    (True, False)
    """
    return fold(_CAPITALISED.sub(lambda match: match.group().lower(), text), case=True)


def number_of(text: str) -> tuple[Fraction, str] | None:
    """The number that an option is, and its unit; None where it is none.

    Percent are hundredths, and metric units are in their base: 1.5 km is 1500 m.

    >>> number_of("50 %") == number_of("1/2") == number_of("0.50"), number_of("1.5 km")
    (True, (Fraction(1500, 1), 'm'))
    """
    match = _NUMBER.fullmatch(text.strip().rstrip(".") if not text.strip().endswith("..") else text.strip())
    if match is None or match["bottom"] == "0" or (match["bottom"] and int(match["bottom"]) == 0):
        return None
    if match["top"]:
        value = Fraction(int(match["top"]), int(match["bottom"]))
    else:
        value = Fraction(match["plain"].replace(",", ""))
    power = match["power"] or match["e"]
    if power:
        value *= Fraction(10) ** int(power.replace("−", "-"))
    unit, factor = _unit((match["unit"] or "").strip())
    if any(character.isdecimal() or character in "+=^/()" for character in unit):
        return None  # a formula
    return value * factor * (-1 if match["sign"] in ("-", "−") else 1), unit


def _unit(text: str) -> tuple[str, Fraction]:
    if text in ("%", "percent", "per cent"):
        return "", Fraction(1, 100)
    low = text.casefold()
    for long, prefix in ("", ""), *_LONG.items():
        name = low.removeprefix(long)
        name = name if name in _NAMES else name.removesuffix("s")
        if low.startswith(long) and name in _NAMES:
            return _NAMES[name], Fraction(10) ** _PREFIXES[prefix]
    for prefix, power in _PREFIXES.items():
        if text.startswith(prefix) and text[len(prefix) :] in _SYMBOLS:
            return text[len(prefix) :].replace("l", "L") if text.endswith("l") else text[len(prefix) :], (
                Fraction(10) ** power
            )
    return option_key(text), Fraction(1)


def same_options(options: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Pairs of options that are `equal` but for case and punctuation, or `equivalent` as numbers."""
    skims = [skim(option) for option in options]
    keys = [option_key(option) if skims.count(own) > 1 else own for own, option in zip(skims, options, strict=True)]
    numbers = [number_of(option) for option in options]
    for i in range(len(options)):
        for j in range(i + 1, len(options)):
            if skims[i] == skims[j] and keys[i] == keys[j]:
                yield i, j, "equal"
            elif numbers[i] is not None and numbers[i] == numbers[j]:
                yield i, j, "equivalent"


def above_not_last(options: Sequence[str]) -> str | None:
    """An option that speaks of those above it although plain options stand below; None where there is none.

    >>> above_not_last(["All of the above", "red"]), above_not_last(["red", "Both of the above", "None of these"])
    ('All of the above', None)
    """
    meta = [bool(_ABOVE.search(option) or _OF_THESE.search(option)) for option in options]
    for k, option in enumerate(options):
        if _ABOVE.search(option) and not all(meta[k + 1 :]):
            return option
    return None


def bad_letters(options: Sequence[str]) -> str | None:
    """An option made of letters of options, of which one is its own or no option's; None where there is none.

    >>> bad_letters(["red", "blue", "Both A and E"]), bad_letters(["red", "blue", "Both A and B"])
    ('Both A and E', None)
    """
    for k, option in enumerate(options):
        if not _ONLY_LETTERS.fullmatch(option.strip()):
            continue
        if not re.search(r"\b(?:and|or|nor|both)\b|&", option):
            continue  # a sequence of letters, as of chemical elements
        named = set(_LETTERS.findall(option)) | set(_LAST_LETTER.findall(option))
        if len(named) > 1 and any(LETTERS.index(letter) >= len(options) or LETTERS[k] == letter for letter in named):
            return option
    return None


def absent_statements(question: str, options: Sequence[str]) -> str | None:
    """An option that names numbered statements where the question numbers none; None where there is none.

    >>> absent_statements("Which is a drawback?", ["I only", "II only", "I and II only"])
    'I and II only'
    >>> absent_statements("I. It is dear. II. It is slow. Which is a drawback?", ["I only", "II only", "I and II only"])
    """
    if not options or not all(_STATEMENTS.fullmatch(option.strip()) for option in options):
        return None
    several = [option for option in options if _SEVERAL.search(option)]
    words = any(re.search(r"[a-z]{3}|[ivx]{2}", option, re.IGNORECASE) for option in options)
    if not several or _MARKED.search(question) or not (words or len(several) > len(options) / 2):
        return None
    return several[0]
