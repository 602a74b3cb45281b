"""A neutral symbol at the end."""

import unicodedata

import pytest

from jostle.items import MCQItem
from jostle.perturb import NotApplicable, Variant, apply
from jostle.perturb.emoji_noise import EMOJI


def test_one_emoji_before_the_spaces_at_the_end() -> None:
    found = set()
    for seed in range(200):
        variant = apply("emoji_noise", "it 's good . \n", seed=seed)
        assert isinstance(variant, Variant)
        (edit,) = variant.edits
        assert (edit.start, edit.original) == (12, "")
        assert edit.replacement[0] == " "
        assert variant.text.endswith(" \n")
        found.add(edit.replacement[1:])
    assert found == set(EMOJI)


def test_emoji_judge_nothing() -> None:
    names = " ".join(unicodedata.name(emoji[0]) for emoji in EMOJI)
    for word in ("FACE", "HEART", "THUMB", "CHECK", "CROSS", "WARNING", "RED", "GREEN", "STAR", "FIRE"):
        assert word not in names


def test_emoji_of_the_text_is_not_repeated() -> None:
    text = "fine " + EMOJI[0]
    for seed in range(60):
        variant = apply("emoji_noise", text, seed=seed)
        assert isinstance(variant, Variant)
        assert variant.edits[0].replacement != " " + EMOJI[0]


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (MCQItem("The capital of France is", ("Paris", "Rome"), 0, id="1"), "unfinished sentence"),
        ("", "no English words"),
        ("\u8fd9\u90e8\u7535\u5f71", "no word boundaries"),
        ("see " + " ".join(EMOJI), "nowhere to add an emoji"),
    ],
)
def test_does_not_apply(item: str | MCQItem, reason: str) -> None:
    result = apply("emoji_noise", item)
    assert isinstance(result, NotApplicable)
    assert result.reason == reason


def test_question_with_a_mark_gets_one() -> None:
    assert isinstance(apply("emoji_noise", MCQItem("Capital of France?", ("Paris", "Rome"), 0, id="1")), Variant)
