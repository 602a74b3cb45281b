"""A denied absurdity at the end."""

import pytest

from jostle import perturb
from jostle.errors import UsageError
from jostle.items import Item, MCQItem
from jostle.perturb import NotApplicable, Variant, apply, lexicon
from jostle.perturb._append import stems
from jostle.perturb.negated_contradiction import ABSURD, LOGICAL


def clause(text: str, seed: int = 0, **params: str) -> str:
    variant = apply("negated_contradiction", text, seed=seed, **params)
    assert isinstance(variant, Variant), variant
    (edit,) = variant.edits
    return edit.replacement.removeprefix(", and ")


def test_the_published_form() -> None:
    variant = apply("negated_contradiction", "He left.", style="classic")
    assert isinstance(variant, Variant)
    assert variant.text == "He left, and false is not true."
    assert variant.condition == "adv/negated_contradiction"


def test_styles_draw_from_their_clauses() -> None:
    for style, clauses in {"any": LOGICAL + ABSURD, "logical": LOGICAL, "absurd": ABSURD}.items():
        assert {clause("He sings.", seed, style=style) for seed in range(150)} == set(clauses)


def test_words_of_the_item_are_not_used() -> None:
    """Not those of the other text, nor those of the options."""
    pair = Item("1", "qnli", {"question": "Is a square a circle?", "sentence": "He ran."})
    choices = MCQItem("Which one sings?", ("stones", "birds"), 1, id="2")
    for seed in range(80):
        for item, banned in ((pair, {"square", "circle"}), (choices, {"stone", "bird"})):
            variant = apply("negated_contradiction", item, seed=seed)
            assert isinstance(variant, Variant)
            assert banned.isdisjoint(stems(variant.edits[0].replacement))


def test_none_left() -> None:
    result = apply("negated_contradiction", "It is true.", style="classic")
    assert isinstance(result, NotApplicable)
    assert result.reason == "no denial without a word of the item"


def test_clauses_deny_and_have_no_polarity() -> None:
    for text in LOGICAL + ABSURD:
        assert " is not " in text
        assert not any(lexicon.polarity(word) for word in text.split() if word not in {"true", "false"})


def test_one_clause_on_each_side() -> None:
    pair = Item("1", "mnli", {"premise": "He ran.", "hypothesis": "He moved."})
    variant = apply("negated_contradiction", pair, side="both")
    assert isinstance(variant, Variant)
    assert [edit.field for edit in variant.edits] == ["premise", "hypothesis"]
    assert variant.restore() == pair


def test_unknown_style() -> None:
    with pytest.raises(UsageError, match="`style` to be one of any, logical, absurd, classic, but got 'loud'"):
        apply("negated_contradiction", "He left.", style="loud")


def test_label_is_the_old_one() -> None:
    item = Item("1", "sst2", {"sentence": "a fine film ."}, "positive")
    (variant,) = perturb.expand([item], ["negated_contradiction"])
    assert isinstance(variant, Variant)
    assert variant.item.label == "positive"
    assert variant.relation == "invariant"
