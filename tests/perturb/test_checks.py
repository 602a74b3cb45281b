"""The checks fire on what breaks a promise and stay quiet on what keeps it."""

from __future__ import annotations

import pytest

from jostle.items import Item
from jostle.perturb import Variant, apply
from jostle.perturb.checks import failed_checks, near
from jostle.perturb.diff import edits_between
from jostle.perturb.numerals import values


def changed(base: str, edited: str, *, kind: str = "para", task: str = "sst2", relation: str = "invariant") -> Variant:
    item = Item("1", task, {"sentence": base}, "positive")
    other = item.with_fields({"sentence": edited})
    edits = edits_between(item.fields, other.fields)
    return Variant(other, item, "para/x", "x", kind, relation, "first", 0, edits)


def pair(base: tuple[str, str], edited: tuple[str, str]) -> Variant:
    item = Item("1", "mnli", dict(zip(("premise", "hypothesis"), base, strict=True)), "entailment")
    other = item.with_fields(dict(zip(("premise", "hypothesis"), edited, strict=True)))
    return Variant(other, item, "para/x", "x", "para", "invariant", "both", 0, edits_between(item.fields, other.fields))


@pytest.mark.parametrize(
    ("base", "edited", "failed"),
    [
        ("It has 12 scenes.", "It has 13 scenes.", "numbers"),
        ("It has twelve scenes.", "It has twenty scenes.", "numbers"),
        ("It is not dull.", "It is dull.", "negations"),
        ("It isn't dull.", "It is dull.", "negations"),
        ("It is dull.", "It is never dull.", "negations"),
        ("All of the actors shine.", "Some of the actors shine.", "quantifiers"),
        ("We thank Mira for it.", "We thank Ravi for it.", "names"),
        ("See https://example.org/a for it.", "See the site for it.", "protected"),
        ("A great film.", "A terrible film.", "polarity"),
        ("A film about trains.", "A terrible film about trains.", "polarity"),
        ("A great film about trains.", "A film about trains.", "polarity"),
    ],
)
def test_fires(base: str, edited: str, failed: str) -> None:
    assert failed in failed_checks(changed(base, edited))


@pytest.mark.parametrize(
    ("base", "edited"),
    [
        ("It has 12 scenes.", "It has twelve scenes."),
        ("It has 1,000 extras.", "It has 1000 extras."),
        ("A dozen actors shine.", "Twelve actors shine."),
        ("It isn't dull.", "It is not dull."),
        ("They cannot act.", "They can't act."),
        ("The film begins well.", "The movie starts well."),
        ("Mira acts well.", "mira acts well."),
        ("We thank Mira for it.", "WE THANK MIRA FOR IT."),
        ("One of the best.", "one of the best ."),
    ],
)
def test_stays_quiet(base: str, edited: str) -> None:
    assert failed_checks(changed(base, edited)) == []


def test_distractor_may_add_a_negation_but_not_lose_one() -> None:
    assert failed_checks(changed("A film.", "A film, and false is not true.", kind="adv")) == []
    assert failed_checks(changed("Not a film.", "A film, and false is true.", kind="adv")) == ["negations"]


def test_changed_relation_is_held_to_protected_spans_only() -> None:
    assert failed_checks(changed("It is dull.", "It is not dull.", relation="changed")) == []
    assert failed_checks(changed("See v2.10.3 now.", "See v2.10.4 now.", relation="changed")) == ["protected"]


def test_polarity_is_checked_for_sentiment_only() -> None:
    assert "polarity" not in failed_checks(changed("A great film.", "A terrible film.", task="custom"))


def test_name_or_number_on_both_sides_stays_linked() -> None:
    base = ("Mira met 12 guests.", "Mira met 12 people.")
    assert failed_checks(pair(base, ("Mira met 12 guests.", "Mira met twelve people."))) == ["both sides"]
    assert failed_checks(pair(base, ("Mira met twelve guests.", "Mira met twelve people."))) == []


def test_typo_in_a_polarity_word_is_read_through() -> None:
    assert failed_checks(changed("A wonderful film.", "A wonderfull film.", kind="pert")) == []


@pytest.mark.parametrize(
    ("word", "other", "same"),
    [("charming", "chraming", True), ("charming", "charmng", True), ("good", "bad", False), ("able", "unable", False),
     ("careful", "careless", False), ("movie", "m\u043evie", True), ("film", "movie", False)],
)  # fmt: skip
def test_near(word: str, other: str, same: bool) -> None:
    assert near(word, other) is same


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("twenty-one", [21]),
        ("two hundred and five", [205]),
        ("three thousand four hundred", [3400]),
        ("two dozen", [24]),
        ("one of us", []),
        ("12, 13 and 14.5", [12, 13, 14.5]),
        ("1,000,000", [1_000_000]),
        ("salt and pepper", []),
    ],
)
def test_number_values(text: str, expected: list[float]) -> None:
    assert sorted(values(text).elements()) == expected


def test_variant_without_edits_passes() -> None:
    variant = apply("letter_case", "A film.", style="upper")
    assert isinstance(variant, Variant)
    assert failed_checks(variant) == []
