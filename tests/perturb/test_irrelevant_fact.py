"""A fact about something else."""

import pytest

from jostle.items import Item, MCQItem
from jostle.perturb import NotApplicable, Variant, apply, lexicon
from jostle.perturb._append import stems
from jostle.perturb.irrelevant_fact import FACTS

NEGATIVE = {"not", "no", "never", "without"}
QUANTITY = {"all", "every", "some", "most", "many", "few", "one", "two"}


def fact(item: Item | MCQItem | str, seed: int = 0, side: str = "auto") -> Variant:
    variant = apply("irrelevant_fact", item, seed=seed, side=side)
    assert isinstance(variant, Variant), variant
    return variant


def test_sentence_of_its_own() -> None:
    texts = {fact("A slow film.", seed).text for seed in range(200)}
    assert texts == {f"A slow film. {text[0].upper()}{text[1:]}." for text in FACTS}


def test_clause_on_demand() -> None:
    variant = apply("irrelevant_fact", "It is slow.", form="clause")
    assert isinstance(variant, Variant)
    assert variant.text in {f"It is slow, and {text}." for text in FACTS}


def test_facts_are_neutral_and_claim_no_amount() -> None:
    for text in FACTS:
        words = set(text.split())
        assert not any(lexicon.polarity(word) for word in words)
        assert words.isdisjoint(NEGATIVE | QUANTITY)


def test_facts_share_no_content_word_with_the_item() -> None:
    items = [
        Item("1", "qnli", {"question": "What do bees and cows do?", "sentence": "He ran."}),
        MCQItem("Which one is an animal?", ("a penguin", "a sock"), 0, id="2"),
    ]
    for seed in range(150):
        for item, banned in zip(items, ({"bee", "cow"}, {"penguin", "sock"}), strict=True):
            assert banned.isdisjoint(stems(fact(item, seed).edits[0].replacement))


def test_mnli_takes_a_fact_in_the_premise_only() -> None:
    """A hypothesis with a fact says more than its premise: entailment would not hold."""
    pair = Item("1", "mnli", {"premise": "He ran.", "hypothesis": "He moved."}, "entailment")
    result = apply("irrelevant_fact", pair, side="second")
    assert isinstance(result, NotApplicable)
    assert result.reason == "a fact in a hypothesis would need the premise to say it"
    for side in ("auto", "first", "both"):
        variant = fact(pair, side=side)
        assert variant.side == "first"
        assert variant.item.fields["hypothesis"] == "He moved."


ITEMS = [
    Item("1", "sst2", {"sentence": "a dull film ."}, "negative"),
    Item("1", "qqp", {"question1": "Why?", "question2": "What for?"}, "duplicate"),
    Item("1", "qnli", {"question": "Who ran?", "sentence": "He ran."}, "entailment"),
    MCQItem("Who ran?", ("he", "she"), 0, id="1"),
]


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.task)
def test_other_tasks_take_it_by_default(item: Item | MCQItem) -> None:
    variant = fact(item)
    assert variant.restore() == item
    assert variant.item.label == item.label
    assert [edit.field for edit in variant.edits] == [list(item.fields)[-1]]


def test_no_fact_left() -> None:
    result = apply("irrelevant_fact", ". ".join(FACTS))
    assert isinstance(result, NotApplicable)
    assert result.reason == "no fact without a word of the item"
