"""Markers of discourse replaced or added."""

import pytest

from jostle.errors import UsageError
from jostle.items import Item
from jostle.perturb import NotApplicable, Variant, apply

ADDED = ("In fact, ", "Indeed, ", "As it happens, ", "As a matter of fact, ")


def hypothesis(text: str) -> Item:
    return Item("0", "mnli", {"premise": "It rains.", "hypothesis": text}, "neutral")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("For example, it rains.", "For instance, it rains."),
        ("It rains; moreover, it snows.", "It rains; furthermore, it snows."),
        ("unfortunately , it 's long .", "sadly , it 's long ."),
        ("Nevertheless, we go.", "Nonetheless, we go."),
        ("These are, in general, small.", "These are, generally, small."),
    ],
)
def test_replaces(text: str, expected: str) -> None:
    variant = apply("discourse_markers", text)
    assert isinstance(variant, Variant)
    assert variant.text == expected


@pytest.mark.parametrize(
    "text",
    [
        "However long it takes",
        "He is still, as ever, here",
        "an example for instance hunters, and others",
        "NEVERTHELESS, go",
        "As the land rose, however, a lake was left.",
    ],
)
def test_leaves_alone(text: str) -> None:
    assert isinstance(apply("discourse_markers", text), NotApplicable)


def test_adds_to_a_hypothesis() -> None:
    seen = set()
    for seed in range(30):
        variant = apply("discourse_markers", hypothesis("The road is closed today."), seed=seed)
        assert isinstance(variant, Variant)
        text = variant.item.fields["hypothesis"]
        assert text.endswith("the road is closed today.")
        seen.add(text.removesuffix("the road is closed today."))
        assert variant.item.fields["premise"] == "It rains."
    assert seen == set(ADDED)


@pytest.mark.parametrize(
    "text",
    ["London is large today.", "Is the road closed?", "Close the road now.", "The road.", "It rains. It snows again.",
     "The road, at least, is open."],
)  # fmt: skip
def test_adds_to_plain_claims_only(text: str) -> None:
    assert isinstance(apply("discourse_markers", hypothesis(text)), NotApplicable)


def test_modes() -> None:
    assert isinstance(
        apply("discourse_markers", hypothesis("The road is closed today."), mode="replace"), NotApplicable
    )
    assert isinstance(apply("discourse_markers", "The road is closed today."), NotApplicable)
    assert isinstance(apply("discourse_markers", "The road is closed today.", mode="add"), Variant)
    with pytest.raises(UsageError, match="one of auto, replace, add, but got 'put'"):
        apply("discourse_markers", "x", mode="put")
