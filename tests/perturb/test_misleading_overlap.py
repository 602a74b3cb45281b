"""Words of the other text, mentioned."""

import re

import pytest

from jostle.errors import UsageError
from jostle.items import Item
from jostle.perturb import NotApplicable, Variant, apply


def pair(premise: str, hypothesis: str, task: str = "mnli") -> Item:
    return Item("1", task, {"premise": premise, "hypothesis": hypothesis}, "neutral")


def mentioned(variant: Variant | NotApplicable) -> list[str]:
    assert isinstance(variant, Variant), variant
    (edit,) = variant.edits
    return re.findall(r'"(\w+)"', edit.replacement)


@pytest.mark.parametrize(
    ("premise", "text"),
    [
        ("The boy kicked.", 'He slept, and the word "kicked" consists of letters.'),
        ("A boat sank.", 'He slept, and the words "boat" and "sank" consist of letters.'),
        ("A large boat sank.", 'He slept, and the words "large", "boat" and "sank" consist of letters.'),
    ],
)
def test_form(premise: str, text: str) -> None:
    variant = apply("misleading_overlap", pair(premise, "He slept."))
    assert isinstance(variant, Variant)
    assert variant.item.fields["hypothesis"] == text
    assert variant.restore() == variant.base


def test_after_a_question_the_sentence_opens_with_a_capital() -> None:
    item = Item("1", "qqp", {"question1": "Why is water wet?", "question2": "Why is it so?"}, "not_duplicate")
    variant = apply("misleading_overlap", item, count=1)
    assert isinstance(variant, Variant)
    assert variant.item.fields["question2"].startswith('Why is it so? The word "')


def test_only_words_this_side_lacks_and_no_function_words() -> None:
    item = pair("Boats without sails never reached Berlin https://a.org/xyz 12 don't-knows.", "The boat and a sail.")
    assert {word for seed in range(30) for word in mentioned(apply("misleading_overlap", item, seed=seed))} == {
        "reached"
    }


def test_more_words_are_shared_than_before() -> None:
    item = pair("A large boat sank near some quiet harbour.", "A ship went down.")
    variant = apply("misleading_overlap", item)
    words = mentioned(variant)
    assert len(words) == 3
    assert set(words) <= set(item.fields["premise"].rstrip(".").split())
    assert len(mentioned(apply("misleading_overlap", item, count=1))) == 1


def test_both_sides_take_words_of_each_other() -> None:
    variant = apply("misleading_overlap", pair("Boats sank.", "Ships went down."), side="both")
    assert isinstance(variant, Variant)
    first, second = variant.edits
    assert '"went"' in first.replacement
    assert '"sank"' in second.replacement


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (pair("He ran.", "He ran."), "no word that only the other text has"),
        (pair("The word boat.", "Ships."), "about words"),
        (pair("Boats are named here.", "Ships."), "about words"),
        (Item("1", "sst2", {"sentence": "a boat ."}), "not for this task"),
        (Item("1", "custom", {"text": "a boat ."}), "no other text to take words from"),
    ],
)
def test_does_not_apply(item: Item, reason: str) -> None:
    result = apply("misleading_overlap", item)
    assert isinstance(result, NotApplicable)
    assert result.reason == reason


def test_count_below_one() -> None:
    with pytest.raises(UsageError, match="`count` to be at least 1, but got 0"):
        apply("misleading_overlap", pair("Boats sank.", "He slept."), count=0)
