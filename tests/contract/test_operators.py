"""What `tests/perturb/test_contract.py` leaves: every script of Unicode, growth with the length, threads."""

from __future__ import annotations

import sys
import time
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest

from jostle import perturb
from jostle.items import AnyItem, Item, MCQItem
from jostle.perturb import NotApplicable, Variant
from jostle.perturb.protect import protected_spans

OPERATORS = sorted(perturb.available())
TEXT_OPERATORS = [name for name in OPERATORS if perturb.available()[name].edits]
SENTENCE = (
    "The color of the theater wasn't what I'd expect, but 12 people say it's a great, favorite old building now. "
)
CLAUSES = "Because it is late, we did not go, and they really like the color of it. "
ODD = {
    "controls": "a\x00b \x07 \x1b[31m word \x7f",
    "separators": "one\u2028two\u2029three\x85four\x0bfive\x0csix",
    "zero width": "wo\u200brd jo\u200din \ufeffmark \u2060x",
    "bidi": "\u202eword\u202c \u2066isolate\u2069",
    "surrogate": "half \ud800 pair",
    "private": "\ue000 \U000f0000 word",
    "last": f"word {chr(sys.maxunicode)}",
    "combining": "e" + "\u0301" * 500 + " word",
    "flags": "\U0001f1e9\U0001f1ea \U0001f468\u200d\U0001f469\u200d\U0001f467 ok",
    "width": "ｆｕｌｌ　ｗｉｄｔｈ",
    "digits": "٣٤٥ ১২৩ ③ Ⅳ ½ items",
}


def scripts() -> dict[str, str]:
    """Three words of letters for every script that Unicode has names for (the first word of a letter's name)."""
    letters: dict[str, list[str]] = {}
    for point in range(0x80, 0x20000):
        if unicodedata.category(chr(point))[0] == "L":
            letters.setdefault(unicodedata.name(chr(point), "none").split()[0], []).append(chr(point))
    words = {name: "".join(islice(found, 12)) for name, found in letters.items()}
    return {name: f"{word[:5]} {word[5:8]}, {word}." for name, word in words.items()}


SCRIPTS = scripts()


def items(text: str) -> list[AnyItem]:
    """The text as every kind of item."""
    return [
        Item("u", "custom", {"text": text}),
        Item("s", "sst2", {"sentence": text}),
        Item("m", "mnli", {"premise": text, "hypothesis": f"{text} is it"}),
        MCQItem(f"{text}?", (text, f"{text} 2", "blue"), 1, id="c"),
    ]


def check(result: Variant | NotApplicable) -> None:
    """A variant rebuilds its original and keeps what is protected; what does not apply says why."""
    if isinstance(result, NotApplicable):
        assert result.reason
        return
    assert result.item != result.base
    assert result.restore() == result.base
    for field, text in result.base.fields.items():
        edited = result.item.fields.get(field)
        if isinstance(text, str) and isinstance(edited, str) and perturb.available()[result.operator].edits:
            assert all(text[start:end] in edited for start, end in protected_spans(text))


def test_there_are_many_scripts() -> None:
    assert len(SCRIPTS) > 100
    assert {"GREEK", "CYRILLIC", "HEBREW", "ARABIC", "DEVANAGARI", "HANGUL", "ETHIOPIC", "CHEROKEE"} <= set(SCRIPTS)


@pytest.mark.parametrize("name", OPERATORS)
def test_text_of_every_script(name: str) -> None:
    for text in SCRIPTS.values():
        for result in perturb.expand(items(text), [name], seed=1):
            check(result)


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("kind", ODD)
def test_odd_characters(name: str, kind: str) -> None:
    for seed in range(3):
        for result in perturb.expand(items(ODD[kind]), [name], seed=seed):
            check(result)


@pytest.mark.parametrize("name", OPERATORS)
def test_threads_do_not_disturb_each_other(name: str) -> None:
    texts = [f"{SENTENCE}{CLAUSES}{k}" for k in range(20)]

    def run(text: str) -> list[str]:
        return [repr(result) for result in perturb.expand(items(text), [name], seed=3)]

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(run, texts)) == [run(text) for text in texts]


def seconds(call: Callable[[], object]) -> float:
    """CPU seconds, the least of three."""
    taken = []
    for _ in range(3):
        began = time.process_time()
        call()
        taken.append(time.process_time() - began)
    return min(taken)


@pytest.mark.slow
@pytest.mark.parametrize("piece", [SENTENCE, CLAUSES], ids=["sentence", "clauses"])
@pytest.mark.parametrize("name", TEXT_OPERATORS)
def test_time_grows_as_the_text_does(name: str, piece: str) -> None:
    """25,000 and 100,000 characters: four times as many take four times as long, not sixteen times."""
    short, long = (piece * (n // len(piece)) for n in (25_000, 100_000))
    took, more = (seconds(lambda text=text: perturb.apply(name, text, rate=0.1)) for text in (short, long))  # type: ignore[misc]
    assert more < max(9 * took, 0.05)  # below that the clock and a first import weigh more than the text
    assert more < 3.0
