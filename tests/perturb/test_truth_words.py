"""Sparing counts of words: only where the counts would be empty, or the same on both sides."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.items import Item
from jostle.perturb import Variant
from jostle.perturb._truth_words import has_truth_words, negations, quantifiers
from jostle.perturb.checks import CHECKS, Touched, failed_checks, regions
from jostle.perturb.diff import edits_between
from jostle.perturb.numerals import values

WORDS = (
    "film", "dull", "Nora", "great", "don't", "n't", "don\u2019t", "cannot", "NOT", "noted", "No one", "without",
    "unable", "Most of", "moist", "\u017fome", "at all", "each other", "halfway", "half", "one", "twenty-one", "Dozen",
    "two hundred and five", "million", "12", "1,000", "v2", "\u0663", "not_", "n'ts", "t", "caf\u00e9not", "well ,",
)  # fmt: skip
texts = st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join) | st.text(max_size=12)
capitals = st.sampled_from([str.upper, str.lower, str.title, str.swapcase])


def variant(before: str, after: str) -> Variant:
    base, edited = (Item("1", "sst2", {"sentence": text}, "positive") for text in (before, after))
    edits = edits_between(base.fields, edited.fields)
    return Variant(edited, base, "pert/x", "x", "pert", "invariant", "first", 0, edits)


@given(texts)
def test_a_text_without_truth_words_has_none_to_count(text: str) -> None:
    if not has_truth_words(text):
        assert (negations(text), quantifiers(text), values(text)) == ({}, {}, {})


@pytest.mark.parametrize("text", ["dull", "a noted moist film", "million"])  # a million of what: no number on its own
def test_there_are_texts_without(text: str) -> None:
    assert not has_truth_words(text)


@pytest.mark.parametrize("text", ["it is not", "CANNOT", "don't", "don\u2019t", "Most", "two", "3", "caf\u00e9"])
def test_there_are_texts_with(text: str) -> None:
    assert has_truth_words(text)


@given(texts, texts)
def test_spared_checks_find_what_all_checks_find(before: str, after: str) -> None:
    assert failed_checks(variant(before, after)) == every_check(variant(before, after))


@given(texts, capitals)
def test_spared_checks_find_what_all_checks_find_in_another_case(text: str, change: Callable[[str], str]) -> None:
    assert failed_checks(variant(text, change(text))) == every_check(variant(text, change(text)))


@given(texts, texts, texts)
def test_spared_checks_find_what_all_checks_find_on_a_pair(first: str, before: str, after: str) -> None:
    assert failed_checks(pair((first, before), (first, after))) == every_check(pair((first, before), (first, after)))


@given(texts, texts, capitals | st.just(lambda text: text.replace(" ", "  ").replace("o", "\u043e")))
def test_a_side_that_reads_the_same_keeps_what_stands_on_both(
    first: str, second: str, change: Callable[[str], str]
) -> None:
    made = pair((first, second), (change(first), second))
    assert failed_checks(made) == every_check(made)


@given(texts, texts)
def test_spared_checks_find_what_all_checks_find_where_words_may_be_added(before: str, after: str) -> None:
    made = dataclasses.replace(variant(before, after), kind="adv")
    assert failed_checks(made) == every_check(made)


def pair(before: tuple[str, str], after: tuple[str, str]) -> Variant:
    fields = ("premise", "hypothesis")
    base, edited = (Item("1", "mnli", dict(zip(fields, texts, strict=True)), "neutral") for texts in (before, after))
    edits = edits_between(base.fields, edited.fields)
    return Variant(edited, base, "para/x", "x", "para", "invariant", "both", 0, edits)


def every_check(made: Variant) -> list[str]:
    touched = Touched(made, tuple(regions(made)))
    return [name for name, check in CHECKS.items() if made.edits and not check(touched)]
