"""Marks that are missing or typed twice."""

import pytest

from jostle.items import Item, MCQItem
from jostle.perturb import NotApplicable, Variant, apply


def texts(text: str, rate: float = 1.0, task: str = "custom", field: str = "text") -> set[str]:
    item = Item("1", task, {field: text})
    found = [apply("punctuation", item, seed=seed, rate=rate) for seed in range(40)]
    return {variant.text for variant in found if isinstance(variant, Variant)}


def test_final_stop_goes_or_is_doubled() -> None:
    assert texts("It rains.") == {"It rains", "It rains.."}
    assert texts("it rains . ") == {"it rains ", "it rains .. "}


def test_other_marks_are_doubled_only() -> None:
    assert texts("Does it rain?") == {"Does it rain??"}
    assert texts("It rains!") == {"It rains!!"}


def test_missing_stop_is_added_to_statements() -> None:
    assert texts("it rains") == {"it rains."}
    assert texts("does it rain") == set()
    assert texts("rain in spring", task="qqp", field="question2") == set()


def test_commas_go_before_and_and_but_only() -> None:
    found = texts("However, it rains, but Tom, who sings, stays dry; 1,000 do", rate=1.0)
    assert all(text.startswith("However,") and "Tom, who" in text.replace(",,", ",") for text in found)
    assert all("1,000" in text for text in found)
    assert any("rains but" in text for text in found)
    assert any("rains,, but" in text for text in found)


def test_quotations_keep_their_commas() -> None:
    assert texts('He said, "rain, and more," twice.') == {
        'He said, "rain, and more," twice',
        'He said, "rain, and more," twice..',
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("and so on...", "no mark that may change"),
        ("He said 'no.'", "no mark that may change"),
        ("\u8fd9\u90e8\u7535\u5f71\u3002", "no word boundaries"),
    ],
)
def test_does_not_apply(text: str, reason: str) -> None:
    result = apply("punctuation", text)
    assert isinstance(result, NotApplicable)
    assert result.reason == reason


def test_sentence_to_be_completed_by_an_option_gets_no_stop() -> None:
    result = apply("punctuation", MCQItem("The capital of France is", ("Paris", "Rome"), 0, id="1"))
    assert isinstance(result, NotApplicable)
