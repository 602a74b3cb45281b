"""Slips of the hand."""

import pytest

from jostle.perturb import NotApplicable, Variant, apply, lexicon
from jostle.perturb.typos import NEIGHBOURS

TEXT = "the storm never reached Berlin, and nobody without 12 boats could not swim across quickly"


def variants(text: str, rate: float | None = None, seeds: int = 200) -> list[Variant]:
    found = [apply("typos", text, seed=seed, rate=rate) for seed in range(seeds)]
    assert all(isinstance(variant, Variant) for variant in found)
    return [variant for variant in found if isinstance(variant, Variant)]


def is_one_slip(word: str, slipped: str) -> bool:
    """Whether the words differ by one replaced, dropped, doubled or two swapped letters."""
    if len(slipped) == len(word):
        at = [i for i, (a, b) in enumerate(zip(word, slipped, strict=True)) if a != b]
        if len(at) == 1:
            return slipped[at[0]] in NEIGHBOURS[word[at[0]]]
        return len(at) == 2 and at[1] == at[0] + 1 and word[at[0]] == slipped[at[1]] and word[at[1]] == slipped[at[0]]
    longer, shorter = max(word, slipped, key=len), min(word, slipped, key=len)
    taken = [i for i in range(1, len(longer)) if longer[:i] + longer[i + 1 :] == shorter]
    return bool(taken) and (longer == word or any(longer[i] == longer[i - 1] for i in taken))


def test_each_edit_is_one_slip_inside_a_word() -> None:
    for variant in variants(TEXT, rate=0.5):
        for edit in variant.edits:
            assert len(edit.original) >= 4
            assert edit.original[0] == edit.replacement[0]
            assert edit.original[-1] == edit.replacement[-1]
            assert is_one_slip(edit.original, edit.replacement)


def test_all_four_slips_occur() -> None:
    replacements = {edit.replacement for variant in variants("a wonderful day") for edit in variant.edits}
    assert {"wondreful", "wondrful", "wondderful", "wondwrful"} <= replacements


def test_negations_names_numbers_and_short_words_stay() -> None:
    touched = {edit.original for variant in variants(TEXT, rate=1.0) for edit in variant.edits}
    assert touched == {"storm", "reached", "boats", "could", "swim", "across", "quickly"}


def test_default_rate_gives_at_least_one_edit() -> None:
    assert {len(variant.edits) for variant in variants("a good film")} == {1}
    # 14 words x 0.1 = 1.4, rounded up to 2.
    assert {len(variant.edits) for variant in variants(TEXT)} == {2}


def test_word_of_four_letters_keeps_them_all() -> None:
    replacements = {edit.replacement for variant in variants("we want it") for edit in variant.edits}
    assert replacements == {"wnat", "waant", "wannt"}


def test_slip_is_never_a_common_word() -> None:
    common = lexicon.words("common")
    text = "form best love good bare then that sing started place horse house great angel trial public least country"
    for variant in variants(text, rate=1.0):
        assert not {edit.replacement for edit in variant.edits} & common


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("It is so", "no lower-case word of four letters"),
        ("LOUD Names Only", "no lower-case word of four letters"),
        ("does n't", "no lower-case word of four letters"),
        ("never without", "nothing to change"),
        ("caf\u00e9s na\u00efves", "no English words"),
    ],
)
def test_does_not_apply(text: str, reason: str) -> None:
    result = apply("typos", text)
    assert isinstance(result, NotApplicable)
    assert result.reason == reason


def test_neighbours_are_mutual() -> None:
    assert NEIGHBOURS["g"] == "fhtyvb"
    assert all(key in NEIGHBOURS[near] for key, row in NEIGHBOURS.items() for near in row)
